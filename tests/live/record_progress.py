# SPDX-License-Identifier: Apache-2.0
"""While `record` runs, a terminal shows how it goes; what is no terminal is left alone."""
import os
import re
import subprocess
import sys

try:
    import pty
except ImportError:
    print("skipped: no pseudo terminals here")
    sys.exit(77)

from recorder import sampling_rate

RATE = sampling_rate(500)
SPIN = ["/usr/bin/python3", "-S", "-c", "import time\nend = time.time() + 1\n"
        "while time.time() < end: sum(range(1000))"]


def record(wperf, *options):
    """What comes to a terminal that is standard error, and what to standard output."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([wperf, "record", *options, "--", *SPIN], stdout=subprocess.PIPE,
                          stderr=theirs, text=True) as run:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # nobody writes any more
                break
            shown += part
        out = run.stdout.read()
    os.close(ours)
    assert run.returncode == 0, shown
    return shown.decode(), out


def main():
    wperf = sys.argv[1]
    shown, out = record(wperf, "-F", str(RATE))
    lines = re.findall(rf"sampling ([\d.]+) s, (\d+) samples, 0 lost, (\d+)/s \(asked: {RATE} a core\)", shown)
    assert len(lines) >= 2, shown
    assert [float(line[0]) for line in lines] == sorted(float(line[0]) for line in lines)
    assert int(lines[-1][1]) > int(lines[0][1]), lines
    assert not shown.rstrip().split("\x1b[K")[-1].startswith("sampling "), shown  # the line was taken away
    assert "sampling" not in out and "hot functions" in out, out

    shown, _ = record(wperf, "-e", "cpu-clock:2000000")
    assert "samples" in shown and "asked" not in shown, shown  # no rate was asked for
    shown, _ = record(wperf, "-q")
    assert "sampling" not in shown, shown
    piped = subprocess.run([wperf, "record", "--", *SPIN], capture_output=True, text=True, check=True)
    assert "\x1b" not in piped.stderr and "samples, 0 lost" not in piped.stderr, piped.stderr
    print(f"{len(lines)} lines while it ran, none left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
