# SPDX-License-Identifier: Apache-2.0
"""Writes one folder of seeds per fuzz target below the folder named on the command line.

Chance alone does not find a whole JSON document or a driver session; from these the fuzzer starts.
"""
import gzip
import io
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import uuid
import zipfile

from etl_seeds import etl_files

EVENT_SPECS = ["u:/a/b:f+0x10:u:100", "ur:./a:f,k:g+1,kr:g", "{usdt:/a:p:n,usdt:p:n}",
               "software/config=2,name=x/u", "{cpu/event=0x11,umask=2/pp,r1b:k},msr/tsc,period=9/:5",
               "cpu/cycles/uGHIh:ppp:77",
               "ld_spec", "{ld_spec,st_spec},r1b,0x11:u", "ld_spec:100000,cpu_cycles:0x1000:k",
               "/dsu/{l3d_cache,/dsu/l3d_cache_refill}", "{/dmc_clkdiv2/rdwr},/dmc_clk/request",
               "arm_spe_0/load_filter=1,min=10/", "r10000,65536,{{a},b}}"]
FORMULAS = ["ld_spec / inst_spec * 100", "-(a + b) * 2.5 / (c - -d)", "((((a))))", "1 / 0"]
METRIC_FILES = ["ldst:0x72\n/dsu/x:2b,y:1\x01m:{ldst,inst_spec}\n# c\n\nn:inst_spec\n",
                "\x01topdown:ld_spec\n"]
SYSFS = ["event=config:0-7,32-35\numask=config1:8-15\nevent=0x3c,umask=1", "a=config2:63\na"]

TELEMETRY = {
    "product_configuration": {
        "product_name": "Toy", "part_num": "0xd0c", "major_revision": "1", "minor_revision": 2,
        "implementer": "0x41", "architecture": "armv8.2", "pmu_architecture": "pmu_v3",
        "num_slots": 5, "num_bus_slots": 0},
    "events": {"CPU_CYCLES": {"code": "0x0011", "title": "t", "description": "d\ne"},
               "INST_RETIRED": {"code": 8, "title": "t", "description": "d"}},
    "metrics": {"ipc": {"title": "t", "formula": "INST_RETIRED / CPU_CYCLES", "units": "u",
                        "description": "d", "events": ["CPU_CYCLES", "INST_RETIRED"]}},
    "groups": {"function": {}, "metrics": {
        "General": {"title": "t", "description": "d", "metrics": ["ipc"]}}},
}

# struct sim_config as fuzz_driver_request.c reads it, and the requests of a session.
MACHINE = struct.pack("<BQBBBBBBQQ", 4, 0x413FD0C1, 6, 1, 2, 1, 1, 4, 0xFF, 0xFF)


def number_of(function):
    """As read_code() of the fuzz target: those of the ring are behind the others."""
    return function - 0x8FE if function < 0x9FF else function - 0x9FF + 0x1B


def request(function, in_bytes, out_size, client=1, flags=0):
    return struct.pack("<BBHHB", flags, client, len(in_bytes), out_size,
                       number_of(function)) + in_bytes


SESSION = MACHINE + b"".join([
    request(0x910, struct.pack("<I", 0), 4),
    request(0x903, b"\0\0\0\0", 336),
    request(0x904, b"\0\0\0\0", 4096),
    request(0x905, bytes(324), 324),
    request(0x908, struct.pack("<HH", 2, 2), 2),
    request(0x90A, bytes([1] + 23 * [0]), 4),
    request(0x910, struct.pack("<I", 1), 4, client=2),
    request(0x903, b"\0\0\0\0", 336),
    request(0x911, struct.pack("<I", 2), 4, client=2),
])

def wait_and_request(function, in_bytes, out_size, wait_ms):
    """As the flag ADVANCE of the fuzz target: the time in units of 2 us behind the function."""
    return struct.pack("<BBHHBH", 0x80, 1, len(in_bytes), out_size, number_of(function),
                       wait_ms * 500) + in_bytes


def control(cores, flags, period=10, dmc=255):
    return struct.pack("<Q128siB3xI4x", len(cores), bytes(cores), period, dmc, flags)


def assign(classes, core=0xFFFFFFFF, dmc=255, filter_bits=0):
    """Classes: their numbers, each with its events."""
    parts = [struct.pack("<IB3xQ", core, dmc, filter_bits)]
    for event_class, events in classes.items():
        parts.append(struct.pack("<IH2x", event_class, len(events)))
        parts.append(struct.pack(f"<{len(events)}H", *events))
    return b"".join(parts)


def spe_control(size=0, operations=0, flags=0, interval=0):
    return struct.pack("<Q128sQB7xQQI4x", 1, bytes(1), size, operations, 0, flags, interval)


SPE_SESSION = MACHINE + b"".join([
    request(0x910, struct.pack("<I", 0), 4), request(0x912, control([0], 8), 0),
    request(0x915, spe_control(operations=2, flags=2, interval=1024), 0),
    wait_and_request(0x913, control([0], 8), 8, 2),
    request(0x914, spe_control(size=1000), 4000), wait_and_request(0x914, spe_control(4000), 4000, 60),
    request(0x916, control([0], 8), 0), request(0x914, spe_control(4000), 4000),
])


def counting_session(classes, cores, flags, filter_bits):
    return MACHINE + b"".join([
        request(0x910, struct.pack("<I", 0), 4),
        request(0x901, control(cores, flags), 0),
        request(0x906, assign(classes, filter_bits=filter_bits), 0),
        request(0x902, control(cores, flags), 0),
        request(0x900, control(cores, flags), 0),
        wait_and_request(0x907, control(cores[:1], flags), 4112, 35),
        wait_and_request(0x901, control(cores, flags), 0, 99),
        request(0x907, control(cores[:1], flags), 4112),
        request(0x909, control(cores[:1], flags), 1040),
        request(0x90B, control([], flags), 392),
        wait_and_request(0x900, control(cores, flags, 100), 0, 1),
        wait_and_request(0x907, control(cores[:1], flags), 4112, 130),
        request(0x910, struct.pack("<I", 1), 4, client=2),
    ])


COUNTING = [
    counting_session({0: [0x1B, 8]}, [0], 1, 1 << 31),
    counting_session({0: list(range(20)), 1: list(range(0x20, 0x2D))}, [0, 1, 2, 3], 3, 0),
    counting_session({0: [0x11], 1: [0x2B], 2: [0, 1], 3: [18, 19, 25]}, [3, 1], 7, 0),
]

def sampling_session(events, cores):
    """Events: number, interval, filter each."""
    source = b"".join(struct.pack("<III", *event) for event in events)
    parts = [request(0x910, struct.pack("<I", 0), 4)]
    for core in cores:
        parts += [request(0x90C, struct.pack("<I", core) + source, 0),
                  request(0x90D, control([core], 1), 0)]
    parts += [request(0x900, control(cores, 1), 0)]
    for core in cores:
        parts += [wait_and_request(0x90F, struct.pack("<I", core), 4104, 120),
                  wait_and_request(0x90E, control([core], 1), 16, 30),
                  request(0x90F, struct.pack("<I", core), 4104)]
    parts += [wait_and_request(0x910, struct.pack("<I", 1), 4, 1)]
    return MACHINE + b"".join(parts)


SAMPLING = [
    sampling_session([(0x70, 100000, 1 << 31)], [1]),
    sampling_session([(0xFFFFFFFF, 1000, 0), (0x70, 100, 1 << 31), (0x75, 5000, 1 << 30)], [0, 3]),
]

