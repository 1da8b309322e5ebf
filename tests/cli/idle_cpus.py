# SPDX-License-Identifier: Apache-2.0
"""Idle CPUs stand in the header, not in the table: a recording of three idle samples, one of an
interrupt that is no idle, and four of a program.

idle_cpus.py WPERF
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "unwind"))
from perf_data_arm64 import COMM, MMAP2, SAMPLE, attribute, perf_data, record, text

IP, TID, TIME, PERIOD = 1, 2, 4, 1 << 8
INTERVAL = 1000000
IN_KERNEL, IN_USER = 1, 2
KERNEL = 0xFFFF800008000000
PROGRAM = 0x400000
PID = 1000
NUM_IDLE, NUM_BUSY = 3, 5


def sample(mode, pid, address, second):
    return record(SAMPLE, mode, struct.pack("<QIIQQ", address, pid, pid, second * 10**9,
                                             INTERVAL))


def recording():
    data = record(COMM, 0, struct.pack("<II", PID, PID) + text("busy"))
    data += record(MMAP2, IN_USER, struct.pack("<IIQQQIIQQII", PID, PID, PROGRAM, 0x1000, 0, 0, 0,
                                               0, 0, 5, 2) + text("/nowhere/busy"))
    for second in range(1, 1 + NUM_IDLE):
        data += sample(IN_KERNEL, 0, KERNEL + 16 * second, second)
    data += sample(IN_USER, 0, PROGRAM, 4)  # of no kernel: not idle, whoever it is
    for second in range(5, 9):
        data += sample(IN_USER, PID, PROGRAM + 16, second)
    return perf_data(attribute(INTERVAL, IP | TID | TIME | PERIOD), data)


def run(wperf, *words):
    done = subprocess.run([wperf, *map(str, words)], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done
    return done.stdout


def samples_of_rows(out):
    """Of tables whose third or second column is the number of samples."""
    return sum(int(found[1]) for found in re.finditer(r"^ +[\d.]+ +(?:[\d.]+\.\d+ +)?(\d+)(?: |$)", out,
                                                      re.M))


def check_table(wperf, path):
    for words in ([], ["--sort", "process"], ["--sort", "module"]):
        out = run(wperf, "report", *words, path)
        assert f" {NUM_BUSY} samples, " in out and \
            f"; 37.5 % idle ({NUM_IDLE} samples left out)" in out, out
        assert samples_of_rows(out) == NUM_BUSY, out
        shown = run(wperf, "report", "--idle", *words, path)
        assert f" {NUM_BUSY + NUM_IDLE} samples, " in shown and " % idle" not in shown, shown
        assert samples_of_rows(shown) == NUM_BUSY + NUM_IDLE, shown
    # Who asks for the task by its name wants to see it.
    assert f" {NUM_IDLE + 1} samples" in run(wperf, "report", "--thread", "0", path)


def check_share_of_a_time(wperf, path):
    """Seconds 2 to 4: two idle samples, and the one that is none."""
    out = run(wperf, "report", "--time", "1,3.5", path)
    assert " 1 samples, " in out and "; 66.7 % idle (2 samples left out)" in out, out


def check_json(wperf, path):
    event = json.loads(run(wperf, "report", "--json", path))["report"]["events"][0]
    assert event["samples"] == NUM_BUSY and event["idle_samples"] == NUM_IDLE, event
    assert event["idle_percent"] == 37.5, event
    assert sum(row["samples"] for row in event["rows"]) == NUM_BUSY, event
    assert abs(sum(row["self_percent"] for row in event["rows"]) - 100) < 0.01, event
    shown = json.loads(run(wperf, "report", "--json", "--idle", path))["report"]["events"][0]
    assert shown["samples"] == NUM_BUSY + NUM_IDLE and "idle_percent" not in shown, shown


def check_others(wperf, path):
    """The page says it as well; what is read by other programs keeps every sample."""
    page = pathlib.Path(path).with_suffix(".html")
    run(wperf, "report", "-q", "--html", page, path)
    assert '"idlePercent":37.5' in page.read_text(encoding="utf-8")
    assert len(run(wperf, "script", path).split("\n\n")) - 1 == NUM_BUSY + NUM_IDLE


def main():
    wperf = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "idle.data")
        path.write_bytes(recording())
        check_table(wperf, path)
        check_share_of_a_time(wperf, path)
        check_json(wperf, path)
        check_others(wperf, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
