# SPDX-License-Identifier: Apache-2.0
"""What the emulated PMU costs: the showcase's program in QEMU alone, counted and sampled.

CPU time, which other load on the machine disturbs less than the time on the clock. Sampling ends
with symbols; what of that is wperf's own is measured, too: the same with no sample at all.
"""
import os
import resource
import subprocess
import sys

RUNS = 5
ROOT = "build/showcase/root"
PROGRAM = [f"{ROOT}/usr/bin/python3.11d", "-S", "-c", "10**1000000"]


def cpu_ms(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def median_ms(commands):
    """Of each command, run in turns so that noise hits all alike."""
    times = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, words in commands.items():
            times[name].append(cpu_ms(words))
    return {name: sorted(values)[len(values) // 2] for name, values in times.items()}


def main():
    wperf = sys.argv[1]
    if not os.path.exists(PROGRAM[0]):
        sys.exit(f"{PROGRAM[0]} is missing: run ./wperf-dev demo first")
    os.environ["PYTHONHASHSEED"] = "0"

    def record(event):
        return [wperf, "record", "-q", "--python", "native", "--source", "emulate", "-e", event,
                "--", *PROGRAM]

    def stat(*words):
        return [wperf, "stat", "--source", "emulate", *words, "--", *PROGRAM]

    times = median_ms({
        "qemu-aarch64 alone": ["qemu-aarch64", "-L", ROOT, *PROGRAM],
        "stat -e ld_spec": stat("-e", "ld_spec"),
        "stat -m imix": stat("-m", "imix"),
        "stat -e mem_access": stat("-e", "mem_access"),
        "stat -e l1d_cache_refill": stat("-e", "l1d_cache_refill"),
        "record ld_spec:100000": record("ld_spec:100000"),
        "record ld_spec:10000": record("ld_spec:10000"),
        "record, without samples": record("ld_spec:4000000000"),
        "record -g ld_spec:100000": record("ld_spec:100000")[:2] + ["-g"] + record(
            "ld_spec:100000")[2:],
    })
    alone = times["qemu-aarch64 alone"]
    print("the showcase, 10**1000000 in an emulated CPython")
    for name, milliseconds in times.items():
        print(f"  {name:26} {milliseconds:9.0f} ms   {milliseconds / alone:5.2f}x")


if __name__ == "__main__":
    main()