def ring_session(event, cores, max_callers):
    parts = [request(0x910, struct.pack("<I", 0), 4), request(0xA00, bytes(4), 32)]
    parts += [request(0x90C, struct.pack("<IIII", core, *event), 0) for core in cores]
    parts += [request(0xA01, control(cores, 1) + struct.pack("<I4x", max_callers), 0),
              request(0xA04, bytes(4), 16), wait_and_request(0xA04, bytes(4), 16, 120)]
    parts += [request(0xA03, struct.pack("<I", core), 4900) for core in 4 * cores]
    parts += [wait_and_request(0xA04, struct.pack("<I", 1), 16, 60),
              request(0xA02, control(cores, 1), 16), request(0xA04, bytes(4), 16),
              request(0xA03, struct.pack("<I", cores[0]), 200)]
    return MACHINE + b"".join(parts)


SAMPLING += [
    ring_session((0xFFFFFFFF, 20000, 1 << 31), [1], 0),
    ring_session((0x70, 2000, 0), [0, 2], 128),
]


def driver_answer(body):
    return struct.pack("<BH", 1, len(body)) + body


def ring_answer(samples):
    """Core, events that overflowed, callers each."""
    parts = [struct.pack("<HHHHIIQQQII", 48 + 8 * len(callers), len(callers), core, 0, 5, 6,
                         100 + core, 0x7FF612345678, 0x7FF612340000, overflows, 0)
             + struct.pack(f"<{len(callers)}Q", *callers) for core, overflows, callers in samples]
    body = b"".join(parts)
    return driver_answer(struct.pack("<II", len(body), 0) + body)


RING_INFO = driver_answer(struct.pack("<IIIIQQ", 1, 3, 65536, 128, 10**9, 1000))
OK = b"\0"
# Mode, then answers: the ring's (to samples that are read), of samples kept by core, of SPE.
DRIVER_ANSWERS = [
    bytes([1]) + RING_INFO + 6 * OK + RING_INFO + driver_answer(struct.pack("<QQ", 3, 0))
    + ring_answer([(0, 1, [0x7FF612340010, 0x7FF612350010]), (0, 3, [])]) + ring_answer([(1, 2, [1])]),
    bytes([1, 0xF7]) + 9 * OK + driver_answer(struct.pack("<II", 1, 0) + bytes(32) + 127 * bytes(32)),
    bytes([2]) + 6 * OK + driver_answer(struct.pack("<Q", 64)) + driver_answer(bytes(64)),
    bytes([0]) + OK + driver_answer(bytes(324)) + driver_answer(struct.pack("<IHHHH", 0, 2, 0, 8, 17)),
]


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(name):
    return name + bytes(8 - len(name) % 8)


IDENTIFIER, CALLCHAIN, IP_TID_TIME_CPU_PERIOD = 1 << 16, 1 << 5, 0x187
SAMPLE_TYPE = IDENTIFIER | CALLCHAIN | IP_TID_TIME_CPU_PERIOD
# What follows the chain: raw bytes, branches, registers, stack; and a read value before it.
RICH_SAMPLE_TYPE = SAMPLE_TYPE | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13 | 1 << 4


def perf_attr(sample_type, config=0):
    return struct.pack("<IIQQQQQ", 1, 128, config, 999, sample_type, 1 << 2, 1 << 18) + struct.pack(
        "<IIQQQQ", 0, 0, 0, 0, 0, 0xFF) + bytes(40)


def perf_trailer(time, identifier=7):
    return struct.pack("<IIQIIQ", 10, 11, time, 1, 0, identifier)


def perf_sample(time, identifier=7, rich=False):
    body = struct.pack("<QQIIQIIQ", identifier, 0x401000, 10, 11, time, 1, 0, 1000)
    if rich:
        body += struct.pack("<QQ", 5, 7)
    body += struct.pack("<QQQQ", 3, 2**64 - 512, 0x401000, 0x402000)
    if rich:
        body += struct.pack("<I4sQ3QQ8QQQQ", 4, b"rawb", 1, 1, 2, 3, 2, *range(8), 8, 0x11, 8)
    return record(9, 2, body)


PERF_TRACE = record(71, 0, struct.pack("<QQQIIII", 16, 0, 0, 0, 11, 1, 0)) + bytes(16)


def perf_records(rich=False, trace=PERF_TRACE):
    """Two rounds out of order, one record of each kind."""
    return b"".join([
        record(3, 1 << 13, struct.pack("<II", 10, 10) + text(b"prog") + perf_trailer(0)),
        record(10, 2, struct.pack("<IIQQQIIQQII", 10, 10, 0x400000, 0x1000, 0, 8, 1, 99, 0, 5, 2) +
               text(b"/usr/bin/prog") + perf_trailer(900)),
        record(10, 2 | 1 << 14, struct.pack("<IIQQQBxH20sII", 10, 10, 0x600000, 0x1000, 0, 20, 0,
                                            bytes(range(20)), 5, 2) + text(b"lib") +
               perf_trailer(901)),
        record(1, 2, struct.pack("<IIQQQ", 10, 10, 0x700000, 0x1000, 0) + text(b"//anon") +
               perf_trailer(902)),
        record(7, 0, struct.pack("<IIIIQ", 10, 1, 11, 10, 950) + perf_trailer(950)),
        perf_sample(3000, 7, rich), perf_sample(1000, 7, rich), record(68, 0, b""),
        perf_sample(2000, 7, rich), perf_sample(4000, 7, rich), record(68, 0, b""),
        record(2, 0, struct.pack("<QQ", 7, 5) + perf_trailer(4100)),
        record(5, 0, struct.pack("<QQQ", 4200, 7, 7) + perf_trailer(4200)),
        trace,
        record(4, 0, struct.pack("<IIIIQ", 10, 1, 11, 10, 950) + perf_trailer(5000)),
    ])


def perf_string(name, size=64):
    return struct.pack("<I", size) + name + bytes(size - len(name))


def perf_features():
    return {
        2: record(0, 2 | 1 << 15, struct.pack("<i20sB3x", -1, bytes(range(20)), 20) + text(b"lib")),
        3: perf_string(b"host"), 6: perf_string(b"x86_64"), 7: struct.pack("<II", 4, 2),
        10: struct.pack("<Q", 1 << 20),
        11: struct.pack("<I", 2) + perf_string(b"wperf") + perf_string(b"record"),
        12: struct.pack("<II", 1, 128) + perf_attr(SAMPLE_TYPE) + struct.pack("<I", 1) +
            perf_string(b"cycles") + struct.pack("<Q", 7),
        21: struct.pack("<QQ", 1000, 4000), 29: struct.pack("<IIQQ", 1, 1, 1 << 60, 1000),
    }


def perf_file(data, attrs, features):
    ids, header = 104, b"PERFILE2"
    attrs_at = ids + 8 * len(attrs)
    data_at = attrs_at + 144 * len(attrs)
    header += struct.pack("<8Q", 104, 144, attrs_at, 144 * len(attrs), data_at, len(data), 0, 0)
    header += struct.pack("<4Q", sum(1 << bit for bit in features), 0, 0, 0)
    header += b"".join(struct.pack("<Q", 7 + i) for i in range(len(attrs)))
    for i, attr in enumerate(attrs):
        header += attr + struct.pack("<QQ", ids + 8 * i, 8)
    at = len(header) + len(data) + 16 * len(features)
    sections = b""
    for payload in features.values():
        sections += struct.pack("<QQ", at, len(payload))
        at += len(payload)
    return header + data + sections + b"".join(features.values())


def perf_pipe(data):
    parts = [b"PERFILE2" + struct.pack("<Q", 16),
             record(64, 0, perf_attr(SAMPLE_TYPE) + struct.pack("<Q", 7)),
             record(78, 0, struct.pack("<QQ", 2, 7) + text(b"name"))]
    parts += [record(80, 0, struct.pack("<Q", bit) + payload)
              for bit, payload in perf_features().items() if bit != 2]
    parts += [record(67, *struct.unpack("<H", perf_features()[2][4:6]), perf_features()[2][8:])]
    return b"".join(parts) + data


