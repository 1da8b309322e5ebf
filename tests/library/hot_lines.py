# SPDX-License-Identifier: Apache-2.0
"""The examples that print hot lines: the same lines and shares as `wperf report --sort line`.

hot_lines.py WPERF LIBRARY EXAMPLE MAKE_ETW_TRACE SHARED: of recordings made here, also as Windows writes
them, and of others below SHARED
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WPERF, LIBRARY, EXAMPLE, MAKE_ETW_TRACE, SHARED = sys.argv[1:6]
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "hot_lines.py"
NUM_ROWS = 10
MAX_SIZE = 4 << 20  # bytes of a recording of others
WORK = """import time
def hot(n):
    return sum(i * i for i in range(n))
end = time.process_time() + 0.5
while time.process_time() < end:
    hot(1000)
"""


def is_sanitized():
    return b"__asan_init" in pathlib.Path(LIBRARY).read_bytes()


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120,
                          env=os.environ | {"LD_LIBRARY_PATH": os.path.dirname(LIBRARY),
                                            "DEBUGINFOD_URLS": ""})
    assert "AddressSanitizer" not in done.stderr, done.stderr
    return done


def expected(path):
    """What wperf says, in the examples' words."""
    done = run(WPERF, "report", "--sort", "line", "--json", "-i", path)
    if done.returncode:
        return None
    events = json.loads(done.stdout)["report"]["events"]
    rows = events[0]["rows"][:NUM_ROWS]
    return [(row["name"], row["samples"], round(row["self_percent"], 2)) for row in rows]


def shown(*command):
    done = run(*command)
    if done.returncode:
        assert done.returncode == 1 and done.stderr and not done.stdout, (command, done)
        return None
    rows = []
    for line in done.stdout.splitlines():
        percent, sign, count, label = line.split(maxsplit=3)
        assert sign == "%", line
        rows.append((label, int(count), float(percent)))
    return rows


def check(path, commands):
    wanted = expected(path)
    for command in commands:
        rows = shown(*command, path)
        if wanted is None or rows is None:
            assert wanted is None and rows is None, (path, command, wanted, rows)
            continue
        assert len(rows) == len(wanted), (path, rows, wanted)
        for row, other in zip(rows, wanted):
            # JSON has six digits.
            assert row[:2] == other[:2] and abs(row[2] - other[2]) < 0.011, (path, row, other)
    return wanted


def check_own(folder, commands):
    work, path = folder / "work.py", folder / "own.data"
    work.write_text(WORK, encoding="utf-8")
    done = run(WPERF, "record", "-q", "-g", "--save", path, "/usr/bin/python3", work)
    assert done.returncode == 0, done.stderr
    rows = check(path, commands)
    assert any(row[0].startswith(f"{work}:3") for row in rows), rows
    # Without a name the recording of the folder is meant.
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120,
                              env=os.environ | {"LD_LIBRARY_PATH": os.path.dirname(LIBRARY)})
        assert done.returncode == 1 and "wperf.data" in done.stderr, done


def check_etl(folder, commands):
    path = folder / "made.etl"
    subprocess.run([MAKE_ETW_TRACE, "4711", path, "3"], check=True)
    rows = check(path, commands)
    assert sum(samples for _, samples, _ in rows) == 20 + 7 + 3 * 100, rows


def main():
    commands = [[EXAMPLE]]
    # An interpreter that is not sanitized cannot load a library that is.
    if not is_sanitized():
        commands.append(["/usr/bin/python3", SCRIPT])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_own(folder, commands)
        check_etl(folder, commands)
        check(WPERF, commands)  # no recording: an error
    others = pathlib.Path(SHARED)
    files = sorted(path for path in [*others.rglob("*perf*data"), *(others / "data" / "etl").glob("*.[ez][ti][lp]")]
                   if path.is_file() and path.stat().st_size <= MAX_SIZE)
    num_read = sum(check(path, commands[:1]) is not None for path in files)
    print(f"{num_read} of {len(files)} recordings of others")


main()
