# SPDX-License-Identifier: Apache-2.0
"""Colours are for terminals only, and not for those who do not want them; a full disk is told."""
import os
import subprocess
import sys

try:
    import pty
except ImportError:
    print("skipped: no pseudo terminals here")
    sys.exit(77)

ESCAPE = b"\x1b["
BAD_OPTION = ["list", "--no-such-option"]  # an error with a hint, both coloured


def on_terminal(wperf, words, **environment):
    """What `wperf` writes to a terminal that is its standard output and error."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([wperf, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                          env={"TERM": "xterm", **environment}) as child:
        os.close(theirs)
        text = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            text += chunk
        child.wait(timeout=60)
    os.close(ours)
    return text


def in_pipe(wperf, words):
    done = subprocess.run([wperf, *words], capture_output=True, timeout=60, check=False,
                          env={"TERM": "xterm"})
    return done.stdout + done.stderr


def check_colours(wperf):
    coloured = on_terminal(wperf, BAD_OPTION)
    assert ESCAPE in coloured, coloured
    assert coloured.count(b"\x1b[0m") * 2 == coloured.count(ESCAPE), coloured  # all of them end
    plain = in_pipe(wperf, BAD_OPTION)
    assert ESCAPE not in plain and plain.startswith(b"unknown option"), plain
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        text = on_terminal(wperf, BAD_OPTION, **environment)
        assert ESCAPE not in text and b"unknown option" in text, (environment, text)
    assert ESCAPE in on_terminal(wperf, BAD_OPTION, NO_COLOR="")  # empty: not set


def check_json(wperf):
    words = ["man", "neoverse-n1/ipc", "--json"]
    assert on_terminal(wperf, words).replace(b"\r\n", b"\n") == in_pipe(wperf, words)


def check_full_disk(wperf):
    if not os.path.exists("/dev/full"):
        return
    for words in (["list", "--cpu", "neoverse-n1"], ["man", "neoverse-n1/ipc"],
                  ["man", "neoverse-n1/ipc", "--json"], ["test", "--source", "sim"],
                  ["detect"], ["--version", "--source", "sim"], ["help"], ["help", "list"],
                  ["help", "--format", "man"], ["help", "--format", "bash"], []):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([wperf, *words], stdout=full, stderr=subprocess.PIPE, timeout=60,
                                  check=False)
        assert done.returncode == 1, (words, done)
        assert b"cannot write" in done.stderr and b"No space left" in done.stderr, (words, done)


def main():
    wperf = sys.argv[1]
    check_colours(wperf)
    check_json(wperf)
    check_full_disk(wperf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