def packed(data):
    """zstd frames of raw blocks, which need no compressor: cut in the middle of a record."""
    frame = b"\x28\xb5\x2f\xfd\x00\x58" + struct.pack("<I", len(data) << 3 | 1)[:3] + data
    return record(81, 0, frame[:200]) + record(
        83, 0, struct.pack("<Q", len(frame) - 200) + frame[200:] + bytes(-len(frame[200:]) % 8))


SPE = (struct.pack("<BQBIBHBHBBBQ", 0xB0, 0x400000, 0x64, 11, 0x98, 19, 0x52, 0x16, 0x49, 0, 0xB2,
                   0x7000) + struct.pack("<BQ", 0x71, 500)).ljust(64, b"\0")
SPE_INFOS = [struct.pack("<IIQQ", 4, 0, 0, 1),
             struct.pack("<II4Q", 4, 0, 2, 4, 0, 2) +
             struct.pack("<6Q", 0x1010101010101010, 0, 3, 0x413FD0C1, 0, 256) +
             struct.pack("<7Q", 0x1010101010101010, 1, 4, 0x410FD4F1, 0, 256, 0)]


def spe_records(info):
    """Traces of two cores and of a thread, with a gap."""
    def piece(index, cpu, position, spe):
        return record(71, 0, struct.pack("<QQQIIII", len(spe), position, 0, index, 11, cpu,
                                         0)) + spe
    return b"".join([
        record(70, 0, info), record(79, 0, struct.pack("<QQQQQQ", 1, 4, 1000, 0, 0, 1)),
        perf_sample(1500, 7),
        record(12, 0, struct.pack("<II", 10, 11) + perf_trailer(1600)),
        record(15, 1 << 13, struct.pack("<II", 10, 11) + perf_trailer(1700)),
        piece(0, 0, 0, SPE + SPE[:20]), piece(0, 0, 84, SPE[20:] + bytes(7)),
        piece(1, 1, 0, SPE), piece(1, 1, 4096, SPE[32:] + SPE),
        piece(2, 0xFFFFFFFF, 64, SPE.replace(b"\x71", b"\x01")),
        record(11, 0, struct.pack("<QQQ", 0, 128, 9) + perf_trailer(2500)),
    ])


PERF_DATA = [
    *(perf_file(spe_records(info), [perf_attr(SAMPLE_TYPE)], perf_features())
      for info in SPE_INFOS),
    perf_pipe(spe_records(SPE_INFOS[1])),
    perf_file(perf_records(), [perf_attr(SAMPLE_TYPE)], perf_features()),
    perf_file(perf_records(True), [perf_attr(RICH_SAMPLE_TYPE)], {}),
    perf_file(perf_records() + perf_sample(100, 8), [perf_attr(SAMPLE_TYPE),
                                                     perf_attr(SAMPLE_TYPE, 1)], {}),
    perf_pipe(perf_records()),
    perf_pipe(packed(perf_records(trace=b""))),
    perf_file(record(9, 2, struct.pack("<QIIQII", 1, 10, 11, 7, 1, 0)), [perf_attr(0xC3)], {}),
]


def frame_entry(body, entry_id, is_wide=False):
    id_bytes = struct.pack("<I", entry_id)
    length = len(body) + len(id_bytes)
    head = struct.pack("<IQ", 0xFFFFFFFF, length) if is_wide else struct.pack("<I", length)
    return head + id_bytes + body


def frame_section(letters, data, initial, programs, is_debug=False, is_wide=False):
    """A CIE and its FDEs; addresses are absolute, or relative where @data says so."""
    sized = bytes([len(data)]) + data if letters.startswith(b"z") else b""
    section = frame_entry(b"\1" + letters + b"\0\1\x78\x10" + sized + initial,
                          0xFFFFFFFF if is_debug else 0, is_wide)
    for number, program in enumerate(programs):
        place = len(section) + (12 if is_wide else 4)
        where = struct.pack("<QQ", 0x1000 + 64 * number, 64)
        if data[-1:] == b"\x1b":
            where = struct.pack("<iI", 64 * number, 64)
        body = where + (b"" if is_debug else b"\0") + program
        section += frame_entry(body, 0 if is_debug else place, is_wide)
    return section


FRAME_PROGRAMS = [
    b"\x41\x0e\x10\x86\x02\x43\x0d\x06\x0a\x48\x0c\x07\x08\x41\x0b", b"\0\0\0",
    b"\x02\x10\x0e\x20\x03\x10\0\x05\x06\x04\x04\x01\0\0\0\xc6\x06\x06\x2e\x10",
    b"\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22",
    b"\x0f\x06\x77\xd8\0\x06\x23\x08\x10\x06\x02\x76\0\x16\x03\x02\x77\x08",
    b"\x07\x10\x41\x08\x06\x41\x09\x06\x03\x11\x06\x7e\x12\x06\x7e\x13\x7d\x14\x06\x02",
    b"\x15\x06\x7e\x2d\x41\x2c\x2f\x06\x03\x1d\1\0\0\0\0\0\0\0\x01\x20\x10\0\0\0\0\0\0",
]
X86_INITIAL, ARM_INITIAL = b"\x0c\x07\x08\x90\x01", b"\x0c\x1f\0"
FRAME_SECTIONS = [
    b"\0" + frame_section(b"zR", b"\0", X86_INITIAL, FRAME_PROGRAMS),
    b"\0" + frame_section(b"zPLR", b"\x9b\0\0\0\0\x1b\x1b", X86_INITIAL, FRAME_PROGRAMS),
    b"\0" + frame_section(b"zRS", b"\0", X86_INITIAL, FRAME_PROGRAMS, is_wide=True),
    b"\1" + frame_section(b"zRB", b"\0", ARM_INITIAL, FRAME_PROGRAMS),
    b"\2" + frame_section(b"", b"", X86_INITIAL, FRAME_PROGRAMS, is_debug=True),
]


def stack_walk(machine, rows, registers, slots):
    """As fuzz_native_unwind.c reads it: rows of (cfa, ra, fp, offsets), each of 16 addresses."""
    table = b"".join(struct.pack("<BBbbb", cfa | ra << 3, fp | flags, *offsets)
                     for cfa, ra, fp, flags, offsets in rows)
    return (table.ljust(5 * 16, b"\0") + bytes([machine | 32 << 1]) +
            struct.pack("<4Q", *registers) + struct.pack(f"<{len(slots)}Q", *slots))


WALK_ROWS = [(2, 1, 0, 0, (8, -8, 0)), (2, 1, 1, 0, (24, -8, -16)), (3, 1, 1, 0, (16, -8, -16)),
             (4, 1, 0, 0, (11, -8, 0)), (5, 2, 2, 8, (64, 72, 56)), (6, 1, 3, 0, (-8, -8, 0)),
             (2, 0, 0, 16, (0, 0, 0)), (0, 0, 0, 0, (0, 0, 0)), (1, 4, 0, 0, (0, 0, 0))]
WALKS = [
    stack_walk(0, WALK_ROWS, (1, 0x7000, 0x7040, 0),
               [17, 1, 0x7040, 33, 1, 1, 1, 1, 0x7060, 33, 1, 1, 0x7080, 49, 1, 1, 1, 129]),
    stack_walk(1, WALK_ROWS, (100, 0x7000, 0x7040, 18),
               [1, 0x7040, 40, 1, 1, 1, 1, 1, 0x7060, 1 << 55 | 33, 1, 1, 0x7080, 300, 1, 129]),
    stack_walk(0, WALK_ROWS, (1, 0x7000, 0x7040, 0),
               [65] + 7 * [0] + [0x7080, 0x7080, 18] + 5 * [0] + [2, 18, 0x7090, 34, 0, 129]),
    stack_walk(1, WALK_ROWS, (600, 0x7000, 0, 0), 69 * [3] + [0x7300, 100] + 40 * [129]),
    stack_walk(0, WALK_ROWS, (300, 0x7000, 0x7010, 0), [1, 1, 0x7030, 280, 1, 1, 0, 260]),
]

