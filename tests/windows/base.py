# SPDX-License-Identifier: Apache-2.0
"""A program of checks under Wine, with the words that base_checks.exe expects.
Usage: base.py CHECKS_EXE PREFIX [RUNNER WORD...]"""
import os
import subprocess
import sys
import tempfile

import wine

WORDS = ["Größe 測 😀.txt", "", 'a "b\\']

program, prefix = os.path.abspath(sys.argv[1]), sys.argv[2]
wine.need(program)
wine.use(prefix)
os.environ["LC_ALL"] = "C.UTF-8"  # by which Wine takes our words for characters
with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.run([*(sys.argv[3:] or [wine.PROGRAM]), program, *WORDS], cwd=folder, timeout=60,
                            stdin=subprocess.DEVNULL, check=False).returncode)
