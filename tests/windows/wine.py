# SPDX-License-Identifier: Apache-2.0
"""Wine for the tests of this folder, which share one prefix. As a program: wine.py begin|end PREFIX
begins it, once and for all tests, and ends it again. Status 77: there is no Wine."""
import os
import pathlib
import shutil
import subprocess
import sys

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


def begin(prefix):
    shutil.rmtree(prefix, ignore_errors=True)
    os.makedirs(prefix)
    server("-p")
    subprocess.run([PROGRAM, "wineboot", "-i"], check=True, timeout=100, **NOWHERE)


def end(prefix):
    stop()
    shutil.rmtree(prefix, ignore_errors=True)


if __name__ == "__main__":
    need()
    use(sys.argv[2])
    {"begin": begin, "end": end}[sys.argv[1]](sys.argv[2])
