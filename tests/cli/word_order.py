# SPDX-License-Identifier: Apache-2.0
"""The order of words never matters: every order of some command lines gives the same.

An option and its value stay together; what stands behind "--" stays at the end.
"""
import itertools
import os
import subprocess
import sys

# Units that are moved as a whole, and what stays at the end.
LINES = [
    (["test", "--source sim,cores=4", "-e {ld_spec,st_spec}", "--config count.period=50"], ""),
    (["test", "--source=sim", "-E my_a:1234", "-e my_a", "--json"], ""),
    (["record", "-e ld_spec:1000", "-c 1", "--source sim"], "-- prog -e x"),
    (["sample", "-e ld_spec:1000", "-c 1 --source sim", "--pe_file ."], ""),
    (["stat", "-e ld_spec:1000", "-c 1", "--source sim"], "-- prog"),
    (["list", "ld_spec", "--source sim", "-v"], ""),
    (["-l", "ld_spec", "--source sim", "-v"], ""),
    (["man", "ld_spec", "--source sim", "--json"], ""),
    (["--version", "--source sim", "--compat", "--json"], ""),
    (["-F99", "-e ld_spec", "--source sim -c 0,1"], "record sh -c exit"),
    (["stat", "--help", "-e x", "-v"], ""),
    (["top", "-agF99", "--nosuch"], ""),
    (["list", "--help", "pattern", "-v"], ""),
    (["stat", "record", "-e ld_spec"], ""),
    (["stat", "-l", "--json"], ""),
    (["report", "-i nosuch.data", "--js"], ""),
    (["annotate", "-i nosuch.data", "--file x.c", "-v"], ""),
    (["help export", "--format man"], ""),
    (["help report", "-i nosuch.data"], ""),
    (["list", "--js", "--s sim"], ""),
    (["stat", "--timeo 1 -e ld_spec -c 0", "-i 1 -t -n 1", "--source sim"], ""),
    (["list", "-t", "--source sim"], ""),
    (["-e ld_spec", "-c 0", "-v"], ""),
    (["--compat", "stat", "--version", "--source sim"], ""),
    (["--compat", "test", "frob", "--source sim"], ""),
    (["--compat", "list", "-t", "--source sim"], "-- prog"),
]


def run(wperf, words):
    done = subprocess.run([wperf] + words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    wperf, wrong = sys.argv[1], 0
    for units, end in LINES:
        first = None
        for order in itertools.permutations(units):
            words = " ".join([*order, end]).split()
            found = run(wperf, words)
            first = first or found
            if found != first:
                wrong += 1
                print(f"{' '.join(words)}\ngives {found}\ninstead of {first}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
