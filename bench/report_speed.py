# SPDX-License-Identifier: Apache-2.0
"""How long a report of a large recording takes, and how much memory, beside `perf report`.

The recording is made here (make_recording.c): with 10 million samples of 100,000 stacks it has
2.6 GB. Times are of the processor, user and system, as other work on the machine hits these least.
perf gets --no-inline, as its inlined frames take hours. It has three peers of the same work or less:
  --children -g none      the same: self and total percents of functions
  --no-children           self percents, and a call graph
  --no-children -g none   self percents only: it looks at no stack
What perf does by default (--children with a call graph) needs more memory than most machines have; it
is measured on a tenth of the samples, with as many stacks.

    report_speed.py WPERF [SAMPLES [STACKS]]
"""
import os
import resource
import subprocess
import sys
import tempfile

RUNS = 3
MEMORY_LIMIT = 14 << 30  # of perf
SECONDS_LIMIT = 1200
MODULES = ["/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
           "/usr/bin/python3.11", "/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1"]
PEERS = [["--children", "-g", "none"], ["--no-children"], ["--no-children", "-g", "none"]]


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


def run(words):
    """Processor seconds and peak MiB, told by a small parent; None if it did not come to its end."""
    words = ["/usr/bin/time", "-q", "-f", "%U %S %M %x", "timeout", str(SECONDS_LIMIT)] + words
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          preexec_fn=limit_memory, check=False)
    user, system, peak, code = done.stderr.split()[-4:]
    return (float(user) + float(system), int(peak) / 1024) if code == "0" else None


def show(title, result, ours):
    if not result:
        print(f"  {title:44} needs more than {SECONDS_LIMIT} s or {MEMORY_LIMIT >> 30} GiB")
        return
    seconds, peak = result
    print(f"  {title:44} {seconds:8.2f} s {peak:8.0f} MiB   {seconds / ours[0]:6.1f}x of the time, "
          f"{peak / ours[1]:5.1f}x of the memory")


def compare(wperf, path, peers):
    with open(path, "rb") as recording:  # into the memory of the system, for both
        while recording.read(1 << 24):
            pass
    ours = min(run([wperf, "report", path]) for _ in range(RUNS))
    show("wperf report", ours, ours)
    # The same work through libwperf, which prints ten lines of it.
    library = os.path.join(os.path.dirname(wperf), "release", "bench", "hot_lines")
    lines = min(run([wperf, "report", "--sort", "line", path]) for _ in range(RUNS))
    show("wperf report --sort line", lines, ours)
    show("libwperf: examples/hot_lines.c", min(run([library, path]) for _ in range(RUNS)), ours)
    for options in peers:
        words = ["perf", "report", "--stdio", "--no-inline"] + options
        show(" ".join(words[:2] + options), run(words + ["-i", path]), ours)


def main():
    wperf = os.path.abspath(sys.argv[1])
    num_samples = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    num_stacks = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    maker = os.path.join(os.path.dirname(wperf), "release", "bench", "make_recording")
    modules = [path for path in MODULES if os.path.exists(path)]
    for samples, peers in (num_samples, PEERS), (num_samples // 10, [[]]):
        with tempfile.NamedTemporaryFile(suffix=".data") as recording:
            subprocess.run([maker, recording.name, str(samples), str(num_stacks)] + modules,
                           check=True)
            size = os.path.getsize(recording.name) / 1e9
            print(f"{samples:,} samples, {num_stacks:,} stacks, {size:.2f} GB")
            compare(wperf, recording.name, peers)


if __name__ == "__main__":
    main()
