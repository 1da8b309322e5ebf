# SPDX-License-Identifier: Apache-2.0
"""A recording reads the same where its program, its kernel and its host are not.

travel.py WPERF FOLDER
"""
import json
import pathlib
import socket
import subprocess
import sys

PROGRAM = r"""
#include <stdio.h>
static volatile unsigned long sink;
__attribute__((always_inline)) static inline unsigned long inner(unsigned long x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 2862933555777941757UL + 3037000493UL;
	return x;
}
__attribute__((noinline)) unsigned long outer(unsigned long x) { return inner(x) + 1; }
int main(void)
{
	static char bytes[65536];
	for (long i = 0; i < 200000; i++)
		sink = outer(sink);
	FILE *file = fopen("/dev/urandom", "r");
	for (int i = 0; i < 500; i++)
		if (!fread(bytes, 1, sizeof(bytes), file))
			return 1;
	return 0;
}
"""
PYTHON = "for i in range(60):\n    sum(range(200000))\n"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def make_foreign(path):
    """As if it were of a host with another name: its kernel is not ours then."""
    host = socket.gethostname().encode() + b"\0"
    data = path.read_bytes()
    assert data.count(host) == 1
    path.write_bytes(data.replace(host, b"~" + host[1:]))


def check_travels(wperf, folder, more):
    program = folder / "program"
    source = folder / "program.c"
    source.write_text(PROGRAM)
    run("gcc", "-g", "-O1", "-fno-omit-frame-pointer", "-o", program, source)
    data = folder / "program.data"
    run(wperf, "record", "-g", "-e", "cpu-clock", "-F", "999", "--save", data, *more, "--", program)
    views = [[], ["--tree", "down"], ["--sort", "line"]]
    here = [run(wperf, "report", "-i", data, *view) for view in views]
    assert "inner" in here[0] and "main" in here[0], here[0]
    assert "program.c:" in here[2], here[2]
    assert "[kernel]" in here[0], here[0]
    make_foreign(data)
    program.unlink()
    there = [run(wperf, "report", "-i", data, *view) for view in views]
    assert there == here, (there, here)
    assert json.loads(run(wperf, "report", "-i", data, "--json"))
    return here[0]


def check_without_names(wperf, folder):
    """Quiet and without --archive a recording is as small as it was, and says what is missing."""
    program = folder / "plain"
    source = folder / "program.c"
    run("gcc", "-g", "-O1", "-o", program, source)
    data = folder / "plain.data"
    run(wperf, "record", "-q", "-e", "cpu-clock", "--save", data, "--", program)
    program.unlink()
    done = subprocess.run([wperf, "report", "-i", data], capture_output=True, text=True, check=True)
    assert "inner" not in done.stdout, done.stdout
    assert "no names for" in done.stderr and str(program) in done.stderr, done.stderr


def check_python(wperf, folder):
    """Lines of Python travel in an image, what called them with the other names."""
    script = folder / "sums.py"
    script.write_text(PYTHON)
    data = folder / "python.data"
    run(wperf, "record", "-g", "-e", "cpu-clock", "-F", "999", "--save", data, "--",
        "/usr/bin/python3", script)
    here = run(wperf, "report", "-i", data)
    assert "sums.py" in here, here
    make_foreign(data)
    assert run(wperf, "report", "-i", data) == here


def main():
    wperf, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    check_travels(wperf, folder, [])
    check_travels(wperf, folder, ["-q", "--archive"])
    check_without_names(wperf, folder)
    check_python(wperf, folder)
    refused = subprocess.run([wperf, "record", "--archive", "--", "true"], capture_output=True,
                             text=True, check=False)
    assert refused.returncode == 2 and "--save" in refused.stderr, refused
    return 0


if __name__ == "__main__":
    sys.exit(main())
