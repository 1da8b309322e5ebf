# SPDX-License-Identifier: Apache-2.0
"""Samples of recordings with SPE beside `perf script`: of several cores, in order of time.

perf of Linux 6.1 or newer is expected. The recording also comes through a pipe, which perf writes as
other records than a file.

    samples_beside_perf.py WPERF
"""
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from spe_bytes import (ARM_SPE, AUXTRACE, AUXTRACE_INFO, END, PMU_TYPE, SAMPLE_ID_ALL, address,
                       context, counter, events, operation, timestamp)

COMM, AUX, ITRACE_START, TIME_CONV, FINISHED_INIT, ATTR = 3, 11, 12, 79, 82, 64
SAMPLE_TYPE = 0xF | 1 << 7 | 1 << 16  # ip, tid, time, addr, cpu, identifier
CPUS, THREADS, RECORDS, ZERO, SHIFT, MULT = 4, 6, 3000, 5_000_000_000, 10, 40_960
HEAD = re.compile(r"^\s*(?:\S+ +)?(-?\d+)/(-?\d+) +\[(\d+)\] +([\d.]+): +(\d+)")


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(pid, tid, time, cpu):
    return struct.pack("<IIQQQ", pid, tid, time, cpu, 1)  # and the id


def operation_bytes(choose, tid, ticks):
    bits = choose.getrandbits
    level = choose.choice((0, 0xA0FF << 48, 0xC0FF << 48))
    parts = [address(0, bits(40) | (1 << 63 if not level else level | 0xFF << 40)),
             context(0, tid), counter(0, bits(10)), events(2 | bits(8) << 2, 1), operation(1, bits(1)),
             address(2, bits(47)), timestamp(ticks) if ticks else END]
    joined = b"".join(parts)
    return joined + bytes(-len(joined) % 64)


def time_of(ticks):
    return ZERO + (ticks >> SHIFT) * MULT + ((ticks & (1 << SHIFT) - 1) * MULT >> SHIFT)


def make_records(choose):
    """What the kernel and perf write; pieces end with a record, as perf joins none."""
    buffers, ticks = [b""] * CPUS, 1000
    for _ in range(RECORDS):
        ticks += choose.randrange(1, 400)
        cpu = choose.randrange(CPUS)
        buffers[cpu] += operation_bytes(choose, 100 + choose.randrange(THREADS), ticks)
    last = time_of(ticks)
    parts = [record(TIME_CONV, 0, struct.pack("<QQQQQBB6x", SHIFT, MULT, ZERO, 0, 0, 1, 0)),
             record(AUXTRACE_INFO, 0, struct.pack("<IIQQ", ARM_SPE, 0, PMU_TYPE, 1))]
    for tid in range(100, 100 + THREADS):
        pid = 100 if tid < 103 else 103
        parts.append(record(COMM, 0, struct.pack("<II8s", pid, tid, b"prog") +
                            trailer(pid, tid, 0, 0)))
    for cpu, buffer in enumerate(buffers):
        at = 0
        while at < len(buffer):
            size = min(64 * choose.randrange(1, 100), len(buffer) - at)
            parts.append(record(AUXTRACE, 0, struct.pack("<QQQIIII", size, at, 0, cpu, 100, cpu,
                                                         0)) + buffer[at:at + size])
            parts.append(record(AUX, 0, struct.pack("<QQQ", at, size, 0) +
                                trailer(100, 100, last + cpu, cpu)))
            at += size
    return b"".join(parts)


def make_attr():
    attr = bytearray(128)
    struct.pack_into("<IIQQQQQ", attr, 0, PMU_TYPE, len(attr), 1, 1, SAMPLE_TYPE, 0, SAMPLE_ID_ALL)
    return bytes(attr)


def make_file(records):
    attrs_at, data_at = 112, 112 + 128 + 16
    header = b"PERFILE2" + struct.pack("<8Q", 104, 144, attrs_at, 144, data_at, len(records), 0, 0)
    return header + bytes(32) + struct.pack("<Q", 1) + make_attr() + struct.pack(
        "<QQ", 104, 8) + records


def make_pipe(records):
    return b"PERFILE2" + struct.pack("<Q", 16) + record(
        ATTR, 0, make_attr() + struct.pack("<Q", 1)) + records


def run_perf(path):
    done = subprocess.run(["perf", "script", "-i", path, "--itrace=i1i", "--ns", "-F",
                           "pid,tid,cpu,time,ip"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True, text=True, timeout=300)
    lines = [line.split() for line in done.stdout.splitlines() if line.strip()]
    # 100/101 [000] 5.000043680: ffff...
    return [(who, cpu[1:-1], time[:-4], ip) for who, cpu, time, ip in lines]


def run_wperf(words, data=None):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                          input=data, timeout=300)
    samples, head = [], None
    for line in done.stdout.decode().splitlines():
        match = HEAD.match(line)
        if match:
            head = match
        elif line.strip():
            samples.append((f"{head[1]}/{head[2]}", head[3], head[4], line.split()[0]))
    return samples


def main():
    if not shutil.which("perf"):
        print("no perf here")
        return 77
    records = make_records(random.Random(5))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        with open(path, "wb") as out:
            out.write(make_file(records))
        theirs = run_perf(path)
        ours = run_wperf([sys.argv[1], "script", "-i", path])
        piped = run_wperf([sys.argv[1], "script", "-i", "-"], make_pipe(records))
    differing = [(mine, other) for mine, other in zip(ours, theirs) if mine != other]
    for mine, other in differing[:10]:
        print(f"ours: {mine}\nperf: {other}")
    print(f"{len(ours):,} samples, {len(theirs):,} of perf, {len(differing):,} differ; "
          f"through a pipe {'the same' if piped == ours else 'others'}")
    good = len(ours) == len(theirs) == RECORDS and not differing and piped == ours
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
