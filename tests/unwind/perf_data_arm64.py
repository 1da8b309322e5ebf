# SPDX-License-Identifier: Apache-2.0
"""Files of perf's format, of one event on AArch64, made byte by byte."""
import struct

COMM, SAMPLE, MMAP2 = 3, 9, 10
ATTR_SIZE = 128
MACHINE_FEATURE = 6


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(value):
    data = value.encode() + b"\0"
    return data + bytes(-len(data) % 8)


def attribute(period, sample_type):
    attr = bytearray(ATTR_SIZE)
    struct.pack_into("<IIQQQ", attr, 0, 1, len(attr), 0, period, sample_type)
    return attr


def string(value):
    """As features have it: its size, and padded."""
    data = (value.encode() + b"\0").ljust(64, b"\0")
    return struct.pack("<I", len(data)) + data


def perf_data(attr, data, features=None):
    """@data: the records. @features: {number: bytes} besides the machine."""
    features = {MACHINE_FEATURE: string("aarch64"), **(features or {})}
    attrs_start = 104 + 8
    data_start = attrs_start + len(attr) + 16
    header = b"PERFILE2" + struct.pack("<8Q", 104, len(attr) + 16, attrs_start, len(attr) + 16,
                                       data_start, len(data), 0, 0)
    place = data_start + len(data) + 16 * len(features)
    table, contents = b"", b""
    for _, content in sorted(features.items()):
        table += struct.pack("<QQ", place + len(contents), len(content))
        contents += content
    bits = sum(1 << number for number in features)
    return header + bits.to_bytes(32, "little") + struct.pack("<Q", 1) + attr + \
        struct.pack("<QQ", 104, 0) + data + table + contents