NAMES = ["_ZN1a1S1fEi.cold", "_ZZ4mainENKUliE_clEi", "_ZNSt6vectorISt4pairIiS0_EE3endEv@plt",
         "_ZN3std2io5stdio6_print17h0123456789abcdefE", "_RNvCs1234_7mycrate3foo", "?f@?$C@PEAHV?$D@$00@@@ns@@QEBAXPEAV12@AEAY02H0@Z",
         "??$g@$1?f@@YAXH@Z@?1??h@@9@4P6AHPEAX0ZZEA", "??_R1A@?0A@EA@C@@8", "??__E?a@C@@0HA@@YAXXZ",
         "??_C@_1M@LACC@?$AAh?$AA?5@", "?f@C@@$R4A@A@PPPPPPPM@7EAAX_N_J@Z", ".?AVC@?A0x1@@",
         "_RINvNtC3std3mem8align_ofdE", "_Z1fIJiEEDTcl1gspfp_EEDpT_", "_GLOBAL__I_a"]

ALPHABET = b"abcdefghijklmnopqrstuvwxyz"


def etl_unpack():
    """The examples of [MS-XCA]; the code of the last one has the letters and the end."""
    lengths = bytearray(256)
    lengths[48:62] = b"\x50" + 10 * b"\x55" + b"\x45\x44\x04"
    lengths[128] = 4
    bits = bytes.fromhex("d8523ed794115be9195ff9d67cdf8d0400000000")
    yield b"\x03" + struct.pack("<H", 26) + b"\x3f\0\0\0" + ALPHABET
    yield b"\x03" + struct.pack("<H", 300) + bytes.fromhex("ffffff1f61626317000fff2601")
    yield b"\x02" + struct.pack("<H", 26) + struct.pack("<H", 0x3000 | 25) + ALPHABET + b"\0\0"
    yield b"\x02" + struct.pack("<H", 12) + struct.pack("<H", 0xB000 | 5) + b"\x08abc\x06\x20"
    yield b"\x04" + struct.pack("<H", 26) + bytes(lengths) + bits


ETL_CLR, ETL_THREAD = (uuid.UUID(text).bytes_le for text in (
    "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"))


def etl_event(header, payload):
    """@header: with the size left out where it is: (before, behind)."""
    before, behind = header
    event = before + struct.pack("<H", len(before) + 2 + len(behind) + len(payload)) + behind + payload
    return event + bytes(-len(event) % 8)


def etl_kernel_event(kind, group, opcode, rest, payload, version=2):
    return etl_event((struct.pack("<HBB", version, kind, 0xC0), bytes([opcode, group]) + rest), payload)


def etl_sized_event(kind, rest, payload):
    return etl_event((b"", bytes([kind, 0xC0]) + rest), payload)


def etl_events(time):
    """One of each header; the last two have counters, and items of which two follow each other."""
    ids = struct.pack("<IIQ", 8, 4, time)
    yield etl_kernel_event(2, 3, 3, ids + bytes(8), b"process\0")
    yield etl_kernel_event(4, 5, 1, ids, struct.pack("<II", 4, 8))
    yield etl_kernel_event(17, 15, 46, struct.pack("<Q", time), struct.pack("<QII", 1 << 47, 8, 1))
    yield etl_sized_event(20, bytes([50, 0, 2, 0]) + ids + ETL_THREAD + bytes(8), bytes(8))
    yield etl_sized_event(21, bytes(52), b"")
    yield etl_sized_event(15, bytes(12), b"text")
    yield etl_kernel_event(17, 5, 36, struct.pack("<QQQQ", time, 7, 5, 6), bytes(24), 0x8204)
    items = struct.pack("<HHHHQ", 16, 8, 1, 8, 77) + struct.pack("<HHHHII", 16, 0x11, 0, 4, 5, 0)
    manifest = struct.pack("<HBBBBH", 143, 2, 0, 4, 37, 0)
    yield etl_sized_event(19, struct.pack("<HH", 0x41, 0) + ids + ETL_CLR + manifest + bytes(32),
                          items + b"method")


def etl_buffer(size, cpu, sequence, events, kind=0, state=3, packed=None):
    used = 72 + len(events)
    contents = events if packed is None else packed
    header = struct.pack("<IIIiqqQHHIIHHqq", size or 72 + len(contents), used, used, 0, 0, sequence, 0,
                         cpu, 0, state, used, 0x20 if packed is None else 0x60, kind, 0, 0)
    return (header + contents).ljust(size, b"\xff")


def etl_xpress(data):
    """Letters only; the last flags say with ones that nothing follows."""
    packed = b""
    for at in range(0, len(data), 32):
        letters = data[at:at + 32]
        packed += struct.pack("<I", (1 << (32 - len(letters))) - 1) + letters
    return packed


def etl_log_header(clock, mode):
    data = struct.pack("<IIIIqIIIIIIII", 1024, 10, 22000, 4, 0, 156250, 0, mode, 2, 1, 8, 0, 3000)
    data += bytes(16 + 176) + struct.pack("<qqqII", 132404548206236167, 10000000, 132404548206236167, clock, 0)
    ids = struct.pack("<IIQQ", 8, 4, 1000, 0)
    return etl_kernel_event(2, 0, 0, ids, data + "wperf\0C:\\a.etl\0".encode("utf-16-le"))


def etl():
    events = b"".join(etl_events(2000))
    for clock in 1, 2, 3:
        first = etl_buffer(1024, 0, 0, etl_log_header(clock, 0), 4)
        yield first + etl_buffer(1024, 1, 2, events) + etl_buffer(1024, 1, 1, events)
    first = etl_buffer(1024, 0, 0, etl_log_header(1, 0x04000000), 4)
    yield first + etl_buffer(0, 1, 1, events, packed=etl_xpress(events))


def zip_archive():
    for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", method) as archive:
            archive.writestr("folder/a.etl", 20 * ALPHABET)
            archive.writestr("b.etl", b"")
            archive.comment = b"c"
        yield file.getvalue()


ETL = list(etl())
ETL_UNPACK = list(etl_unpack())
ZIP_ARCHIVE = list(zip_archive())

SEEDS = {
    "cfi_table": FRAME_SECTIONS,
    "native_unwind": WALKS,
    "perf_data": PERF_DATA,
    "etl": ETL,
    "etl_follow": [bytes([pieces]) + file for pieces in (0, 3) for file in etl_files()],
    "etl_reader": list(etl_files()),
    "etl_unpack": ETL_UNPACK,
    "zip_archive": ZIP_ARCHIVE,
    "demangle": [name.encode() for name in NAMES],
    "driver_answers": DRIVER_ANSWERS,
    "driver_request": [SESSION, SPE_SESSION] + COUNTING + SAMPLING,
    # The first byte is the mode: counting or sampling, with a CPU or without, with SPE.
    "event_spec": [bytes([mode]) + spec.encode() for spec in EVENT_SPECS for mode in (2, 3, 7, 8, 9)],
    "formula": [text.encode() for text in FORMULAS],
    "metric_file": [text.encode() for text in METRIC_FILES],
    "probe_notes": [struct.pack("<Q", base) + struct.pack("<III8sQQQ", 8, 40, 3, b"stapsdt", 4096, 8192, semaphore)
                    + b"py\0line\0-4@%edi 8@-8(%rbp,%rcx,4) 4@[sp, 12] 8@$7\0" for base in (0, 12288) for semaphore in (0, 64)],
    "sysfs_pmu": [text.encode() for text in SYSFS],
    "telemetry_json": [json.dumps(TELEMETRY).encode()],
    "json_document": [json.dumps(TELEMETRY).encode(), b'\xef\xbb\xbf[0, -1.5e+3, true, false, null]',
                      b'{"a": "\\ud83d\\ude00\\n\xe2\x82\xac", "": [[], {}], "b": "\\/"}'],
}

