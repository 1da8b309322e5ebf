#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/base/text/character_width.inc: what wcwidth() of this system's C library says.

    character_widths.py > src/base/text/character_width.inc

Characters that it does not know take part in the range around them: new ones are put there.
"""
import ctypes
import locale

FIRST, LAST, ROW = 0xa0, 0x10ffff, 4


def ranges():
    """(first, last, width) of characters that do not take one column."""
    libc = ctypes.CDLL(None)
    libc.wcwidth.argtypes = [ctypes.c_uint32]
    first = last = width = None
    for code_point in range(FIRST, LAST + 1):
        now = libc.wcwidth(code_point)
        if now == width and width is not None:
            last = code_point
        elif now >= 0 and width is not None:
            yield first, last, width
            width = None
        if now in (0, 2) and width is None:
            first, last, width = code_point, code_point, now
    if width is not None:
        yield first, last, width


def main():
    locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    libc = ctypes.CDLL(None)
    libc.gnu_get_libc_version.restype = ctypes.c_char_p
    print("// SPDX-License-Identifier: Apache-2.0")
    print(f"// Written by scripts/character_widths.py with glibc {libc.gnu_get_libc_version().decode()}.")
    rows = [f"{{0x{first:05x}, 0x{last:05x}, {width}}}," for first, last, width in ranges()]
    for i in range(0, len(rows), ROW):
        print(" ".join(rows[i:i + ROW]))


main()
