# SPDX-License-Identifier: Apache-2.0
"""Unpacks the wheel in a bare Debian 11 (glibc 2.31, Python 3.9) and Debian 12, and profiles there with it, as root
and as an ordinary user. The one for Arm is only looked at. Usage: wheel.py PACKAGES ROOTS WORK_FOLDER"""
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from foreign_root import ORDINARY, ForeignRoot

PROGRAM = """\
import sys
import wperf

def hot(rounds):
    total = 0
    for i in range(rounds):
        total += i * i % 7
    return total

with wperf.record(sys.argv[1]) as recording:
    hot(5_000_000)
print(recording.profile.table())
"""


def unpack(packages, machine, folder):
    target = folder / machine
    with zipfile.ZipFile(next(packages.glob(f"wperf-*-py3-none-manylinux_2_17_{machine}.whl"))) as wheel:
        wheel.extractall(target)
    (target / "wperf/bin/wperf").chmod(0o755)
    return target


def check_root(source, python, folder, unpacked):
    with ForeignRoot(source, folder) as root:
        root.put(unpacked, "opt/wheel")
        root.put(folder / "program.py", "tmp/program.py")
        for user in (0, ORDINARY):
            shown = root.sh(f"PYTHONPATH=/opt/wheel {python} -B program.py {user}.html && test -s {user}.html", user)
            assert re.search(r"^ *\d\d\.\d\d .*program\.py:7 +hot$", shown, re.M), shown
            assert "wperf" in root.sh(f"PYTHONPATH=/opt/wheel {python} -B -m wperf --version", user)


def check_arm(unpacked):
    """What is in it is for that machine, and needs no newer glibc than its name says."""
    for path in ("wperf/libwperf.so", "wperf/bin/wperf"):
        about = subprocess.run(["readelf", "-WhV", unpacked / path], check=True, capture_output=True, text=True).stdout
        assert "AArch64" in about, about
        versions = {tuple(map(int, one.split("."))) for one in re.findall(r"Name: GLIBC_([\d.]+)", about)}
        assert all(one <= (2, 17) for one in versions), versions
    shown = subprocess.run(["qemu-aarch64", unpacked / "wperf/bin/wperf", "--version"], check=True,
                           capture_output=True, text=True).stdout
    assert "wperf" in shown, shown


made, roots, work = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory(dir=work) as temporary:
    place = pathlib.Path(temporary)
    (place / "program.py").write_text(PROGRAM)
    ours = unpack(made, "x86_64", place)
    check_root(roots / "bullseye-python", "python3.9", place, ours)
    check_root(roots / "bookworm-python", "python3.11", place, ours)
    check_arm(unpack(made, "aarch64", place))
