# SPDX-License-Identifier: Apache-2.0
"""How long a report of a large ETW recording (.etl) takes, and how much memory, beside `perf report`.

The recording is made here (make_large_etl.c): with 2.6 million samples of 20,000 kernel and user stacks it
has 1 GB. No other program reads such files on Linux; so both wperf and perf also read what
`wperf export --format perf` makes of it. Times are of the processor, user and system, the shortest of
three runs. perf looks at the same stacks (--no-children) or at none (-g none); neither program finds
names, as there are no images.

In November 2026, on two cores: 1 million samples took 1.0 s and 110 MiB (perf report --no-children:
4.9 s, 594 MiB; wperf with the same samples in perf.data: 0.5 s). 2.6 million samples in 1.0 GB took
2.5 s and 149 MiB. About a third of it is the first pass, which looks every stack up.

    etl_speed.py WPERF [SAMPLES [STACKS]]
"""
import os
import subprocess
import sys
import tempfile

from report_speed import RUNS, run, show


def best(words):
    return min(run(words) for _ in range(RUNS))


def show_rate(title, result, num_samples):
    seconds, peak = result
    print(f"  {title:44} {seconds:8.2f} s {peak:8.0f} MiB   "
          f"{num_samples / seconds / 1e6:6.2f} million samples a second")


def main():
    wperf = os.path.abspath(sys.argv[1])
    num_samples = int(sys.argv[2]) if len(sys.argv) > 2 else 2_600_000
    num_stacks = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    maker = os.path.join(os.path.dirname(wperf), "release", "bench", "make_large_etl")
    with tempfile.TemporaryDirectory() as folder:
        etl, data = os.path.join(folder, "large.etl"), os.path.join(folder, "large.data")
        subprocess.run([maker, etl, str(num_samples), str(num_stacks)], check=True)
        print(f"{num_samples:,} samples, {num_stacks:,} stacks, "
              f"{os.path.getsize(etl) / 1e9:.2f} GB")
        ours = best([wperf, "report", "-i", etl])
        show_rate("wperf report -i x.etl", ours, num_samples)
        subprocess.run([wperf, "export", "--format", "perf", "-i", etl, "-o", data], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        show("wperf report -i perf.data", best([wperf, "report", "-i", data]), ours)
        for options in ["--no-children"], ["--no-children", "-g", "none"]:
            words = ["perf", "report", "--stdio", "--no-inline"] + options
            show(" ".join(words[:2] + options), run(words + ["-i", data]), ours)


if __name__ == "__main__":
    main()
