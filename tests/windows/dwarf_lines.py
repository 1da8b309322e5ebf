# SPDX-License-Identifier: Apache-2.0
"""wperf.exe reads the lines of a program of mingw and of ELF files as wperf on Linux does: what it
prints is the same, byte for byte. Usage: dwarf_lines.py WPERF WPERF_EXE PREFIX
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import wine

SOURCE = """
extern int outer(int);
static inline __attribute__((always_inline)) int inner(int x) { return outer(x) * 2; }
static inline __attribute__((always_inline)) int middle(int x) { return inner(x) + inner(x + 1); }
int outer(int x)
{
	for (int i = 0; i < 3; i++)
		x += x < 9 ? middle(i) : 0;
	return x;
}
int main(int argc, char **argv) { return outer(argc) + middle(argc); }
"""
MINGW = "x86_64-w64-mingw32-gcc-posix"
# The last ones leave part of it in a second file, beside the program.
PROGRAMS = [[MINGW, "-gdwarf-4"], [MINGW, "-gdwarf-5"], ["gcc", "-gdwarf-2"], ["gcc", "-gdwarf-5", "-gz"],
            ["clang-19", "-gdwarf-5"], ["clang-19", "-gdwarf-5", "-gz=zstd"],
            ["clang-19", "--target=aarch64-linux-gnu", "-shared", "-nostdlib", "-fuse-ld=lld",
             "-Wno-unused-command-line-argument"],
            ["gcc", "-gsplit-dwarf", "-gdwarf-4"], ["clang-19", "-gsplit-dwarf", "-gdwarf-5"]]
NUM_ADDRESSES = 1500  # of the code's beginning

linux, exe = map(os.path.abspath, sys.argv[1:3])
wine.need(exe)
wine.use(sys.argv[3])


def build(words, folder):
    subprocess.run([*words, "-g", "-O2", "-c", "-o", "a.o", "-x", "c", "-"], input=SOURCE, text=True, check=True,
                   cwd=folder)
    subprocess.run([*words, "-g", "-O2", "-o", "program", "a.o"], check=True, cwd=folder)
    found = [path for path in folder.iterdir() if path.name in ("program", "program.exe")]
    return found[0].rename(folder / "program")


def lines(program, path, addresses):
    done = subprocess.run([*program, "symbols", path.name, "--lines", "--json", *addresses], cwd=path.parent,
                          capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compare(words, folder):
    path = build(words, folder)
    symbols = subprocess.run([linux, "symbols", path], capture_output=True, text=True, check=True).stdout
    start = min(int(place, 16) for place in re.findall(r"0x([0-9a-f]+) +\d+ +(?:main|outer)$", symbols, re.M))
    addresses = [hex(start + i) for i in range(NUM_ADDRESSES)]
    ours = lines([linux], path, addresses)
    assert ours == lines([wine.PROGRAM, exe], path, addresses), words
    places = json.loads(ours)["addresses"]
    return (sum(bool(place.get("lines")) for place in places),
            sum(len(place.get("lines", [])) >= 3 for place in places))


for program in PROGRAMS:
    if not shutil.which(program[0]):
        print(f"skipped: no {program[0]}")
        continue
    with tempfile.TemporaryDirectory() as top:
        num_known, num_inlined = compare(program, pathlib.Path(top))
    print(f"{' '.join(program)}: {num_known} addresses with lines, {num_inlined} of them in two inlined calls")
    assert num_known > 100 and num_inlined > 20, program
