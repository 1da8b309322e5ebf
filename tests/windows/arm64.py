# SPDX-License-Identifier: Apache-2.0
"""base.py, child_checks.exe and some of same_bytes.py with the programs for Arm64, in Debian's Wine for that
machine, which an emulator runs. Usage: arm64.py WPERF WPERF_EXE BASE_CHECKS_EXE."""
import pathlib
import subprocess
import sys
import tempfile

import arm64_wine
import wine

HERE = pathlib.Path(__file__).parent


def run(*words, **more):
    return subprocess.run(words, check=False, timeout=150, **more).returncode


def main(wperf, exe, base_checks):
    arm64_wine.enter(exe, base_checks)
    prefix, runner = arm64_wine.PREFIX, arm64_wine.RUNNER
    wine.use(prefix)
    prefix.mkdir(exist_ok=True)
    wine.server("-p", runner=runner)
    run(*runner, "wineboot", "-i", **wine.NOWHERE)
    status = run(sys.executable, "-B", HERE / "base.py", base_checks, prefix, *runner)
    status |= run(sys.executable, "-B", HERE / "same_bytes.py", wperf, exe, prefix, "--few", *runner)
    # Others' memory cannot be read here, as the emulator has no ptrace: process_checks.exe is x64's.
    with tempfile.TemporaryDirectory() as folder:
        checks = pathlib.Path(exe).parents[2] / "tests/windows/child_checks.exe"
        status |= run(*runner, checks, cwd=folder)
    wine.stop(runner)
    return status


sys.exit(main(*sys.argv[1:]))
