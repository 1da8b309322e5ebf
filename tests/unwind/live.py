# SPDX-License-Identifier: Apache-2.0
"""Compiles the scenarios with each compiler and its options, and walks their stacks.

live.py PROGRAM WALKER_OBJECT LIBRARIES... ; PROGRAM is walk_self or walk_steps.
"""
import os
import platform
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

VARIANTS = [
    "-O2 -fomit-frame-pointer",
    "-O2 -fomit-frame-pointer -fno-plt",
    "-O2 -fomit-frame-pointer -fcf-protection=full -Wl,-z,ibtplt",
    "-O3 -march=x86-64-v3 -fomit-frame-pointer",
    "-Os -fomit-frame-pointer",
    "-O2 -fno-omit-frame-pointer",
    "-O1 -fstack-clash-protection -fstack-protector-all",
    "-O0",
]


def run(program, environment, *arguments):
    result = subprocess.run([program, *arguments], env={**os.environ, **environment},
                            stdout=subprocess.PIPE, text=True, timeout=300)
    if result.returncode:
        print(result.stdout)
    else:
        print("   ", result.stdout.strip().splitlines()[-1])
    return result.returncode


def walks_of(walker, options):
    """(environment, arguments) of each run."""
    if walker == "walk_steps":
        lazy = ({}, []) if options == VARIANTS[0] else None
        return [walk for walk in [({"LD_BIND_NOW": "1"}, []), lazy] if walk]
    # clang and gcc leave frame pointers out from -O1 on.
    has_frame_pointers = "-fno-omit-frame-pointer" in options or options == "-O0"
    return [({}, [])] + ([({}, ["fp"])] if has_frame_pointers else [])


def main():
    walker, *parts = sys.argv[1:]
    if platform.machine() != "x86_64":
        return SKIPPED
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, walker)
        for compiler in filter(shutil.which, ["gcc", "clang"]):
            for options in VARIANTS:
                if compiler == "clang" and "ibtplt" in options:
                    options = options.replace(" -Wl,-z,ibtplt", "")
                subprocess.run([compiler, *options.split(), "-w", "-D_GNU_SOURCE", "-I", ROOT,
                                os.path.join(HERE, "scenarios.c"), *parts, "-o", program],
                               check=True)
                print(compiler, options, flush=True)
                for environment, arguments in walks_of(walker, options):
                    result = run(program, environment, *arguments)
                    if result == SKIPPED:
                        return SKIPPED
                    failed += result != 0
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
