# SPDX-License-Identifier: Apache-2.0
"""Interpreters that say that they are newer than wperf, or that lie: native lines, never wrong ones.

python_newer.py WPERF
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from page_stacks import python_stacks
from pythons import find_all
from recorder import run_tests

SKIPPED = 77
PROGRAM = """
import sys, time
def work():
    return sum(i * i for i in range(2000))
end = time.time() + float(sys.argv[1])
while time.time() < end:
    work()
"""
COOKIE = b"xdebugpy"
OFFSETS = re.compile(COOKIE + rb"..\x0d\x03\0{4}", re.DOTALL)  # behind it stands the version
OBJECT = struct.pack("<2Q", 16, 8)  # the size of an object, and the place of its type


def library_of(python):
    """The shared library of an interpreter, or None."""
    words = subprocess.run(["ldd", python], capture_output=True, text=True, check=False).stdout
    found = re.search(r"libpython3\.13\S* => (\S+)", words)
    return found and pathlib.Path(found[1])


def change(library, folder, edit):
    """A copy of the library whose published offsets are edited; its folder."""
    data = bytearray(library.read_bytes())
    edit(data, OFFSETS.search(data).start())
    target = folder / "changed"
    target.mkdir(exist_ok=True)
    (target / library.name).write_bytes(data)
    return target


def record(wperf, python, folder, libraries):
    page, script = folder / "page.html", folder / "program.py"
    script.write_text(PROGRAM)
    done = subprocess.run(
        ["env", f"LD_LIBRARY_PATH={libraries}", wperf, "record", "--python=mixed", "-e",
         "cpu-clock", "--html", page, "--", python, script, "1"],
        capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines = [frame for _, stack in python_stacks(page) for frame in stack]
    return done.stderr, lines, done.stdout


def unchanged_has_lines(wperf, python, library, folder):
    words, lines, _ = record(wperf, python, folder, change(library, folder, lambda *_: None))
    assert "no Python lines" not in words and lines, words
    return f"{len(lines)} frames"


def newer_with_other_offsets_is_native(wperf, python, library, folder):
    def edit(data, start):
        struct.pack_into("<Q", data, start + len(COOKIE), 0x031000F0)
    words, lines, text = record(wperf, python, folder, change(library, folder, edit))
    assert "no Python lines: the published offsets of Python 3.16 are not valid" in words, words
    assert not lines and "libpython3.13" in text, lines[:5]
    return words.strip().splitlines()[0]


def wrong_offsets_are_found_out(wperf, python, library, folder):
    def edit(data, start):
        place = data.index(OBJECT, start)
        assert place - start < 1024, place - start
        struct.pack_into("<Q", data, place + 8, 0)
    words, lines, text = record(wperf, python, folder, change(library, folder, edit))
    note = "no Python lines: this build of Python 3.13 has an unknown layout of frames"
    assert words.count(note) == 1, words
    # Before its first thread, nothing can be held against it.
    assert len(lines) < 20 and "libpython3.13" in text, (len(lines), lines[:5])
    return words.strip().splitlines()[0]


def main():
    found = [(path, library_of(path)) for path, minor in find_all() if minor == 13]
    found = [(path, library) for path, library in found if library]
    if not found or not shutil.which("ldd"):
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        run_tests([unchanged_has_lines, newer_with_other_offsets_is_native,
                   wrong_offsets_are_found_out], sys.argv[1], *found[0], pathlib.Path(name))


main()
