# SPDX-License-Identifier: Apache-2.0
"""Runs a bare-metal program in QEMU: `run.py PROGRAM CPU MACHINE DESCRIPTION`.

It is good if the program says that it runs on such a machine, no line begins with FAIL, the last
one has the result, and the exit code is 0.
"""
import re
import shutil
import subprocess
import sys

# With -icount an instruction takes a nanosecond, whatever the host does.
OPTIONS = "-m 64 -nographic -nodefaults -semihosting -icount shift=0,sleep=off".split()
TIMEOUT_SECONDS = 20


def run_qemu(program, cpu, machine):
    """What the program wrote, and its exit code; None if it did not come to its end."""
    qemu = shutil.which("qemu-system-aarch64")
    if not qemu:
        return "no qemu-system-aarch64: install qemu-system-arm (./wperf-dev test does)\n", None
    try:
        done = subprocess.run([qemu, "-M", machine, "-cpu", cpu, *OPTIONS, "-kernel", program],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace"), None
    return done.stdout.decode(errors="replace"), done.returncode


def find_fault(text, code, description):
    """What is wrong, or None."""
    lines = text.splitlines()
    if code is None:
        return f"it did not come to its end in {TIMEOUT_SECONDS} s"
    if code:
        return f"exit code {code}"
    if not lines or not re.fullmatch(r"RESULT [1-9]\d* passed, 0 failed", lines[-1]):
        return "the last line is no RESULT without failures"
    if any(line.startswith("FAIL") for line in lines):
        return "a line begins with FAIL"
    if f"machine: {description}" not in lines:
        return f"the machine is not: {description}"
    return None


def main():
    program, cpu, machine, description = sys.argv[1:]
    text, code = run_qemu(program, cpu, machine)
    print(text, end="")
    fault = find_fault(text, code, description)
    if fault:
        print(f"{program} on {cpu}, {machine}: {fault}")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
