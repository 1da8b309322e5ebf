# SPDX-License-Identifier: Apache-2.0
"""The container that a PDB is, taken apart and put together again with other blocks."""
import random
import struct

MAGIC = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0"
INFO, DEBUG_INFO = 1, 3


def unpack(data):
    """The streams, None for those that are not there."""
    block, _, _, directory_size, _, map_block = struct.unpack_from("<6I", data, 32)

    def gather(numbers, size):
        return b"".join(data[n * block:(n + 1) * block] for n in numbers)[:size]

    count = -(-directory_size // block)
    directory = gather(struct.unpack_from(f"<{count}I", data, map_block * block), directory_size)
    num_streams, = struct.unpack_from("<I", directory)
    sizes = struct.unpack_from(f"<{num_streams}I", directory, 4)
    at, streams = 4 + 4 * num_streams, []
    for size in sizes:
        if size == 0xFFFFFFFF:
            streams.append(None)
            continue
        count = -(-size // block)
        streams.append(gather(struct.unpack_from(f"<{count}I", directory, at), size))
        at += 4 * count
    return streams


def pack(streams, block, shuffled=False):
    """The file. @shuffled: no block is where one would expect it."""
    blocks = [None, b"", b""]  # the header, and twice which blocks are free
    contents = [stream or b"" for stream in streams]
    pieces = [[content[i:i + block] for i in range(0, len(content), block)] for content in contents]
    order = [(s, p) for s, parts in enumerate(pieces) for p in range(len(parts))]
    if shuffled:
        random.Random(1).shuffle(order)
    place = {}
    for s, p in order:
        place[s, p] = len(blocks)
        blocks.append(pieces[s][p])
    sizes = [0xFFFFFFFF if stream is None else len(stream) for stream in streams]
    directory = struct.pack(f"<{len(streams) + 1}I", len(streams), *sizes)
    for s, parts in enumerate(pieces):
        directory += struct.pack(f"<{len(parts)}I", *(place[s, p] for p in range(len(parts))))
    numbers = []
    for at in range(0, len(directory), block):
        numbers.append(len(blocks))
        blocks.append(directory[at:at + block])
    table = struct.pack(f"<{len(numbers)}I", *numbers)
    map_block = len(blocks)
    blocks += [table[at:at + block] for at in range(0, len(table), block)]
    header = MAGIC + struct.pack("<6I", block, 1, len(blocks), len(directory), 0, map_block)
    blocks[0] = header
    return b"".join(content.ljust(block, b"\0") for content in blocks)


def substreams(debug_info):
    """[start, end) of each part of the stream of debug information, in its order."""
    sizes = struct.unpack_from("<5I", debug_info, 24)
    more, edit = struct.unpack_from("<2I", debug_info, 48)
    at, parts = 64, []
    for size in (*sizes, edit, more):
        parts.append((at, at + size))
        at += size
    return parts


def with_streams(streams, added):
    """@added: {place in the list of more streams: content}."""
    streams = list(streams)
    debug_info = bytearray(streams[DEBUG_INFO])
    start, end = substreams(debug_info)[-1]
    for place, content in added.items():
        struct.pack_into("<H", debug_info, start + 2 * place, len(streams))
        assert start + 2 * place < end
        streams.append(content)
    streams[DEBUG_INFO] = bytes(debug_info)
    return streams


def more_stream(streams, place):
    start, _ = substreams(streams[DEBUG_INFO])[-1]
    number, = struct.unpack_from("<H", streams[DEBUG_INFO], start + 2 * place)
    return streams[number]


def stripped(streams):
    """As if private symbols were removed: modules without their own streams."""
    streams = list(streams)
    debug_info = bytearray(streams[DEBUG_INFO])
    flags, = struct.unpack_from("<H", debug_info, 56)
    struct.pack_into("<H", debug_info, 56, flags | 2)
    at, end = substreams(debug_info)[0]
    while at < end:
        struct.pack_into("<H3I", debug_info, at + 34, 0xFFFF, 0, 0, 0)
        at = debug_info.index(b"\0", debug_info.index(b"\0", at + 64) + 1) + 1
        at += -at & 3
    streams[DEBUG_INFO] = bytes(debug_info)
    return streams


def with_section_map(streams, change):
    """@change: of the rows (flags, overlay, group, number, name, class, offset, length)."""
    streams = list(streams)
    debug_info = streams[DEBUG_INFO]
    start, end = substreams(debug_info)[2]
    rows = change(list(struct.iter_unpack("<6H2I", debug_info[start + 4:end])))
    content = struct.pack("<2H", len(rows), len(rows)) + b"".join(
        struct.pack("<6H2I", *row) for row in rows)
    debug_info = bytearray(debug_info[:start] + content + debug_info[end:])
    struct.pack_into("<I", debug_info, 32, len(content))
    streams[DEBUG_INFO] = bytes(debug_info)
    return streams
