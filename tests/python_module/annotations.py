# SPDX-License-Identifier: Apache-2.0
"""mypy accepts the package, and what users write with it; it finds their mistakes. Usage: annotations.py VENV"""
import pathlib
import subprocess
import sys
import tempfile

from installed import package_of

USE = """\
from typing import Dict, List, Optional
import wperf

with wperf.record("page.html", events="cpu-clock", scope="thread") as recording:
    pass
rows: List[wperf.Hot] = recording.profile.hot_lines(3)
label: str = rows[0].label
with wperf.stat("page-faults") as count:
    pass
number: float = count["page-faults"]
numbers: Dict[str, float] = count.as_dict()
line: int = wperf.dump().threads[0].frames[0].line
with wperf.open("wperf.data") as profile:
    names: List[str] = [frame.function.name for sample in profile.samples() for frame in sample.stack]
try:
    pass
except wperf.Error as error:
    hint: Optional[str] = error.hint
"""


def mypy(folder, *words):
    return subprocess.run(["/usr/bin/mypy", "--strict", "--cache-dir", folder / "cache", *words], cwd=folder,
                          check=False, capture_output=True, text=True)


venv = pathlib.Path(sys.argv[1])
package = package_of(venv)
with tempfile.TemporaryDirectory() as temporary:
    place = pathlib.Path(temporary)
    # A copy, as mypy takes installed packages for those of others and is silent about them.
    (place / "wperf").symlink_to(package)
    result = mypy(place, "--python-version", "3.8", "wperf")
    assert result.returncode == 0, result.stdout + result.stderr
    (place / "wperf").unlink()
    (place / "use.py").write_text(USE)
    result = mypy(place, "--python-executable", f"{venv.absolute()}/bin/python", "use.py")
    assert result.returncode == 0, result.stdout + result.stderr
    (place / "use.py").write_text(USE.replace("label: str", "label: int"))
    result = mypy(place, "--python-executable", f"{venv.absolute()}/bin/python", "use.py")
    assert result.returncode == 1 and "Incompatible types" in result.stdout, result.stdout + result.stderr
