# SPDX-License-Identifier: Apache-2.0
"""A program written for WindowsPerf's library, compiled by every compiler, gets what wperf shows.

compat.py WPERF SOURCE FOLDER LIBRARY              on Linux
compat.py WPERF SOURCE FOLDER LIBRARY --sanitized  likewise; the library has sanitizers
compat.py WPERF SOURCE FOLDER --wine PREFIX DLL    the same program under Wine: the same output
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).parent
sys.path.append(str(TESTS.parents[1] / "windows"))
COMPILERS = [["gcc", "-std=c99"], ["g++", "-std=c++11", "-x", "c++"], ["clang-19", "-std=c11"]]
# Where the library has sanitizers, a program has to bring their part of it.
SANITIZERS = "-fsanitize=address,undefined"
CALLS = ["list", "stat", "groups", "test", "nulls", "twice", "sample {program}"]
SIM_SOURCE = {"WPERF_SOURCE": "sim"}
SIM = {**os.environ, **SIM_SOURCE}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=100,
                          **options)
    assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr)
    return done.stdout


def compile_client(folder, name, compiler, header, library):
    program = folder / name
    # The library as a file: after -x c++ it would be taken for source code.
    link = ["-L", library.parent, "-lwperf-lib"] if library.suffix == ".dll" else \
        ["-x", "none", library, f"-Wl,-rpath,{library.parent}"]
    run(*compiler, "-Wall", "-Wextra", "-Werror", "-I", header, "-o", program, TESTS / "compat_client.c", *link)
    return program


def outputs(program, folder, named, before=()):
    return {call: run(*before, program, *call.format(program=named).split(), env=SIM, cwd=folder).replace("\r", "")
            for call in CALLS}


def wperf_json(wperf, *words):
    return json.loads(run(wperf, *words, "--json", env=SIM))


def check_counts(wperf, output, *words):
    """The numbers of `wperf stat`, core by core in the order that was asked for."""
    cores = wperf_json(wperf, "stat", *words, "--timeout", "1")["core"]["cores"]
    ours = {(core["core_number"], row["event_idx"]): row["counter_value"]
            for core in cores for row in core["Performance_counter"]}
    found = re.findall(r"core (\d+) event (\w+) value (\d+)", output)
    theirs = {(int(core), "fixed" if event == "ffff" else f"0x{int(event, 16):02x}"): int(value)
              for core, event, value in found}
    assert len(found) == len(theirs) and theirs == ours, (theirs, ours)
    return [int(core) for core, _, _ in found]


def check_list(wperf, output):
    listed = wperf_json(wperf, "list")
    names = [row["Alias_Name"] for row in listed["Predefined_Events"] if row["Event_Type"].startswith("[core PMU")]
    assert re.findall(r"^event \w+ (\S+)$", output, re.M) == names, (output[:500], names[:10])
    metrics = list(dict.fromkeys(re.findall(r"^metric (\S+)", output, re.M)))
    known = [row["Metric"] for row in listed["Predefined_Metrics"]]
    assert metrics and [name for name in known if name in metrics] == metrics, (metrics, known)


def check_samples(wperf, program, output):
    shown = wperf_json(wperf, "sample", "-e", "r70:100000,r11:200000", "--pe_file", program, "-c", "0",
                       "--timeout", "1", "--sample-display-row", "0")["sampling"]["events"]
    ours = {(row["symbol"], row["count"]) for event in shown for row in event["samples"]}
    theirs = {(symbol, int(count)) for symbol, count in re.findall(r"^hot \w+ (\S+) (\d+)", output, re.M)}
    assert theirs == ours, (theirs, ours)
    shares = re.findall(r"^hot (\w+) .* ([\d.]+)$", output, re.M)
    for event in ("0070", "0011"):
        assert abs(sum(float(share) for of, share in shares if of == event) - 100) < 1, shares
    assert re.search(r"^line 0011 \S+ \S+\.c:\d+ \d+$", output, re.M), output


def check_program(folder, client):
    refused = run(client, "program", client, env=SIM, cwd=folder)
    assert "one core" in refused and f"cannot run '{client}'" in refused, refused


def check_timeline(folder, client):
    shown = run(client, "timeline", env=SIM, cwd=folder)
    name = re.search(r"timeline file: '(wperf_core_3_\w+\.core\.csv)'", shown).group(1)
    rows = (folder / name).read_text().splitlines()
    assert "M@ipc" in "".join(rows), rows
    assert len(re.findall("core 3 event ffff", shown)) == 3 == sum(
        bool(re.match(r"[\d.]+,", row)) for row in rows), (shown, rows)


def check_groups(output):
    notes = re.findall(r"event (\w+) .* (group|metric) (?:imix )?(\d)", output)
    assert [(event, kind, number) for event, kind, number in notes[:5]] == [
        ("0003", "group", "0"), ("0004", "group", "0"), ("0010", "group", "1"), ("0012", "group", "1"),
        ("0021", "group", "1")], output
    assert notes[5:] and all(kind == "metric" and number == "2" for _, kind, number in notes[5:]), output


def check_linux(wperf, source, folder, library, compilers):
    header = source / "src/library/compat"
    for compiler in compilers:
        client = compile_client(folder, f"client_{compiler[0]}", compiler, header, library)
        found = outputs(client, folder, client)
        check_list(wperf, found["list"])
        assert check_counts(wperf, found["stat"], "-e", "r8,r1b", "-c", "0,2") == [2, 2, 2, 0, 0, 0]
        check_samples(wperf, client, found["sample {program}"])
        check_groups(found["groups"])
        check_program(folder, client)
        check_timeline(folder, client)
    run("gcc", "-std=c11", "-fsyntax-only", "-I", header, TESTS / "compat_layout.c")
    threads = folder / "threads"
    run(*compilers[-1], "-pthread", "-I", header, "-o", threads, TESTS / "compat_threads.c", library,
        f"-Wl,-rpath,{library.parent}")
    assert run(threads, env=SIM) == "0 threads failed\n"
    names = run("nm", "-D", "--defined-only", "--format=just-symbols", library).split()
    declared = re.findall(r"\b(wperf_\w+)\(", (header / "wperf-lib.h").read_text())
    assert sorted(name.split("@")[0] for name in names if name.startswith("wperf")) == sorted(set(declared)), names


def check_wine(source, folder, prefix, dll):
    """What it prints is the same on both systems."""
    import wine
    wine.need(dll)
    wine.use(prefix)
    header = source / "src/library/compat"
    shutil.copy(dll, folder)
    native = folder / "client_gcc"
    clang = ["clang-19", "--target=x86_64-w64-windows-gnu", "-fuse-ld=lld-19"]
    run("x86_64-w64-mingw32-gcc", "-fsyntax-only", "-I", header, TESTS / "compat_layout.c")
    for name, compiler in {"gcc": ["x86_64-w64-mingw32-gcc"], "clang": clang,
                           "clang_cxx": [*clang, "-x", "c++"]}.items():
        client = compile_client(folder, f"client_{name}.exe", compiler, header, dll)
        for call in CALLS[:-1]:
            here = run(native, *call.split(), env=SIM, cwd=folder)
            there = run(wine.PROGRAM, client, *call.split(), env={**os.environ, **SIM_SOURCE}, cwd=folder)
            there = there.replace("\r", "")
            assert there == here, (call, there, here)


def main():
    wperf, source, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    if sys.argv[4] != "--wine":
        compilers = [[*COMPILERS[-1], SANITIZERS]] if sys.argv[5:] else COMPILERS
        check_linux(wperf, source, folder, pathlib.Path(sys.argv[4]), compilers)
        return 0
    check_wine(source, folder, sys.argv[5], pathlib.Path(sys.argv[6]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
