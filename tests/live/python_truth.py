# SPDX-License-Identifier: Apache-2.0
"""Programs of Python that know the truth about themselves, and what wperf makes of them."""
import collections
import json
import pathlib
import re
import subprocess

import chance
from page_stacks import python_stacks
from recorder import clock_event, sampling_rate

NOBODY = 65534
PERF_EVENT_OPEN, PROCESS_VM_READV = 298, 310  # on x86-64
PYTHON = "/usr/bin/python3"
NOTE = "note: Python stacks are read shortly after each sample"
DELAYS = re.compile(r"note: Python stacks were read (\d+) us after their sample, (\d+) us at most\n")
MISSING = re.compile(r"note: samples without Python frames: (\d+) of (\d+) \((\d+) read too late, "
                     r"(\d+) while the stack changed\)\n")

# Each part of the loop has a line of its own, and measures what it takes.
PARTS = """
import hashlib, json, sys, time
def clock():
    return time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
def spin(rounds):
    x = 0
    for i in range(rounds):
        x = (x * 3 + i) & 0xffff
    return x
words = ["w%d" % (i * 7919 % 1000) for i in range(4000)]
blob = bytes(range(256)) * 4096
sums = {"spin": 0, "sorted": 0, "sha256": 0, "text": 0}
def work():
    t0 = clock()
    spin(12000)  # part spin
    t1 = clock()
    sorted(words)  # part sorted
    t2 = clock()
    hashlib.sha256(blob).digest()  # part sha256
    t3 = clock()
    "".join(map(str, range(6000)))  # part text
    t4 = clock()
    sums["spin"] += t1 - t0
    sums["sorted"] += t2 - t1
    sums["sha256"] += t3 - t2
    sums["text"] += t4 - t3
# So much of a core, however busy the machine is.
end = time.time() + 25 * float(sys.argv[1])
while time.process_time() < float(sys.argv[1]) and time.time() < end:
    work()
json.dump(sums, open(sys.argv[2], "w"))
"""

# A leaf is only ever called by its own caller.
FLUTTER = """
import sys, time
def leaf_a(): return sum(range(50))
def leaf_b(): return sum(range(50))
def hot_a(): return leaf_a()
def hot_b(): return leaf_b()
def main():
    end = time.time() + 25 * float(sys.argv[1])
    while time.process_time() < float(sys.argv[1]) and time.time() < end:
        for i in range(1000):
            hot_a(); hot_b()
main()
"""

as_nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
in_namespace = ["unshare", "--user", "--map-root-user"]


def run(wperf, folder, *words, before=(), code=0, **rights):
    for name in ("out.json", "page.html", "sums.json"):
        (folder / name).unlink(missing_ok=True)  # perhaps another user's
    done = subprocess.run([*before, wperf, *map(str, words)], capture_output=True, text=True,
                          timeout=120, check=False, cwd=folder, **rights)
    assert done.returncode == code, done.stderr
    return done


RATE = 999


def record(wperf, folder, program, *arguments, rate=RATE, more=(), **rights):
    """Stacks of Python with their counts, and what was said."""
    text, page = folder / "program.py", folder / "page.html"
    text.write_text(program)
    done = run(wperf, folder, "record", "--python=only", *clock_event(rate), "--output", "out.json",
               "--html", page, *more, "--", PYTHON, text, *arguments, **rights)
    return python_stacks(page), done.stderr


def figures(folder, words):
    """Of out.json; the notes say the same, the second one only if there is something to say."""
    frames = json.loads((folder / "out.json").read_text())["python"]["frames"]
    delays, missing = DELAYS.search(words), MISSING.search(words)
    assert delays and ("samples without Python frames: " in words) == bool(missing), words
    mean, longest = map(int, delays.groups())
    assert abs(mean * 1000 - frames["mean_skew_ns"]) <= 1000, (frames, words)
    assert abs(longest * 1000 - frames["max_skew_ns"]) <= 1000, (frames, words)
    without_frames, samples, late, changed = map(int, missing.groups()) if missing else (0,) * 4
    assert late + changed == without_frames == frames["without"], (frames, words)
    assert samples == (frames["samples"] if missing else 0), (frames, words)
    return {"mean_us": mean, "max_us": longest, "samples": frames["samples"],
            "without": without_frames, "late": late, "changed": changed}


def part_shares(stacks):
    lines = {number: re.search("# part (.*)", line)[1]
             for number, line in enumerate(PARTS.splitlines(), 1) if "# part" in line}
    counts = collections.Counter()
    for count, stack in stacks:
        for function, line in stack:
            if function == "work" and line in lines:
                counts[lines[line]] += count
    return counts


def least_samples(seconds, rate=RATE):
    """Of a program that runs for so long: half of what the timer would give it on a core of its own."""
    return seconds * sampling_rate(rate) / 2


def check_shares(stacks, folder, least, skew=0.02):
    """By the program's own clock, which counts what interrupts it as well."""
    truth = json.loads((folder / "sums.json").read_text())
    return chance.check_shares(part_shares(stacks), truth, least, skew)


def detected(wperf, folder, source="perf", **rights):
    document = json.loads(run(wperf, folder, "detect", "-v", "--json", **rights).stdout)
    found = {row["Ability"]: row["Here"] for row in document["Abilities"] if row["Source"] == source}
    hints = {row["Ability"]: row["What_to_do"] for row in document["Hints"]}
    return found, hints


def without(call):
    """As in a container; the script is read by whoever runs it."""
    script = (pathlib.Path(__file__).parent / "without_calls.py").read_text(encoding="utf-8")
    return [PYTHON, "-c", script, str(call)]


def check_flutter(stacks, words, least):
    """Of FLUTTER: how many of the stacks below a leaf cannot be."""
    wrong = good = 0
    for count, stack in stacks:
        names = [function for function, _ in stack]
        if names and names[0].startswith("leaf_"):
            is_good = names[1:3] == ["hot_" + names[0][-1], "main"]
            good += count * is_good
            wrong += count * (not is_good)
    assert good > least, (good, wrong, words)
    chance.check_at_most(wrong, good + wrong, 0.01, words)
    return f"{wrong} of {good + wrong} are impossible"
