# SPDX-License-Identifier: Apache-2.0
"""Lines of Python for users with and without rights: the way that each gets, its words, its truth.

python_rungs.py WPERF
"""
import collections
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

from page_stacks import python_stacks
from recorder import run_tests

SKIPPED = 77
NOBODY = 65534
PERF_EVENT_OPEN, PROCESS_VM_READV = 298, 310  # on x86-64
PYTHON = "/usr/bin/python3"
NOTE = "note: Python is looked at a moment after each sample"
FIGURES = re.compile(r"note: Python was looked at (\d+) us after a sample, (\d+) us at most; samples "
                     r"without its frames: (\d+) of (\d+) \((\d+) changed .*, (\d+) were followed .*\)")

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
end = time.time() + float(sys.argv[1])
while time.time() < end:
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
    end = time.time() + float(sys.argv[1])
    while time.time() < end:
        for i in range(1000):
            hot_a(); hot_b()
main()
"""

as_nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
in_namespace = ["unshare", "--user", "--map-root-user"]


def run(wperf, folder, *words, before=(), code=0, **rights):
    for name in ("out.txt", "page.html", "sums.json"):
        (folder / name).unlink(missing_ok=True)  # perhaps another user's
    done = subprocess.run([*before, wperf, *map(str, words)], capture_output=True, text=True,
                          timeout=120, check=False, cwd=folder, **rights)
    assert done.returncode == code, done.stderr
    return done


def record(wperf, folder, program, *arguments, rate=999, **rights):
    """Stacks of Python with their counts, and what was said."""
    text, page = folder / "program.py", folder / "page.html"
    text.write_text(program)
    done = run(wperf, folder, "record", "--python=only", "-e", "cpu-clock", "-F", rate, "--output",
               "out.txt", "--html", page, "--", PYTHON, text, *arguments, **rights)
    return python_stacks(page), done.stderr


def figures(words):
    found = FIGURES.search(words)
    assert found, words
    names = ("mean_us", "max_us", "without", "samples", "torn", "missed")
    return dict(zip(names, map(int, found.groups())))


def part_shares(stacks):
    lines = {number: re.search("# part (.*)", line)[1]
             for number, line in enumerate(PARTS.splitlines(), 1) if "# part" in line}
    counts = collections.Counter()
    for count, stack in stacks:
        for function, line in stack:
            if function == "work" and line in lines:
                counts[lines[line]] += count
    return counts


def check_shares(stacks, folder, tolerance):
    """Total variation against the program's own clock; the floor is what chance alone does."""
    truth = json.loads((folder / "sums.json").read_text())
    counts = part_shares(stacks)
    num, whole = counts.total(), sum(truth.values())
    assert num > 500, counts
    wrong = sum(abs(counts[name] / num - spent / whole) for name, spent in truth.items()) / 2
    floor = 0.4 * sum((spent / whole * (1 - spent / whole) / num) ** 0.5
                      for spent in truth.values())
    assert wrong <= tolerance * floor + 0.01, (wrong, floor, counts, truth)
    return f"total variation {100 * wrong:.2f} %, floor {100 * floor:.2f} %"


def nobody_has_the_right_lines(wperf, folder):
    stacks, words = record(wperf, folder, PARTS, 4, "sums.json", **as_nobody)
    assert NOTE in words and "CAP_BPF" in words, words
    seen = figures(words)
    assert seen["samples"] > 500 and seen["mean_us"] < 5000, seen
    assert seen["without"] < 0.2 * seen["samples"], seen
    return check_shares(stacks, folder, 1.5) + f", {seen}"


def code_without_the_lock_keeps_its_line(wperf, folder):
    """sha256 lets go of the interpreter's lock."""
    stacks, _ = record(wperf, folder, PARTS, 3, "sums.json", **as_nobody)
    truth = json.loads((folder / "sums.json").read_text())
    counts = part_shares(stacks)
    share, expected = counts["sha256"] / counts.total(), truth["sha256"] / sum(truth.values())
    assert abs(share - expected) < 0.05, (share, expected)
    return f"{100 * share:.1f} %, by its own clock {100 * expected:.1f} %"


def stacks_are_possible(wperf, folder):
    stacks, words = record(wperf, folder, FLUTTER, 4, **as_nobody)
    wrong = good = 0
    for count, stack in stacks:
        names = [function for function, _ in stack]
        if names and names[0].startswith("leaf_"):
            is_good = names[1:3] == ["hot_" + names[0][-1], "main"]
            good += count * is_good
            wrong += count * (not is_good)
    assert good > 500 and wrong < 0.01 * (good + wrong), (good, wrong, words)
    return f"{wrong} of {good + wrong} are impossible, {figures(words)}"


