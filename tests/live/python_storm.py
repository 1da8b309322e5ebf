# SPDX-License-Identifier: Apache-2.0
"""Programs of Python that do their worst: no crash, no wrong name, and what is missing is said.

python_storm.py WPERF FOLDER
"""
import collections
import json
import os
import re
import subprocess
import sys

import chance
from recorder import Recorder, clock_event, run, run_tests, sampling_rate

SKIPPED = 77
PYTHON = "/usr/bin/python3"
NUM_PROCESSES = 1000
RATE = 2999
FAST_RATE = 11999
UNNAMED = "[unknown Python]"
CUT = re.compile(r"truncated Python stacks, because (?:they are too deep|reading them would slow "
                 r"the program .*): (\d+)")

DEEP = """
import sys
sys.setrecursionlimit(6000)
def bottom():
    return sum(i * i for i in range(300000))
def down(n):
    return down(n - 1) if n else bottom()
def main():
    for _ in range(10):
        down(5000)
main()
"""

THREADS = """
import threading, time
stop = threading.Event()
def work():
    while not stop.is_set():
        sum(range(2000))
def wait():
    stop.wait()
def short():
    return sum(range(400000))
def main():
    threads = [threading.Thread(target=wait) for _ in range(60)]
    threads += [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    end = time.time() + 2
    while time.time() < end:
        dying = threading.Thread(target=short)
        dying.start()
        dying.join()
    stop.set()
    for thread in threads:
        thread.join()
main()
"""

STORM = """
import os, sys
def child():
    return sum(range(100000))
def grandchild():
    return sorted(range(20000))
def begin(function):
    pid = os.fork()
    if not pid:
        function()
        os._exit(0)
    return pid
def family():
    begin(grandchild)
    child()
def main():
    left = int(sys.argv[1]) // 2
    while left:
        batch = min(left, 50)
        pids = [begin(family) for _ in range(batch)]
        for pid in pids:
            os.waitpid(pid, 0)
        left -= batch
main()
"""

# A library that is unmapped while it is in use elsewhere: its names must not go to what comes after.
LIBRARY = "KEEP int spin_%s(int n) { SPIN(n * 1000L); return n; }\n"
UNMAPPED = """
import ctypes, sys, time, _ctypes
def call(path, name):
    library = ctypes.CDLL(path)
    getattr(library, name)(300)
    _ctypes.dlclose(library._handle)
def main():
    end = time.time() + 2
    while time.time() < end:
        call(sys.argv[1], "spin_first")
        call(sys.argv[2], "spin_second")
main()
"""

# Of each function those that may call it. What the library calls has no caller in the program.
CALLERS = {
    "deep": {"<genexpr>": {"bottom"}, "bottom": {"down"}, "down": {"down", "main"},
             "main": {"<module>"}},
    "threads": {"work": (), "wait": (), "short": (), "<listcomp>": {"main"}, "main": {"<module>"}},
    "storm": {"child": {"family"}, "grandchild": {"begin"}, "family": {"begin"},
              "begin": {"<listcomp>", "family"}, "<listcomp>": {"main"}, "main": {"<module>"}},
    "unmapped": {"call": {"main"}, "main": {"<module>"}},
}


def own_frames(sample, script):
    """Names of those in the program's file, without where they were defined; and of unnamed ones."""
    found = [frame.name for frame in sample.frames
             if frame.module.endswith(script.name) or frame.name == UNNAMED]
    return tuple(name.rsplit(".", 1)[-1] for name in found) if set(found) - {UNNAMED} else ()


def start(recorder, name, program, *arguments, options=("--python=only",)):
    """Its stacks of Python, as names; and wperf's words."""
    path, script = recorder.path(name + ".data"), recorder.path(name + ".py")
    script.write_text(program)
    done = run([recorder.wperf, "record", *clock_event(RATE), "--save", path, *options,
                "--", PYTHON, script, *map(str, arguments)])
    stacks = collections.Counter()
    for found in recorder.samples(path):
        stacks[own_frames(found, script)] += 1
    stacks.pop((), None)
    check_callers(stacks, CALLERS[name])
    return stacks, done.stderr


