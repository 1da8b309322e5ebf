# SPDX-License-Identifier: Apache-2.0
"""ETW files with each event that the reader knows, for write_seeds.py."""
import struct
import uuid

IMAGE_ID = "b3e675d7-2554-4f18-830b-2762732560de"
CONFIG = "9b79ee91-b5fd-41c0-a243-4248e266e9d0"
CLR = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"
KERNEL = 0xffff800000000000


def wide(text):
    return text.encode("utf-16-le") + b"\0\0"


def padded(data):
    return data + bytes(-len(data) % 8)


class Maker:
    """Events of one size of pointers."""

    def __init__(self, pointer_size):
        self.pointer_size = pointer_size
        self.is_64 = pointer_size == 8

    def pointers(self, *values):
        return b"".join((value % 2 ** (8 * self.pointer_size)).to_bytes(self.pointer_size, "little")
                        for value in values)

    def kernel(self, kind, group, opcode, version, rest, payload):
        size = 8 + len(rest) + len(payload)
        return padded(struct.pack("<HBBHBB", version, kind + self.is_64, 0xC0, size, opcode, group) +
                      rest + payload)

    def system(self, group, opcode, version, time, payload):
        return self.kernel(1, group, opcode, version, struct.pack("<IIQQ", 8, 10, time, 0), payload)

    def perfinfo(self, group, opcode, version, time, payload, counters=()):
        rest = struct.pack(f"<{1 + len(counters)}Q", time, *counters)
        return self.kernel(16, group, opcode, version | len(counters) << 8, rest, payload)

    def full(self, guid, opcode, time, payload):
        kind = 20 if self.is_64 else 10
        head = struct.pack("<HBBBBHIIQ", 48 + len(payload), kind, 0xC0, opcode, 0, 2, 8, 10, time)
        return padded(head + uuid.UUID(guid).bytes_le + bytes(8) + payload)

    def manifest(self, guid, number, time, payload):
        head = struct.pack("<HBBHHIIQ", 80 + len(payload), 18 + self.is_64, 0xC0, 0x40, 0, 8, 10, time)
        return padded(head + uuid.UUID(guid).bytes_le + struct.pack("<HBBBBH", number, 1, 0, 4, 0, 0) +
                      bytes(32) + payload)

    def header(self):
        payload = struct.pack("<IIIIQIIIIIIII", 4096, 10, 22000, 4, 0, 156250, 0, 0, 0, 1,
                              self.pointer_size, 0, 3000)
        payload += self.pointers(0, 0) + bytes(176)
        payload += struct.pack("<QQQII", 0, 10000000, 132404548206236167, 1, 0)
        return self.system(0, 0, 2, 1000, payload + wide("wperf") + wide("C:\\a.etl"))

    def life(self):
        sid = self.pointers(0xFFFFC000, 0) + struct.pack("<BB6BI", 1, 1, 0, 0, 0, 0, 0, 5, 18)
        for opcode in 3, 1, 2, 4:
            yield self.system(3, opcode, 4, 2000 + opcode, self.pointers(1) + struct.pack(
                "<IIII", 10, 4, 0, 0) + self.pointers(2) + bytes(4) + sid + b"a.exe\0" + wide("a"))
            yield self.system(5, opcode, 4, 2010 + opcode, struct.pack("<II", 10, 11) +
                              self.pointers(*range(7)) + bytes(8) + wide("worker"))
        yield self.system(5, 72, 2, 2020, struct.pack("<II", 10, 11) + wide("name"))
        path = wide("\\Device\\HarddiskVolume2\\Windows\\System32\\ntdll.dll")
        for opcode, group in (3, 20), (10, 3), (2, 20), (4, 20):
            yield self.system(group, opcode, 3, 2030, self.pointers(0x401000, 0x1000) + struct.pack(
                "<IIII", 10, 0, 5, 0) + self.pointers(0) + bytes(16) + path)

    def samples(self):
        yield self.system(15, 73, 3, 1500, struct.pack("<III", 29, 5000, 5000) + wide("LLCMisses"))
        yield self.perfinfo(15, 48, 2, 1501, struct.pack("<I", 2) + wide("A") + wide("B"))
        for time, flags in (3000, 0), (3010, 1):
            yield self.perfinfo(15, 46, 2, time, self.pointers(KERNEL + 1) +
                                struct.pack("<IHBB", 11, 1, flags, 0))
        yield self.perfinfo(15, 47, 2, 3020, self.pointers(0x401001) + struct.pack("<IHH", 11, 29, 0))
        place = struct.pack("<QII", 3000, 10, 11)
        frames = self.pointers(KERNEL + 1, KERNEL + 2, 0x401001)
        yield self.perfinfo(24, 32, 2, 3030, place + frames)
        yield self.perfinfo(24, 37, 2, 3040, place + self.pointers(7))
        yield self.perfinfo(24, 38, 2, 3041, place + self.pointers(8))
        for opcode in 34, 35, 36:
            yield self.perfinfo(24, opcode, 2, 3050, self.pointers(7) + frames)
        for opcode in 66, 67, 68, 69:
            yield self.perfinfo(15, opcode, 2, 3060, struct.pack("<Q", 3055) + self.pointers(KERNEL))

    def switches(self):
        for i in range(4):
            yield self.perfinfo(5, 36, 4, 4000 + 10 * i, struct.pack(
                "<II6xB9x", 11 + i % 2, 12 - i % 2, 5), (100 * i, 7 * i))
            yield self.perfinfo(5, 50, 2, 4001 + 10 * i, struct.pack("<II", 11, 0))

    def merged(self):
        guid = uuid.UUID(int=1).bytes_le
        yield self.full(IMAGE_ID, 36, 5000, self.pointers(0x401000) + struct.pack("<I", 10) + guid +
                        struct.pack("<I", 1) + b"ntdll.pdb\0")
        yield self.full(CONFIG, 35, 5001, wide("\\Device\\HarddiskVolume2\\") + wide("C:\\"))
        yield self.manifest(CLR, 143, 5002, bytes(16) + struct.pack("<QIII", 0x7000, 32, 0, 0) +
                            wide("System") + wide("Concat") + wide("void  (int)"))
        yield self.system(11, 10, 3, 5003, struct.pack("<IIIII", 3000, 4, 8192, 4096, 65536) +
                          bytes(780) + self.pointers(0, 0) + struct.pack("<H", 12))


def buffer(cpu, sequence, kind, events):
    data = b"".join(events)
    used = 72 + len(data)
    head = bytearray(72)
    struct.pack_into("<II", head, 0, used, used)
    struct.pack_into("<Q", head, 24, sequence)
    struct.pack_into("<HHIIHH", head, 40, cpu, 0, 3, used, 0x20, kind)
    return bytes(head) + data


def etl_files():
    for pointer_size in 8, 4:
        maker = Maker(pointer_size)
        begin = buffer(0, 0, 4, [maker.header()])
        parts = [list(maker.life()), list(maker.samples()), list(maker.switches()), list(maker.merged())]
        yield begin + buffer(0, 1, 0, sum(parts, []))
        for part in parts:
            yield begin + buffer(0, 1, 0, part[::2]) + buffer(1, 1, 0, part[1::2])
