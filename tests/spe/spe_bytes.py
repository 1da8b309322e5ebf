# SPDX-License-Identifier: Apache-2.0
"""Makes SPE packets and records, and the perf.data file in which perf decodes them."""
import struct

# Bits of perf_event_attr.sample_type: ip, tid, time, addr, cpu, weight, data_src, identifier,
# phys_addr. Without them perf does not print what it knows.
SAMPLE_TYPE = 0xF | 1 << 7 | 1 << 14 | 1 << 15 | 1 << 16 | 1 << 19
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


def random_record(choose):
    """As hardware writes them."""
    bits = choose.getrandbits
    parts = [address(0, bits(48) | choose.choice((1 << 63, 0xA0FF << 48, 0xC0FF << 48, 0)))]
    parts.append(context(bits(1), bits(32)))
    parts += [counter(1, bits(6)), counter(0, bits(8))]
    parts.append(events(bits(12) | bits(1) << 17 | bits(1) << 18, 1 + bits(1)))
    if bits(1):
        parts += [operation(2, choose.choice((0, 1, 2))), address(1, bits(48) | 1 << 63)]
    else:
        parts += [operation(1, choose.choice((0, 1, 4, 5, 0x10, 0x16, 0x1A, 0x30))),
                  address(2, bits(48)), counter(2, bits(5)), address(3, bits(48) | 1 << 63),
                  source(bits(4), 0)]
    parts.append(timestamp(bits(56)) if bits(1) else END)
    record = b"".join(parts)
    return record + bytes(-len(record) % 64) if bits(1) else record


def pack(buffers, starts):
    """The file that spe_lines.c reads."""
    return b"".join(struct.pack("<II", start, len(buffer)) + buffer
                    for buffer, start in zip(buffers, starts))


def perf_data(buffers):
    """The file's bytes, and where in it each of the buffers stands."""
    attr = bytearray(128)
    struct.pack_into("<IIQQQQQ", attr, 0, PMU_TYPE, len(attr), 1, 1024, SAMPLE_TYPE, 0,
                     SAMPLE_ID_ALL)
    parts = [struct.pack("<IHHIIQQ", AUXTRACE_INFO, 0, 32, ARM_SPE, 0, PMU_TYPE, 1)]
    attrs_start = 104 + 8
    data_start = attrs_start + len(attr) + 16
    position, starts = data_start + len(parts[0]), []
    for buffer in buffers:
        # Alignment goes by the place in the buffer; perf takes that in the file.
        starts.append(position + 48)
        parts.append(struct.pack("<IHHQQQIIII", AUXTRACE, 0, 48, len(buffer), starts[-1], 0, 0,
                                 0xFFFFFFFF, 0, 0))
        parts.append(buffer)
        position += 48 + len(buffer)
    data = b"".join(parts)
    header = b"PERFILE2" + struct.pack("<8Q", 104, len(attr) + 16, attrs_start, len(attr) + 16,
                                       data_start, len(data), 0, 0) + bytes(32)
    return header + struct.pack("<Q", 1) + attr + struct.pack("<QQ", 104, 8) + data, starts
