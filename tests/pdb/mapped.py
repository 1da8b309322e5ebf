# SPDX-License-Identifier: Apache-2.0
"""A Windows image that a program of Linux maps and runs, as Wine does: its samples have the names and
lines of the PDB. Usage: mapped.py WPERF
"""
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import images

wperf = sys.argv[1]
for tool in ("clang", "lld-link", "llvm-readobj", "gcc"):
    if not shutil.which(tool) or platform.machine() != "x86_64":
        print(f"no {tool}, or another machine")
        sys.exit(77)


def sections_of(image):
    """What the host is told of each section, and the base."""
    text = images.run(["llvm-readobj", "--sections", "--file-headers", image])
    base = re.search(r"ImageBase: (0x[0-9A-F]+)", text).group(1)
    words = []
    for part in text.split("Section {")[1:]:
        value = {key: re.search(key + r": (0x[0-9A-F]+|\d+)", part).group(1)
                 for key in ("VirtualAddress", "RawDataSize", "PointerToRawData")}
        if int(value["RawDataSize"], 0) == 0:
            continue  # of nothing but zeros, which this program does not look at
        kind = "x" if "IMAGE_SCN_MEM_EXECUTE" in part else "w"
        words.append(f"{value['VirtualAddress']}:{value['PointerToRawData']}:"
                     f"{int(value['RawDataSize'], 0):x}:{kind}")
    return base, words


def record(folder, image):
    base, sections = sections_of(image)
    entry = next(f["address"] for f in images.functions(wperf, image) if f["name"] == "whole")
    images.run(["gcc", "-O1", pathlib.Path(__file__).parent / "host.c", "-o", folder / "host"])
    data = folder / "perf.data"
    done = subprocess.run([wperf, "record", "-e", "cpu-clock", "-F", "2000", "-q", "-g", "--save", data, "--",
                           folder / "host", image, base, entry, "5", *sections],
                          capture_output=True, text=True, check=False, timeout=100)
    if done.returncode:
        print(done.stdout + done.stderr)
        sys.exit(77 if "perf_event" in done.stderr else 1)
    return data


with tempfile.TemporaryDirectory() as top:
    folder = pathlib.Path(top)
    image = images.build(folder, "x64", link=["/filealign:4096"])
    data = record(folder, image)
    events = json.loads(images.run([wperf, "report", data, "--json"]))["report"]["events"]
    rows = {row["name"]: row for row in events[0]["rows"]}
    inside = [row for row in rows.values() if row.get("module", "").endswith("lib.dll")]
    known = sum(row["samples"] for row in inside if row["name"] != "[unknown]")
    assert {"whole", "shapes::sum", "shapes::pick", "shapes::mix"} <= set(rows), set(rows)
    assert known > 0.8 * events[0]["samples"], rows
    by_line = images.run([wperf, "report", data, "--sort", "line", "--json"])
    lines = {number for number, text in enumerate(images.SOURCE.read_text().splitlines(), 1)
             if "hash" in text}
    found = {int(number) for number in re.findall(r"program\.cpp:(\d+)", by_line)}
    assert lines & found, (lines, by_line)
    # By the table of how functions begin, but for those that are being left.
    assert rows["main"]["total_percent"] > 95, rows["main"]
    print(f"{rows['main']['total_percent']:.1f} % of them with all callers")
    print(f"{events[0]['samples']} samples, {known} of them in {len(inside)} functions")