# Functions that are inlined, nested, local and not, and calls to what is elsewhere.
OBJECT_SOURCE = """
extern int elsewhere(int);
static inline __attribute__((always_inline)) int twice(int x) { return elsewhere(x) * 2; }
static __attribute__((noinline)) int local(int x) { { int y = twice(x); return y + x; } }
int global(int x) { return local(x) + twice(x + 1); }
"""
LINK = ["-shared", "-nostdlib", "-Wl,-n,--build-id,--gc-sections,--no-warn-rwx-segments"]
OBJECT_FLAGS = [["-c", "-gdwarf-5"], [*LINK, "-gdwarf-2"], [*LINK, "-gdwarf-4", "-gz"],
                [*LINK, "-gdwarf-4"], [*LINK, "-gdwarf-5"], [*LINK, "-gdwarf-5", "-gz"],
                [*LINK, "-gdwarf-5", "-ffunction-sections"], [*LINK, "-gsplit-dwarf"],
                [*LINK, "-s"]]


def compile_objects():
    with tempfile.TemporaryDirectory() as folder:
        for flags in OBJECT_FLAGS:
            output = pathlib.Path(folder, "object")
            subprocess.run(["gcc", "-O2", "-fPIC", *flags, "-x", "c", "-", "-o", output], check=True,
                           input=OBJECT_SOURCE, text=True, cwd=folder)
            yield output.read_bytes()


SEEDS["object"] = list(compile_objects())

DWARF_SECTIONS = ("abbrev", "addr", "info", "line", "line_str", "ranges", "str", "rnglists",
                  "str_offsets")
DWARF_FLAGS = [[compiler, *flags] for compiler in ("gcc", "clang-19") for flags in (
    ["-gdwarf-2"], ["-gdwarf-3"], ["-gdwarf-4", "-ffunction-sections"], ["-gdwarf-5"],
    ["-gdwarf-5", "-gdwarf64"], ["-gdwarf-5", "-ffunction-sections"])]
SPLIT_FLAGS = [[compiler, version, "-gsplit-dwarf", "-ffunction-sections"]
               for compiler in ("gcc", "clang-19") for version in ("-gdwarf-4", "-gdwarf-5")]


def sections_of(path):
    """Those with debug information, by what stands behind ".debug_" in their names."""
    data = path.read_bytes()
    table, = struct.unpack_from("<Q", data, 40)
    _, count, names_index = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQ", data, table + 64 * i) for i in range(count)]
    names = data[rows[names_index][4]:][:rows[names_index][5]]
    found = {}
    for name, _, _, _, offset, size in rows:
        text = names[name:names.index(b"\0", name)].decode()
        if text.startswith(".debug_"):
            found[text.removeprefix(".debug_")] = data[offset:offset + size]
    return found


def dwarf_seed(found):
    contents = [found.get(name, b"") for name in DWARF_SECTIONS]
    return struct.pack("<9H", *map(len, contents)) + b"".join(contents)


def dwarf_seeds():
    with tempfile.TemporaryDirectory() as folder:
        program, split = pathlib.Path(folder, "a"), pathlib.Path(folder, "a.dwo")
        for words in DWARF_FLAGS + SPLIT_FLAGS:
            for step in (["-c", "-o", "a.o", "-x", "c", "-"], [*LINK, "-o", "a", "a.o"]):
                subprocess.run([*words, "-O2", "-fPIC", *step], check=True, input=OBJECT_SOURCE,
                               text=True, cwd=folder)
            found = sections_of(program)
            yield dwarf_seed(found)
            if split.exists():
                yield dwarf_seed(found | {name.removesuffix(".dwo"): content
                                          for name, content in sections_of(split).items()})
                split.unlink()


SEEDS["dwarf"] = list(dwarf_seeds())

sys.path.append(str(pathlib.Path(__file__).parents[1] / "pdb"))
import container  # noqa: E402  (beside the tests of PDBs)

WINDOWS_LINK = ["lld-link", "/nologo", "/dll", "/noentry", "/nodefaultlib", "/export:global",
                "/force:unresolved", "/out:a.dll", "a.obj"]


def compile_windows(machine, debug, link):
    """(image, PDB or nothing)"""
    with tempfile.TemporaryDirectory() as folder:
        target = f"--target={machine}-pc-windows-msvc"
        subprocess.run(["clang", target, "-O2", "-g", debug, "-x", "c", "-c", "-", "-o", "a.obj"],
                       check=True, input=OBJECT_SOURCE, text=True, cwd=folder)
        subprocess.run([*WINDOWS_LINK, link], check=True, cwd=folder, capture_output=True)
        pdb = pathlib.Path(folder, "a.pdb")
        return (pathlib.Path(folder, "a.dll").read_bytes(),
                container.unpack(pdb.read_bytes()) if pdb.exists() else [])


def windows_seeds():
    images, pdbs = [], []
    for machine in ("x86_64", "aarch64"):
        images.append(compile_windows(machine, "-gdwarf", "/debug:dwarf")[0])
        image, streams = compile_windows(machine, "-gcodeview", "/debug:full")
        images.append(image)
        pdbs += [container.pack(streams, 512), container.pack(container.stripped(streams), 512, True)]
        pdbs.append(container.pack(container.with_streams(container.stripped(streams), {5: b""}), 512))
        moves = struct.pack("<6I", 0, 0, 0x1000, 0x1000, 0x1010, 0x2010)
        back = struct.pack("<6I", 0x1000, 0x1000, 0x1010, 0, 0x2010, 0x1010)
        pdbs.append(container.pack(container.with_streams(
            streams, {3: back, 4: moves, 10: container.more_stream(streams, 5)}), 512))
    return images, pdbs


SEEDS["pe"], SEEDS["pdb"] = windows_seeds()

# Two functions of x64, the second of which goes on with the first, and two of Arm64, as
# fuzz_pe_unwind.c reads them.
PE_UNWIND = struct.pack("<6I", 0x1100, 0x1120, 0x1080, 0x1120, 0x1140, 0x1090).ljust(64, b"\0") + \
    struct.pack("<4I", 0x1100, 0x10c0, 0x1140, 0x8320101).ljust(64, b"\0") + \
    bytes([1, 7, 3, 0, 7, 0x42, 3, 0xC0, 1, 0x50]).ljust(16, b"\0") + \
    bytes([0x21, 16, 2, 0x85, 16, 3, 8, 2]) + struct.pack("<III", 0x1100, 0x1120, 0x1080) + \
    bytes(28) + struct.pack("<II", 8 | 1 << 22 | 3 << 27, 5 | 4 << 22) + \
    b"\xe1\x81\xe6\xe4\x81\xe7\x0a\x05\xe5\xea\xe4\0" + \
    bytes(60) + b"\x41\x5c\x5d\xc3" + bytes(64)
SEEDS["pe_unwind"] = [PE_UNWIND]


def jit_record(number, body):
    return struct.pack("<IIQ", number, 16 + len(body), 1) + body


def jitdump():
    lines = struct.pack("<QQ", 0x1000, 2) + b"".join(
        struct.pack("<QII", 0x1000 + 8 * i, 10 + i, 0) + name for i, name in
        enumerate((b"/a.js\0", b"\xff\0")))
    load = struct.pack("<IIQQQQ", 1, 1, 0x1000, 0x1000, 0x40, 7) + b"hot\0\x90\xc3"
    move = struct.pack("<IIQQQQQ", 1, 1, 0x2000, 0x1000, 0x1020, 0x40, 7)
    header = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 1, 0, 0)
    return header + jit_record(2, lines) + jit_record(0, load) + jit_record(1, move)


