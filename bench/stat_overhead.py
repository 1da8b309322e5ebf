# SPDX-License-Identifier: Apache-2.0
"""What counting costs: `wperf stat` beside `perf stat`, start to end, and the counted program."""
import subprocess
import sys
import time

RUNS = 60
LOOP = ["/usr/bin/python3", "-S", "-c", "sum(i * i for i in range(3000000))"]


def median_ms(commands, runs):
    """Median milliseconds of each command, run in turns so that noise hits all alike."""
    times = {name: [] for name in commands}
    for _ in range(runs):
        for name, words in commands.items():
            begin = time.perf_counter()
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            times[name].append((time.perf_counter() - begin) * 1000)
    return {name: sorted(values)[len(values) // 2] for name, values in times.items()}


def show(title, times, base, peer):
    print(title)
    for name, milliseconds in times.items():
        print(f"  {name:12} {milliseconds:9.2f} ms   {milliseconds - times[base]:+9.2f} ms over "
              f"{base}   {milliseconds / times[peer]:5.2f}x of {peer}")


def main():
    wperf = sys.argv[1]
    nothing = {"true": ["/bin/true"], "perf stat": ["perf", "stat", "--", "/bin/true"],
               "wperf stat": [wperf, "stat", "--", "/bin/true"]}
    show("a program that does nothing", median_ms(nothing, RUNS), "true", "perf stat")
    loop = {"python": LOOP, "perf stat": ["perf", "stat", "--", *LOOP],
            "wperf stat": [wperf, "stat", "--", *LOOP]}
    show("a loop of Python", median_ms(loop, 9), "python", "perf stat")


if __name__ == "__main__":
    main()
