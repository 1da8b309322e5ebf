# SPDX-License-Identifier: Apache-2.0
"""How fast SPE packets become records, and lines of text, beside perf on the same buffer.

The buffer is made here (spe_decode.c). Times are of the processor, the median of some runs. perf has
  script --itrace=i10000000i   records, of which it prints none: the decoder alone
  script --itrace=i1i          records, each printed as one number
  report --itrace=i1i          records, summed up by address
  report -D                    the packets as text, which is our text, too
of which the time for an empty buffer is taken off. The last lines are whole programs on the same file: our report with
all that --spe knows (latencies, data sources, misses, branches, lines of data), perf's of addresses alone.

    spe_speed.py WPERF [MIB]
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests" / "spe"))
from spe_bytes import perf_data  # pylint: disable=wrong-import-position

RUNS = 5
PLACES = (1 << 12, 1 << 18)  # instructions: hot loops, and a program of which nothing is hot
PEERS = {"records": [["perf", "script", "-F", "ip", "--itrace=i10000000i"],
                     ["perf", "script", "-F", "ip", "--itrace=i1i"],
                     ["perf", "report", "--stdio", "--itrace=i1i"]],
         "lines": [["perf", "report", "-D"]]}


def program_seconds(words, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words + ["-i", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def median(values):
    return sorted(values)[len(values) // 2]


def write_perf_data(folder, name, buffer):
    path = os.path.join(folder, name)
    with open(path, "wb") as out:
        out.write(perf_data([buffer])[0])
    return path


class Buffer:
    """As hardware fills it, of so many instructions; and the same as perf.data."""

    def __init__(self, program, folder, mib, places):
        self.mib = mib
        self.path = os.path.join(folder, f"buffer{places}")
        subprocess.run([program, "make", self.path, str(mib), str(places)], check=True)
        with open(self.path, "rb") as buffer:
            self.whole = write_perf_data(folder, f"whole{places}.data", buffer.read())
        self.empty = write_perf_data(folder, "empty.data", b"\x01")

    def seconds(self, words, words_for_empty=None):
        return median([program_seconds(words, self.whole) for _ in range(RUNS)]) - \
            median([program_seconds(words_for_empty or words, self.empty) for _ in range(RUNS)])

    def show(self, name, seconds, ours):
        print(f"  {name:42} {self.mib * 1.048576 / seconds:7,.0f} MB/s" +
              (f" {seconds / ours:7.1f}x of the time" if ours else ""))


def measure_decoding(program, buffer):
    for what, peers in PEERS.items():
        done = subprocess.run([program, what, buffer.path, str(RUNS)], stdout=subprocess.PIPE,
                              text=True, check=True)
        ours = median([float(line.split()[0]) for line in done.stdout.splitlines()])
        buffer.show("wperf, " + what, ours, None)
        for words in peers:
            buffer.show(" ".join(words), buffer.seconds(words), ours)


def measure_sums(wperf, buffer, places):
    ours = buffer.seconds([wperf, "report", "--spe", "summary"], [wperf, "report"])
    buffer.show(f"wperf report --spe summary, {places:,} places", ours, None)
    words = PEERS["records"][-1]
    buffer.show(" ".join(words), buffer.seconds(words), ours)


def main():
    wperf = os.path.abspath(sys.argv[1])
    program = os.path.join(os.path.dirname(wperf), "release", "bench", "spe_decode")
    mib = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    with tempfile.TemporaryDirectory() as folder:
        print(f"{mib} MiB of SPE packets, {mib << 14:,} records")
        buffer = Buffer(program, folder, mib, PLACES[-1])
        measure_decoding(program, buffer)
        for places in PLACES:
            measure_sums(wperf, Buffer(program, folder, mib, places), places)


if __name__ == "__main__":
    main()
