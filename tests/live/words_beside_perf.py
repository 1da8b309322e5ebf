# SPDX-License-Identifier: Apache-2.0
"""Words of perf mean what they mean to perf: `evlist` on recordings of perf and of wperf, and
`script -F -comm,-ip`."""
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do ls / > /dev/null; done"]
RECORDINGS = [
    ["perf", "record", "-e", "cpu-clock,page-faults"],
    ["perf", "record", "-g", "-a", "-e", "cpu-clock:u"],
    ["perf", "record", "--call-graph", "dwarf", "-c", "5", "-e", "{page-faults,minor-faults}"],
    ["perf", "record", "-k", "mono", "-d", "-e", "cpu-clock"],
    ["wperf", "record", "-e", "cpu-clock,page-faults:10"],
    ["wperf", "record", "-g", "-F", "99", "-e", "cpu-clock"],
]


def run(words):
    done = subprocess.run(words, capture_output=True, check=False, text=True)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def record(wperf, words, path):
    """False: this machine does not let us, as perf -a in a container."""
    words = [wperf if word == "wperf" else word for word in words]
    done = subprocess.run([*words, "-q", "-o", path, "--", *PROGRAM], capture_output=True,
                          check=False)
    return done.returncode == 0


def without_comments(text):
    """Newer versions of perf name types and codes behind their numbers, and give advice."""
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    return [re.sub(r" \([^)]*\)", "", line) for line in lines]


def check_evlist(wperf, path):
    for options in ([], ["-v"]):
        ours = without_comments(run([wperf, "evlist", *options, "-i", path]))
        theirs = without_comments(run(["perf", "evlist", *options, "-i", path]))
        assert ours == theirs, f"\nours   {ours}\ntheirs {theirs}"


def check_removal(wperf, path):
    """Without addresses: names of functions are another test's."""
    for fields in ("-ip", "-comm,-tid,-ip", "-time,-ip,-tid", "-ip,-event,-tid,+cpu"):
        ours = [line.split() for line in run([wperf, "script", "-F", fields, path]).splitlines()]
        theirs = [line.split() for line in run(["perf", "script", "-F", fields, "-i",
                                                path]).splitlines()]
        if fields == "-ip":  # the usual thread of wperf is pid/tid
            ours = [[line[0], line[1].split("/")[1], *line[2:]] for line in ours]
        assert ours and ours == theirs, f"-F {fields}\nours   {ours}\ntheirs {theirs}"


def main():
    wperf = sys.argv[1]
    if not shutil.which("perf"):
        print("skipped: no perf here")
        return 77
    num_checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for index, words in enumerate(RECORDINGS):
            path = f"{folder}/{index}.data"
            if not record(wperf, words, path):
                print("not recorded here:", *words)
                continue
            check_evlist(wperf, path)
            num_checked += 1
        path = f"{folder}/cpu.data"  # wperf's recordings have the CPU of each sample
        if record(wperf, ["wperf", "record", "-e", "page-faults:10"], path):
            check_removal(wperf, path)
    if not num_checked:
        print("skipped: perf cannot record here")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
