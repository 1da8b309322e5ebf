# SPDX-License-Identifier: Apache-2.0
"""A Windows program under Wine: its samples have names, lines and all callers, through Wine's own
libraries. Usage: under_wine.py WPERF PREFIX (the folder of Wine's files, made if it is not there)
"""
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import images

wperf, prefix = sys.argv[1:]
for tool in ("wine", "clang", "lld-link", "llvm-dlltool"):
    if not shutil.which(tool) or platform.machine() != "x86_64":
        print(f"no {tool}, or another machine")
        sys.exit(77)
os.environ.update(WINEPREFIX=prefix, WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=")


def build(folder):
    (folder / "k32.def").write_text("LIBRARY KERNEL32.dll\nEXPORTS\nExitProcess\nGetTickCount\n")
    images.run(["llvm-dlltool", "-m", "i386:x86-64", "-d", "k32.def", "-l", "k32.lib"], cwd=folder)
    images.run(["clang", "--target=x86_64-pc-windows-msvc", "-O2", "-g", "-gcodeview",
                *images.FLAGS, "-c", pathlib.Path(__file__).parent / "wine_program.c", "-o",
                folder / "busy.obj"])
    images.run(["lld-link", "/nologo", "/machine:x64", "/debug:full", "/nodefaultlib",
                "/subsystem:console", "/entry:mainCRTStartup", "/filealign:4096", "/out:busy.exe",
                "/pdb:busy.pdb", "busy.obj", "k32.lib"], cwd=folder)


def frames_of(text):
    """The stacks of `wperf script`: names with their modules, innermost first."""
    stacks = []
    for block in text.split("\n\n"):
        lines = [line.split(" (") for line in block.strip("\n").split("\n")[1:]]
        stacks.append([(line[0].split()[-1], line[-1].rstrip(")")) for line in lines if line[0].split()])
    return stacks


with tempfile.TemporaryDirectory() as top:
    folder = pathlib.Path(top)
    build(folder)
    subprocess.run(["wineboot", "-i"], check=True, capture_output=True, timeout=100)
    data = folder / "perf.data"
    done = subprocess.run([wperf, "record", "-q", "-e", "cpu-clock", "-F", "2000", "-g", "--save",
                           data, "--", "wine", folder / "busy.exe"], capture_output=True, text=True,
                          check=False, timeout=100)
    subprocess.run(["wineserver", "-k"], check=False, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    stacks = frames_of(images.run([wperf, "script", data]))
    busy = [stack for stack in stacks if any(name == "burn" for name, _ in stack)]
    callers = ["burn", "work", "mainCRTStartup", "BaseThreadInitThunk", "RtlUserThreadStart"]
    whole = [stack for stack in busy
             if [name for name, _ in stack[-len(callers):]] == callers]
    print(f"{len(stacks)} samples, {len(busy)} of them in the program, {len(whole)} with all callers")
    assert len(busy) > 50 and len(whole) > 0.9 * len(busy), busy[:3]
    assert "wine_program.c:" in images.run([wperf, "report", data, "--sort", "line"])