SEEDS["jitdump"] = [jitdump()]


def loader_list():
    """A process of Windows with one module, whose headers are at 0x200."""
    memory = bytearray(1024)
    struct.pack_into("<Q", memory, 0x18, 0x40)
    struct.pack_into("<QQ", memory, 0x50, 0x80, 0x80)
    struct.pack_into("<Q", memory, 0x80, 0x50)
    struct.pack_into("<QQQQQ", memory, 0xB0, 0x200, 0, 0x3000, 10, 0x180)
    memory[0x180:0x18A] = "C:\\ab".encode("utf-16-le")
    struct.pack_into("<H58xI", memory, 0x200, 0x5A4D, 0x40)
    struct.pack_into("<IHH12xHH", memory, 0x240, 0x4550, 0x8664, 1, 16, 0)
    struct.pack_into("<8s4I12xI", memory, 0x268, b".text", 0x1000, 0x1000, 0x1000, 0x400, 0x60000020)
    return bytes(memory)


SEEDS["loader_list"] = [loader_list()]


def kernel_modules(*paths):
    """What Windows tells of its kernel's modules, each of 4 KiB."""
    entries = [struct.pack("<16xQI12x256s", 0xFFFFF80102000000 + 0x1000 * i, 0x1000, path)
               for i, path in enumerate(paths)]
    return struct.pack("<Q", len(paths)) + b"".join(entries)


CONTAINER = "0123456789abcdef" * 4
POD = "12345678-9abc-def0-1234-56789abcdef0"
SEEDS["cgroup_names"] = [text.encode() for text in (
    "0::/system.slice/nginx.service\n", f"0::/system.slice/docker-{CONTAINER}.scope\n",
    f"5:memory:/kubepods/besteffort/pod{POD}/{CONTAINER}\n1:name=systemd:/\n",
    f"0::/kubepods-burstable-pod{POD.replace('-', '_')}.slice/cri-containerd-{CONTAINER}.scope\n",
    f"0::/machine.slice/libpod-conmon-{CONTAINER}.scope\n", "0::/a\x1b\u00e4.service")]

SEEDS["kernel_modules"] = [kernel_modules(b"\\SystemRoot\\a.exe", b"\\??\\C:\\b.sys"),
                           kernel_modules(b"C:\\c.sys")]
# Strings "", "a", "f"; a function; a module "a" with two places, the second of two frames.
SEEDS["recorded_names"] = [b"\3\0a\0f\0" b"\1" b"\2\0\1\7\0" b"\1" b"\0\0\1\2"
                           b"\x10\x10\1" b"\0\1\3\0" b"\x05\x15\2" b"\0\1\3\1" b"\0\0\4\0"]
SEEDS["perf_map"] = [b"1000 40 LazyCompile:*run /a.js:1\n0x1010 8 py::f:/x.py\r\n"
                     b"ffffffffffffffff 8 x\n", b"1000 31 \0x\n"]
SEEDS["kernel_symbols"] = [b"ffffffff81000000 T _text\nffffffff81000000 t start\n"
                           b"ffffffff81000040 D data\nffffffffc0001000 t f\t[ext4]\n"
                           b"ffffffffc0000000 t g\t[nfs]\n"]

# What CPython 3.15 publishes, from its version on.
PUBLISHED = b"xdebugpy" + struct.pack("<104Q", *[
    0x30f02f0, 0, 346568, 912, 936, 226240, 7272, 7264, 7336, 7352, 7400, 7592, 7576, 7584, 16,
    7736, 0, 7752, 7744, 7944, 0, 888, 0, 8, 16, 72, 80, 88, 96, 176, 184, 256, 32, 36, 40,
    136, 288, 0, 88, 8, 0, 56, 80, 74, 64, 0, 216, 112, 120, 128, 136, 68, 52, 96, 104, 208, 0,
    16, 8, 424, 24, 88, 168, 32, 288, 944, 888, 40, 32, 16, 40, 24, 16, 200, 24, 40, 32, 48,
    32, 40, 24, 16, 32, 16, 24, 40, 16, 32, 64, 32, 16, 40, 56, 176, 112, 120, 1120, 104,
    160, 24, 72, 67, 0, 8])
# The other one has the first line of a code object where its flags would be before the object.
SEEDS["python_published"] = [PUBLISHED, PUBLISHED.replace(struct.pack("<3Q", 128, 136, 68),
                                                          struct.pack("<3Q", 128, 136, 8))]
SEEDS["python_lines"] = [bytes([kind]) + struct.pack("<I", 10) + table for kind, table in (
    (0, bytes([6, 3, 4, 0xFB, 2, 127, 0, 127, 0, 46])), (1, bytes([4, 1, 2, 0x80, 0, 127, 6, 0xF6])),
    (2, bytes([0x91, 0x35, 0xE0, 200, 210, 0xE8, 0x43, 3, 0xF7, 0x68, 3, 5, 6, 0, 0xF8])))]


def python_memory(kind, words):
    """Words at their places, from address 0x1000 on."""
    memory = bytearray(8192)
    for place, word in words.items():
        struct.pack_into("<Q", memory, place, word)
    return bytes([kind]) + bytes(memory)


class PythonNames:
    """An interpreter with a thread, and sys.modules, whose module threading has a name for it."""

    def __init__(self, minor):
        self.memory, self.next, self.minor = bytearray(4096), 0x600, minor
        runtime, threads, modules = {9: (32, 8, 856), 12: (40, 72, 944)}[minor]
        self.put(runtime, 0x1100)
        self.put(0x100 + threads, 0x1200)
        self.put(0x210, 0x1100)
        self.put(0x100 + modules, self.dict("threading", self.module()))

    def put(self, place, *numbers):
        struct.pack_into(f"<{len(numbers)}Q", self.memory, place, *numbers)

    def add(self, content):
        place, self.next = self.next, self.next + len(content) + 15 & ~15
        self.memory[place:place + len(content)] = content
        return 0x1000 + place

    def text(self, text):
        head = struct.pack("<5Q", 1, 0, len(text), 0, 0x64) + bytes(0 if self.minor == 12 else 8)
        return self.add(head + text.encode() + bytes(1))

    def keys(self, key, value, is_split=False):
        key = self.text(key) if isinstance(key, str) else key
        entry = struct.pack("<2Q", key, value)
        if self.minor == 9:
            return self.add(struct.pack("<7Q", 1, 8, 0, 0, 1, 0, 0) + entry)
        head = struct.pack("<Q3B5x2Q", 1, 3, 3, 2 if is_split else 0, 0, 1)
        return self.add(head + bytes(8 if is_split else 16) + entry)

    def dict(self, key, value):
        return self.add(struct.pack("<6Q", 1, 0, 1, 0, self.keys(key, value), 0))

    def module(self):
        ident = self.add(struct.pack("<3QI", 1, 0, 1 << 3 if self.minor == 12 else 1, 77))
        active = self.dict(ident, self.thread())
        return self.add(struct.pack("<3Q", 1, 0, self.dict("_active", active)))

    def thread(self):
        kind, name = self.add(bytes(1024)), self.text("loader")
        self.put(kind - 0x1000 + 24, self.add(b"Thread\0"))
        if self.minor == 9:
            self.put(kind - 0x1000 + 288, 16)
            return self.add(struct.pack("<3Q", 1, kind, self.dict("_name", name)))
        self.put(kind - 0x1000 + 168, 1 << 9 | 1 << 4)
        self.put(kind - 0x1000 + 880, self.keys("_name", 0, is_split=True))
        values = self.add(struct.pack("<Q", name))
        return self.add(struct.pack("<5Q", values - 1, 0, 0, 1, kind)) + 24

    def seed(self):
        return bytes([self.minor - 6]) + bytes(self.memory)


