# SPDX-License-Identifier: Apache-2.0
"""PDBs of Microsoft's tools, beside tables that other readers made of them: every procedure, every
line. Usage: reference.py WPERF FOLDER
"""
import collections
import pathlib
import sys

import images

wperf, folder = sys.argv[1], pathlib.Path(sys.argv[2])
if not folder.is_dir():
    print(f"no reference PDBs: {folder}")
    sys.exit(77)


def rows_of(path):
    lines = path.read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def check_procedures(image, table):
    # Functions with the same code were folded into one, with the name of one of them.
    wanted = collections.defaultdict(set)
    for address, size, name in rows_of(table):
        wanted[int(address, 16)].add((int(size, 16), name))
    found = {int(f["address"], 16): (f["size"], f["name"]) for f in images.functions(wperf, image)}
    for address, choices in wanted.items():
        assert found.get(address) in choices, (image, hex(address), choices, found.get(address))
    return len(wanted), {address: {name for _, name in choices}
                         for address, choices in wanted.items()}


def check_lines(image, table, names):
    rows = rows_of(table)
    listed = {int(f["address"], 16): f for f in images.functions(wperf, image)}
    answers = images.addresses(wperf, image, [int(row[0], 16) for row in rows])
    num_heads = 0
    for (address, _, path, line), answer in zip(rows, answers):
        last = answer["lines"][-1] if answer["lines"] else {}
        start = int(address, 16) - answer["offset"]
        assert answer["name"] in names[start], (image, answer)
        if (last.get("file", ""), last.get("line", 0)) == (path, int(line)):
            continue
        # Of several rows at one address the table has the first, which has no code: at the start
        # of a function that is its head.
        head = listed[start]
        is_head = answer["offset"] == 0 and (head["file"], head["line"]) == (path, int(line))
        is_before = 0 < int(line) < last["line"] and last["file"] == path
        assert is_head or is_before, (image, address, path, line, answer)
        num_heads += 1
    return len(rows), num_heads


def check_arm64():
    names = ["nested_collided.exe", "xcpt4.exe", "xframe_eh_dll.dll", "xframe_eh_exe.exe"]
    for name in names:
        image = folder / "arm64-seh" / name
        for path in (image, image.with_suffix(".pdb")):
            procedures, known = check_procedures(path, image.with_suffix(".procs.tsv"))
            lines, heads = check_lines(path, image.with_suffix(".lines.tsv"), known)
        print(f"{name}: {procedures} procedures, {lines} lines, {heads} of them of heads")


def read_breakpad(path):
    files, functions, publics, current = {}, [], [], None
    for line in path.read_text(errors="replace").splitlines():
        words = line.split(" ")
        if words[0] == "FILE":
            files[words[1]] = " ".join(words[2:])
        elif words[0] == "FUNC":
            address, size = words[1:3] if words[1] != "m" else words[2:4]
            current = (int(address, 16), int(size, 16), [])
            functions.append(current)
        elif words[0] == "PUBLIC":
            address = words[1] if words[1] != "m" else words[2]
            publics.append((int(address, 16), words[-1]))
        elif current and words[0] not in ("STACK", "INFO", "MODULE"):
            current[2].append((int(words[0], 16), int(words[1], 16), files[words[3]],
                               int(words[2])))
    return functions, publics


def check_x64():
    """The table was made by Microsoft's own reader (DIA)."""
    base = folder / "x64-breakpad" / "dump_syms_regtest64"
    functions, publics = read_breakpad(base.with_suffix(".sym"))
    found = {int(f["address"], 16): f for f in images.functions(wperf, base.with_suffix(".exe"))}
    for address, size, _ in functions:
        assert found[address]["size"] == size, (hex(address), size, found[address])
    for address, name in publics:
        assert found[address]["name"] == name, (hex(address), name, found[address])
    heads = [row for function in functions for row in function[2][:1] if row[0] == function[0]]
    for address, _, path, line in heads:
        got = (found[address]["file"], found[address]["line"])
        assert got == (path, line), (hex(address), path, line, got)
    rows = [row for function in functions for row in function[2] if row[1]]
    for last in (False, True):  # the first and the last byte that a row is about
        places = [row[0] + (row[1] - 1 if last else 0) for row in rows]
        answers = images.addresses(wperf, base.with_suffix(".exe"), places)
        for (address, _, path, line), answer in zip(rows, answers):
            got = answer["lines"][-1]
            assert (got["file"], got["line"]) == (path, line), (hex(address), path, line, answer)
    print(f"dump_syms_regtest64: {len(functions)} procedures, {len(publics)} public names, "
          f"{len(rows)} lines")


check_arm64()
check_x64()
