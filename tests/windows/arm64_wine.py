# SPDX-License-Identifier: Apache-2.0
"""Debian's Wine for Arm64, which an emulator runs, in build/wine-arm64."""
import os
import pathlib
import subprocess
import sys

import wine

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
ROOT = TOP / "build/wine-arm64/root"
PREFIX = TOP / "build/wine-arm64/prefix"
RUNNER = [HERE / "arm64_program.sh", ROOT, wine.PROGRAM]
INSIDE = "WPERF_TEST_IN_ARM64"


def enter(*files):
    """From here on the program that calls this, begun again, is where RUNNER works. It ends, with words, where
    there is no such place or one of the files is not there."""
    if os.environ.get(INSIDE):
        os.environ.update(WINESERVER=str(wine.PROGRAM.with_name("wineserver64")), HOME="/tmp")
        return
    wine.need("/usr/bin/qemu-aarch64-static", *files)
    if subprocess.run([HERE / "fetch_arm64_wine.sh"], check=False, timeout=150).returncode:
        print("skipped: Wine for Arm64 cannot be fetched")
        sys.exit(wine.SKIPPED)
    shared = os.environ.get("WPERF_SHARED_DIR")
    if not os.path.isdir(shared or ""):
        shared = None
    else:  # links lead nowhere in there
        os.environ["WPERF_SHARED_DIR"] = shared = os.path.realpath(shared)
    folders = ":".join(filter(None, [str(TOP), shared]))
    os.environ[INSIDE] = "1"
    sys.stdout.flush()
    os.execv(HERE / "with_arm64.sh", [HERE / "with_arm64.sh", ROOT, folders, sys.executable, "-B", *sys.argv])
