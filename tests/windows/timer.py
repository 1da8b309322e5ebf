# SPDX-License-Identifier: Apache-2.0
"""The source timer of wperf.exe under Wine: shares of CPU time that are known, with all callers.
Usage: timer.py WPERF_EXE PREFIX"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import wine

exe, prefix = os.path.abspath(sys.argv[1]), sys.argv[2]
HERE = pathlib.Path(__file__).resolve().parent
COMPILER = "x86_64-w64-mingw32-gcc"
SHARES = {"seventy": 70, "twenty": 20, "ten": 10}
# At most this far off. A share of so many samples that know nothing of each other is better than that.
POINTS, ENOUGH = 3, 2500
CALLERS = ["parts", "work", "main"]


def run(*words, code=0, cwd=None):
    done = subprocess.run([wine.PROGRAM, *words], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=100, cwd=cwd)
    assert done.returncode == code, (words, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def record(data, *words, code=0, cwd=None):
    return run(exe, "record", "-q", "--source", "timer", "-F", "999", "-g", "--save", data, *words,
               code=code, cwd=cwd)


def stacks(data):
    """Weight in ns and names, innermost first, of each sample."""
    for block in run(exe, "script", data).split("\n\n"):
        lines = block.strip("\n").split("\n")
        if len(lines) > 1:
            weight = int(lines[0].rsplit(":", 2)[1].split()[0])
            yield weight, [line.split("(")[0].split()[-1] for line in lines[1:]]


def check_shares(data):
    found = list(stacks(data))
    inside = {name: [(w, names) for w, names in found if name in names] for name in SHARES}
    total = sum(weight for weight, _ in found)
    work = sum(w for samples in inside.values() for w, _ in samples)
    assert work, found[:20]
    shares = {name: 100 * sum(w for w, _ in samples) / work for name, samples in inside.items()}
    whole = sum(w for name, samples in inside.items() for w, names in samples
                if names[names.index(name) + 1:][:3] == CALLERS and names[-1] == "RtlUserThreadStart")
    print(f"{len(found)} samples, {total / 1e9:.2f} s, {100 * work / total:.1f} % work:",
          ", ".join(f"{name} {share:.1f} %" for name, share in shares.items()),
          f"with all callers {100 * whole / work:.1f} %")
    return len(found), work, shares, 100 * whole / work


def known_shares(folder, program):
    """On a machine that has no time samples are few, and many of one moment: then it takes longer."""
    for seconds in (4, 20):
        data = folder / "shares.data"
        record(data, "--", program, "work", str(seconds), code=7)
        num, work, shares, whole = check_shares(data)
        off = max(abs(shares[name] - share) for name, share in SHARES.items())
        if num >= ENOUGH and off <= POINTS:
            break
    assert off <= POINTS and whole > 90, (shares, whole)
    # All user time that the system has counted, and some of what being held costs under Wine.
    assert 0.95 * seconds < work / 1e9 < 1.3 * seconds, (work, seconds)


def who_waits_has_no_time(folder, program):
    data = folder / "sleeper.data"
    record(data, "--", program, "sleeper", "1", code=7)
    found = list(stacks(data))
    total = sum(weight for weight, _ in found)
    waiting = sum(w for w, names in found if "sleeps" in names or "waits" in names)
    print(f"beside sleepers: {len(found)} samples, {100 * waiting / total:.1f} % of them waiting")
    assert waiting < 0.1 * total


def what_is_started_is_seen(folder, program):
    """By a program, and by the command line, which is how batch files run theirs."""
    for words in ([program, "parent", "1"], ["cmd", "/c", program.name, "work", "1"]):
        data = folder / "parent.data"
        record(data, "--", *words, code=7, cwd=folder)
        num, _, shares, _ = check_shares(data)
        assert num > 50 and shares["seventy"] > 50, (words, shares)


def numbers_of(path):
    return [line.split() for line in path.read_text().splitlines() if len(line.split()) == 2]


def wait_for(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def whoever_was_held_goes_on(folder, program):
    """A program that runs already; wperf is asked to end by Ctrl-C."""
    output = folder / "numbers"
    with open(output, "w", encoding="ascii") as file:
        target = subprocess.Popen([wine.PROGRAM, program, "count", "12"], stdout=file,
                                  stdin=subprocess.DEVNULL)
    try:
        wait_for(lambda: numbers_of(output))
        pid = numbers_of(output)[0][0]
        data = folder / "running.data"
        with subprocess.Popen([wine.PROGRAM, exe, "record", "-q", "--source", "timer", "-g", "--save",
                               data, "-p", pid], stdin=subprocess.DEVNULL) as wperf:
            time.sleep(2)
            wperf.send_signal(signal.SIGINT)
            wperf.wait(timeout=30)
        before = len(numbers_of(output))
        wait_for(lambda: len(numbers_of(output)) > before + 3)
        names = {name for _, stack in stacks(data) for name in stack}
        assert {"seventy", "parts", "count", "main"} <= names, names
        print(f"a running program: {len(list(stacks(data)))} samples, and it goes on")
    finally:
        target.kill()
        target.wait()


def what_it_cannot_is_said(program):
    done = subprocess.run([wine.PROGRAM, exe, "record", "--source", "timer", "-F", "5000", "--", program,
                           "count", "0"], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == 2 and "cannot sample 5000 times per second" in done.stderr, done


wine.need(exe)
wine.use(prefix)
if not shutil.which(COMPILER):
    print(f"skipped: no {COMPILER}")
    sys.exit(wine.SKIPPED)
with tempfile.TemporaryDirectory() as top:
    folder_of_test = pathlib.Path(top)
    the_program = folder_of_test / "timer_program.exe"
    subprocess.run([COMPILER, "-O1", "-g", HERE / "timer_program.c", "-o", the_program], check=True)
    known_shares(folder_of_test, the_program)
    who_waits_has_no_time(folder_of_test, the_program)
    what_is_started_is_seen(folder_of_test, the_program)
    whoever_was_held_goes_on(folder_of_test, the_program)
    what_it_cannot_is_said(the_program)
