# SPDX-License-Identifier: Apache-2.0
"""Installs the package for Debian's arm64 in an emulated machine, counts and samples there, and removes it.
Usage: arm64.py PACKAGES LOOP ARM64_PACKAGES"""
import os
import pathlib
import re
import sys
import tempfile

import machine
from python_lines import python_files

ROUNDS = 1_000_000
LOOP_INSTRUCTIONS = 4 * ROUNDS + 5 * len(str(ROUNDS)) + 7  # tests/arm64/loop.S
PROGRAM = """\
def hot(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total
hot(300_000)
"""
# What a Debian 12 has of what the package depends on.
STATUS = "Package: libc6\nStatus: install ok installed\nVersion: 2.36-9\nArchitecture: arm64\n\n"


def check_works(result):
    assert result.exit == 0, result


def check_version(result):
    assert result.exit == 0 and re.search(r"wperf +\d+\.\d+\.\d+ ", result.out), result


def check_counts(result):
    found = re.search(r"^ *([\d,]+) +inst_retired\b", result.out, re.M)
    assert found and int(found[1].replace(",", "")) == LOOP_INSTRUCTIONS, result


def check_lines(result):
    line = re.search(r"^ +(\d+\.\d+).* x\.py:[34] +hot ", result.out, re.M)
    assert line and float(line[1]) > 20, result


def check_removal(result):
    assert result.exit == 0 and not [line for line in result.out.splitlines() if line.startswith("/")], result


# User, command, check.
ROWS = [
    ("root", "dpkg -i /wperf.deb && ls /usr/bin/wperf /usr/share/man/man1/wperf-stat.1.gz", check_works),
    ("root", "wperf --version", check_version),
    ("root", "sysctl -w kernel.perf_event_paranoid=2", check_works),
    ("ordinary", f"wperf stat -e inst_retired -- loop {ROUNDS}", check_counts),
    ("ordinary", "wperf record -o /tmp/x.data -- python3 -S -B /tmp/x.py && wperf report -i /tmp/x.data", check_lines),
    ("root", "dpkg -r wperf && find /usr /etc /bin -name '*wperf*'", check_removal),
]


def files_of_machine(packages, loop_folder, arm64):
    """Debian's own libraries and Python, and the package, which is not unpacked here."""
    status, program = loop_folder / "status", loop_folder / "x.py"
    status.write_text(STATUS)
    program.write_text(PROGRAM)
    return python_files(os.path.join(arm64, "python")) | {
        "wperf.deb": next(packages.glob("wperf_*_arm64.deb")), "tmp/x.py": program,
        "var/lib/dpkg/status": status, "var/lib/dpkg/info/libc6.list": os.devnull}


made, loop, arm64_packages = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory() as temporary:
    try:
        results = machine.run_commands(
            arm64_packages, {"loop": loop},
            [machine.Command(user, ["sh", "-c", f"PATH=$PATH:/usr/bin; {command}"]) for user, command, _ in ROWS],
            files=files_of_machine(made, pathlib.Path(temporary), arm64_packages))
    except machine.Failure as failure:
        sys.exit(str(failure))
for row, result in zip(ROWS, results):
    row[-1](result)
print(f"{len(results)} commands did as expected")
