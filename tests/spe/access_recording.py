# SPDX-License-Identifier: Apache-2.0
"""Makes a perf.data file as `perf mem record` or `perf c2c record` would on Intel or AMD, of spe_program:
samples with the address of data, where they came from, and how long that took.

Two threads: one chases through a list, both count in counters that share a line.

    access_recording.py PROGRAM OUTPUT
"""
import pathlib
import struct
import sys

import spe_recording
from spe_recording import BASE, COUNTERS_OFFSET, DATA, PID, WORKER

IP, TID, TIME, ADDR, CPU, PERIOD, WEIGHT, DATA_SOURCE, IDENTIFIER, PHYSICAL = (
    1 << bit for bit in (0, 1, 2, 3, 7, 8, 14, 15, 16, 19))
SAMPLE_TYPE = IP | TID | TIME | ADDR | CPU | PERIOD | WEIGHT | DATA_SOURCE | IDENTIFIER | PHYSICAL
BRANCH_STACK, ANY_USER_BRANCH = 1 << 11, 1 | 8
HEADER_CPUS, HEADER_NODES = 7, 14
SAMPLE, PERIOD_OF_ALL, RAW_EVENT = 9, 1000, 4
COUNT = 20_000

# perf_mem_data_src of linux/perf_event.h.
LOAD, STORE = 2, 4
HIT, MISS, L1, FILL_BUFFER, L2, L3, LOCAL, REMOTE, REMOTE_CACHE, UNCACHED = (
    1 << bit for bit in (1, 2, 3, 4, 5, 6, 7, 8, 10, 13))
SNOOP_NONE, SNOOP_HIT, SNOOP_MODIFIED = 2, 4, 16
LOCKED, TLB_L1, TLB_WALK = 2, 2 | 8, 4 | 32


def source(operation, level, snoop=SNOOP_NONE, lock=0, tlb=TLB_L1, number=0, remote=0, hops=0):
    return (operation | level << 5 | snoop << 19 | lock << 24 | tlb << 26 | number << 33 | remote << 37 |
            hops << 43)


class Maker(spe_recording.Maker):
    def sample(self, tid, pc, address, data, cycles):
        self.ticks += self.choose.randrange(50, 2000)
        body = struct.pack("<QQIIQQQQQQQ", 1, pc, PID, tid, self.ticks, address, tid - PID, PERIOD_OF_ALL,
                           max(1, int(cycles * self.choose.lognormvariate(0, 0.4))) if cycles else 0, data,
                           address & 0xFFFF)
        return struct.pack("<IHH", SAMPLE, 2, 8 + len(body)) + body

    def chase(self):
        level, cycles, number = self.choose.choices(
            [(L1, 4, 1), (L2, 14, 2), (FILL_BUFFER, 30, 12), (L3, 45, 3), (LOCAL, 250, 13), (REMOTE, 400, 13)],
            [50, 15, 5, 15, 10, 5])[0]
        tlb = TLB_WALK if self.choose.random() < 0.05 else TLB_L1
        remote = level == REMOTE
        node = DATA + 0x10000 + 64 * self.choose.randrange(4096)
        return self.sample(PID, self.pc("chase", self.choose.choice((3, 4))), node,
                           source(LOAD, HIT | level, tlb=tlb, number=number, remote=remote), cycles)

    def count(self):
        """Mostly what the other core has just written."""
        is_mine, is_other = self.choose.random() < 0.5, self.choose.random() < 0.6
        level, snoop, cycles = (L3, SNOOP_MODIFIED, 80) if is_other else (L1, SNOOP_NONE, 5)
        if is_mine:
            return self.sample(PID, self.pc("count_mine", 3), DATA + COUNTERS_OFFSET,
                               source(LOAD, HIT | level, snoop, LOCKED), cycles)
        if self.choose.random() < 0.5:
            return self.sample(WORKER, self.pc("count_yours", 5), DATA + COUNTERS_OFFSET + 8,
                               source(STORE, L1 | (MISS if is_other else HIT)), 0)
        return self.sample(WORKER, self.pc("count_yours", 4), DATA + COUNTERS_OFFSET + 8,
                           source(LOAD, HIT | level, snoop), cycles)

    def rare(self):
        """Another chip, no cache, what newer kernels say by numbers and hops only, and no access at all."""
        data, cycles = self.choose.choice([
            (source(LOAD, HIT | REMOTE_CACHE, SNOOP_MODIFIED, remote=1), 300),
            (source(LOAD, HIT | REMOTE_CACHE, SNOOP_HIT, remote=1), 280), (source(LOAD, HIT | UNCACHED), 900),
            (source(LOAD, HIT, number=11, remote=1, hops=1, snoop=SNOOP_MODIFIED), 90),
            (source(1, 1, 1, 1, 1, 15), 0)])
        return self.sample(PID, self.pc("decide", 3), DATA + 0x80000, data, cycles)

    def records(self, count):
        makers = [self.chase, self.count, self.rare]
        return [self.choose.choices(makers, [5, 4, 1])[0]() for _ in range(count)]


