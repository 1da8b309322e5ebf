# SPDX-License-Identifier: Apache-2.0
"""Compares the rows of dump_rows, address range by address range, with what readelf says.

compare_rows.py DUMP_ROWS FILE... ; files that this machine has not are left out.
"""
import bisect
import os
import re
import subprocess
import sys

SKIPPED = 77
GAP, UNKNOWN, SP, FP, PLT, DEREF_SP, DEREF_FP = range(7)
SAME, SAVED_CFA, SAVED_SP, SAVED_FP, UNDEFINED = range(5)
REGISTERS = {"rsp": SP, "sp": SP, "rbp": FP, "x29": FP}
BASES = {7: SP, 31: SP, 6: FP, 29: FP}
NO_FUNCTION = ((GAP,), None, None)

ENTRY = re.compile(r"([0-9a-f]{8,16}) [0-9a-f]{16} [0-9a-f]+ (FDE|CIE)(?:.* cie=([0-9a-f]+))?"
                   r"(?:.* pc=([0-9a-f]+)\.\.([0-9a-f]+))?")
EXPRESSION = re.compile(r"DW_CFA_(def_cfa_)?expression:?(?: r\d+ \((\w+)\))? \((.*)\)$")
BASE = re.compile(r"DW_OP_breg(\d+) \(\w+\): (-?\d+)"
                  r"(; DW_OP_deref(?:; DW_OP_plus_uconst: (\d+))?)?$")
PLT_EXPRESSION = re.compile(r"DW_OP_breg7 \(rsp\): 8; DW_OP_breg16 \(rip\): 0; DW_OP_lit15; "
                            r"DW_OP_and; DW_OP_lit(\d+); DW_OP_ge; DW_OP_lit3; DW_OP_shl; "
                            r"DW_OP_plus$")


