# SPDX-License-Identifier: Apache-2.0
"""Programs that cannot run here are told apart, and none is handed to a shell.

foreign_programs.py WPERF FOLDER
"""
import os
import pathlib
import platform
import shutil
import struct
import sys

from recorder import run

OTHER = {"x86_64": (183, "AArch64"), "aarch64": (62, "x86-64")}


def elf(machine, loader=b""):
    """A program without code, with the name of a loader."""
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 3, 4, 120, 0, 0, len(loader), len(loader), 1)
    return head + segment + loader


def programs(folder):
    """(name, content, executable, what is said, what is advised)"""
    own = {"x86_64": 62, "aarch64": 183}.get(platform.machine(), 62)
    code, title = OTHER.get(platform.machine(), (183, "AArch64"))
    advice = "--source emulate" if title == "AArch64" else "use a program for"
    ran = folder / "ran"
    return [
        ("other", elf(code), True, f"it is an {title} program, and this machine is", advice),
        ("no_loader", elf(own, b"/no/such/ld.so\0"), True, "its loader '/no/such/ld.so' is missing", "C library"),
        ("no_interpreter", b"#!/no/such/python\n", True, "its interpreter '/no/such/python' is missing", "first line"),
        ("crlf", b"#!/bin/sh\r\necho\r\n", True, "its first line ends as on Windows", "sed -i"),
        ("text", f"touch {ran}\n".encode(), True, "it is a text file without a #! line", "sh "),
        ("empty", b"", True, "it is empty", "build"),
        ("closed", b"#!/bin/sh\n", False, "it is not executable", "chmod +x"),
        ("program.exe", b"MZ" + bytes(62), True, "it is a Windows program", "wperf.exe"),
        ("macos", b"\xcf\xfa\xed\xfe" + bytes(60), True, "it is a macOS program", "this system"),
    ]


def check(wperf, path, said, advised):
    for command in ("record", "stat"):
        words = [wperf, command, "-e", "task-clock" if command == "stat" else "cpu-clock", "--", path]
        done = run(words, 1, timeout=20, cwd=path.parent)
        assert f"cannot run '{path}': {said}" in done.stderr, (words, done.stderr)
        assert "hint: " in done.stderr and advised in done.stderr, (words, done.stderr)
        assert not list(path.parent.glob("wperf.data*")), os.listdir(path.parent)


def main():
    wperf, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rows = programs(folder)
    for name, content, is_executable, said, advised in rows:
        path = folder / name
        path.write_bytes(content)
        path.chmod(0o755 if is_executable else 0o644)
        check(wperf, path, said, advised)
    assert not (folder / "ran").exists(), "a shell has read a text file"
    (folder / "folder").mkdir()
    check(wperf, folder / "folder", "it is not a file", "folder")
    os.mkfifo(folder / "pipe", 0o755)  # which nobody writes: who opens it waits
    check(wperf, folder / "pipe", "it is not a file", "pipe")
    done = run([wperf, "record", "-e", "cpu-clock", "--json", "--", "sh", "-c", "echo noise"], cwd=folder)
    assert done.stdout.startswith("{") and "noise" not in done.stdout, done.stdout
    assert done.stderr.startswith("noise\n"), done.stderr
    done = run([wperf, "record", "-e", "cpu-clock", "--json", "-o", "out", "--", "sh", "-c", "echo noise"],
               cwd=folder)
    assert done.stdout == "noise\n", done.stdout
    print(f"{len(rows) + 2} things that do not run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
