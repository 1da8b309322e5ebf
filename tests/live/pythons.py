# SPDX-License-Identifier: Apache-2.0
"""Every CPython 3.6 or newer of this machine: on PATH, in /usr/bin, of pyenv, of build/pythons (see
scripts/fetch_pythons.sh), and those named in WPERF_TEST_PYTHONS (paths, ":" between them)."""
import glob
import os
import pathlib
import re
import subprocess

NAME = re.compile(r"python3(\.\d+)?(d|t|-dbg|-nogil)?$")
FETCHED = pathlib.Path(__file__).resolve().parents[2] / "build/pythons"
ASK = "import os,sys;print(sys.implementation.name,sys.version_info[1],os.path.realpath(sys.executable))"


def of_pyenv(name):
    """The paths of programs of pyenv; @name may have wildcards: "3.*/bin/python3"."""
    roots = [os.environ.get("PYENV_ROOT"), os.path.expanduser("~/.pyenv")]
    return [path for root in dict.fromkeys(filter(None, roots))
            for path in sorted(glob.glob(f"{root}/versions/{name}"))]


def candidates():
    yield from filter(None, os.environ.get("WPERF_TEST_PYTHONS", "").split(":"))
    folders = [*os.environ.get("PATH", "").split(":"), "/usr/bin", "/usr/local/bin", str(FETCHED),
               *of_pyenv("*/bin")]
    for folder in dict.fromkeys(folders):
        # Those of pyenv's "shims" are shell scripts that choose one of the others.
        if not folder.endswith("shims"):
            yield from (path for path in sorted(glob.glob(f"{folder}/python3*"))
                        if NAME.search(os.path.basename(path)))


def find_all():
    """Pairs of a path and a minor version, each interpreter once."""
    found = {}
    for path in candidates():
        try:
            answer = subprocess.run([path, "-S", "-c", ASK], capture_output=True, text=True,
                                    timeout=60, check=False).stdout.split()
        except OSError:
            continue
        if len(answer) == 3 and answer[0] == "cpython" and int(answer[1]) >= 6:
            found.setdefault(answer[2] if path not in os.environ.get("WPERF_TEST_PYTHONS", "")
                             else path, (path, int(answer[1])))
    return sorted(found.values(), key=lambda pair: pair[1])
