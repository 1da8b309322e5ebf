# SPDX-License-Identifier: Apache-2.0
"""Runs under the interpreter that is looked at (3.6 or newer): compiles files of its library and
writes, for each code object, its table of lines and what the interpreter itself makes of it."""
import dis
import glob
import os
import random
import struct
import sys
import time
import types

UNIT = 2
FORMAT = 0 if sys.version_info < (3, 10) else 1 if sys.version_info < (3, 11) else 2


def positions(code):
    """Of each instruction: line, last line, column and column behind; 0 where there is none."""
    if FORMAT == 2:
        for line, end_line, column, end_column in code.co_positions():
            yield (line or 0, end_line or 0, -1 if column is None else column,
                   -1 if end_column is None else end_column)
    elif FORMAT == 1:
        for start, end, line in code.co_lines():
            for _ in range(start, end, UNIT):
                yield line or 0, line or 0, -1, -1
    else:
        starts = list(dis.findlinestarts(code)) + [(len(code.co_code), 0)]
        line = code.co_firstlineno
        for (start, line), (end, _) in zip(starts, starts[1:]):
            for _ in range(start, end, UNIT):
                yield line, line, -1, -1


def code_objects(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_objects(constant)


def write_code(out, code):
    table = code.co_lnotab if FORMAT == 0 else code.co_linetable
    rows = b"".join(struct.pack("<IIII", line, end_line, column + 1, end_column + 1)
                    for line, end_line, column, end_column in positions(code))
    out.write(struct.pack("<IIII", FORMAT, code.co_firstlineno, len(table), len(rows) // 16))
    out.write(table)
    out.write(rows)


def main(path, seconds):
    until = time.process_time() + seconds
    folder = os.path.dirname(os.__file__)
    files = sorted(glob.glob(folder + "/**/*.py", recursive=True))
    random.Random(1).shuffle(files)
    with open(path, "wb") as out:
        for file in files:
            try:
                with open(file, "rb") as source:
                    code = compile(source.read(), file, "exec")
            except (OSError, SyntaxError, ValueError):
                continue  # wrong on purpose, for its own tests
            for inner in code_objects(code):
                write_code(out, inner)
            if time.process_time() > until:
                break


main(sys.argv[1], float(sys.argv[2]))