class BranchMaker(Maker):
    """Samples of `perf record -b`: the last taken branches, mispredicted, predicted, or neither."""
    NUM = 8
    CONDITIONAL, CALL = 1 << 20, 4 << 20

    def branch(self):
        kind = self.choose.choices([self.CONDITIONAL, self.CALL, 0], [8, 2, 1])[0]
        wrong = 1 if self.choose.random() < (0.4 if kind == self.CONDITIONAL else 0.05) else 2
        target = self.pc("decide", 5) if kind == self.CONDITIONAL else self.pc("chase", 0)
        flags = kind | (wrong if kind else 0) | self.choose.randrange(1, 50) << 4
        return struct.pack("<QQQ", self.pc("decide", 13 if kind else 2), target, flags)

    def records(self, count):
        for _ in range(count):
            self.ticks += self.choose.randrange(50, 2000)
            body = struct.pack("<QQIIQQQ", 1, self.pc("decide", 6), PID, WORKER, self.ticks, 1, PERIOD_OF_ALL)
            body += struct.pack("<Q", self.NUM) + b"".join(self.branch() for _ in range(self.NUM))
            yield struct.pack("<IHH", SAMPLE, 2, 8 + len(body)) + body


def recording(program, samples, sample_type=SAMPLE_TYPE):
    attr = bytearray(128)
    struct.pack_into("<IIQQQQQ", attr, 0, RAW_EVENT, len(attr), 0x1CD, PERIOD_OF_ALL, sample_type, 0, 1 << 18)
    struct.pack_into("<Q", attr, 72, ANY_USER_BRANCH if sample_type & BRANCH_STACK else 0)
    data = b"".join([*spe_recording.running(program), *samples])
    attrs_start = 104 + 8
    data_start = attrs_start + len(attr) + 16
    features = data_start + len(data)
    # perf c2c wants to know which node has which cores.
    sections = {spe_recording.HEADER_ARCH: spe_recording.feature("x86_64"), HEADER_CPUS: struct.pack("<II", 2, 2),
                HEADER_NODES: struct.pack("<IIQQ", 1, 0, 1 << 20, 1 << 20) + spe_recording.feature("0-1")}
    header = b"PERFILE2" + struct.pack("<8Q", 104, len(attr) + 16, attrs_start, len(attr) + 16, data_start,
                                       len(data), 0, 0) + struct.pack("<4Q", sum(1 << bit for bit in sections), 0, 0, 0)
    places, at = b"", features + 16 * len(sections)
    for section in sections.values():
        places += struct.pack("<QQ", at, len(section))
        at += len(section)
    return (header + struct.pack("<Q", 1) + attr + struct.pack("<QQ", 104, 8) + data + places +
            b"".join(sections.values()))


def write_branches(program, path, count):
    sample_type = IP | TID | TIME | CPU | PERIOD | IDENTIFIER | BRANCH_STACK
    pathlib.Path(path).write_bytes(recording(program, BranchMaker(program).records(count), sample_type))


def write(program, path, count=COUNT):
    pathlib.Path(path).write_bytes(recording(program, Maker(program).records(count)))


def main():
    write(*sys.argv[1:3])


if __name__ == "__main__":
    main()
