# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel of a build folder twice, checks that it is the same, that its sums are right, and installs it
with pip into a new venv. Usage: wheel.py BUILD WORK_FOLDER VENV"""
import base64
import csv
import hashlib
import io
import pathlib
import platform
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def make(folder, build):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([sys.executable, "-B", ROOT / "scripts/package/wheel.py", folder, platform.machine(), build],
                   check=True)
    return next(folder.iterdir())


def check_sums(wheel):
    """RECORD has each file, with its sum and size; and itself without."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        record = next(name for name in names if name.endswith("/RECORD"))
        rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
        assert sorted(names) == sorted(row[0] for row in rows), rows
        for name, digest, size in rows:
            content = archive.read(name)
            sha = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            expected = ("", "") if name == record else (f"sha256={sha}", str(len(content)))
            assert (digest, size) == expected, name


def install(wheel, venv):
    shutil.rmtree(venv, ignore_errors=True)
    # Debian's pytest and IPython are to find it.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", venv], check=True)
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python",
                    f"{venv}/bin/python", "install", "--no-index", "--no-deps", wheel], check=True)


def check_commands(venv):
    """The program is there in both ways, with its arguments and its exit status."""
    for command in ([f"{venv}/bin/wperf"], [f"{venv}/bin/python", "-m", "wperf"]):
        shown = subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout
        assert "wperf" in shown, shown
        failed = subprocess.run([*command, "nonsense"], check=False, capture_output=True, text=True)
        assert failed.returncode != 0 and "nonsense" in failed.stderr, failed


build_folder, work, target = map(pathlib.Path, sys.argv[1:])
first, second = make(work / "wheels", build_folder), make(work / "again", build_folder)
assert first.name == second.name and first.read_bytes() == second.read_bytes(), "the wheels differ"
shutil.rmtree(work / "again")
check_sums(first)
install(first, target)
check_commands(target)
