# SPDX-License-Identifier: Apache-2.0
"""Loads of each line of a Python program, counted in the emulator and kept in ClickHouse, are those of the
recording.

stored.py WPERF ROOT FOLDER
"""
import os
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "fleet"))
import clickhouse_cluster  # noqa: E402
from fleet_server import clean, report, run  # noqa: E402
from recorder import run_tests  # noqa: E402

PROGRAM = """\
def price(items):
    total = 0
    for item in items:
        total += item * 3 % 7
    return total


def pack(items):
    return b"".join(b"%d," % item for item in items)


for turn in range(20):
    price(range(turn, turn + 400))
    pack(range(200))
"""


def test_loads_of_lines(wperf, root, folder, server):
    folder = clean(folder)
    program, recording = folder / "shop.py", folder / "shop.data"
    program.write_text(PROGRAM, encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0",
                   "PYTHONPYCACHEPREFIX": str(folder / "pycache")}
    run([wperf, "record", "-q", "--source", "emulate", "--sysroot", root, "-g", "-e", "ld_spec:20000", "--save",
         recording, "--", "python3.11d", "-S", program], env=environment)
    place = f"clickhouse://127.0.0.1:{server.http}/fleet"
    for stored in (1, 0):
        words = run([wperf, "store", "put", place, recording, "--service", "shop"]).stdout
        assert words.startswith(f"{stored} window"), words
    lines = report(wperf, "-i", recording)
    hot = [line for line in lines if " shop.py:4 " in line and "total += item * 3 % 7" in line]
    assert hot, lines[:20]
    assert report(wperf, "--from", place) == lines
    # Another service is not in it.
    run([wperf, "store", "put", place, recording, "--service", "other"])
    assert report(wperf, "--from", place, "--service", "shop") == lines
    return hot[0].strip()


def main():
    if not clickhouse_cluster.is_server_there():
        print("skipped: clickhouse-server is not installed")
        return 77
    wperf, root, folder = sys.argv[1:4]
    with tempfile.TemporaryDirectory(prefix="wperf_clickhouse.") as scratch:
        server = clickhouse_cluster.lone_server(pathlib.Path(scratch) / "server")
        try:
            run_tests([test_loads_of_lines], wperf, root, folder, server)
        finally:
            server.kill()
    return 0


sys.exit(main())