# An interpreter of 3.12 with a thread, whose frame has a code object, and one of 3.10; the byte in
# front is the minor version - 6.
SEEDS["python_memory"] = [
    python_memory(6, {40: 0x1100, 0x148: 0x1200, 0x210: 0x1100, 0x238: 0x1300, 0x2E8: 0x1400,
                      0x2F0: 0x1480, 0x300: 0x1420, 0x408: 1024, 0x420: 0x1600, 0x670: 0x1700,
                      0x678: 0x1700, 0x680: 0x1700, 0x688: 0x1800, 0x710: 3, 0x720: 0x64,
                      0x810: 5}),
    python_memory(4, {32: 0x1100, 0x108: 0x1200, 0x210: 0x1100, 0x218: 0x1400, 0x230: 0x1300,
                      0x418: 0x1480, 0x420: 0x1600, 0x4A0: 0x1600, 0x668: 0x1700, 0x670: 0x1700,
                      0x678: 0x1800, 0x710: 3, 0x720: 0xE4, 0x810: 5}),
    PythonNames(9).seed(), PythonNames(12).seed(),
    bytes([7 | 0x80]) + PUBLISHED]


def python_object(minor, kind, body=b"", more=()):
    """An object at address 16, its type at 256, and what it refers to."""
    memory = bytearray(1024)
    struct.pack_into("<QQ", memory, 16, 1, 256)
    memory[32:32 + len(body)] = body
    struct.pack_into("<QQQ", memory, 256, 1, 256, 0)
    struct.pack_into("<Q", memory, 256 + 24, 512)
    memory[512:512 + len(kind)] = kind
    for place, bytes_there in more:
        memory[place:place + len(bytes_there)] = bytes_there
    return bytes([minor - 6, 16]) + bytes(memory)


def words(*values):
    return struct.pack(f"<{len(values)}Q", *values)


SEEDS["python_value"] = [
    python_object(12, b"int", words(2 << 3, 0x12345678)),
    python_object(8, b"int", words((1 << 64) - 40, 5)),
    python_object(12, b"float", struct.pack("<d", 0.1)),
    python_object(12, b"str", words(3, 0, 0x64) + b"abc"),
    python_object(12, b"bytes", words(3, 0) + b"abc"),
    python_object(12, b"list", words(3, 600), [(600, words(16, 16, 16))]),
    python_object(12, b"tuple", words(2, 16, 16)),
    python_object(12, b"dict", words(2, 0, 600, 0),
                  [(600, words(1, 0x10303, 0, 3, 0, 16, 16, 0, 0, 16, 16))]),
    python_object(9, b"dict", words(2, 0, 600, 700),
                  [(600, words(1, 8, 0, 5, 2, 0, 0, 16, 16)), (700, words(16, 16))]),
    python_object(12, b"set", words(1, 1, 7, 600), [(600, words(16, 5))]),
    python_object(12, b"cell", words(16))]


def python_tasks(minor, awaits_state):
    """A task that runs and one that awaits it, in a set; each coroutine awaits a generator."""
    memory = bytearray(4096)
    def put(place, *values):
        struct.pack_into(f"<{len(values)}Q", memory, place, *values)
    def coroutine(place, kind, state, awaited):
        put(place + 8, kind)
        memory[place + 67] = state & 255
        put(place + 72, 3000)
        put(place + 72 + 64, place + 200 + 8)
        put(place + 192, awaited, awaited)
    def task(place, coroutine_place, next_node):
        memory[place + 108] = 1
        put(place + 8, 3600)
        put(place + 128, coroutine_place, 3100, 0, next_node)
    thread = 16
    put(thread + 872, 1000, 1152)
    task(1000, 1400, 1352)
    task(1200, 1700, thread + 880)
    put(1096, 2000)
    memory[1109] = 1
    put(2008, 3400, 1, 1, 1, 2100, 0)
    put(2100, 0, 0, 1200, 7)
    coroutine(1400, 3200, 4 if minor == 15 else 0, 0)
    coroutine(1700, 3200, awaits_state, 2300)
    coroutine(2300, 3300, awaits_state, 1)
    put(3108, 3500)
    put(3632, 168)
    for place, name in ((3200, b"coroutine"), (3300, b"generator"), (3400, b"set"), (3500, b"int")):
        put(place + 24, place + 40)
        memory[place + 40:place + 40 + len(name)] = name
    words_there = words(168, 136, 96, 108, 109, 128, 152, 225864, 10880, 936, 864, 872, 880)
    return words_there + bytes([minor - 14, thread]) + bytes(memory)


SEEDS["python_tasks"] = [python_tasks(14, -1), python_tasks(15, 2)]


def spe_load(pc):
    """As hardware writes it, with every kind of packet."""
    return b"".join([
        struct.pack("<BQ", 0xB0, 0xA0FFC08420E06800 | pc), b"\x64\x2a\0\0\0", b"\x99\x07\0\x98\x13\0",
        b"\x62\x16\0\x06\0\x49\x16", struct.pack("<BQ", 0xB2, 0xFFFFE5AEAD80B0), b"\x9a\x01\0",
        struct.pack("<BQ", 0xB3, 0xC500000BD88A09E8), b"\x53\x08\0", struct.pack("<BQ", 0x71, pc)])


SPE_EXTENDED = b"\x20\xb4" + bytes(8) + b"\x21\x98\x05\0\x23\0" + bytes(14) + b"\x72" + bytes(range(8))
SEEDS["spe_stream"] = [b"\x07" + b"".join(spe_load(pc) for pc in range(4)),
                       b"\x1f" + spe_load(1) + SPE_EXTENDED + spe_load(2)[:30] + spe_load(3)]


def program(machine=183, segments=((1, 0, b""), (3, 0, b"/lib/ld-linux-aarch64.so.1\0"))):
    """ELF's head with its segments, and behind them what they hold."""
    start = 64 + 56 * len(segments)
    head = struct.pack("<4sBBBB8xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 3, machine, 1, 0, 64, 0, 0,
                       64, 56, len(segments), 64, 0, 0)
    heads, bodies = b"", b""
    for kind, flags, body in segments:
        heads += struct.pack("<IIQQQQQQ", kind, flags, start + len(bodies), 0, 0, len(body),
                             len(body), 1)
        bodies += body
    return head + heads + bodies


SEEDS["program_file"] = [program(), program(62), program(segments=((1, 5, b"code"),)),
                         b"#!/bin/sh", b"#! /usr/bin/env  python3 -I \nprint()\n", b"#!\n"]
SEEDS["program_format"] = [*SEEDS["program_file"], b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0\x64\xaa",
                           b"\xcf\xfa\xed\xfe", b"echo hello\n"]


def varint(number):
    groups = []
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def message(*fields):
    """Of protocol buffers. A number, the bytes of a text or message, or a packed list each."""
    parts = []
    for field, value in fields:
        if isinstance(value, int):
            parts.append(varint(field << 3) + varint(value))
            continue
        if isinstance(value, list):
            value = b"".join(varint(number) for number in value)
        parts.append(varint(field << 3 | 2) + varint(len(value)) + value)
    return b"".join(parts)


def fixed64(field, *values):
    return varint(field << 3 | 1) + struct.pack("<Q", values[0])


OTLP_WORDS = [b"", b"cycles", b"count", b"thread.name", b"profile.frame.type", b"cpython", b"/lib/a.so",
              b"main", b"a.c", b"wperf.event.period", b"wperf.batch.id", b"wperf.samples",
              b"process.executable.build_id.gnu", b"wperf.frame.file", b"wperf.batch.has_times"]


def otlp_attribute(key, text=None, number=None):
    value = message((1, text)) if text is not None else message((3, number))
    return message((1, OTLP_WORDS.index(key)), (2, value))


