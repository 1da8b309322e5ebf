# SPDX-License-Identifier: Apache-2.0
"""Our reader finds in perf's files what `perf script` finds, and perf reads what our writer wrote.

perf_data_beside_perf.py PERF_DATA_SAMPLES    (tests/live/perf_data_samples.c)
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from recorder import sampling_rate

# Two processes and a thread, so that several CPUs write, and some system calls.
PROGRAM = ["/usr/bin/python3", "-S", "-c", """
import os, threading
def work(n):
    for _ in range(n):
        sum(range(2000)); os.getppid()
thread = threading.Thread(target=work, args=(2000,))
thread.start()
if os.fork() == 0:
    work(3000); os._exit(0)
work(3000); thread.join(); os.wait()
"""]
RECORDINGS = {
    "plain": ["-e", "cpu-clock"],
    "chains": ["-e", "cpu-clock", "-g"],
    "stacks": ["-e", "cpu-clock", "--call-graph", "dwarf,4096"],
    "compressed": ["-e", "cpu-clock", "-g", "-z"],
    "all CPUs": ["-e", "cpu-clock", "-g", "-a"],
    "events": ["-e", "cpu-clock,page-faults,context-switches", "-g", "-d"],
    "build ids": ["-e", "cpu-clock", "--buildid-mmap", "-k", "CLOCK_MONOTONIC"],
}


def run(words, **keywords):
    done = subprocess.run(words, capture_output=True, **keywords)
    assert done.returncode == 0, f"{words}: {done.stderr.decode(errors='replace')}"
    return done


def by_us(program, path, stdin=None):
    """Event, thread, time, period; address; chain without its markers; size of the stack."""
    done = run([program, path], stdin=stdin)
    samples = []
    for line in done.stdout.decode().splitlines():
        event, tid, time, _cpu, period, ip, stack, *chain = line.split()
        samples.append((event, int(tid), int(time), int(period), int(ip, 16),
                        tuple(int(address, 16) for address in chain), int(stack)))
    assert b"late 0 truncated 0 bad 0" in done.stderr, done.stderr
    return samples


def thread(number):
    """Who is no thread any more, as it ends, is -1 to perf."""
    return int(number) % 2**32


def heads_by_perf(path):
    text = run(["perf", "script", "--ns", "-F", "event,tid,time,period", "-i", path]).stdout
    heads = re.findall(r"^\s*(-?\d+)\s+(\d+)\.(\d{9}):\s+(\d+)\s+(\S+?):", text.decode(), re.M)
    return [(event, thread(tid), int(seconds) * 10**9 + int(fraction), int(period))
            for tid, seconds, fraction, period, event in heads]


def places_by_perf(path):
    """Time, thread, address, chain and size of the stack as the raw dump has them."""
    places = []
    dump = run(["perf", "script", "-D", "-i", path]).stdout.decode(errors="replace")
    for line in dump.splitlines():
        sample = re.match(r"(?:\d+ )?(\d+) 0x.*PERF_RECORD_SAMPLE\(.*: -?\d+/(-?\d+): "
                          r"0x([0-9a-f]+) period", line)
        caller = re.match(r"\.\.\.\.\. +\d+: ([0-9a-f]{16})$", line)
        stack = re.match(r"\.\.\. ustack: size (\d+)", line)
        if sample:
            places.append([int(sample[1]), thread(sample[2]), int(sample[3], 16), (), 0])
        elif caller and int(caller[1], 16) < 2**64 - 4095:
            places[-1][3] += (int(caller[1], 16),)
        elif stack:
            places[-1][4] = int(stack[1])
    return sorted(map(tuple, places))


def compare(name, ours, path):
    heads = heads_by_perf(path)
    assert len(heads) > 50, f"{name}: perf has only {len(heads)} samples"
    assert sorted(sample[:4] for sample in ours) == sorted(heads), f"{name}: the samples differ"
    places = places_by_perf(path)
    assert sorted((sample[2], sample[1], *sample[4:]) for sample in ours) == places, (
        f"{name}: the addresses differ")
    print(f"{name:20} {len(ours):6} samples {sum(len(place[3]) for place in places):6} callers "
          f"{sum(place[4] for place in places):8} bytes of stacks")


def check_rewritten(program, path, folder):
    """Each sample goes through struct record into a file of ours, which perf reads, too."""
    rewritten = folder / "rewritten.data"
    run([program, path, rewritten])
    done = run(["perf", "report", "--stdio", "-i", rewritten])
    assert b"rror" not in done.stderr and b"failed" not in done.stderr, done.stderr
    # Stacks are left out: they were there to become chains.
    compare("  written anew", [(*sample[:6], 0) for sample in by_us(program, path)], rewritten)


def main():
    program = sys.argv[1]
    if not shutil.which("perf"):
        print("skipped: no perf to compare with")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for recording, options in RECORDINGS.items():
            path = folder / "perf.data"
            run(["perf", "record", "-F", str(sampling_rate(2000)), *options, "-o", path, "--", *PROGRAM])
            ours = by_us(program, path)
            compare(recording, ours, path)
            check_rewritten(program, path, folder)
        for recording in ("chains", "compressed"):
            path = folder / "pipe.data"
            with open(path, "wb") as file:
                subprocess.run(["perf", "record", *RECORDINGS[recording], "-o", "-", "--",
                                *PROGRAM], stdout=file, stderr=subprocess.DEVNULL, check=True)
            ours = by_us(program, path)
            compare("pipe, " + recording, ours, path)
            with open(path, "rb") as file:
                assert by_us(program, "-", file) == ours
    return 0


if __name__ == "__main__":
    sys.exit(main())
