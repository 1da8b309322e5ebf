# SPDX-License-Identifier: Apache-2.0
"""The promise of the wheel's tag, manylinux_2_17: its library needs nothing of a newer glibc, and no library that
is not on every such system; its program needs none. Usage: glibc.py VENV"""
import re
import subprocess
import sys

from installed import package_of

NEEDED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1"}  # all of them of glibc


def readelf(*words):
    return subprocess.run(["readelf", "-W", *words], check=True, capture_output=True, text=True).stdout


folder = package_of(sys.argv[1])
library, program = folder / "libwperf.so", folder / "bin/wperf"
versions = {tuple(map(int, one.split("."))) for one in re.findall(r"Name: GLIBC_([\d.]+)", readelf("-V", library))}
assert versions and max(versions) <= (2, 17), max(versions)
needed = set(re.findall(r"NEEDED.*\[(.*)\]", readelf("-d", library)))
assert "libc.so.6" in needed and needed <= NEEDED, needed
assert "NEEDED" not in readelf("-d", program) and "INTERP" not in readelf("-l", program)
print(f"needs glibc {'.'.join(map(str, max(versions)))}")
