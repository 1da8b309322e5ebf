# SPDX-License-Identifier: Apache-2.0
"""The source timer of wperf.exe under Wine: shares of CPU time that are known, with all callers.
Usage: timer.py WPERF_EXE PREFIX"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import wine

exe, prefix = os.path.abspath(sys.argv[1]), sys.argv[2]
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "live"))
import chance  # noqa: E402
import waiting  # noqa: E402

SHARES = {"seventy": 70, "twenty": 20, "ten": 10}
SKEW = 0.02  # of threads that are looked at while Wine holds them
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


def check_shares(data, least):
    """A sample weighs what its thread ran since the last one."""
    found = list(stacks(data))
    inside = {name: [(w, names) for w, names in found if name in names] for name in SHARES}
    total = sum(weight for weight, _ in found)
    weights = [w for samples in inside.values() for w, _ in samples]
    work = sum(weights)
    words = chance.check_weights({name: [w for w, _ in samples] for name, samples in inside.items()}, SHARES,
                                 least, SKEW)
    whole = sum(names[names.index(name) + 1:][:3] == CALLERS and names[-1] == "RtlUserThreadStart"
                for name, samples in inside.items() for _, names in samples)
    print(f"{words}; {len(found)} in all, {total / 1e9:.2f} s, {100 * work / total:.1f} % work")
    return whole, len(weights), work


def known_shares(folder, program):
    data, seconds = folder / "shares.data", 4
    record(data, "--", program, "work", str(seconds), code=7)
    whole, num, work = check_shares(data, 200)
    chance.check_at_least(whole, num, 0.9, "with all callers")
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
    for words in ([program, "parent", "2"], ["cmd", "/c", program.name, "work", "2"]):
        data = folder / "parent.data"
        record(data, "--", *words, code=7, cwd=folder)
        check_shares(data, 20)


def numbers_of(path):
    return [line.split() for line in path.read_text().splitlines() if len(line.split()) == 2]


def wait_for_numbers(path, num):
    """Of the program, from now on."""
    before = len(numbers_of(path))
    waiting.wait_until(lambda: len(numbers_of(path)) >= before + num, f"{num} numbers in {path}")


def whoever_was_held_goes_on(folder, program):
    """A program that runs already; wperf is asked to end by Ctrl-C."""
    output = folder / "numbers"
    with open(output, "w", encoding="ascii") as file:
        target = subprocess.Popen([wine.PROGRAM, program, "count", "12"], stdout=file,
                                  stdin=subprocess.DEVNULL)
    try:
        waiting.wait_until(lambda: numbers_of(output), "first number")
        pid = numbers_of(output)[0][0]
        data = folder / "running.data"
        with subprocess.Popen([wine.PROGRAM, exe, "record", "-q", "--source", "timer", "-g", "--save",
                               data, "-p", pid], stdin=subprocess.DEVNULL) as wperf:
            waiting.wait_for_recording(data)
            wait_for_numbers(output, 50)
            wperf.send_signal(signal.SIGINT)
            wperf.wait(timeout=30)
        wait_for_numbers(output, 4)
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
with tempfile.TemporaryDirectory() as top:
    folder_of_test = pathlib.Path(top)
    the_program = folder_of_test / "timer_program.exe"
    wine.compile_program(HERE / "timer_program.c", the_program)
    known_shares(folder_of_test, the_program)
    who_waits_has_no_time(folder_of_test, the_program)
    what_is_started_is_seen(folder_of_test, the_program)
    whoever_was_held_goes_on(folder_of_test, the_program)
    what_it_cannot_is_said(the_program)
