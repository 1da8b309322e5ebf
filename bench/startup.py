# SPDX-License-Identifier: Apache-2.0
"""How long a command takes from start to exit, and how much memory, beside `perf list`."""
import os
import subprocess
import sys
import time

RUNS = 40


def measure(words):
    """Median milliseconds, and the peak of resident KiB.

    The peak comes from a small parent, GNU time: a child of this one would inherit Python's.
    """
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append((time.perf_counter() - start) * 1000)
    report = subprocess.run(["/usr/bin/time", "-q", "-f", "%M"] + words, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, check=False).stderr
    return sorted(times)[RUNS // 2], int(report.split()[-1])


def main():
    wperf = os.path.abspath(sys.argv[1])
    nothing, _ = measure(["/bin/true"])
    peer, peer_peak = measure(["perf", "list"])
    print(f"{'command':44} {'ms':>8} {'KiB':>8} {'of perf list':>13}")
    print(f"{'/bin/true':44} {nothing:8.2f}")
    print(f"{'perf list':44} {peer:8.2f} {peer_peak:8}")
    for words in (["list"], ["list", "--source", "sim"], ["list", "-v", "--source", "sim", "--json"],
                  ["man", "ld_spec"], ["test", "--source", "sim"], ["--version"], ["help"]):
        took, peak = measure([wperf] + words)
        print(f"{'wperf ' + ' '.join(words):44} {took:8.2f} {peak:8} {took / peer:12.2f}x")


if __name__ == "__main__":
    main()
