# SPDX-License-Identifier: Apache-2.0
"""Whole stacks of Arm64 Windows programs: a recording with the registers and the stack of every
instruction of an image's functions, as their instructions leave them, each called by two others.
wperf finds both callers of each, in an image for Arm64 and in one of Arm64EC.

pe_recording.py WPERF
"""
import pathlib
import re
import struct
import sys
import tempfile

import a64_steps
import pe_arm64
import pe_hybrid
from pe_arm64 import TOOLS, run
from perf_data_arm64 import COMM, MMAP2, SAMPLE, attribute, perf_data, record, text

PID = 1000
BASE = 0x7FF600000000
STACK_TOP, STACK_SIZE = 0x1000000000, 0x60000
PAC = 0x00E5 << 48  # a signature, where Windows on Arm puts it
IP, TID, TIME, REGISTERS, STACK = 1, 2, 4, 1 << 12, 1 << 13
FP, LR, SP, PC = 29, 30, 31, 32
MASK = 1 << FP | 1 << LR | 1 << SP | 1 << PC
COPIED = 0x8000


class Frame:
    """A call on the stack that is made: where its CFA is, and what the caller had."""

    def __init__(self, state, cfa, caller_fp, return_address):
        self.state, self.cfa = state, cfa
        signed = return_address | PAC if return_address else 0
        self.words = {"fp": caller_fp, "lr": return_address, "signed": signed}

    def value(self, symbol):
        """Of a register or a slot; what is not known is nonsense."""
        if isinstance(symbol, tuple):
            return self.cfa + symbol[1]
        return self.words.get(symbol, 0xDEADBEEFDEAD0) if not isinstance(symbol, int) else symbol

    def register(self, name):
        return self.value(self.state.get(name))

    def store(self, memory):
        for place, symbol in self.state.slots.items():
            memory[self.cfa + place] = self.value(symbol)


def is_usable(state):
    """Where the stack pointer is known, so that a stack can be made."""
    return isinstance(state.get("sp"), tuple) and state.get("sp")[1] > -COPIED // 2


def call_sites(functions, states, instructions):
    """(state, address behind) of calls, of functions with different frames."""
    found = {}
    for function in functions:
        for address in range(function.start, function.start + function.length, 4):
            if address in states and instructions[address].startswith("bl") and \
                    is_usable(states[address]) and address + 4 in states:
                found.setdefault(function.start, (states[address], address + 4))
    return list(found.values())


def stack_of(frames):
    memory = {}
    for frame in frames:
        frame.store(memory)
    stack = frames[-1].register("sp")
    data = bytearray(COPIED)
    for address, value in memory.items():
        if 0 <= address - stack <= COPIED - 8:
            struct.pack_into("<Q", data, address - stack, value & (1 << 64) - 1)
    return bytes(data)


def sample(address, frames, time):
    leaf = frames[-1]
    registers = [leaf.register("x29"), leaf.register("x30"), leaf.register("sp"), BASE + address]
    body = struct.pack("<QIIQ", BASE + address, PID, PID, time)
    body += struct.pack("<Q4Q", 2, *(value & (1 << 64) - 1 for value in registers))
    body += struct.pack("<Q", COPIED) + stack_of(frames) + struct.pack("<Q", COPIED)
    return record(SAMPLE, 2, body)


def mapping(image):
    """The sections with code, as Windows maps them."""
    sections = run(TOOLS["llvm-readobj"], "--sections", image).split("Section {")[1:]
    for part in sections:
        values = {key: int(re.search(key + r": (\w+)", part)[1], 0)
                  for key in ("VirtualAddress", "VirtualSize", "PointerToRawData")}
        if "IMAGE_SCN_MEM_EXECUTE" in part:
            start = BASE + values["VirtualAddress"]
            size = (values["VirtualSize"] + 0xFFF) & ~0xFFF
            yield record(MMAP2, 2, struct.pack("<IIQQQIIQQII", PID, PID, start, size,
                                               values["PointerToRawData"], 0, 0, 0, 0, 5, 2) +
                         text(str(image)))


def recording(image, samples):
    attr = attribute(1000000, IP | TID | TIME | REGISTERS | STACK)
    struct.pack_into("<QI", attr, 80, MASK, COPIED)
    return perf_data(attr, record(COMM, 0, struct.pack("<II", PID, PID) + text("program")) +
                     b"".join(mapping(image)) + b"".join(samples))


def make_samples(functions, instructions, base):
    """Samples, and the callers of each."""
    states = pe_arm64.simulate(functions, instructions, base, {})
    callers = call_sites(functions, states, instructions)
    samples, expected = [], []
    for function in functions:
        for address in range(function.start, function.start + function.length, 4):
            if address not in states or not is_usable(states[address]):
                continue
            (outer, outer_return), (inner, inner_return) = (
                callers[(len(samples) * step) % len(callers)] for step in (3, 7))
            first = Frame(outer, STACK_TOP, 0, 0)
            second = Frame(inner, first.register("sp"), first.register("x29"), BASE + outer_return)
            leaf = Frame(states[address], second.register("sp"), second.register("x29"),
                         BASE + inner_return)
            samples.append(sample(address, [first, second, leaf], 1000 * (len(samples) + 1)))
            expected.append([address, inner_return - 1, outer_return - 1])
    return samples, expected


def stacks_of(wperf, data):
    """The addresses of each sample's stack, in the image; of callers that of the call."""
    blocks = run(wperf, "script", "-i", data).strip().split("\n\n")
    return [[int(line.split()[0], 16) for line in block.splitlines()[1:]] for block in blocks]


def check(wperf, folder, image, functions, base):
    instructions = pe_arm64.instructions_of(image, base)
    samples, expected = make_samples(functions, instructions, base)
    data = folder / "perf.data"
    data.write_bytes(recording(image, samples))
    found = stacks_of(wperf, data)
    assert len(found) == len(expected), (len(found), len(expected))
    bad = [(have, want) for have, want in zip(found, expected) if have != want]
    for have, want in bad[:10]:
        print(f"{image.name}: {[hex(one) for one in have]}, not {[hex(one) for one in want]}, at "
              f"{instructions[want[0]]}")
    print(f"{image.name}: {len(found)} stacks, {len(bad)} differ")
    return len(found) > 300 and not bad


def main():
    if not all(TOOLS.values()):
        print("skipped: clang-19, lld-19 or llvm-19 is not there")
        return pe_arm64.SKIPPED
    wperf = sys.argv[1]
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        image = pe_arm64.build(folder, 0, pe_arm64.VARIANTS[-1])
        functions, base = pe_arm64.functions_of(image)
        functions = [one for one in functions if not one.is_interrupting]
        good = check(wperf, folder, image, functions, base)
        image = pe_hybrid.link(folder, "arm64ec", pe_hybrid.compile_objects(folder))
        functions = [pe_hybrid.Code(int(one["address"], 16), one["size"])
                     for one in pe_hybrid.check_machines(wperf, image) if one["machine"] == "Arm64"]
        good = check(wperf, folder, image, functions, base) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
