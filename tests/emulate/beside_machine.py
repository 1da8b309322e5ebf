# SPDX-License-Identifier: Apache-2.0
"""The emulated program counts what it counts in a whole emulated machine.

beside_machine.py WPERF GUEST_WPERF FOLDER LOOP PACKAGES

There wperf counts inst_retired:u with QEMU's PMU through the kernel's perf events, under -icount; here
with --source emulate. A program without a C library counts the same to the instruction. One with it
differs while it starts, and by the same number in each run: it asks for what the kernel tells it of
the machine (AT_HWCAP, AT_RANDOM, the vDSO, its environment), and the emulator tells it something else. The
difference of two runs is exact again.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "arm64"))

import machine  # noqa: E402

ROUNDS = [100_000, 200_000]
ROUND = 8  # instructions of loop_int
MOST_AT_START = 20_000  # instructions by which a C library's start may differ


def commands():
    for rounds in ROUNDS:
        for words in (["loop", str(rounds)], ["guest", "loop", str(rounds), "int"],
                      ["hosted-static", "loop", str(rounds)]):
            yield words


def value(text):
    (row,) = json.loads(text)["processes"]
    (counter,) = row["Performance_counter"]
    return counter["counter_value"]


def count_here(wperf, programs, words):
    done = subprocess.run([wperf, "stat", "--json", "--source", "emulate", "-e", "inst_retired",
                           "--", programs[words[0]], *words[1:]], check=True, capture_output=True,
                          text=True, timeout=30, env={"PATH": "/usr/bin:/bin"})
    return value(done.stdout)


def count_there(guest_wperf, programs, packages):
    words = ["wperf", "stat", "--json", "-e", "inst_retired:u", "--"]
    results = machine.run_commands(packages, {"wperf": guest_wperf, **programs},
                                   [machine.Command("root", words + command)
                                    for command in commands()])
    for result in results:
        assert result.exit == 0, result
    return [value(result.out) for result in results]


def main():
    wperf, guest_wperf, folder, loop, packages = sys.argv[1:]
    programs = {"loop": loop, "guest": f"{folder}/guest",
                "hosted-static": f"{folder}/hosted-static"}
    try:
        there = count_there(guest_wperf, programs, packages)
    except machine.Failure as failure:
        print(failure)
        return 1
    here = [count_here(wperf, programs, words) for words in commands()]
    print(f"here {here}, there {there}")
    assert (here[0], here[3]) == (there[0], there[3]), "loop"
    assert (here[1], here[4]) == (there[1], there[4]), "guest"
    assert abs(here[2] - there[2]) < MOST_AT_START, "hosted-static"
    more = ROUND * (ROUNDS[1] - ROUNDS[0])
    assert [here[5] - here[2], there[5] - there[2]] == [more, more], "rounds of hosted-static"
    return 0


if __name__ == "__main__":
    sys.exit(main())