def check_callers(stacks, callers):
    """Only functions of the program, each called by one that does call it."""
    for stack in stacks:
        for name, caller in zip(stack, stack[1:]):
            is_known = UNNAMED not in (name, caller)
            assert not is_known or caller in callers.get(name, ()), (name, caller)
        assert all(name in (*callers, "<module>", UNNAMED) for name in stack), stack[:4]
    unnamed = sum(count for stack, count in stacks.items() if UNNAMED in stack)
    chance.check_at_most(unnamed, stacks.total(), 0.02, "with unnamed frames")


def deep_recursion(recorder):
    stacks, words = start(recorder, "deep", DEEP)
    whole = sum(count for stack, count in stacks.items() if "bottom" in stack)
    told = sum(map(int, CUT.findall(words)))
    assert whole > sampling_rate(RATE) / 100 and told >= whole, (whole, words)
    return f"{whole} samples 5,000 deep, their outermost frames counted as missing"


def what_is_cut_and_skipped_is_counted(recorder):
    """In JSON, and where samples come faster than their stacks can be read."""
    script = recorder.path("deep.py")
    script.write_text(DEEP)
    done = run([recorder.wperf, "record", *clock_event(FAST_RATE), "--json", "--", PYTHON, script])
    told, cut = json.loads(done.stdout), sum(map(int, CUT.findall(done.stderr)))
    stacks = told["incomplete_python_stacks"]
    assert cut == stacks["too_deep"] + stacks["too_slow"] > 100, (cut, stacks)
    assert stacks["too_slow"] or sampling_rate(FAST_RATE) < RATE, stacks
    assert ("skipped_ns" in told) == ("no samples of" in done.stderr), done.stderr
    return f"{stacks}, {told.get('skipped_ns')} ns skipped"


def many_threads(recorder):
    stacks, _ = start(recorder, "threads", THREADS)
    names = collections.Counter()
    for stack, count in stacks.items():
        names[stack[0]] += count
    assert names["work"] > sampling_rate(RATE) / 10 and names["short"] > 5, names
    return f"{names.total()} samples of 64 threads and of those that die"


def storm_of_forks(recorder):
    stacks, _ = start(recorder, "storm", STORM, NUM_PROCESSES)
    innermost = {stack[0] for stack in stacks}
    assert {"child", "grandchild"} <= innermost, innermost
    return f"{sum(stacks.values())} samples of {NUM_PROCESSES} processes"


def everything_in_a_storm(recorder):
    """System-wide: the storm is not our child."""
    script, path = recorder.path("storm.py"), recorder.path("wide.data")
    script.write_text(STORM)
    # It must not be over before wperf has begun, which takes seconds on a busy machine.
    with subprocess.Popen([PYTHON, script, str(20 * NUM_PROCESSES)]) as storm:
        done = run([recorder.wperf, "record", "-a", *clock_event(999), "--timeout", 3,
                    "--python=mixed", "--save", path])
        storm.kill()
    stacks = collections.Counter(own_frames(found, script) for found in recorder.samples(path))
    stacks.pop((), None)
    check_callers(stacks, CALLERS["storm"])
    assert stacks.total() > 20, (stacks, done.stderr)
    return f"{stacks.total()} samples"


def unmapped_code(recorder):
    """What was unmapped keeps its names, and they do not go to what is mapped there next."""
    paths = [recorder.compile(name, LIBRARY % name, "-shared", "-fPIC")
             for name in ("first", "second")]
    stacks, _ = start(recorder, "unmapped", UNMAPPED, *paths, options=("-g",))
    assert stacks[("call", "main", "<module>")] > sampling_rate(RATE) / 10, stacks
    spent = collections.Counter(
        (found.frames[0].name, os.path.basename(found.frames[0].module))
        for found in recorder.samples(recorder.path("unmapped.data"))
        if found.frames[0].name.startswith("spin_"))
    assert set(spent) == {("spin_first", "first"), ("spin_second", "second")}, spent
    chance.check_share(spent[("spin_first", "first")], spent.total(), 0.5, spent, 0.02)
    return f"{spent.total()} samples in libraries that come and go"


def main():
    if os.geteuid() != 0 or not os.access(PYTHON, os.X_OK):
        sys.exit(SKIPPED)
    recorder = Recorder(*sys.argv[1:3])
    run_tests([deep_recursion, what_is_cut_and_skipped_is_counted, many_threads, storm_of_forks, everything_in_a_storm, unmapped_code],
              recorder)


if __name__ == "__main__":
    main()
