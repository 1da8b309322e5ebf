# SPDX-License-Identifier: Apache-2.0
"""The scenarios of live.py on AArch64, in an emulator that checks signed return addresses.

live_aarch64.py SYSROOT SOURCES... ; without compiler, libraries or emulator it is skipped.
"""
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The oracle needs tables of everything, so that all is compiled with them.
COMMON = ["--target=aarch64-linux-gnu", "-fuse-ld=lld", "-static", "-w", "-D_GNU_SOURCE",
          "-fasynchronous-unwind-tables", "-I", ROOT, "-I", os.path.join(ROOT, "src")]
VARIANTS = ["-O2 -fomit-frame-pointer", "-O0", "-O1 -fno-omit-frame-pointer",
            "-O2 -march=armv8.3-a -mbranch-protection=pac-ret",
            "-O2 -march=armv8.3-a -mbranch-protection=pac-ret+leaf+b-key"]


def main():
    sysroot, *sources = sys.argv[1:]
    has_tools = all(map(shutil.which, ["clang", "ld.lld", "qemu-aarch64"]))
    if not has_tools or not os.path.exists(os.path.join(sysroot, "usr/include/stdio.h")):
        print("skipped: no clang, lld or qemu-aarch64, or no build/arm64 (tests/arm64/fetch_packages.sh)")
        return SKIPPED
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "walk_self")
        for options in VARIANTS:
            subprocess.run(["clang", *COMMON, f"--sysroot={sysroot}", *options.split(), *sources,
                            "-o", program], check=True)
            for arguments in [], ["fp"]:
                run = subprocess.run(["qemu-aarch64", "-cpu", "max", program, *arguments],
                                     stdout=subprocess.PIPE, text=True, timeout=120)
                print(options, *arguments, run.stdout, sep="\n", flush=True)
                failed += run.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
