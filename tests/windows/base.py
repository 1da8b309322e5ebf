# SPDX-License-Identifier: Apache-2.0
"""A program of checks under Wine, with the words that base_checks.exe expects, and its keys on a console.
Usage: base.py CHECKS_EXE PREFIX [RUNNER WORD...]"""
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

import wine

WORDS = ["Größe 測 😀.txt", "", 'a "b\\']

program, prefix = os.path.abspath(sys.argv[1]), sys.argv[2]
wine.need(program)
wine.use(prefix)
os.environ["LC_ALL"] = "C.UTF-8"  # by which Wine takes our words for characters
RUNNER = sys.argv[3:] or [wine.PROGRAM]


def check_keys():
    """Wine's console is a terminal of ours; what is printed there goes through its screen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    child = subprocess.Popen([*RUNNER, program, "keys"], stdin=theirs, stdout=theirs, stderr=theirs,
                             start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    printed, deadline = b"", time.monotonic() + 60
    while child.poll() is None and time.monotonic() < deadline:
        if select.select([ours], [], [], 0.05)[0]:
            printed += os.read(ours, 1 << 16)
    if child.poll() is None:
        child.kill()
    if child.wait():
        print(f"keys: status {child.returncode}", printed.decode(errors="replace"))
    return child.returncode


with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([*RUNNER, program, *WORDS], cwd=folder, timeout=60, stdin=subprocess.DEVNULL, check=False)
# lznt1_checks.exe has no keys, and Wine in an emulator no console of ours.
has_keys = program.endswith("base_checks.exe") and not sys.argv[3:]
sys.exit(done.returncode or (check_keys() if has_keys else 0))
