# SPDX-License-Identifier: Apache-2.0
"""What hotspot's parser makes of a perf.data file: functions with self and total samples.

It writes events, each behind its size; numbers in them are big endian. The first byte is the kind.
"""
import collections
import struct

MAGIC = b"QPERFSTREAM\0"
LOCATION, SYMBOL, STRING, SAMPLE = 3, 4, 5, 13


def events(stream):
    assert stream.startswith(MAGIC), stream[:20]
    at = len(MAGIC) + 4  # the version of the stream
    while at + 4 <= len(stream):
        size, = struct.unpack_from("<I", stream, at)
        yield stream[at + 4], stream[at + 5:at + 4 + size]
        at += 4 + size


class Profile:
    def __init__(self, stream):
        self.strings, self.symbols, self.parents, self.lines = {}, {}, {}, {}
        self.num_samples = 0
        self.functions = collections.defaultdict(lambda: [0, 0])
        samples = []
        for kind, data in events(stream):
            if kind == STRING:
                number, length = struct.unpack_from(">iI", data)
                self.strings[number] = data[8:8 + length].decode()
            elif kind == LOCATION:
                number, file, line, parent = struct.unpack(">i8xi4xi4xi", data)
                self.parents[number] = parent
                self.lines[number] = (file, line)
            elif kind == SYMBOL:
                number, name = struct.unpack_from(">ii", data)
                self.symbols[number] = name
            elif kind == SAMPLE:
                samples.append(data)
        for data in samples:
            self.add(data)

    def names(self, location):
        """Of a place and of what its code was inlined into, innermost first."""
        while location >= 0:
            if location in self.symbols:
                yield self.strings.get(self.symbols[location], "")
            location = self.parents.get(location, -1)

    def places(self):
        """{(function, file, line)} of all code."""
        return {(next(self.names(number), ""), self.strings.get(file, ""), line)
                for number, (file, line) in self.lines.items()}

    def add(self, data):
        count, = struct.unpack_from(">I", data, 20)
        frames = struct.unpack_from(f">{count}i", data, 24)
        stack = [name for frame in frames for name in self.names(frame)]
        self.num_samples += 1
        if stack:
            self.functions[stack[0]][0] += 1
        for name in set(stack):
            self.functions[name][1] += 1
