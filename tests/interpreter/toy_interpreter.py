# SPDX-License-Identifier: Apache-2.0
"""A second interpreter, of which only its own folder and one row know: its lines are in profiles.

toy_interpreter.py WPERF_WITH_TOY WPERF TOY_PROGRAM
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import chance
from page_stacks import python_stacks
from recorder import parse_script, run, run_tests
from waiting import wait_until

MILLISECONDS = 2000
TRUTH = {("heavy", 11): 3, ("heavy", 12): 1, ("light", 21): 1}  # pieces of work: toy_program.c
CALLERS = {"heavy": ("round", 2), "light": ("round", 3)}


def record(wperf, program, folder, *words):
    page = folder / "page.html"
    done = run([wperf, "record", *words, "--html", page, "-o", folder / "toy.data", "--", program,
                MILLISECONDS])
    return python_stacks(page), done.stdout + done.stderr


def timed(wperf, program, folder):
    return record(wperf, program, folder, "--source", "timer", "--python=only", "-e", "cpu-clock")


def lines_have_their_shares(with_toy, _, program, folder):
    stacks, words = timed(with_toy, program, folder)
    counts = collections.Counter()
    for count, stack in stacks:
        if stack and stack[0] in TRUTH and stack[1:] == [CALLERS[stack[0][0]]]:
            counts[stack[0]] += count
    chance.check_at_least(sum(counts.values()), sum(count for count, _ in stacks), 0.8, counts)
    assert "hot lines of Toy:" in words and "shop.toy:11" in words, words
    assert "Toy stacks are sampled on a timer" in words and "Python" not in words, words
    return chance.check_shares(counts, TRUTH, 200, skew=0.03)


def recordings_have_its_lines(with_toy, wperf, program, folder):
    """A map of places names them in the file, which says their language: also for who knows no toy."""
    timed(with_toy, program, folder)
    told = run([wperf, "report", "-i", folder / "toy.data"]).stdout
    assert "shop.toy:11" in told and "heavy" in told, told
    assert "hot lines of Toy:" in told and "Toy stacks:" in told and "Python" not in told, told
    if not shutil.which("perf"):
        return "without perf"
    lines = subprocess.run(["perf", "script", "-i", folder / "toy.data", "-F", "ip,sym"], check=True,
                           capture_output=True, text=True).stdout
    assert "heavy" in lines, lines[:1000]
    return "perf reads it, too"


def native_code_calls_it(with_toy, _, program, folder):
    """Its frames are in the place of those of its loop, between main() and what it calls."""
    if os.geteuid() != 0:
        return "not root"
    record(with_toy, program, folder, "-g", "--stop", "--python=mixed", "-e", "cpu-clock", "-F", 100)
    script = parse_script(run([with_toy, "script", "-i", folder / "toy.data"]).stdout)
    stacks = [sample.names() for sample in script if "round" in sample.names()]
    assert len(stacks) > 20, len(stacks)
    # Where a thread ran on before it stopped, its frames are those of a later moment.
    inside = sum(stack[:4] in (["toy_work", "heavy", "round", "main"],
                               ["toy_work", "light", "round", "main"]) for stack in stacks)
    chance.check_at_least(inside, len(stacks), 0.7, stacks[:5])
    return f"{inside} of {len(stacks)} in toy_work()"


def dump_shows_its_frames(with_toy, wperf, program, _):
    """Text and JSON have the words of the toy; it has no tasks that --async could show."""
    with subprocess.Popen([program, "600000"]) as process:
        def heavy_dump():
            # Popen() returns when the program is not mapped yet: dump finds no interpreter then.
            words = run([with_toy, "dump", process.pid], code=None).stdout
            return words if "shop.toy:11" in words else None
        try:
            lines = wait_until(heavy_dump, "a dump in heavy").splitlines()
            assert lines[0] == f"Process {process.pid}, Toy 1", lines
            assert lines[2] == f"Thread {process.pid} (toy_program)", lines
            assert [line.split() for line in lines[3:]] == [["heavy", "shop.toy:11"],
                                                            ["round", "shop.toy:2"]], lines
            told = json.loads(run([with_toy, "dump", process.pid, "--json", "--async"]).stdout)
            assert told["toy"] == "1" and "tasks" not in told["threads"][0], told
            other = run([wperf, "dump", process.pid], code=1).stderr
            assert "runs no Python interpreter" in other, other
        finally:
            process.kill()


def walks_in_the_kernel_have_its_lines(with_toy, _, program, folder):
    """Its own walk, which it brings with it, beside that of CPython."""
    detected = run([with_toy, "detect"]).stdout
    if not any("stacks in the sample" in line and " yes " in line for line in detected.splitlines()):
        return "the kernel walks over no frames here"
    stacks, words = record(with_toy, program, folder, "-g", "--python=only", "-e", "cpu-clock", "-F", 499)
    assert "in the kernel, with the sample" in words, words
    counts = collections.Counter()
    for count, stack in stacks:
        if stack and stack[0] in TRUTH and stack[1:] == [CALLERS[stack[0][0]]]:
            counts[stack[0]] += count
    chance.check_at_least(sum(counts.values()), sum(count for count, _ in stacks), 0.8, counts)
    return chance.check_shares(counts, TRUTH, 100, skew=0.03)


def others_do_not_know_it(_, wperf, program, folder):
    stacks, words = timed(wperf, program, folder)
    assert sum(count for count, _ in stacks) > 100, words
    assert not any(stack and stack[0] in TRUTH for _, stack in stacks) and "Toy" not in words, words


def main():
    with tempfile.TemporaryDirectory() as name:
        run_tests([lines_have_their_shares, recordings_have_its_lines, native_code_calls_it,
                   walks_in_the_kernel_have_its_lines,
                   dump_shows_its_frames, others_do_not_know_it], *sys.argv[1:4], pathlib.Path(name))


main()
