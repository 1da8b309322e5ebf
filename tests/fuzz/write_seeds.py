# SPDX-License-Identifier: Apache-2.0
"""Writes one folder of seeds per fuzz target below the folder named on the command line.

Chance alone does not find a whole JSON document or a driver session; from these the fuzzer starts.
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

EVENT_SPECS = ["ld_spec", "{ld_spec,st_spec},r1b,0x11:u", "ld_spec:100000,cpu_cycles:0x1000:k",
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


def request(function, in_bytes, out_size, client=1, flags=0):
    return struct.pack("<BBHHB", flags, client, len(in_bytes), out_size,
                       function - 0x8FE) + in_bytes


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
    return struct.pack("<BBHHBH", 0x80, 1, len(in_bytes), out_size, function - 0x8FE,
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

NAMES = ["_ZN1a1S1fEi.cold", "_ZZ4mainENKUliE_clEi", "_ZNSt6vectorISt4pairIiS0_EE3endEv@plt",
         "_ZN3std2io5stdio6_print17h0123456789abcdefE", "_RNvCs1234_7mycrate3foo",
         "_RINvNtC3std3mem8align_ofdE", "_Z1fIJiEEDTcl1gspfp_EEDpT_", "_GLOBAL__I_a"]

SEEDS = {
    "demangle": [name.encode() for name in NAMES],
    "driver_request": [SESSION] + COUNTING,
    # The first byte is the mode: counting or sampling, with a CPU or without, with SPE.
    "event_spec": [bytes([mode]) + spec.encode() for spec in EVENT_SPECS for mode in (2, 3, 7)],
    "formula": [text.encode() for text in FORMULAS],
    "metric_file": [text.encode() for text in METRIC_FILES],
    "sysfs_pmu": [text.encode() for text in SYSFS],
    "telemetry_json": [json.dumps(TELEMETRY).encode()],
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


def main():
    for target, seeds in SEEDS.items():
        folder = pathlib.Path(sys.argv[1], target)
        folder.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(seeds):
            (folder / f"seed{number}").write_bytes(seed)


if __name__ == "__main__":
    main()
