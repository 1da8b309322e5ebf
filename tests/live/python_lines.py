# SPDX-License-Identifier: Apache-2.0
"""Tables of lines of the standard library, as decoded by us and by every interpreter here.

WPERF_PYTHON_SECONDS: of CPU for each interpreter; 1000 is enough for all of the library.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pythons

CHECK = sys.argv[1]
TABLES = pathlib.Path(__file__).with_name("python_tables.py")
SECONDS = os.environ.get("WPERF_PYTHON_SECONDS", "0.7")


def main():
    found = pythons.find_all()
    assert found, "no interpreter at all"
    with tempfile.TemporaryDirectory() as folder:
        tables = pathlib.Path(folder, "tables")
        for python, _ in found:
            subprocess.run([python, "-W", "ignore", str(TABLES), str(tables), SECONDS], check=True)
            result = subprocess.run([CHECK, str(tables)], capture_output=True, text=True,
                                    check=False)
            print(f"{python}: {result.stdout.strip()}", flush=True)
            assert result.returncode == 0, result.stderr


if __name__ == "__main__":
    main()
