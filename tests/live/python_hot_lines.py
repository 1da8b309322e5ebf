# SPDX-License-Identifier: Apache-2.0
"""Hot lines of Python: record, its JSON, the annotated source, top, on a program that clocks its
own lines."""
import json
import pathlib
import re
import subprocess
import sys

import chance
import pythons
from recorder import clock_event

SYSTEMS = "/usr/bin/python3"
PROGRAM = '''import time
import zlib

DATA = bytes(range(256)) * 2000


def pack():
    return zlib.compress(DATA, 6)                   # PACK


def count(rounds):
    total = 0
    for i in range(rounds): total += i * i % 7      # COUNT
    return total


def touch():
    return bytearray(1 << 26)                       # TOUCH


def main(seconds):
    spent = {"PACK": 0, "COUNT": 0}
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        begin = time.thread_time(); pack(); spent["PACK"] += time.thread_time() - begin
        begin = time.thread_time(); count(60000); spent["COUNT"] += time.thread_time() - begin
    touch()
    whole = sum(spent.values())
    print({name: 100 * each / whole for name, each in spent.items()}, flush=True)


main(float(__import__("sys").argv[1]))
'''


def line_of(mark):
    return next(i for i, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# " + mark))


def run(wperf, *words, check=True):
    done = subprocess.run([wperf, *words], capture_output=True, text=True, timeout=120, check=False)
    assert not check or done.returncode == 0, done
    return done


def program_share(text):
    """What the program says of itself stands before what wperf says."""
    return eval(re.search(r"^\{.*\}$", text, re.M).group())  # our own program's dictionary


def check_json(wperf, python, program, folder):
    out = folder / "lines.json"
    done = run(wperf, "record", "-g", *clock_event(997), "--output", str(out), "-q", "--",
               python, "-S", program, "2")
    truth = program_share(done.stdout)
    python = json.loads(out.read_text())["python"]
    event = python["events"][0]
    assert event["event"] == "cpu-clock", python["events"]
    lines = {(pathlib.Path(each["file"]).name, each["line"]): each for each in python["lines"]}
    selves = sum(each["events"][0]["self"]["samples"] for each in python["lines"])
    assert selves + event["outside"]["samples"] == event["samples"]
    hot = {mark: lines["app.py", line_of(mark)] for mark in truth}
    counts = {mark: each["events"][0]["self"]["samples"] for mark, each in hot.items()}
    chance.check_shares(counts, truth, 200, 0.02)
    for mark, each in hot.items():
        share = each["events"][0]["self"]
        assert share["low"] < share["percent"] < share["high"], share
        assert ("# " + mark) in each["source"], each
    assert hot["PACK"]["function"] == "pack" and hot["COUNT"]["function"] == "count"
    assert python["files"][0]["file"].endswith("/app.py"), python["files"][0]


def check_text(wperf, python, program):
    text = run(wperf, "record", "-g", "-e", "cpu-clock,page-faults:8", *clock_event(999)[2:], "--file", "app.py", "--", python,
               "-S", program, "3").stdout  # long beside its page faults, which cost more on some machines
    assert re.search(r"cpu-clock: [\d,]+ of [\d,]+ samples have lines of Python", text), text
    table = text[text.index("hot lines of Python:"):text.index("hot functions of Python:")]
    assert "cpu-clock %" in table and "page-faults %" in table, table
    pattern = r"^ +([\d.]+) +[\d.]+-[\d.]+ +([\d.]+) +[\d.]+-[\d.]+ +app\.py:%d +(\w+) "
    clock, _, name = re.search(pattern % line_of("PACK"), table, re.M).groups()
    assert float(clock) > 10 and name == "pack", table
    clock, faults, name = re.search(pattern % line_of("TOUCH"), table, re.M).groups()
    assert float(faults) > 20 and float(clock) < 15 and name == "touch", table
    source = text[text.index("\n" + program):]
    pack = source[source.index("# PACK"):source.index("# COUNT")]
    assert re.search(r"> .*\[libz\.so", pack), source
    assert "def pack():" in source and "(bytecode)" in source, source


def check_choices(wperf, program):
    only = run(wperf, "record", "-g", *clock_event(999), "--python=only", "--", SYSTEMS, "-S", program,
               "0.5").stdout
    assert re.search(r"count:app\.py", only) and "hot lines of Python" in only, only
    assert re.search(r"pack:app\.py", only), only
    inside = re.search(r"cpu-clock: ([\d,]+) of ([\d,]+) samples have lines of Python", only).groups()
    inside, whole = (int(number.replace(",", "")) for number in inside)
    chance.check_at_least(inside, whole, 0.9, only)
    of_libz = sum(map(int, re.findall(r" (\d+)  \S+:libz\.so", only)))  # walks that failed
    chance.check_at_most(of_libz, whole, 0.03, only)
    native = run(wperf, "record", "-g", *clock_event(999), "--python=native", "--", SYSTEMS, "-S",
                 program, "0.5").stdout
    assert "libz" in native and "hot lines of Python" not in native and "app.py" not in native, native


def check_top(wperf, program):
    with subprocess.Popen([SYSTEMS, "-S", program, "20"], stdout=subprocess.DEVNULL) as child:
        try:
            text = run(wperf, "top", "-g", "-p", str(child.pid), "-e", "cpu-clock", "-n", "2", "--delay",
                       "0.7").stdout
        finally:
            child.kill()
    assert text.count("hot lines of Python:") == 2, text
    assert text.count(f"app.py:{line_of('PACK')} ") == 2, text
    assert text.count(f"app.py:{line_of('COUNT')} ") == 2, text


def main():
    wperf, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "app.py"
    program.write_text(PROGRAM)
    if not pathlib.Path(SYSTEMS).exists():
        print("skipped: no", SYSTEMS)
        return 77
    tried = run(wperf, "record", "-q", *clock_event(999), "--python=only", "--", SYSTEMS, "-S", program,
                "0.1", check=False)
    if tried.returncode:
        print("skipped: no frames of Python here:", tried.stderr)
        return 77
    # In Debian's newest ones the loop that runs bytecode has no name.
    newest = pythons.find_all()[-1][0]
    for python in dict.fromkeys([SYSTEMS, newest]):
        check_json(wperf, python, str(program), folder)
        check_text(wperf, python, str(program))
    check_choices(wperf, str(program))
    check_top(wperf, str(program))
    return 0


if __name__ == "__main__":
    sys.exit(main())
