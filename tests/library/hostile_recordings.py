# SPDX-License-Identifier: Apache-2.0
"""Whole and damaged recordings, walked through the library: results or errors, never a crash.

hostile_recordings.py WPERF WALK_PROFILE SHARED [NUM [FIRST]]: NUM damaged ones of each
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

WPERF, WALK, SHARED = sys.argv[1:4]
NUM = int(sys.argv[4]) if len(sys.argv) > 4 else 40
FIRST = int(sys.argv[5]) if len(sys.argv) > 5 else 0
MAX_SIZE = 256 << 10  # bytes of a recording
EXTREMES = b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\x01\0\0\0"
WORK = """import time
def hot(n):
    return sum(i * i for i in range(n))
end = time.process_time() + 0.2
while time.process_time() < end:
    hot(1000)
"""


def recorded(folder):
    script = folder / "work.py"
    script.write_text(WORK, encoding="utf-8")
    clock = "-e", "cpu-clock:u", "-F", "200"
    for name, words in (("stacks", ("record", "-g", *clock, "/usr/bin/python3", script)),
                        ("off-cpu", ("record", "--off-cpu", "/usr/bin/python3", script)),
                        ("sim", ("sample", "--source", "sim", "-e", "ld_spec:100000", "-c", "0",
                                 "--timeout", "1"))):
        path = folder / f"{name}.data"
        command, *rest = words
        done = subprocess.run([WPERF, command, "-q", "--save", path, *rest], cwd=folder,
                              capture_output=True, text=True, errors="replace", timeout=120)
        if path.exists():
            # Names of Python and the C library would take longer than everything else.
            path.write_bytes(path.read_bytes().replace(b"/usr/", b"/gon/"))
            yield path
        else:
            print(f"no recording '{name}': {done.stderr.strip()}")


def damaged(content, number):
    chance = random.Random(number)
    content = bytearray(content)
    if number % 4 == 0:
        return bytes(content[:chance.randrange(len(content))])
    for _ in range(chance.choice((1, 3, 30))):
        at = chance.randrange(len(content) - 8)
        if number % 2:
            at = at % 512 if chance.random() < 0.3 else at // 8 * 8
            content[at:at + 4] = chance.choice(EXTREMES)
        else:
            content[at] ^= 1 << chance.randrange(8)
    return bytes(content)


def walk(folder, paths):
    """The lines that were printed."""
    done = subprocess.run([WALK, *paths], cwd=folder, capture_output=True, text=True,
                          errors="replace", timeout=150,
                          env=os.environ | {"DEBUGINFOD_URLS": ""})
    assert done.returncode == 0, (done.returncode, done.stdout[-300:], done.stderr[-4000:])
    lines = done.stdout.splitlines()
    assert len(lines) == len(paths) + 1, lines
    return lines[:-1]


def main():
    others = [path for path in sorted(pathlib.Path(SHARED).rglob("*perf*data"))
              if path.is_file() and 0 < path.stat().st_size <= MAX_SIZE]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        own = list(recorded(folder))
        assert own, "nothing could be recorded"
        lines = walk(folder, own)
        assert all(re.search(r": [1-9]\d* samples$", line) for line in lines), lines
        num_whole = len(walk(folder, others)) if others else 0
        files = []
        for path in own + others[:6]:
            content = path.read_bytes()
            for number in range(FIRST, FIRST + NUM):
                files.append(folder / f"damaged.{path.name}.{number}")
                files[-1].write_bytes(damaged(content, number))
        lines = walk(folder, files)
        num_errors = sum(": error: " in line for line in lines)
        assert num_errors, "no damage was noticed"
        print(f"{len(own) + num_whole} whole ones; of {len(lines)} damaged ones {num_errors} are "
              "errors")


main()
