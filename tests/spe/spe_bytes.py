# SPDX-License-Identifier: Apache-2.0
"""Makes SPE packets and records, and the perf.data file in which perf decodes them."""
import struct

# Bits of perf_event_attr.sample_type: ip, tid, time, addr, cpu, identifier.
SAMPLE_TYPE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7 | 1 << 16
SAMPLE_ID_ALL = 1 << 18
PMU_TYPE = 8
AUXTRACE_INFO, AUXTRACE = 70, 71
ARM_SPE = 4


def address(index, payload):
    return struct.pack("<BQ", 0xB0 | index, payload)


def extended(header, index, payload):
    return bytes([0x20 | index >> 3, header | index & 7]) + payload


def counter(index, cycles):
    return struct.pack("<BH", 0x98 | index, cycles)


def operation(index, payload):
    return bytes([0x48 | index, payload])


def events(bits, power):
    """Of 1 << power bytes."""
    size = 1 << power
    return bytes([0x42 | power << 4]) + (bits & (1 << 8 * size) - 1).to_bytes(size, "little")


def source(number, power):
    size = 1 << power
    return bytes([0x43 | power << 4]) + (number & (1 << 8 * size) - 1).to_bytes(size, "little")


def context(index, number):
    return struct.pack("<BI", 0x64 | index, number)


def timestamp(ticks):
    return struct.pack("<BQ", 0x71, ticks)


END = b"\x01"


def perf_data(buffers):
    """The file's bytes, and where in it each of the buffers stands."""
    attr = bytearray(128)
    struct.pack_into("<IIQQQQQ", attr, 0, PMU_TYPE, len(attr), 1, 1024, SAMPLE_TYPE, 0,
                     SAMPLE_ID_ALL)
    parts = [struct.pack("<IHHIIQQ", AUXTRACE_INFO, 0, 32, ARM_SPE, 0, PMU_TYPE, 1)]
    attrs_start = 104 + 8
    data_start = attrs_start + len(attr) + 16
    position, starts, offset = data_start + len(parts[0]), [], 0
    for buffer in buffers:
        parts.append(struct.pack("<IHHQQQIIII", AUXTRACE, 0, 48, len(buffer), offset, 0, 0,
                                 0xFFFFFFFF, 0, 0))
        parts.append(buffer)
        starts.append(position + 48)
        position += 48 + len(buffer)
        offset += len(buffer)
    data = b"".join(parts)
    header = b"PERFILE2" + struct.pack("<8Q", 104, len(attr) + 16, attrs_start, len(attr) + 16,
                                       data_start, len(data), 0, 0) + bytes(32)
    return header + struct.pack("<Q", 1) + attr + struct.pack("<QQ", 104, 8) + data, starts
