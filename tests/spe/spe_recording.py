# SPDX-License-Identifier: Apache-2.0
"""Makes a perf.data file with samples of SPE of spe_program, as a kernel and perf would write it.

Two threads: one chases through a list, through all levels of caches; both count in counters that
share a line; and a branch is mispredicted half of the time.

    spe_recording.py PROGRAM OUTPUT [RECORDS]
"""
import pathlib
import random
import struct
import subprocess
import sys

import spe_bytes

PID, WORKER = 1000, 1001
NEOVERSE_N1 = 0x410FD0C1
BASE = 0x555555554000
COUNTERS_OFFSET = 0x40  # of the line within memory that is made up
DATA = 0x7F0000001000
COMM, MMAP2, FINISHED_ROUND = 3, 10, 68
HEADER_ARCH, HEADER_CPUID = 6, 9

RETIRED, L1D, REFILL, TLB, WALK, NOT_TAKEN, MISPREDICTED, LLC, LLC_MISS = (
    1 << bit for bit in (1, 2, 3, 4, 5, 6, 7, 8, 9))
LEVELS = {0x0: (4, L1D), 0x8: (14, L1D | REFILL), 0x9: (60, L1D | REFILL),
          0xB: (40, L1D | REFILL | LLC), 0xE: (250, L1D | REFILL | LLC | LLC_MISS)}


def instructions(program):
    """Their addresses in each function."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found, function = {}, None
    for line in text.splitlines():
        if line.endswith(">:"):
            function = line.split("<")[1][:-2]
            found[function] = []
        elif function and line.startswith(" "):
            found[function].append(int(line.split(":")[0], 16))
    return found


class Maker:
    def __init__(self, program):
        self.choose = random.Random(5)
        self.instructions = instructions(program)
        self.ticks = 1000

    def pc(self, function, number):
        return BASE + self.instructions[function][number]

    def record(self, tid, pc, parts):
        self.ticks += self.choose.randrange(50, 2000)
        data = b"".join([spe_bytes.address(0, pc), spe_bytes.context(0, tid), *parts,
                         spe_bytes.timestamp(self.ticks)])
        return data + bytes(-len(data) % 64)

    def access(self, tid, pc, address, source, is_store=False, is_atomic=False):
        cycles, events = LEVELS[source]
        issue = self.choose.randrange(1, 8)
        total = issue + int(cycles * self.choose.lognormvariate(0, 0.4)) + 1
        walk = self.choose.random() < 0.03
        events |= RETIRED | TLB | (WALK if walk else 0)
        payload = (4 | 2 if is_atomic else 0) | is_store
        parts = [spe_bytes.counter(1, issue), spe_bytes.counter(0, min(total, 4095)),
                 spe_bytes.events(events, 1), spe_bytes.operation(1, payload),
                 spe_bytes.address(2, address),
                 spe_bytes.counter(2, 30 if walk else 1)]
        if not is_store:
            parts.append(spe_bytes.source(source, 0))
        return self.record(tid, pc, parts)

    def chase(self):
        source = self.choose.choices([0x0, 0x8, 0xB, 0xE], [50, 20, 15, 15])[0]
        node = DATA + 0x10000 + 64 * self.choose.randrange(4096)
        return self.access(PID, self.pc("chase", self.choose.choice((3, 4))), node, source)

    def count(self):
        """Mostly what the other core has just written."""
        source = self.choose.choices([0x9, 0x0], [60, 40])[0]
        if self.choose.random() < 0.5:
            return self.access(PID, self.pc("count_mine", 3), DATA + COUNTERS_OFFSET, source,
                               is_store=False, is_atomic=True)
        is_store = self.choose.random() < 0.5
        return self.access(WORKER, self.pc("count_yours", 5 if is_store else 4),
                           DATA + COUNTERS_OFFSET + 8, source, is_store)

    def decide(self):
        is_taken = self.choose.random() < 0.5
        is_wrong = self.choose.random() < 0.4
        events = (RETIRED | (0 if is_taken else NOT_TAKEN) | (MISPREDICTED if is_wrong else 0))
        target = self.pc("decide", 5 if is_taken else 14)
        cycles = 12 if is_wrong else 2
        return self.record(WORKER, self.pc("decide", 13),
                           [spe_bytes.counter(1, 1), spe_bytes.counter(0, cycles),
                            spe_bytes.events(events, 1), spe_bytes.operation(2, 1),
                            spe_bytes.address(1, target)])

    def records(self, count):
        makers = [self.chase, self.count, self.decide]
        return [self.choose.choices(makers, [5, 3, 2])[0]() for _ in range(count)]


def with_id(kind, misc, body, tid):
    """A record, with what sample_id_all appends: tid, time, cpu, identifier."""
    body += struct.pack("<IIQIIQ", PID, tid, 0, 0, 0, 1)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(value):
    data = value.encode() + b"\0"
    return data + bytes(-len(data) % 8)


def running(program):
    program = str(pathlib.Path(program).resolve())
    size = pathlib.Path(program).stat().st_size
    yield with_id(COMM, 0, struct.pack("<II", PID, PID) + text("spe_program"), PID)
    yield with_id(COMM, 0, struct.pack("<II", PID, WORKER) + text("worker"), WORKER)
    yield with_id(MMAP2, 2, struct.pack("<IIQQQIIQQII", PID, PID, BASE, (size + 0x4FFF) & ~0xFFF,
                                        0, 0, 0, 0, 0, 5, 2) + text(program), PID)


def feature(value):
    data = value.encode() + b"\0"
    data += bytes(-len(data) % 64)
    return struct.pack("<I", len(data)) + data


def recording(program, buffer):
    attr = bytearray(128)
    struct.pack_into("<IIQQQQQ", attr, 0, spe_bytes.PMU_TYPE, len(attr), 1, 1024,
                     spe_bytes.SAMPLE_TYPE, 0, spe_bytes.SAMPLE_ID_ALL)
    data = b"".join([struct.pack("<IHHIIQQ", spe_bytes.AUXTRACE_INFO, 0, 32, spe_bytes.ARM_SPE, 0,
                                 spe_bytes.PMU_TYPE, 1),
                     *running(program),
                     struct.pack("<IHHQQQIIII", spe_bytes.AUXTRACE, 0, 48, len(buffer), 0, 0, 0,
                                 0xFFFFFFFF, 0, 0),
                     buffer])
    attrs_start = 104 + 8
    data_start = attrs_start + len(attr) + 16
    features = data_start + len(data)
    texts = [feature("aarch64"), feature(f"{NEOVERSE_N1:#018x}")]
    bits = struct.pack("<4Q", 1 << HEADER_ARCH | 1 << HEADER_CPUID, 0, 0, 0)
    header = b"PERFILE2" + struct.pack("<8Q", 104, len(attr) + 16, attrs_start, len(attr) + 16,
                                       data_start, len(data), 0, 0) + bits
    return (header + struct.pack("<Q", 1) + attr + struct.pack("<QQ", 104, 8) + data +
            struct.pack("<QQQQ", features + 32, len(texts[0]), features + 32 + len(texts[0]),
                        len(texts[1])) + b"".join(texts))


def write(program, path, count):
    records = Maker(program).records(count)
    pathlib.Path(path).write_bytes(recording(program, b"".join(records)))


def main():
    write(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20_000)


if __name__ == "__main__":
    main()
