# SPDX-License-Identifier: Apache-2.0
"""A recording of the Windows kernel: every place of the reference table has its function, and the line
that its image has there, with the caller in the program behind it; what has no file says so; perf opens it.
Usage: in_kernel.py WPERF FOLDER
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import images
import kernel_recording as made

wperf, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "arm64-seh"
if not folder.is_dir():
    print(f"no reference PDBs: {folder}")
    sys.exit(77)

CALLER = made.PROGRAM + 0x1064
UNKNOWN = [made.DUMP + 0x1010, made.NOWHERE]
EXPORTED = made.DRIVER + 0x1060


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False,
                          timeout=60)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout, done.stderr


def rows_of(table):
    return [line.split("\t") for line in table.read_text().splitlines() if line[0] != "#"]


def functions_of(table):
    """[(start, end, name)]; functions with the same code were folded into one."""
    return [(int(start, 16), int(start, 16) + int(size, 16), name)
            for start, size, name in rows_of(table)]


def stacks_of(data, system):
    """[(address, name, module)] of each sample, the innermost first."""
    output, errors = run(wperf, "script", "-i", data, "--sysroot", system)
    frame = re.compile(r"\s+([0-9a-f]+) (.*) \((.*)\)")
    return [[frame.fullmatch(line).groups() for line in block.splitlines()[1:]]
            for block in output.strip().split("\n\n")], errors


def check_names(data, system, addresses):
    stacks, errors = stacks_of(data, system)
    functions = functions_of(folder / "xcpt4.procs.tsv")
    for address, stack in zip(addresses, stacks):
        *_, (_, name, module), (_, caller, program) = stack  # what was inlined comes first
        assert module == made.MAPS[0][2] and program == made.MAPS[3][2], stack
        assert caller == "LoadXframeDll", stack
        names = {name for start, end, name in functions if start <= address < end}
        assert name in names, (hex(address), stack, names)
    exported, dumped, nowhere = stacks[len(addresses):]
    assert exported[0][1:] == ("setup_data_dll", made.MAPS[1][2]), exported
    assert dumped[0][1:] == ("[unknown]", made.MAPS[2][2]), dumped
    assert nowhere[0][1:] == ("[unknown]", "[kernel]"), nowhere
    assert "dump_disk.sys: its file could not be read during recording" in errors, errors
    assert "[kernel]: no kernel image there" in errors, errors
    print(f"{len(addresses)} places of the kernel have the names of the table")


def check_lines(data, system, addresses):
    output, _ = run(wperf, "report", "-i", data, "--sysroot", system, "--sort", "line", "--json",
                    "--sample-display-row", "10000")
    found = {row["name"] for row in json.loads(output)["report"]["events"][0]["rows"]
             if row["module"] == made.MAPS[0][2]}
    wanted = {f"{line['file']}:{line['line']}"
              for answer in images.addresses(wperf, folder / "xcpt4.exe", addresses)
              for line in answer["lines"] if line["line"]}
    assert wanted <= found, sorted(wanted - found)[:10]
    assert len(wanted) > 300, len(wanted)
    print(f"{len(wanted)} lines of them are told")


def check_views(data, system):
    words = ["-i", data, "--sysroot", system]
    output, _ = run(wperf, "report", *words, "--sort", "module")
    assert all(name in output for name in ("ntoskrnl.exe", "exports.sys", "dump_disk.sys")), output
    output, _ = run(wperf, "report", *words, "--symbol", "Test82", "--tree", "callers")
    assert re.search(r"Test82 \[ntoskrnl.exe\]\n.*LoadXframeDll \[app.exe\]", output), output
    output, _ = run(wperf, "annotate", *words, "--symbol", "Test82", "--disassemble")
    assert "xcpt4cxx.cpp" in output and re.search(r"11a8 +stp +x29, x30", output), output
    output, _ = run(wperf, "export", *words, "--format", "firefox")
    assert "Test82" in output
    page = data.with_suffix(".html")
    run(wperf, "report", *words, "--html", page)
    assert "Test82" in page.read_text()


def check_perf(data):
    perf = shutil.which("perf")
    if not perf:
        return
    output, _ = run(perf, "report", "-i", data, "--stdio")
    assert "[k] 0xfffff80102001000" in output, output[:2000]
    print("perf opens it")


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    made.place_images(folder, here / "system")
    in_kernel = [int(row[0], 16) for row in rows_of(folder / "xcpt4.lines.tsv")]
    places = [made.KERNEL + address for address in in_kernel] + [EXPORTED] + UNKNOWN
    recorded = here / "kernel.data"
    recorded.write_bytes(made.recording([(place, CALLER) for place in places]))
    check_names(recorded, here / "system", in_kernel)
    check_lines(recorded, here / "system", in_kernel)
    check_views(recorded, here / "system")
    check_perf(recorded)
