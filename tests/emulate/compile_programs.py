# SPDX-License-Identifier: Apache-2.0
"""Programs with a C library: compile_programs.py FOLDER SYSROOT -- COMPILER AND FLAGS"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = ["-static-libgcc", "-pthread"]


def main():
    folder, sysroot = map(pathlib.Path, sys.argv[1:3])
    compiler = [*sys.argv[4:], f"--sysroot={sysroot}"]
    subprocess.run([HERE.parent / "arm64/fetch_packages.sh"], check=True)

    def compile_one(name, *words):
        subprocess.run([*compiler, "-o", folder / name, *map(str, words)], check=True)

    source, loops = HERE / "hosted.c", HERE / "loops.S"
    compile_one("plugged.so", HERE / "plugged.c", "-shared", "-fPIC", *LIBRARY)
    compile_one("hosted-static", source, loops, "-static", *LIBRARY)
    compile_one("hosted-dynamic", source, loops, *LIBRARY)


if __name__ == "__main__":
    main()
