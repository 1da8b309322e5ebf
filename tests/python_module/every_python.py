# SPDX-License-Identifier: Apache-2.0
"""Each Python of this machine profiles itself with the module. Usage: every_python.py VENV"""
import os
import pathlib
import subprocess
import sys
import tempfile

from installed import package_of

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "live"))
import pythons  # noqa: E402 # of the live tests

OLDEST = 8  # as the wheel says

packages = package_of(sys.argv[1]).parent
tried, failed = [], []
for path, minor in pythons.find_all():
    if minor < OLDEST:
        continue
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([path, "-B", HERE / "self_profile.py", folder], check=False, capture_output=True,
                                text=True, timeout=120, env={**os.environ, "PYTHONPATH": str(packages)})
    tried.append(f"3.{minor}")
    if result.returncode or "all checks" not in result.stdout:
        failed.append(f"{path}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
print(f"{len(tried)} interpreters: {' '.join(tried)}")
sys.exit("\n".join(failed) if failed or not tried else 0)
