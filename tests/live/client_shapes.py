# SPDX-License-Identifier: Apache-2.0
"""JSON of `record` has all that the peer's has, with the same types: its clients read ours.

client_shapes.py WPERF SHARED; 77 without the peer's own output.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import chance

PROGRAM = """
volatile unsigned long sum;
static inline __attribute__((always_inline)) unsigned long mix(unsigned long x)
{
    x ^= x >> 13;
    return x * 0x9E3779B97F4A7C15ul;
}
int main(void) { for (unsigned long i = 0; i < 400000000; i++) sum += mix(mix(i) + 1); return 0; }
"""
# Of PE files and their PDBs; ELF files have none, and the list is empty.
NOT_OURS = "sampling.modules_info[]"


def kind(value):
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else \
        type(value).__name__


def shape(value, path=""):
    """{path: kind} of all that a document has."""
    if isinstance(value, dict):
        found = {path: "dict"} if path else {}
        for key, member in value.items():
            found.update(shape(member, f"{path}.{key}" if path else key))
        return found
    if isinstance(value, list):
        found = {path: "list"}
        for member in value:
            found.update(shape(member, path + "[]"))
        return found
    return {path: kind(value)}


def entry_of(program):
    header = subprocess.run(["readelf", "-h", program], check=True, capture_output=True, text=True)
    return int(next(line.split()[-1] for line in header.stdout.splitlines() if "Entry point" in line), 16)


def check_hits(sampling, source):
    """Each sample is a hit of one line, also in code that is inlined, and each line is in a file."""
    own = 0
    for event in sampling["events"]:
        samples = {row["symbol"]: row["count"] for row in event["samples"]}
        for function in event["annotate"]:
            rows = function["source_code"]
            assert rows and all(row["filename"] and row["line_number"] for row in rows), function
            if all(row["filename"] == str(source) for row in rows):
                hits = sum(row["hits"] for row in rows)
                assert hits == samples[function["function_name"]], (function["function_name"], hits, samples)
                own += hits
    chance.check_at_least(own, sum(samples.values()), 0.9, samples)


def ours(wperf, folder):
    source = folder / "spin.c"
    source.write_text(PROGRAM)
    program = folder / "spin"
    subprocess.run(["gcc", "-O1", "-g", "-o", program, source], check=True)
    result = subprocess.run([wperf, "record", "-v", "--json", "--annotate", "--disassemble", "-e",
                             "cpu-clock:1000000", "--", program], check=True, capture_output=True,
                            text=True)
    result.stdout.encode("ascii")  # as a client decodes it
    sampling = json.loads(result.stdout)["sampling"]
    assert sampling["base_address"] - sampling["runtime_delta"] == entry_of(program), sampling
    check_hits(sampling, source)
    return shape({"sampling": sampling})


NUMBERS = re.compile(r"PMU_CTL_QUERY_HW_CFG \[(?!counter_idx_map|device_id_str)|INTERVAL_DEFAULT|[gf]pc_nums")


def check_numbers(wperf, source):
    """Clients read numbers from rows of `test`: what is not known has none."""
    result = subprocess.run([wperf, "test", "--json", "--source", source], check=True,
                            capture_output=True, text=True)
    rows = {row["Test_Name"]: row["Result"] for row in json.loads(result.stdout)["Test_Results"]}
    numbers = {name: text for name, text in rows.items() if NUMBERS.search(name)}
    for name, text in numbers.items():
        int(text, 16 if text.startswith("0x") else 10)
        assert ("gpc_nums" in name or "fpc_nums" in name) != text.startswith("0x"), (name, text)
    assert "pmu_device.sampling.INTERVAL_DEFAULT" in numbers
    assert ("PMU_CTL_QUERY_HW_CFG [gpc_num]" in rows) == ("PMU_CTL_QUERY_HW_CFG [total_gpc_num]" in rows)
    assert "not known" not in numbers.values()


def main():
    wperf, shared = sys.argv[1:]
    for machine in ("perf", "timer", "sim", "sim,spe=1,counters=0,dsu=0,dmc=0"):
        check_numbers(wperf, machine)
    path = pathlib.Path(shared, "data/wperf/vs-extension/sample_04.json")
    if not path.exists():
        print(f"there is no {path}")
        return 77
    theirs = shape(json.loads(path.read_text(encoding="utf-8-sig")))
    with tempfile.TemporaryDirectory() as folder:
        got = ours(wperf, pathlib.Path(folder))
    missing = {name: kind for name, kind in theirs.items()
               if got.get(name) != kind and not name.startswith(NOT_OURS)}
    assert not missing, missing
    print(f"{len(theirs)} members of the peer's JSON")
    return 0


if __name__ == "__main__":
    sys.exit(main())
