# SPDX-License-Identifier: Apache-2.0
"""Wine for the tests of this folder, which share one prefix. As a program: wine.py begin|end PREFIX
begins it, once and for all tests, and ends it again. Status 77: there is no Wine."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

SKIPPED = 77
# Not the script `wine`, which complains that there is no Wine for 32 bits.
PROGRAM = pathlib.Path("/usr/lib/wine/wine64")
# Words before a program and its words; the last one is Wine itself.
RUNNER = [PROGRAM]


def need(*files):
    """Ends the test, with words, where one of these is not there."""
    for file in (PROGRAM, *files):
        if not pathlib.Path(file).exists():
            print(f"skipped: {file} is not there")
            sys.exit(SKIPPED)


def compile_program(source, path):
    """A program of Windows in C. Ends the test, with words, where there is no compiler."""
    compiler = "x86_64-w64-mingw32-gcc"
    if not shutil.which(compiler):
        print(f"skipped: no {compiler}")
        sys.exit(SKIPPED)
    subprocess.run([compiler, "-O1", "-g", source, "-o", path], check=True)


def use(prefix):
    """From now on, programs that we start run in there."""
    os.environ.update(WINEPREFIX=str(prefix), WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=")


# What stays after a program would hold on to its output, and ctest wait for that.
NOWHERE = {key: subprocess.DEVNULL for key in ("stdin", "stdout", "stderr")}


def server(*words, runner=RUNNER):
    *before, program = runner
    subprocess.run([*before, pathlib.Path(program).with_name("wineserver64"), *words], check=False,
                   timeout=60, **NOWHERE)


def stop(runner=RUNNER):
    server("-k", runner=runner)
    server("-w", runner=runner)  # the next one must not meet a server that is going away


def processes(prefix):
    """The IDs of all processes that run in there, the server among them."""
    ours, found = f"WINEPREFIX={prefix}".encode(), set()
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if ours in (entry / "environ").read_bytes().split(b"\0"):
                found.add(int(entry.name))
        except OSError:  # it has ended, or belongs to another user
            continue
    return found - {os.getpid()}


def wait_until_quiet(prefix, quiet=1.5, at_most=60):
    """Wine starts its services after the first program, and ends its desktop some time later: until no
    process has begun or ended for a while."""
    deadline = time.monotonic() + at_most
    before, since = None, 0
    while before is None or time.monotonic() - since < quiet:
        now = processes(prefix)
        if now != before:
            before, since = now, time.monotonic()
        if time.monotonic() > deadline:
            sys.exit(f"Wine's services do not settle: {sorted(now)}")
        time.sleep(0.1)


def begin(prefix):
    """Any program makes the prefix, by starting wineboot. Wineboot itself as that program would do it
    twice, and two managers of services would start and end the same ones, under the first tests."""
    shutil.rmtree(prefix, ignore_errors=True)
    os.makedirs(prefix)
    server("-p")
    subprocess.run([PROGRAM, "cmd", "/c", "exit"], check=True, timeout=100, **NOWHERE)
    wait_until_quiet(prefix)


def end(prefix):
    stop()
    shutil.rmtree(prefix, ignore_errors=True)


if __name__ == "__main__":
    need()
    use(sys.argv[2])
    {"begin": begin, "end": end}[sys.argv[1]](sys.argv[2])
