# SPDX-License-Identifier: Apache-2.0
"""base.py, child_checks.exe and some of same_bytes.py with the programs for Arm64, in Debian's Wine for that
machine, which an emulator runs. Usage: arm64.py WPERF WPERF_EXE BASE_CHECKS_EXE. Wine and its files go to
build/wine-arm64."""
import os
import pathlib
import subprocess
import sys
import tempfile

import wine

HERE = pathlib.Path(__file__).parent
TOP = HERE.parents[1]
ROOT = TOP / "build/wine-arm64/root"
PREFIX = TOP / "build/wine-arm64/prefix"
RUNNER = [HERE / "arm64_wine64.sh", ROOT]
SERVER = "/usr/lib/wine/wineserver64"


def run(*words, **more):
    return subprocess.run(words, check=False, timeout=150, **more).returncode


def inside(wperf, exe, base_checks):
    wine.use(PREFIX)
    os.environ.update(WINESERVER=SERVER, HOME="/tmp")
    PREFIX.mkdir(exist_ok=True)
    run("chroot", ROOT, SERVER, "-p", **wine.NOWHERE)
    run(*RUNNER, "wineboot", "-i", **wine.NOWHERE)
    status = run(sys.executable, "-B", HERE / "base.py", base_checks, PREFIX, *RUNNER)
    status |= run(sys.executable, "-B", HERE / "same_bytes.py", wperf, exe, PREFIX, "--few", *RUNNER)
    # Others' memory cannot be read here, as the emulator has no ptrace: process_checks.exe is x64's.
    with tempfile.TemporaryDirectory() as folder:
        checks = pathlib.Path(exe).parents[2] / "tests/windows/child_checks.exe"
        status |= run(*RUNNER, checks, cwd=folder)
    run("chroot", ROOT, SERVER, "-k", **wine.NOWHERE)
    return status


def outside(wperf, exe, base_checks):
    wine.need(exe, base_checks, "/usr/bin/qemu-aarch64-static")
    if run(HERE / "fetch_arm64_wine.sh"):
        print("skipped: Wine for Arm64 cannot be fetched")
        return wine.SKIPPED
    shared = os.environ.get("WPERF_SHARED_DIR")
    if shared:  # links lead nowhere in there
        os.environ["WPERF_SHARED_DIR"] = shared = os.path.realpath(shared)
    folders = ":".join(filter(None, [str(TOP), shared]))
    return run(HERE / "with_arm64.sh", ROOT, folders, sys.executable, "-B", __file__, "--inside", wperf,
               exe, base_checks)


sys.exit(inside(*sys.argv[2:]) if sys.argv[1] == "--inside" else outside(*sys.argv[1:]))
