# SPDX-License-Identifier: Apache-2.0
"""Compares the binary interface of wperf.h with the stored one, by libabigail: programs that were built with an
earlier version of this libwperf.so.0 must go on to run. What is compared is a library of empty functions with the
types of wperf.h: that of the rooms below has all their types as well.

Usage: check_abi.py WPERF_H LIBWPERF_MAP LIBWPERF_ABI [--renew]
After a change on purpose (a new function, a new member at the end of a struct with a size), renew the stored one:
    python3 tests/lint/check_abi.py src/library/wperf.h src/library/libwperf.map tests/library/libwperf.abi --renew
"""
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

COMPACT = ["--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--no-elf-needed", "--type-id-style", "hash"]

header, version_map, stored = map(pathlib.Path, sys.argv[1:4])


def build(folder):
    """The library of empty functions."""
    functions = re.findall(r"^WPERF_API\s+([^;]*);", header.read_text(encoding="utf-8"), re.M)
    bodies = "".join(f"{function}\n{{\n\t__builtin_trap();\n}}\n" for function in functions)
    (folder / "wperf.c").write_text(f"#include <wperf.h>\n{bodies}")
    subprocess.run(["gcc", "-g", "-gdwarf-4", "-fPIC", "-shared", "-nostdlib", "-I", header.absolute().parent, "wperf.c",
                    "-o", "libwperf.so", "-Wl,-soname,libwperf.so.0", f"-Wl,--version-script={version_map.absolute()}"],
                   cwd=folder, check=True)
    return folder / "libwperf.so"


if platform.machine() != "x86_64":
    print("skipped: the stored interface is that of x86-64")
    sys.exit(77)
with tempfile.TemporaryDirectory() as temporary:
    library = build(pathlib.Path(temporary))
    if "--renew" in sys.argv:
        subprocess.run(["abidw", *COMPACT, "--out-file", stored, library], check=True)
    result = subprocess.run(["abidiff", stored, library], check=False, capture_output=True, text=True)
if result.returncode or "<function-decl" not in stored.read_text(encoding="utf-8"):
    print(f"{result.stdout}{result.stderr}\nThe binary interface has changed. If that is on purpose, see the head of "
          f"tests/lint/{pathlib.Path(__file__).name}.")
    sys.exit(1)
print(f"{stored.read_text(encoding='utf-8').count('<function-decl')} functions")