OTLP_ATTRIBUTES = [b"", otlp_attribute(b"thread.name", b"worker"),
                   otlp_attribute(b"profile.frame.type", b"cpython"),
                   otlp_attribute(b"wperf.event.period", number=100),
                   otlp_attribute(b"wperf.batch.id", b"a-1"),
                   otlp_attribute(b"wperf.samples", number=7),
                   otlp_attribute(b"process.executable.build_id.gnu", b"00ff"),
                   otlp_attribute(b"wperf.frame.file", b"b.h"),
                   otlp_attribute(b"wperf.batch.has_times", number=1)]


def otlp_dictionary():
    line = message((1, 1), (2, 12))
    return message(*((5, word) for word in OTLP_WORDS), *((6, one) for one in OTLP_ATTRIBUTES),
                   (1, b""), (1, message((1, 4096), (3, 64), (4, 6), (5, [6]))),
                   (2, b""), (2, message((1, 1), (2, 4128), (3, line), (3, line))),
                   (2, message((3, line), (4, [2, 7]))), (2, message((1, 1), (2, 4112))),
                   (3, b""), (3, message((1, 7), (3, 8), (4, 3))), (4, b""),
                   (7, b""), (7, message((1, [1, 2, 3]))), (7, message((1, [2, 2]))))


def otlp_request(*samples, attributes=(), labels=()):
    kind = message((1, 1), (2, 2))
    profile = message((1, kind), *((2, sample) for sample in samples), (4, 60), (5, kind), (6, 100),
                      (11, list(attributes))) + fixed64(3, 1700)
    resource = message(*((1, label) for label in labels))
    scope = message((1, message((1, b"wperf"))), (2, profile), (2, profile))
    return message((1, message((1, resource), (2, scope))), (2, otlp_dictionary()))


OTLP_TIMES = struct.pack("<QQ", 1, 2)
OTLP_LABELS = [message((1, b"service.name"), (2, message((1, b"shop")))),
               message((3, 3), (2, message((8, 6)))), message((1, b"process.pid"), (2, message((3, 9))))]
OTLP_OURS = otlp_request(message((1, 1), (2, [1, 5]), (4, [700])), message((1, 2), (2, [1]), (4, [100])),
                         attributes=(3, 4), labels=OTLP_LABELS)
SEEDS["otlp"] = [OTLP_OURS, OTLP_OURS + OTLP_OURS,
                 otlp_request(message((1, 1), (2, [1]), (5, OTLP_TIMES))),
                 otlp_request(message((1, 1), (4, [1, 2]), (5, OTLP_TIMES))),
                 otlp_request(message((1, 1), (2, [1, 5]), (4, [7, 9]), (5, OTLP_TIMES)),
                              message((1, 2), (4, [100, 3]), (5, OTLP_TIMES)), attributes=(3, 8)),
                 otlp_request(message((1, 1), (2, [1]), (3, [1]))), gzip.compress(OTLP_OURS, mtime=0)]




def clickhouse_text(text):
    return bytes([len(text)]) + text


def clickhouse_answers(question, *answers):
    """As fuzz_clickhouse_answers.c reads them."""
    return bytes([question]) + b"".join(struct.pack("<H", len(a)) + a for a in answers)


def clickhouse_numbers(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


HOUR = 1699999200000000000
CLICKHOUSE_FACTS = (clickhouse_text(b"version") + clickhouse_numbers(1, 1) +
                    clickhouse_text(b"key 0") + clickhouse_numbers(5, 6) +
                    clickhouse_text(b"") + clickhouse_numbers(77, 77))
CLICKHOUSE_EVENT = (clickhouse_numbers(11) +
                    b"".join(clickhouse_text(t) for t in (b"shop", b"cycles", b"events", b"", b"Ruby")) +
                    bytes([1]) + clickhouse_numbers(1000, 0, HOUR, HOUR + 60))
CLICKHOUSE_STACK = clickhouse_text(b"shop") + clickhouse_numbers(21) + bytes([2, 2]) + clickhouse_numbers(31, 32)
CLICKHOUSE_FRAMES = b"".join(
    clickhouse_numbers(frame) + clickhouse_text(b"f") + clickhouse_text(b"_f") + bytes([1]) +
    b"".join(clickhouse_text(t) for t in (b"lib", b"/lib", build, b"f.c")) + struct.pack("<IB", 7, 0) +
    clickhouse_text(b"f.c") + struct.pack("<IBQ", 9, 1, 64) for frame, build in ((31, b"aa"), (32, b"bb")))
SEEDS["clickhouse_answers"] = [
    clickhouse_answers(0, CLICKHOUSE_FACTS, clickhouse_numbers(11, 21, 0, 3, 3000, 0), CLICKHOUSE_EVENT,
                       CLICKHOUSE_STACK, CLICKHOUSE_FRAMES, clickhouse_numbers(4, 0)),
    clickhouse_answers(4, CLICKHOUSE_FACTS, clickhouse_numbers(11, 21, HOUR, 3, 7, 1 << 33), CLICKHOUSE_EVENT,
                       CLICKHOUSE_STACK, CLICKHOUSE_FRAMES, clickhouse_numbers(4, 0)),
    clickhouse_answers(1, CLICKHOUSE_FACTS, clickhouse_text(b"shop") + clickhouse_numbers(1, 2, 0, 3, 0),
                       b"".join(clickhouse_text(t) for t in (b"shop", b"cycles", b"events")) +
                       clickhouse_numbers(HOUR, HOUR + 60),
                       b"".join(clickhouse_text(t) for t in (b"shop", b"host", b"web"))),
    clickhouse_answers(2, CLICKHOUSE_FACTS, clickhouse_numbers(HOUR, 1, 2, 0, HOUR * 1, 1, 2, 0))]
# As fuzz_store_window.c reads them: 0 and the pairs of a window, or 1 and the frames of a stack.
SEEDS["store_window"] = [bytes([0, 0xe8, 7, 1, 3, 1, 1, 0x80, 2, 5]), bytes([0, 0, 1, 3, 0x80, 9, 7, 1, 1]),
                         bytes([1, 3, 20, 1, 2, 0x81, 1])]

# As fuzz_query_arguments.c reads them: keys and values in turn.
SEEDS["query_arguments"] = [b"service\0shop\0event\0cycles\0label\0host.name=web-1\0label\0version=7\0",
                            b"since\0" b"2h\0until\0@1772368205\0step\0" b"60000000000\0",
                            b"since\0" b"2026-03-01T12:30\0until\0" b"1772368205000000000\0"]
SEEDS["store_json"] = [
    b'{"services":[{"service":"a","batches":1,"batches_dropped":0,"samples_lost":0}],"events":[{"service":"a",'
    b'"event":"cycles","unit":"events","first_ns":1,"end_ns":2}],"labels":[{"service":"a","key":"b","value":"c"}]}',
    b'{"start_ns":60,"step_ns":5,"counts":[1,0],"weights":[7,9]}']


def memory_slot(phase, kind, stack_size, pid=7):
    """struct memory_head of memory_region.h, behind the state of its slot."""
    return struct.pack("<IIIIIQQQQQQQQII", phase, kind, pid, 7, 1, 1000, 0x5000, 24, 0x400000, 0x7ffc0000, 0, 0, 1,
                       stack_size, 0)


SEEDS["memory_slots"] = [memory_slot(2, 0, 64) + memory_slot(3, 1, 0) + memory_slot(3, 2, 0),
                         memory_slot(1, 0, 8) + memory_slot(4, 0, 8) + memory_slot(5, 0, 8),
                         memory_slot(2, 3, 8) + memory_slot(2, 0, 1 << 20) + memory_slot(2, 0, 8, pid=0)]


def main():
    for target, seeds in SEEDS.items():
        folder = pathlib.Path(sys.argv[1], target)
        folder.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(seeds):
            (folder / f"seed{number}").write_bytes(seed)


if __name__ == "__main__":
    main()
