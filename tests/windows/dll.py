# SPDX-License-Identifier: Apache-2.0
"""wperf.dll and its import library: what they export, and a client in C of gcc and clang under Wine.
Usage: dll.py LIBRARY_FOLDER ARM64_LIBRARY_FOLDER PREFIX CLIENT_C WPERF_H"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import wine

library, library_arm64, prefix, client, header = map(pathlib.Path, map(os.path.abspath, sys.argv[1:]))
wine.need(library / "wperf.dll", library_arm64 / "wperf.dll")
wine.use(prefix)
FUNCTIONS = set(re.findall(r"^WPERF_API[^;(]*\b(\w+)\(", header.read_text(), re.M))

SYSTEM = ("KERNEL32", "ADVAPI32", "SETUPAPI", "SHELL32", "USER32", "WINHTTP", "CFGMGR32", "ntdll")


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60).stdout


def check_exports(folder):
    exports = set(re.findall(r"Name: (\w+)", run("llvm-readobj-19", "--coff-exports", folder / "wperf.dll")))
    assert exports == FUNCTIONS, exports ^ FUNCTIONS
    # The program beside it has a wperf.pdb.
    imports = set(re.findall(r"Name: (.*)\.dll", run("llvm-readobj-19", "--coff-imports", folder / "wperf.dll")))
    assert all(name in SYSTEM or name.startswith("api-ms-win-crt-") for name in imports), imports
    assert "wperf.dll.pdb" in run("llvm-readobj-19", "--coff-debug-directory", folder / "wperf.dll")
    assert (folder / "wperf.dll.pdb").exists()


def check_client(folder, *compiler):
    run(*compiler, "-Wall", "-Wextra", "-Werror", "-I", header.parent, client, "-L", folder, "-lwperf",
        "-o", folder / "client.exe")
    said = run(wine.PROGRAM, folder / "client.exe")
    assert re.match(r"libwperf \d+\.\d+\.\d+: neoverse-v1, \d+ cores\n\d+ events, loads: yes\nld_spec [1-9]\d+\n", said), said


check_exports(library)
check_exports(library_arm64)
with tempfile.TemporaryDirectory() as temporary:
    work = pathlib.Path(temporary)
    for name in ("wperf.dll", "wperf.lib"):
        shutil.copy(library / name, work)
    check_client(work, "x86_64-w64-mingw32-gcc", "-std=c99", "-static-libgcc")
    check_client(work, "clang-19", "--target=x86_64-w64-windows-gnu", "-fuse-ld=lld-19")
