# SPDX-License-Identifier: Apache-2.0
"""A program that touches pages when it is told to: each is a page fault of its own."""
import subprocess

PATIENCE_S = 50

PROGRAM = ["/usr/bin/python3", "-S", "-c",
           "import mmap, sys\n"
           "print('ready', flush=True)\n"
           "for line in sys.stdin:\n"
           "    m = mmap.mmap(-1, int(line) * 4096)\n"
           "    for i in range(int(line)): m[i * 4096] = 1\n"
           "    print('done', flush=True)\n"]


class PageToucher:
    def __init__(self):
        self.process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.pid = self.process.pid
        assert self.process.stdout.readline() == "ready\n"

    def touch(self, pages):
        self.process.stdin.write(f"{pages}\n")
        assert self.process.stdout.readline() == "done\n"

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