def root_has_exact_ones(wperf, folder):
    stacks, words = record(wperf, folder, PARTS, 2, "sums.json")
    assert "Python is looked at" not in words and "Python was looked at" not in words, words
    return check_shares(stacks, folder, 2)


def namespace_has_its_rung(wperf, folder):
    """Root of a namespace has no right in the kernel."""
    if subprocess.run([*in_namespace, "true"], capture_output=True, check=False).returncode:
        return "not here: no such namespaces"
    stacks, words = record(wperf, folder, PARTS, 4, "sums.json", before=in_namespace)
    assert NOTE in words and figures(words)["samples"] > 500, words
    return check_shares(stacks, folder, 2)


def detected(wperf, folder, **rights):
    document = json.loads(run(wperf, folder, "detect", "-v", "--json", **rights).stdout)
    found = {row["Ability"]: row["Here"] for row in document["Abilities"] if row["Source"] == "perf"}
    hints = {row["Ability"]: row["What_to_do"] for row in document["Hints"]}
    return found, hints


def detect_names_the_rungs(wperf, folder):
    in_sample, after = "Python stacks in the sample", "Python stacks after samples"
    found, _ = detected(wperf, folder)
    assert found[in_sample] == found[after] == "yes", found
    for rights in (as_nobody, {"before": in_namespace}):
        found, hints = detected(wperf, folder, **rights)
        assert found[in_sample] == "no" and found[after] == "yes", found
        assert "CAP_BPF" in hints[in_sample], hints


def without(call):
    """As in a container; the script is read by whoever runs it."""
    script = (pathlib.Path(__file__).parent / "without_calls.py").read_text()
    return [PYTHON, "-c", script, str(call)]


def containers_are_told(wperf, folder):
    if platform.machine() != "x86_64":
        return "not here: calls have other numbers"
    after = "Python stacks after samples"
    rights = {**as_nobody, "before": without(PERF_EVENT_OPEN)}
    found, hints = detected(wperf, folder, **rights)
    assert found[after] == "no" and "wperf dump -p" in hints[after], (found, hints)
    done = run(wperf, folder, "record", "--", PYTHON, "-c", "pass", code=1, **rights)
    assert "perf_event_open is forbidden" in done.stderr and "hint: " in done.stderr, done.stderr
    rights["before"] = without(PROCESS_VM_READV)
    found, hints = detected(wperf, folder, **rights)
    assert found[after] == "no" and "process_vm_readv" in hints[after], (found, hints)
    # It goes on without Python, unless that was asked for.
    words = ["--output", "out.txt", "--", PYTHON, "-c", "sum(range(10**6))"]
    done = run(wperf, folder, "record", *words, **rights)
    assert "note: no lines of Python: " in done.stderr, done.stderr
    done = run(wperf, folder, "record", "--python=mixed", *words, code=1, **rights)
    assert "may not look into its own processes" in done.stderr, done.stderr


def running_programs_have_lines(wperf, folder):
    """An ordinary user's own; those of others are refused with a way out."""
    for rights, code in ((as_nobody, 0), ({}, 1)):
        with subprocess.Popen([PYTHON, "-c", "while True: sum(range(1000))"], **rights) as program:
            try:
                time.sleep(0.5)
                done = run(wperf, folder, "record", "--python=only", "--output", "out.txt",
                           "--timeout", 1, "-p", program.pid, code=code, **as_nobody)
            finally:
                program.kill()
        if code:
            assert "cannot read the memory" in done.stderr and "hint: " in done.stderr, done.stderr
        else:
            assert figures(done.stderr)["samples"] > 100, done.stderr


def native_is_without(wperf, folder):
    done = run(wperf, folder, "record", "--python=native", "-e", "cpu-clock", "--output", "out.txt",
               "--", PYTHON, "-c", "sum(range(10**6))", **as_nobody)
    assert "Python is looked at" not in done.stderr and "Python was" not in done.stderr, done.stderr


def main():
    if os.geteuid() != 0 or not os.access(PYTHON, os.X_OK) or not shutil.which("unshare"):
        sys.exit(SKIPPED)
    if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) > 2:
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        folder = pathlib.Path(name)
        run_tests([nobody_has_the_right_lines, code_without_the_lock_keeps_its_line,
                   stacks_are_possible, root_has_exact_ones, namespace_has_its_rung,
                   detect_names_the_rungs, containers_are_told, running_programs_have_lines,
                   native_is_without], sys.argv[1], folder, attempts=3)


main()
