# SPDX-License-Identifier: Apache-2.0
"""A count on `sim` without an end goes on in real time until Ctrl-C; one with an end is instant."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

CYCLES_PER_SECOND = 2250000000  # in user code
PATIENCE_S = 60
LAST_STEP_S = 20  # from Ctrl-C to the end, on a busy machine


def until(condition):
    """Polls; false if it never came true."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def interrupted(wperf, words, condition, folder):
    """Standard output of a run that gets Ctrl-C once @condition holds, and how long it ran."""
    began = time.monotonic()
    with subprocess.Popen([wperf, "stat", "--source", "sim", *words], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        came = until(lambda: child.poll() is not None or condition())
        asked = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE_S)
        ended = time.monotonic()
    assert came and child.returncode == 0, (words, child.returncode, err)
    assert ended - asked < LAST_STEP_S, f"{words}: {ended - asked:.1f} s from Ctrl-C to the end"
    return out.decode(), ended - began


def check_one_count(wperf, folder):
    """Its text says when it begins; the numbers are in the file."""
    path = pathlib.Path(folder, "one.json")
    with subprocess.Popen([wperf, "stat", "--source", "sim", "-e", "ld_spec", "-c", "1", "-o",
                           path.name], cwd=folder, stdout=subprocess.PIPE) as child:
        assert child.stdout.read(len("counting ... ")) == b"counting ... "
        began = time.monotonic()
        time.sleep(0.3)  # of this the count is to be
        counted = time.monotonic() - began
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=PATIENCE_S)
        ran = time.monotonic() - began
    assert child.returncode == 0, child.returncode
    document = json.loads(path.read_text(encoding="utf-8"))
    elapsed = document["Time_elapsed"]
    assert counted - 0.1 <= elapsed <= ran + 0.5, (counted, elapsed, ran)
    cycles = document["core"]["cores"][0]["Performance_counter"][0]["counter_value"]
    assert abs(cycles - elapsed * CYCLES_PER_SECOND) <= CYCLES_PER_SECOND / 1000, (cycles, elapsed)


def check_endless_timeline(wperf, folder):
    """The rows that there are have room in the time that the run took."""
    path = pathlib.Path(folder, "rows.csv")

    def rows():
        lines = path.read_text().splitlines() if path.exists() else []
        return [line for line in lines if line[:1].isdigit()]

    _, ran = interrupted(wperf, ["-e", "ld_spec", "-c", "1", "-t", "-i", "0", "--timeout", "200ms",
                                 "-q", "--output-csv", path.name], lambda: len(rows()) >= 3, folder)
    found = rows()
    assert 3 <= len(found) <= ran / 0.2 + 1, (len(found), ran)
    for row in found[:-1]:  # the last one was cut short
        assert int(row.split(",")[0]) == CYCLES_PER_SECOND // 5, row
    assert int(found[-1].split(",")[0]) <= CYCLES_PER_SECOND // 5, found[-1]


def check_end_known(wperf, folder):
    """Hours of simulated time, in no time."""
    began = time.monotonic()
    done = subprocess.run([wperf, "stat", "--source", "sim", "-e", "ld_spec", "-c", "0", "-t", "-i",
                           "1h", "-n", "3", "--timeout", "1h", "--json", "--output-csv", os.devnull],
                          cwd=folder, capture_output=True, check=True, timeout=PATIENCE_S)
    assert len(json.loads(done.stdout)["timeline"]) == 3
    assert time.monotonic() - began < PATIENCE_S


def main():
    wperf = sys.argv[1]
    if os.name == "nt":
        print("skipped: no SIGINT to send here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        check_one_count(wperf, folder)
        check_endless_timeline(wperf, folder)
        check_end_known(wperf, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
