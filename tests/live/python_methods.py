# SPDX-License-Identifier: Apache-2.0
"""Lines of Python for users with and without rights: the way that each gets, its words, its truth.

python_methods.py WPERF
"""
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import chance
import waiting
from python_truth import (FLUTTER, NOTE, PARTS, PERF_EVENT_OPEN, PROCESS_VM_READV, PYTHON, RATE, as_nobody,
                          check_flutter, check_shares, detected, figures, in_namespace,
                          least_samples, record, run, without)
from recorder import clock_event, run_tests

SKIPPED = 77
LATE_SKEW = 0.04  # of stacks that are read after their sample: they may be of the next line


def nobody_has_the_right_lines(wperf, folder):
    stacks, words = record(wperf, folder, PARTS, 2.5, "sums.json", **as_nobody)
    assert NOTE in words and "CAP_BPF" in words, words
    seen = figures(folder, words)
    assert seen["samples"] > least_samples(2.5), seen
    chance.check_at_most(seen["without"], seen["samples"], 0.25, seen)
    return check_shares(stacks, folder, least_samples(2), LATE_SKEW) + f", {seen}"


def stacks_are_possible(wperf, folder):
    stacks, words = record(wperf, folder, FLUTTER, 2.5, **as_nobody)
    return check_flutter(stacks, words, least_samples(2.5) / 8) + f", {figures(folder, words)}"


def root_has_exact_ones(wperf, folder):
    stacks, words = record(wperf, folder, PARTS, 2, "sums.json")
    assert "Python stacks are read shortly" not in words and "Python stacks were read" not in words, words
    return check_shares(stacks, folder, least_samples(2))


def namespace_has_its_rung(wperf, folder):
    """Root of a namespace has no right in the kernel."""
    if subprocess.run([*in_namespace, "true"], capture_output=True, check=False).returncode:
        return "not here: no such namespaces"
    stacks, words = record(wperf, folder, PARTS, 2.5, "sums.json", before=in_namespace)
    assert NOTE in words and figures(folder, words)["samples"] > least_samples(2.5), words
    return check_shares(stacks, folder, least_samples(2), LATE_SKEW)


def detect_names_the_methods(wperf, folder):
    in_sample, after = "Python stacks in the sample", "Python stacks after samples"
    found, _ = detected(wperf, folder)
    assert found[in_sample] == found[after] == "yes", found
    for rights in (as_nobody, {"before": in_namespace}):
        found, hints = detected(wperf, folder, **rights)
        assert found[in_sample] == "no" and found[after] == "yes", found
        assert "CAP_BPF" in hints[in_sample], hints


def containers_are_told(wperf, folder):
    if platform.machine() != "x86_64":
        return "not here: calls have other numbers"
    after = "Python stacks after samples"
    rights = {**as_nobody, "before": without(PERF_EVENT_OPEN)}
    found, hints = detected(wperf, folder, **rights)
    assert found[after] == "no" and "source timer" in hints[after], (found, hints)
    done = run(wperf, folder, "record", "-e", "page-faults", "--", PYTHON, "-c", "pass", code=1,
               **rights)
    assert "perf_event_open is forbidden" in done.stderr and "hint: " in done.stderr, done.stderr
    rights["before"] = without(PROCESS_VM_READV)
    found, hints = detected(wperf, folder, **rights)
    assert found[after] == "no" and "process_vm_readv" in hints[after], (found, hints)
    # It goes on without Python, unless that was asked for.
    words = ["--output", "out.json", "--", PYTHON, "-c", "sum(range(10**6))"]
    done = run(wperf, folder, "record", *words, **rights)
    assert "note: no Python lines: " in done.stderr, done.stderr
    done = run(wperf, folder, "record", "--python=mixed", *words, code=1, **rights)
    assert "you cannot read the memory of your own processes" in done.stderr, done.stderr


def running_programs_have_lines(wperf, folder):
    """An ordinary user's own; those of others are refused with a way out."""
    for rights, code in ((as_nobody, 0), ({}, 1)):
        with subprocess.Popen([PYTHON, "-c", "while True: sum(range(1000))"], **rights) as program:
            try:
                waiting.wait_for_cpu(program.pid, 0.2)
                done = run(wperf, folder, "record", "--python=only", *clock_event(RATE), "--output", "out.json",
                           "--timeout", 1, "-p", program.pid, code=code, **as_nobody)
            finally:
                program.kill()
        if code:
            assert "cannot read the memory" in done.stderr and "hint: " in done.stderr, done.stderr
        else:
            assert figures(folder, done.stderr)["samples"] > 20, done.stderr


def native_is_without(wperf, folder):
    done = run(wperf, folder, "record", "--python=native", "-e", "cpu-clock", "--output", "out.json",
               "--", PYTHON, "-c", "sum(range(10**6))", **as_nobody)
    assert "Python stacks are read shortly" not in done.stderr and "Python stacks were read" not in done.stderr, done.stderr


def main():
    if os.geteuid() != 0 or not os.access(PYTHON, os.X_OK) or not shutil.which("unshare"):
        sys.exit(SKIPPED)
    if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) > 2:
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        folder = pathlib.Path(name)
        run_tests([nobody_has_the_right_lines, stacks_are_possible, root_has_exact_ones, namespace_has_its_rung,
                   detect_names_the_methods, containers_are_told, running_programs_have_lines,
                   native_is_without], sys.argv[1], folder)


main()
