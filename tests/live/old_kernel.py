# SPDX-License-Identifier: Apache-2.0
"""wperf with the answers of Linux 4.18, which old_kernel.c plays as far as system calls go.

old_kernel.py WPERF OLD_KERNEL
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from recorder import run_tests
from waiting import wait_for_cpu

SKIPPED = 77
PYTHON = "/usr/bin/python3"
# What it plays: pidfd_open() is of 5.3, the flag inherit_thread (bit 35) of perf events of 5.13.
PLAYED = """
import ctypes, os, platform, struct
try:
    os.pidfd_open(os.getpid())
except OSError as error:
    print("pidfd", error.errno)
libc = ctypes.CDLL(None, use_errno=True)
def perf_event_open(flags):
    attr = struct.pack("IIQQQQQ", 1, 128, 1, 0, 0, 0, flags) + bytes(80)
    fd = libc.syscall({"x86_64": 298, "aarch64": 241}[platform.machine()], attr, 0, -1, -1, 0)
    return 0 if fd >= 0 else ctypes.get_errno()
own_code = 1 << 5 | 1 << 6
print("event", perf_event_open(own_code), perf_event_open(own_code | 1 << 1 | 1 << 35))
"""
ENOSYS, EINVAL = 38, 22
HOT = """
import sys, time
def hot(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total
while time.process_time() < float(sys.argv[1]):
    hot(20000)
sys.exit(3)
"""
FOREVER = "1000"
# Its root folder is looked at while it runs.
LOOP = """
#include <time.h>
int main(void)
{
	while (clock() < CLOCKS_PER_SEC)
		for (volatile unsigned i = 0; i < 1000000; i++) {}
	return 0;
}
"""


def run(words, code=0, **keywords):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=120, check=False, **keywords)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def plays_linux_4_18(wperf, launcher, folder):
    played = run([launcher, PYTHON, "-c", PLAYED]).stdout
    assert played == f"pidfd {ENOSYS}\nevent 0 {EINVAL}\n", played


def lists(wperf, launcher, folder):
    assert "cpu-clock" in run([launcher, wperf, "list"]).stdout


def counts_a_program(wperf, launcher, folder):
    """Its end is noticed, and its exit code passed on."""
    done = run([launcher, wperf, "stat", "-e", "page-faults", "--", PYTHON, folder / "hot.py", "0.1"], code=3)
    found = re.search(r"([\d,]+) +page-faults", done.stdout)
    assert found and int(found[1].replace(",", "")) > 100, done.stdout


def counts_a_running_program(wperf, launcher, folder):
    """Until it ends."""
    program = subprocess.Popen([PYTHON, folder / "hot.py", "1"])
    watcher = subprocess.Popen([launcher, wperf, "stat", "-e", "task-clock", "-p", str(program.pid)],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert program.wait(timeout=120) == 3
    words, _ = watcher.communicate(timeout=120)
    assert watcher.returncode == 0 and re.search(r"msec +task-clock", words), words


def samples_python(wperf, launcher, folder):
    """Not in the kernel, and wperf says why."""
    data = folder / "hot.data"
    done = run([launcher, wperf, "record", "-o", data, "--", PYTHON, folder / "hot.py", "1"], code=3)
    if os.geteuid() == 0:
        assert re.search(r"rejects the BPF program.*\nhint: this needs Linux 5\.17", done.stderr), done.stderr
    report = run([launcher, wperf, "report", "-i", data]).stdout
    shares = [float(share) for share in re.findall(r"^ +(\d+\.\d+).* hot\.py:[56] +hot ", report, re.M)]
    assert sum(shares) > 50, report


def says_what_other_roots_need(wperf, launcher, folder):
    """A program with another root folder, whose files are not opened there before Linux 5.6."""
    if os.geteuid() != 0:
        return "skipped: only root may change the root folder"
    root = folder / "root"
    root.mkdir()
    (folder / "loop.c").write_text(LOOP, encoding="utf-8")
    run(["gcc", "-static", "-O1", "-o", root / "loop", folder / "loop.c"])
    done = run([launcher, wperf, "record", "-o", folder / "root.data", "--", "chroot", root, "/loop"])
    assert "in the root folder of its program: this needs Linux 5.6" in done.stderr, done.stderr
    return None


def dumps(wperf, launcher, folder):
    program = subprocess.Popen([PYTHON, folder / "hot.py", FOREVER])
    try:
        wait_for_cpu(program.pid, 0.2)
        stack = run([launcher, wperf, "dump", program.pid]).stdout
        assert "hot.py" in stack, stack
    finally:
        program.kill()
        program.wait()


def main():
    wperf, launcher = sys.argv[1:]
    if subprocess.run([wperf, "stat", "-e", "page-faults", "--", "true"], check=False,
                      capture_output=True).returncode:
        print("skipped: no perf events here")
        sys.exit(SKIPPED)
    if subprocess.run([launcher, "true"], check=False, capture_output=True).returncode:
        print("skipped: no filter of system calls that asks another process")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "hot.py").write_text(HOT, encoding="utf-8")
        run_tests([plays_linux_4_18, lists, counts_a_program, counts_a_running_program, samples_python,
                   says_what_other_roots_need, dumps],
                  wperf, launcher, folder)


if __name__ == "__main__":
    main()
