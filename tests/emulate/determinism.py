# SPDX-License-Identifier: Apache-2.0
"""Two runs are the same to the byte, but for the time that they took and the numbers of processes.

determinism.py WPERF FOLDER SYSROOT [SHOWCASE]: with the folder of an AArch64 system that has a
python3.11d, of that, too.
"""
import itertools
import pathlib
import re
import subprocess
import sys

import emulated

EVENTS = "inst_retired,ld_spec,st_spec,dp_spec,br_retired,cpu_cycles,l1d_cache_refill,mem_access"
ROUNDS = 20_000
RUNS = 3
PYTHON = "usr/bin/python3.11d"
MAX_SHOWN = 5  # differences


def without_times(text):
    text = re.sub(r'"(id|Time_elapsed|time_elapsed|started|user_ns|system_ns)":[^,}]*', "", text)
    # The table of threads; how wide it is depends on their numbers.
    text = re.sub(r"(?m)^( +[\d.]+ +[\d.]+ +[\d,]+) +\d+  (\S+)$", r"\1  \2", text)
    text = re.sub(r"(?m) +tid  thread.*$| +=+  ====== *$", "", text)
    return re.sub(r" *[\d.]+ seconds (time elapsed|user|sys)", "", text)


def assert_same(texts, what):
    assert texts[0].strip(), f"{what}: nothing"
    first, *others = (text.splitlines() for text in texts)
    for lines in others:
        differences = [pair for pair in itertools.zip_longest(first, lines) if pair[0] != pair[1]]
        assert not differences, (f"{what}, {len(differences)} lines of {len(first)} and "
                                 f"{len(lines)}: {differences[:MAX_SHOWN]}")


def check_counts(run, what, *command):
    assert_same([without_times(run.run("stat", "--json", "-e", EVENTS, "--", *command).stdout)
                 for _ in range(RUNS)], f"counts of {what}")


def export(run, path):
    output = run.path("same.collapsed")
    subprocess.run([run.wperf, "export", "--sysroot", run.sysroot, "--format", "collapsed",
                    "--output", output, path], check=True, capture_output=True, timeout=30)
    return output.read_text()


def check_samples(run, what, *command):
    words = ["-e", "ld_spec:1000,cpu_cycles:3001", "-g"]
    tables = [without_times(run.run("record", *words, "--", *command).stdout) for _ in range(RUNS)]
    assert_same(tables, f"table of {what}")
    collapsed = []
    for _ in range(RUNS):
        path = run.record(words[1], *command, options=words[2:])
        collapsed.append(export(run, path))
    assert_same(collapsed, f"stacks of {what}")


def static_program(run):
    check_counts(run, "guest", run.guest, "depth", ROUNDS, "int")
    check_samples(run, "guest", run.guest, "depth", ROUNDS, "int")


def program_with_c_library(run):
    for program in (run.static, run.dynamic):
        check_counts(run, program.name, program, "loop", ROUNDS)
        check_samples(run, program.name, program, "loop", ROUNDS)


def forking_program(run):
    check_counts(run, "forks", run.guest, "exec_chain", ROUNDS, "int", 5)


def python(run):
    if len(sys.argv) < 5 or not pathlib.Path(sys.argv[4], PYTHON).exists():
        return "no python3.11d in the folder of the showcase"
    run.sysroot = pathlib.Path(sys.argv[4]).resolve()
    emulated.ENVIRONMENT.update(PYTHONHASHSEED="0", PYTHONPYCACHEPREFIX=str(run.path("pycache")))
    command = [run.sysroot / PYTHON, "-S", "-c", "10**5000"]
    run.run("stat", "-e", "inst_retired", "--", *command)  # compiles its library
    check_counts(run, "python", *command)
    check_samples(run, "python", *command)
    return None


if __name__ == "__main__":
    emulated.run_tests([static_program, program_with_c_library, forking_program, python])
