# SPDX-License-Identifier: Apache-2.0
"""What lines of Python cost: the profiled program, and the profiler itself, beside others.

The program tells how many rounds it did in its own CPU time, which is what sampling slows down.
The profiler's own CPU time is that of all its processes without the program's; what it takes to
start and to write its report is in it, so a second run of another length tells the steady part.
Austin (Debian's package, if it is installed) knows Python up to 3.8; it goes with such a one.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """
import json, sys, time
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
end, rounds = time.time() + float(sys.argv[1]), 0
while time.time() < end:
    fib(12)
    sorted(range(500), key=lambda n: -n)
    rounds += 1
json.dump({"rounds": rounds, "cpu": time.process_time()}, open(sys.argv[2], "w"))
"""
SECONDS = (2, 6)


def run(profiler, python, script, seconds):
    """Rounds per second of the program's CPU time; CPU seconds of the profiler."""
    result = script + ".json"
    process = subprocess.Popen([*profiler, python, script, str(seconds), result],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    with open(result, encoding="utf-8") as file:
        said = json.load(file)
    return said["rounds"] / said["cpu"], usage.ru_utime + usage.ru_stime - said["cpu"]


def measure(name, profiler, python, script, alone):
    short, long = (run(profiler, python, script, seconds) for seconds in SECONDS)
    steady = (long[1] - short[1]) / (SECONDS[1] - SECONDS[0])
    print(f"  {name:28} program {100 * (alone / long[0] - 1):+6.2f} %   own CPU {100 * steady:6.2f} %"
          f" of a core, and {short[1] - steady * SECONDS[0]:5.2f} s at start and end")


def old_python():
    found = sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.8.*/bin/python3")))
    return found[0] if found else None


def main():
    wperf = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "program.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        data = os.path.join(folder, "data")
        python = sys.executable
        alone = max(run([], python, script, SECONDS[1])[0] for _ in range(3))
        print(f"lines of Python at 999 and 9,999 Hz, {python}")
        for hertz in ("999", "9999"):
            perf = ["perf", "record", "-q", "-F", hertz, "-o", data]
            record = [wperf, "record", "-q", "-F", hertz]
            measure(f"perf record, {hertz} Hz", [*perf, "--"], python, script, alone)
            measure(f"wperf, native, {hertz} Hz", [*record, "--python", "native", "--"], python,
                    script, alone)
            measure(f"wperf, Python only, {hertz} Hz", [*record, "--python", "only", "--"], python,
                    script, alone)
            measure(f"wperf -g, mixed, {hertz} Hz", [*record, "-g", "--"], python, script, alone)
        if shutil.which("austin") and old_python():
            alone = max(run([], old_python(), script, SECONDS[1])[0] for _ in range(3))
            print(f"at 1,000 Hz, {old_python()}")
            measure("austin, 1,000 Hz", ["austin", "-s", "-i", "1000", "-o", data], old_python(),
                    script, alone)
            measure("wperf, Python only, 999 Hz",
                    [wperf, "record", "-q", "-F", "999", "--python", "only", "--"], old_python(),
                    script, alone)


if __name__ == "__main__":
    main()
