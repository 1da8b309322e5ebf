# SPDX-License-Identifier: Apache-2.0
"""JSON of `record` with SPE has all that the peer's has, with the same types, and says the same sums twice.

    peer_shapes.py WPERF SHARED; 77 without the peer's own output
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "live"))
from client_shapes import shape  # pylint: disable=wrong-import-position

# Of PE files and their PDBs, and of their code: the simulator's programs are in no file.
NOT_OURS = ("sampling.sampling.modules_info[]",
            "sampling.sampling.events[].annotate[].source_code[].disassembled_line.disassemble[]")


def main():
    wperf, shared = sys.argv[1:]
    paths = sorted(pathlib.Path(shared, "data/wperf/vs-extension").glob("spe_*.json"))
    if not paths:
        print(f"there are no spe_*.json in {shared}")
        return 77
    words = ["--source", "sim,spe=1", "record", "-v", "--json", "--annotate", "--disassemble", "-e",
             "arm_spe_0/ld=1/", "-c", "0", "--timeout", "0.2", "--", "python_d.exe"]
    done = subprocess.run([wperf, *words], check=True, capture_output=True, text=True)
    got = json.loads(done.stdout)
    ours = shape(got)
    for path in paths:
        theirs = shape(json.loads(path.read_text(encoding="utf-8-sig")))
        missing = {name: kind for name, kind in theirs.items()
                   if ours.get(name) != kind and not name.startswith(NOT_OURS)}
        assert not missing, (path.name, missing)
        print(f"{path.name}: {len(theirs)} members")
    sampling = got["sampling"]["sampling"]
    counters = {row["event_name"]: row["counter_value"]
                for row in got["counting"]["core"]["cores"][0]["Performance_counter"]}
    samples = sum(row["count"] for event in sampling["events"] for row in event["samples"])
    assert sampling["samples_generated"] == counters["sample_filtrate"] == samples, counters
    assert [event["type"] for event in sampling["events"]] == sorted(
        event["type"] for event in sampling["events"])
    assert all(event["type"].startswith("LOAD_STORE_ATOMIC-LOAD") for event in sampling["events"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
