# SPDX-License-Identifier: Apache-2.0
"""wperf.h alone, and each of its _INIT macros, as C and C++ by each compiler, without a warning; for Windows where
the compiler is there. Usage: header.py WPERF_H"""
import pathlib
import re
import shutil
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wundef", "-Werror"]
C, CXX = ("c99", "c11", "c2x"), ("c++11", "c++20")
COMPILERS = [
    (["gcc", "-Wstrict-prototypes"], C), (["clang-19", "-Wstrict-prototypes"], C),
    (["g++", "-x", "c++"], CXX), (["clang++-19", "-x", "c++"], CXX),
    (["x86_64-w64-mingw32-gcc"], C), (["clang-19", "--target=x86_64-w64-windows-gnu"], C),
    (["clang++-19", "-x", "c++", "--target=x86_64-w64-windows-gnu"], CXX),
    (["clang-19", "--target=aarch64-w64-windows-gnu", "-isystem", "/usr/share/mingw-w64/include"], C),
]

header = pathlib.Path(sys.argv[1])
macros = re.findall(r"^#define (WPERF_(\w+)_INIT)\b", header.read_text(encoding="utf-8"), re.M)
configs = [(macro, "wperf_" + name.lower()) for macro, name in macros]
assert len(configs) >= 5, configs

lines = ["#include <wperf.h>", "int main(void)", "{"]
lines += [f"\tstruct {name} {name}_set = {macro};" for macro, name in configs]
sizes = " && ".join(f"{name}_set.size == sizeof({name}_set)" for _, name in configs)
lines += [f"\treturn {sizes} ? 0 : 1;", "}", ""]

checked = 0
for words, standards in COMPILERS:
    if not shutil.which(words[0]) or "windows" in str(words) and not shutil.which("x86_64-w64-mingw32-gcc"):
        print(f"left out: {' '.join(words)}")
        continue
    for standard in standards:
        is_c = standard in C
        command = [*words, *(["-x", "c"] if is_c else []), f"-std={standard}", *WARNINGS, "-fsyntax-only",
                   "-I", header.parent, "-"]
        result = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"{command}\n{result.stderr}"
        checked += 1
print(f"{checked} ways, {len(configs)} macros")
assert checked >= 5