def readelf(path, what):
    run = subprocess.run(["readelf", "--wide", what, path], check=False, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
    # A file may have .debug_frame, too.
    return run.stdout.split("Contents of the .debug_frame", maxsplit=1)[0].splitlines()


def frame_expression(text):
    plt = PLT_EXPRESSION.match(text)
    if plt:
        return (PLT, int(plt[1]), 0)
    base = BASE.match(text)
    if not base or int(base[1]) not in BASES:
        return (UNKNOWN,)
    form = BASES[int(base[1])]
    return (form + 3 if base[3] else form, int(base[2]), int(base[4] or 0))


def place_expression(text):
    base = BASE.match(text)
    if not base or base[3] or int(base[1]) not in BASES:
        return None
    return (SAVED_SP if BASES[int(base[1])] == SP else SAVED_FP, int(base[2]))


def read_expressions(path):
    """By the offset of its entry: what its expressions say, of frames and of registers."""
    found = {}
    frames, places = set(), set()
    for line in readelf(path, "--debug-dump=frames"):
        entry = ENTRY.match(line)
        if entry:
            frames, places = found.setdefault(entry[1], (set(), set()))
        expression = EXPRESSION.search(line)
        if expression and expression[1]:
            frames.add(frame_expression(expression[3]))
        elif expression:
            places.add(place_expression(expression[3]))
    return found


def frame_of(text):
    register, _, offset = re.match(r"(\w+?)(([+-]\d+))?$", text).groups()
    if register == "exp":
        return "exp"
    return (REGISTERS[register], int(offset), 0) if register in REGISTERS else (UNKNOWN,)


def place_of(text, unspecified):
    if text == "u":
        return unspecified
    if text == "s":
        return (SAME, 0)
    if text.startswith("c"):
        return (SAVED_CFA, int(text[1:]))
    return "exp" if text == "exp" else None


def expected_functions(path):
    """(start, end, offset of the entry, rows) of each FDE."""
    commons, functions = {}, []
    entry = columns = rows = None
    for line in readelf(path, "--debug-dump=frames-interp"):
        match = ENTRY.match(line)
        if match:
            entry, rows = match, []
            if match[2] == "CIE":
                commons[match[1]] = rows
            else:
                functions.append((int(match[4], 16), int(match[5], 16), match[1],
                                  rows, match[3]))
            continue
        # A register in another one: "r10 (r10)" is one word of the table.
        words = re.sub(r" \(\w+\)", "", line).split()
        if words[:1] == ["LOC"]:
            columns = words[1:]
        elif words and re.fullmatch("[0-9a-f]{16}", words[0]):
            rows.append((int(words[0], 16), dict(zip(columns, words[1:]))))
    # A function without rows of its own has the one of its CIE.
    return [(start, end, offset, rows or [(start, commons[common][-1][1])])
            for start, end, offset, rows, common in functions if start < end]


def rule_of(columns, is_arm):
    fp = columns.get("x29" if is_arm else "rbp", "u")
    ra = columns.get("ra", "u")
    return (frame_of(columns["CFA"]), place_of(ra, "none"), place_of(fp, (SAME, 0)))


def expected_ranges(path, is_arm):
    """[(address, entry, rule)]; where functions overlap the later start counts."""
    ranges = []
    for start, end, offset, rows in sorted(expected_functions(path), key=lambda f: f[:2]):
        while ranges and ranges[-1][0] >= start:
            ranges.pop()
        for address, columns in rows:
            while ranges and ranges[-1][0] >= address:
                ranges.pop()
            if address < end:
                ranges.append((address, offset, rule_of(columns, is_arm)))
        ranges.append((end, None, NO_FUNCTION))
    return ranges


def is_as_expected(row, entry, rule, expressions):
    cfa, ra, fp = rule
    frames, places = expressions.get(entry, (set(), set()))
    row_cfa = (row[1], row[2], row[3])
    row_ra, row_fp = (row[4], row[5]), (row[6], row[7])
    if rule == NO_FUNCTION:
        return row[1] == GAP
    if ra is None or (ra == "exp" and row[1] == UNKNOWN and None in places):
        return row[1] == UNKNOWN
    if ra == "none":
        # Undefined, or never said: readelf prints one letter for both.
        if row[4] == UNDEFINED:
            return True
        if row[4] != SAME:
            return False
    if cfa == (UNKNOWN,) or (cfa == "exp" and row[1] == UNKNOWN):
        return row[1] == UNKNOWN and (cfa != "exp" or (UNKNOWN,) in frames)
    if cfa == "exp":
        if row_cfa not in frames:
            return False
    elif row_cfa != cfa:
        return False
    if ra not in ("none", "exp") and row_ra != ra or ra == "exp" and row_ra not in places:
        return False
    if fp is None or fp == "exp" and None in places:
        return row[6] == UNDEFINED
    if fp == "exp" and row[1] == SP and row[6] == SAME:
        return True  # at the return of a realigned function, where readelf only repeats the file
    return row_fp in places if fp == "exp" else row_fp == fp


def compare(dump_rows, path):
    with open(path, "rb") as file:
        is_arm = file.read(20)[18] == 183
    dumped = subprocess.run([dump_rows, path], check=True, stdout=subprocess.PIPE,
                            text=True).stdout.splitlines()
    rows = [(int(line.split()[0], 16), *map(int, line.split()[1:])) for line in dumped]
    expressions = read_expressions(path)
    ranges = expected_ranges(path, is_arm)
    addresses = [row[0] for row in rows]
    starts = [one[0] for one in ranges]
    bad = 0
    for address in sorted(set(addresses) | set(starts)):
        row = rows[bisect.bisect_right(addresses, address) - 1]
        _, entry, rule = ranges[bisect.bisect_right(starts, address) - 1]
        if row[0] <= address and is_as_expected(row, entry, rule, expressions):
            continue
        bad += 1
        if bad <= 10:
            print(f"{path}: {address:x}: expected {rule} of {entry}, have {row}")
    print(f"{path}: {len(ranges)} ranges, {len(rows)} rows, {bad} differ")
    return bad == 0 and len(rows) > 10


def main():
    paths = [path for path in sys.argv[2:] if os.path.exists(path)]
    if not paths:
        return SKIPPED
    return 0 if all([compare(sys.argv[1], path) for path in paths]) else 1


if __name__ == "__main__":
    sys.exit(main())
