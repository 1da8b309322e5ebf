# SPDX-License-Identifier: Apache-2.0
"""Images with code for two machines, Arm64EC and Arm64X, which lld makes: for which machine wperf says
that code is, beside the code map as llvm-readobj prints it, and the rows of their Arm64 functions,
thunks included, beside what their instructions do.

pe_hybrid.py DUMP_PE_ROWS WPERF
"""
import json
import pathlib
import re
import sys
import tempfile

import pe_arm64
from pe_arm64 import HERE, TOOLS, run

X64_SOURCE = """extern int calls_one(int);
int x64_leaf(int a) { return a + 1; }
int x64_function(int a) { volatile char room[100]; room[a] = 1; return calls_one(room[a + 1]) + a; }
"""
FLAGS = ["-O2", "-ffreestanding", "-fasynchronous-unwind-tables", "-fms-extensions", "-w",
         "-DWITHOUT_HANDLERS"]
NAMES = {"ARM64EC": "Arm64", "ARM64": "Arm64", "X64": "x64"}


class Code:
    """A function as pe_arm64 wants it."""
    is_part = is_interrupting = False

    def __init__(self, start, length):
        self.start, self.length = start, length


def compile_objects(folder):
    (folder / "x64.c").write_text(X64_SOURCE)
    sources = {"hybrid": ("arm64ec", HERE / "pe_hybrid.S"), "arm64": ("arm64ec", HERE / "pe_arm64.c"),
               "x64": ("x86_64", folder / "x64.c")}
    for name, (machine, source) in sources.items():
        run(TOOLS["clang"], f"--target={machine}-pc-windows-msvc", *FLAGS, "-c", source, "-o",
            folder / f"{name}.obj")
    return [folder / f"{name}.obj" for name in sources]


def link(folder, machine, objects):
    image = folder / f"{machine}.dll"
    run(TOOLS["lld-link"], "/nologo", "/dll", f"/machine:{machine}", "/debug", "/entry:entry",
        "/nodefaultlib", f"/out:{image}", *objects)
    return image


def code_map(image):
    text = run(TOOLS["llvm-readobj"], "--coff-load-config", image)
    part = text[text.index("CodeMap ["):]
    found = re.findall(r"(0x[0-9A-F]+) - (0x[0-9A-F]+)  (\w+)", part[:part.index("]")])
    return [(int(start, 16), int(end, 16), NAMES[kind]) for start, end, kind in found]


def check_machines(wperf, image):
    """Of all functions, and of addresses."""
    ranges = code_map(image)
    functions = json.loads(run(wperf, "symbols", image, "--json"))["functions"]
    for function in functions:
        start = int(function["address"], 16)
        expected = [kind for first, end, kind in ranges if first <= start < end]
        assert [function["machine"]] == expected, (function, expected)
    text = run(wperf, "symbols", image)
    names = {function["name"]: function for function in functions}
    assert re.search(r"x64 +x64_function\n", text), text
    assert re.search(r"Arm64 +calls_one\n", text), text
    assert {"#calls_one", "x64_leaf", "$ientry_thunk$cdecl$i8$i8"} <= set(names), names
    for first, end, kind in ranges:
        for place in (first, end - 1):
            said = json.loads(run(wperf, "symbols", image, hex(place), "--json"))["addresses"]
            assert said[0]["machine"] == kind, (hex(place), said, kind)
    print(f"{image.name}: {len(functions)} functions in {len(ranges)} ranges")
    return functions


def check_rows(dump, image, functions):
    header = run(TOOLS["llvm-readobj"], "--file-headers", image)
    base = int(re.search(r"ImageBase: (0x[0-9A-F]+)", header)[1], 16)
    num_bad, listed = pe_arm64.rows_of(dump, image)
    rows = pe_arm64.Rows(listed)
    arm64 = [Code(int(one["address"], 16), one["size"]) for one in functions
             if one["machine"] == "Arm64"]
    steps = pe_arm64.Report(image.name)
    pe_arm64.compare_steps(arm64, rows, image, base, steps)
    print(f"{image.name}: {steps.num} instructions gone through, {steps.bad} differ")
    assert steps.num > 300 and not steps.bad and not num_bad
    return rows


def check_x64(rows, functions):
    """By its own table where the image has it, and as a leaf before its first instruction."""
    by_name = {one["name"]: int(one["address"], 16) for one in functions}
    for name in ("x64_leaf", "x64_function"):
        assert rows.at(by_name[name])[1:6] == (pe_arm64.a64_steps.BY_SP, 8, 0, 1, -8), name


def main():
    if not all(TOOLS.values()):
        print("skipped: clang-19, lld-19 or llvm-19 is not there")
        return pe_arm64.SKIPPED
    dump, wperf = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        objects = compile_objects(folder)
        for machine in ("arm64ec", "arm64x"):
            image = link(folder, machine, objects)
            functions = check_machines(wperf, image)
            check_x64(check_rows(dump, image, functions), functions)
            if machine == "arm64ec":
                inside = next(int(one["address"], 16) for one in functions
                              if one["name"] == "x64_function") + 24
                rows = pe_arm64.Rows(pe_arm64.rows_of(dump, image)[1])
                assert rows.at(inside)[2] == 8 + 8 + 144, rows.at(inside)
    return 0


if __name__ == "__main__":
    sys.exit(main())
