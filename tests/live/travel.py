# SPDX-License-Identifier: Apache-2.0
"""A recording reads the same where its program, its kernel and its host are not.

travel.py WPERF FOLDER
"""
import json
import pathlib
import socket
import subprocess
import sys

from recorder import clock_event

PROGRAM = pathlib.Path(__file__).with_name("travel_program.c")
# Long enough that a busy machine gets round to reading its code before it ends.
PYTHON = "for i in range(400):\n    sum(range(200000))\n"


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
    run("gcc", "-g", "-O1", "-fno-omit-frame-pointer", "-o", program, PROGRAM)
    data = folder / "program.data"
    run(wperf, "record", "-g", *clock_event(999), "--save", data, *more, "--", program)
    views = [[], ["--tree", "down"], ["--sort", "line"]]
    here = [run(wperf, "report", "-i", data, *view) for view in views]
    assert "inner" in here[0] and "main" in here[0], here[0]
    assert "travel_program.c:" in here[2], here[2]
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
    run("gcc", "-g", "-O1", "-o", program, PROGRAM)
    data = folder / "plain.data"
    run(wperf, "record", "-q", "-e", "cpu-clock", "--save", data, "--", program)
    program.unlink()
    done = subprocess.run([wperf, "report", "-i", data], capture_output=True, text=True, check=True)
    assert "inner" not in done.stdout, done.stdout
    assert "no symbols for" in done.stderr and str(program) in done.stderr, done.stderr


def check_python(wperf, folder):
    """Lines of Python travel in an image, what called them with the other names."""
    script = folder / "sums.py"
    script.write_text(PYTHON)
    data = folder / "python.data"
    run(wperf, "record", "-g", *clock_event(999), "--save", data, "--",
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
    refused = subprocess.run([wperf, "record", "--archive", "--json", "--", "true"],
                             capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "--archive needs a recording" in refused.stderr, refused
    return 0


if __name__ == "__main__":
    sys.exit(main())
