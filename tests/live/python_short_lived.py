# SPDX-License-Identifier: Apache-2.0
"""Code that is gone a moment after it ran: exec(), eval() and lambdas in a loop that ends at once. Its
samples have its name and its share. python_short_lived.py WPERF"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chance
import pythons
from page_stacks import python_stacks
from python_truth import PYTHON, as_nobody
from recorder import clock_event

SECONDS, RATE = 0.5, 1999
UNKNOWN = "[unknown Python]"
# Samples of the kernel's walk lack only what no copy was made of: at most so many at a walk.
MAX_UNKNOWN = 0.01
LATE_SKEW = 0.06  # of stacks that are read after their sample

PROGRAM = """
import json, random, sys, time
choose = random.Random(1)
def clock():
    return time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
TEXTS = ["def made_by_exec(n):\\n  x = 0\\n  for i in range(n):\\n    x += i * i % 7\\nmade_by_exec({})",
         "(lambda made_by_eval: [made_by_eval * i % 7 for i in range({})])(1)"]
sums = {"compile": 0, "exec": 0, "eval": 0}
def measure():
    while time.process_time() < float(sys.argv[1]):
        steps = choose.randrange(1000, 2000)  # rounds are not in step with the samples
        t0 = clock()
        texts = [text.format(steps) for text in TEXTS]
        codes = [compile(texts[0], "<exec>", "exec"), compile(texts[1], "<eval>", "eval")]
        t1 = clock()
        exec(codes[0], {})
        t2 = clock()
        eval(codes[1], {})
        del codes
        t3 = clock()
        sums["compile"] += t1 - t0
        sums["exec"] += t2 - t1
        sums["eval"] += t3 - t2
measure()
json.dump(sums, open(sys.argv[2], "w"))
"""


def part_of(minor, stack):
    """By the line of the program's own function, which lives until its end."""
    lines = PROGRAM.splitlines()
    for function, line in stack:
        text = lines[line - 1] if function == f"measure_{minor}" and line <= len(lines) else ""
        if text.strip() in ("exec(codes[0], {})", "eval(codes[1], {})"):
            return text.strip()[:4]
        if "TEXTS]" in text or "compile(texts" in text:
            return "compile"
    return None


def record(wperf, folder, by_minor, **rights):
    """One recording of all: each has a measure() of its own name. What wperf said, and the stacks."""
    for minor in by_minor:
        (folder / f"{minor}.py").write_text(PROGRAM.replace("measure(", f"measure_{minor}("))
    script = "\n".join(f"'{python}' {minor}.py {SECONDS} {minor}.json || exit 1" for minor, python in by_minor.items())
    done = subprocess.run(
        [wperf, "record", "-q", "--python=only", *clock_event(RATE), "--html", folder / "page.html", "-o",
         folder / "data", "--", "/bin/sh", "-c", script],
        capture_output=True, text=True, timeout=120, check=False, cwd=folder, **rights)
    assert done.returncode == 0, done.stderr
    return done.stderr, python_stacks(folder / "page.html")


def check_one(minor, stacks, sums, most_unknown, skew):
    counts, unknown, own = dict.fromkeys(sums, 0), 0, f"measure_{minor}"
    for count, stack in stacks:
        part = part_of(minor, stack)
        if part is None:
            continue
        counts[part] += count
        names = [function for function, _ in stack]
        # What ran within them is named. Where wperf reads late (a sanitized one does), the name of what is freed
        # may have become another string: that is as bad as none.
        is_named = {"exec": names[0] in ("made_by_exec", "<module>", own),
                    "eval": names[0].split(".")[-1] in ("<lambda>", "<listcomp>", "<module>", own)}
        unknown += count * (UNKNOWN in names or not is_named.get(part, True))
    num = sum(counts.values())
    print(f"3.{minor}: {counts}, {unknown} unknown", flush=True)
    chance.check_at_most(unknown, num, most_unknown)
    chance.check_shares(counts, sums, SECONDS * RATE / 4, skew)


def check(wperf, by_minor, most_unknown, skew, **rights):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o777)
        said, stacks = record(wperf, folder, by_minor, **rights)
        print(said.strip(), flush=True)
        for minor in by_minor:
            check_one(minor, stacks, json.loads((folder / f"{minor}.json").read_text()), most_unknown, skew)


def main():
    wperf = sys.argv[1]
    found = {minor: python for python, minor in pythons.find_all() if minor >= 8}
    check(wperf, found, MAX_UNKNOWN, 0.02)
    # After the sample, the code is there as long as the program does not go on meanwhile, on another core.
    core = min(os.sched_getaffinity(0))
    check(wperf, {"late": PYTHON}, MAX_UNKNOWN, LATE_SKEW, **as_nobody,
          preexec_fn=lambda: os.sched_setaffinity(0, {core}))


if __name__ == "__main__":
    main()
