# SPDX-License-Identifier: Apache-2.0
"""Builds of CPython that differ from most: lines of theirs against their own clocks.

python_builds.py WPERF FOLDER
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

import pythons
from recorder import run_tests

NOBODY = 65534
SKIPPED = 77

# Two threads, each with lines of its own and a clock of its own. Parts vary, so that no rate of
# sampling keeps step with them.
PARALLEL = """
import json, random, sys, threading, time
spent = {}
def first(rounds):
    total = 0
    for i in range(rounds): total += i * i % 7
    return total
def second(rounds):
    total = ""
    for i in range(rounds): total = str(i) + "x" + total[:3]
    return total
def work(mine, seconds):
    begin = time.thread_time()
    while time.thread_time() < begin + seconds:
        start = time.thread_time()
        mine(random.randrange(500, 5500))
        middle = time.thread_time()
        sorted(range(random.randrange(30000)), key=int.bit_length)
        end = time.thread_time()
        spent[mine.__name__] = spent.get(mine.__name__, 0) + middle - start
        spent[mine.__name__ + " sorted"] = spent.get(mine.__name__ + " sorted", 0) + end - middle
threads = [threading.Thread(target=work, args=(mine, float(sys.argv[1])))
           for mine in (first, second)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(spent))
"""


def line_of(program, words):
    return next(number for number, line in enumerate(program.splitlines(), 1) if words in line)


class Case:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, folder

    def record(self, python, text, *arguments, options=(), env=None, **rights):
        """The document, and what the program and wperf said."""
        program, out = self.folder / "program.py", self.folder / "out.json"
        program.write_text(text)
        out.unlink(missing_ok=True)
        words = [self.wperf, "record", "-e", "cpu-clock", "-F", "999", "--json", "--output", out,
                 *options, "--", python, program, *arguments]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              timeout=120, check=False, env={**os.environ, **(env or {})}, **rights)
        assert done.returncode == 0, done.stderr
        return json.loads(out.read_text()), done.stdout, done.stderr


def self_samples(document):
    """{(function, line): samples}"""
    return {(row["function"], row["line"]): row["events"][0]["self"]["samples"]
            for row in document["python"]["lines"]}


def check_shares(seen, truth, tolerance):
    """Total variation against the program's own clock; the floor is what chance alone does."""
    num, whole = sum(seen.values()), sum(truth.values())
    assert num > 300, seen
    wrong = sum(abs(seen[name] / num - spent / whole) for name, spent in truth.items()) / 2
    floor = 0.4 * sum((spent / whole * (1 - spent / whole) / num) ** 0.5
                      for spent in truth.values())
    assert wrong <= tolerance * floor + 0.015, (wrong, floor, seen, truth)
    return f"{100 * wrong:.2f} % elsewhere of {num}, floor {100 * floor:.2f} %"


def check_parallel(case, python, tolerance, **rights):
    document, text, words = case.record(python, PARALLEL, "1", **rights)
    truth = json.loads(text)
    lines = self_samples(document)
    sorting = line_of(PARALLEL, "sorted(")
    seen = collections.Counter()
    for (function, line), samples in lines.items():
        if function in ("first", "second"):
            assert line in range(line_of(PARALLEL, f"def {function}") + 1,
                                 line_of(PARALLEL, f"def {function}") + 4), lines
            seen[function] += samples
        elif (function, line) == ("work", sorting):
            seen["sorted"] += samples
    truth["sorted"] = truth.pop("first sorted") + truth.pop("second sorted")
    loops = {function: lines[function, line_of(PARALLEL, f"def {function}") + 2]
             for function in ("first", "second")}
    # The loop's line is nearly all of its function.
    assert all(loops[name] > 0.95 * seen[name] for name in loops), (loops, seen)
    return check_shares(seen, truth, tolerance), words


def builds(is_wanted):
    return [python for python, _ in pythons.find_all() if is_wanted(python)]


def is_free_threaded(python):
    done = subprocess.run([python, "-S", "-c", "import sysconfig as s\n"
                           "print(s.get_config_var('Py_GIL_DISABLED'))"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() == "1"


def threads_without_a_gil_run_in_parallel(case):
    found = builds(is_free_threaded)
    words = []
    for python in found:
        inside, said = check_parallel(case, python, 2)
        assert "Python is looked at" not in said, said
        outside, said = check_parallel(case, python, 4, user=NOBODY, group=NOBODY,
                                       extra_groups=[])
        assert "Python is looked at" in said, said
        words.append(f"{python}: in the sample {inside}; from outside {outside}")
    return "; ".join(words) or "skipped: no build without the GIL here"


TESTS = [threads_without_a_gil_run_in_parallel]


def main():
    if os.geteuid() != 0:
        return SKIPPED
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    os.chmod(folder, 0o777)
    run_tests(TESTS, Case(sys.argv[1], folder), attempts=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
