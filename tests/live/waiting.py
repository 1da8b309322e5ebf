# SPDX-License-Identifier: Apache-2.0
"""What live tests wait for before they go on: it is polled, never slept for."""
import os
import pathlib
import time

LIMIT = 60  # seconds; a crowded machine needs some
INTERVAL = 0.02


def wait_until(condition, what, limit=LIMIT, interval=INTERVAL):
    """Returns the first result of @condition that is true. @interval: seconds between two checks."""
    end = time.monotonic() + limit
    while not (found := condition()):
        assert time.monotonic() < end, f"{what}: not within {limit} s"
        time.sleep(interval)
    return found


def read_proc(pid, name):
    """Empty once the process is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def is_gone(pid):
    return read_proc(pid, "stat").rpartition(")")[2].split()[:1] in ([], ["Z"])


def find_faketime():
    """libfaketime of Debian's package, for LD_PRELOAD; None: it is not installed."""
    return next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


def cpu_seconds(pid):
    fields = read_proc(pid, "stat").rpartition(")")[2].split()
    assert len(fields) > 13, f"process {pid} has ended"
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_cpu(pid, seconds):
    """Until the process has run for so long from now on."""
    begin = cpu_seconds(pid)
    wait_until(lambda: cpu_seconds(pid) >= begin + seconds, f"{seconds} s of CPU of {pid}")


def wait_for_child(pid):
    """The number of its first child that is a program by now: wperf also forks to try what it may do."""
    def program():
        own = read_proc(pid, "comm")  # by now: it may have become wperf itself
        return next((child for child in read_proc(pid, f"task/{pid}/children").split()
                     if read_proc(child, "comm") not in ("", own)), None)
    return int(wait_until(program, f"child of {pid}"))


def wait_for_program(pid, name):
    """Until the process has become that program."""
    wait_until(lambda: read_proc(pid, "comm").strip() == name, f"{pid} is {name}")


def wait_for_recording(path):
    """Until wperf samples: its file has its name only from then on."""
    wait_until(path.exists, f"recording {path}")


def has_counters(pid):
    folder = f"/proc/{pid}/fd"
    try:
        return any("perf_event" in os.readlink(f"{folder}/{fd}") for fd in os.listdir(folder))
    except OSError:
        return False  # one was just closed


def wait_for_counters(pid):
    """Until wperf counts or samples by perf events."""
    wait_until(lambda: has_counters(pid), f"counters of {pid}")


def wait_for_handler(pid, signal_number):
    """Until the process has a handler of the signal."""
    def is_caught():
        line = next((line for line in read_proc(pid, "status").splitlines()
                     if line.startswith("SigCgt:")), "SigCgt: 0")
        return int(line.split()[1], 16) >> (signal_number - 1) & 1
    wait_until(is_caught, f"handler of {signal_number} in {pid}")
