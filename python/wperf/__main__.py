# SPDX-License-Identifier: Apache-2.0
"""Runs the program of this package: `python -m wperf stat -- ./program`."""
from __future__ import annotations

import os
import stat
import sys
from typing import NoReturn

from ._library import FOLDER


def main() -> NoReturn:
    program = os.path.join(FOLDER, "bin", "wperf")
    if not os.path.exists(program):
        sys.exit(f"{program} is missing\nhint: install the package again")
    if not os.access(program, os.X_OK):  # some installers lose that
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    sys.stdout.flush()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
