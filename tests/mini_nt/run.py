# SPDX-License-Identifier: Apache-2.0
"""Runs the mini NT with a driver in QEMU: `run.py KERNEL DRIVER [virtualization]`.

It is good if the last line has the result, no line begins with FAIL, and the exit code is 0.
"""
import re
import shutil
import subprocess
import sys

TIMEOUT_SECONDS = 300
KERNEL, DRIVER = 0x40200000, 0x45000000


def command(qemu, kernel, driver, machine):
    return [qemu, "-M", machine, "-cpu", "max", "-smp", "8", "-m", "512", "-nographic",
            "-nodefaults", "-semihosting", "-icount", "shift=0,sleep=off",
            "-device", f"loader,file={kernel},addr={KERNEL:#x},cpu-num=0,force-raw=on",
            "-device", f"loader,file={driver},addr={DRIVER:#x},force-raw=on"]


def find_fault(text, code):
    """What is wrong, or None."""
    lines = text.splitlines()
    if code:
        return f"exit code {code}"
    if any(line.startswith("FAIL") for line in lines):
        return "a line begins with FAIL"
    if not lines or not re.fullmatch(r"RESULT [1-9]\d* passed, 0 failed", lines[-1]):
        return "the last line is no RESULT without failures"
    return None


def main():
    kernel, driver, *options = sys.argv[1:]
    qemu = shutil.which("qemu-system-aarch64")
    if not qemu:
        sys.exit("no qemu-system-aarch64: install qemu-system-arm (./wperf-dev test does)")
    machine = ",".join(["virt", "gic-version=3"] + [f"{option}=on" for option in options])
    try:
        done = subprocess.run(command(qemu, kernel, driver, machine), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIMEOUT_SECONDS, check=False)
        text, code = done.stdout.decode(errors="replace"), done.returncode
    except subprocess.TimeoutExpired as late:
        text, code = (late.stdout or b"").decode(errors="replace"), f"after {late.timeout} s"
    print(text, end="")
    fault = find_fault(text, code)
    sys.exit(f"{driver} in {machine}: {fault}" if fault else 0)


if __name__ == "__main__":
    main()
