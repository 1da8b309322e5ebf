# SPDX-License-Identifier: Apache-2.0
"""What sampling costs: the program, the recorder, the disk; `wperf record` beside `perf record`.

A program does the same work alone and under both recorders, in turns. "own" is processor time of
the recorder, what it does before and after the program included; "a sample" is what more samples
cost it: the own time less that of recording a program that ends at once, by sample. Raises
kernel.perf_event_max_sample_rate for the run (needs root), and sets it back.

    record_overhead.py WPERF
"""
import os
import re
import resource
import subprocess
import sys
import tempfile

RUNS = 5
DEPTH = 20
STEPS = 2_000_000_000
RATES = [999, 10000]
SETTINGS = ["kernel.perf_event_max_sample_rate", "kernel.perf_cpu_time_max_percent"]
STACKS = {"no stacks": ([], []), "frame pointers": (["--call-graph", "fp"],) * 2,
          "unwind tables": (["--call-graph", "cfi"], ["--call-graph", "dwarf"])}


def median(values):
    return sorted(values)[len(values) // 2]


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(words):
    """What the program said of itself, and the processor seconds of all processes together."""
    before = children_seconds()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=True)
    cpu = children_seconds() - before
    elapsed, of_program = done.stdout.split()[-2:]
    return float(elapsed), cpu - float(of_program)


def count_records(path):
    """Samples, and records that tell of lost ones."""
    text = subprocess.run(["perf", "report", "--stats", "-i", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout
    def total(name):
        return sum(map(int, re.findall(rf"^ +{name} events: +(\d+)", text.split("\n\n")[0], re.M)))
    return total("SAMPLE"), total("LOST") + total("LOST_SAMPLES")


def compare(wperf, busy, path, rate, stacks):
    def recorders(steps):
        program = [busy, str(DEPTH), str(steps)]
        common = ["-q", "-e", "cpu-clock", "-F", str(rate)]
        return {
            "wperf": [wperf, "record", *common, *stacks[0], "--save", path, "--", *program],
            "perf": ["perf", "record", *common, *stacks[1], "-N", "-o", path, "--", *program],
        }

    alone, elapsed, own, fixed = [], {}, {}, {}
    for _ in range(RUNS):
        alone.append(run([busy, str(DEPTH), str(STEPS)])[0])
        for name, words in recorders(1).items():
            fixed.setdefault(name, []).append(run(words)[1])
        for name, words in recorders(STEPS).items():
            took, spent = run(words)
            elapsed.setdefault(name, []).append(took)
            own.setdefault(name, []).append(spent)
    for name, words in recorders(STEPS).items():
        run(words)
        samples, lost = count_records(path)
        cost = (median(own[name]) - median(fixed[name])) / max(samples, 1) * 1e6
        slowdown = 100 * (min(elapsed[name]) / min(alone) - 1)
        print(f"    {name:6} program {slowdown:+6.2f} %   own {median(own[name]):7.3f} s"
              f"   a sample {cost:7.2f} us   {samples:7,} samples, {lost} lost"
              f"   {os.path.getsize(path) / max(samples, 1):8.1f} bytes each")


def compare_kept(wperf, busy, folder, rate):
    """What it costs to keep the recording, which `record` does unless --compat."""
    own = {}
    for _ in range(RUNS):
        for name, words in {"kept": [], "not kept": ["--compat"]}.items():
            program = [busy, str(DEPTH), str(STEPS)]
            before = children_seconds()
            done = subprocess.run([wperf, "record", "-e", "cpu-clock", "-F", str(rate), "-g", *words, "--", *program],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, cwd=folder)
            of_program = float(done.stdout.split("\n")[0].split()[1])
            own.setdefault(name, []).append(children_seconds() - before - of_program)
    samples, _ = count_records(os.path.join(folder, "wperf.data"))
    for name, seconds in own.items():
        print(f"    {name:8} own {median(seconds):7.3f} s of {samples:,} samples")
    cost = (median(own["kept"]) - median(own["not kept"])) / max(samples, 1) * 1e6
    print(f"    the recording costs {cost:.2f} us of a sample")


def read_setting(name):
    with open("/proc/sys/" + name.replace(".", "/"), encoding="ascii") as file:
        return file.read().strip()


def write_setting(name, value):
    with open("/proc/sys/" + name.replace(".", "/"), "w", encoding="ascii") as file:
        file.write(value)


def main():
    wperf = os.path.abspath(sys.argv[1])
    busy = os.path.join(os.path.dirname(wperf), "release", "bench", "busy")
    if os.geteuid():
        print("record_overhead: needs root for 10,000 samples a second")
        return
    before = {name: read_setting(name) for name in SETTINGS}
    try:
        write_setting(SETTINGS[0], str(4 * max(RATES)))
        write_setting(SETTINGS[1], "0")  # the kernel would lower the rate by itself
        with tempfile.TemporaryDirectory() as folder:
            for rate in RATES:
                for title, stacks in STACKS.items():
                    print(f"{rate} Hz, {title}")
                    compare(wperf, busy, os.path.join(folder, "recording.data"), rate, stacks)
                print(f"{rate} Hz, -g, the recording kept or not")
                compare_kept(wperf, busy, folder, rate)
    finally:
        for name in reversed(SETTINGS):
            write_setting(name, before[name])


if __name__ == "__main__":
    main()
