# SPDX-License-Identifier: Apache-2.0
"""Events that the machine cannot count do not stop the others: which they are, `perf stat` knows."""
import json
import shutil
import subprocess
import sys

EVENTS = ["task-clock", "cycles", "instructions", "LLC-loads", "LLC-store-misses", "node-loads",
          "node-prefetch-misses", "stalled-cycles-backend", "bus-cycles", "page-faults"]
PROGRAM = ["--", "/usr/bin/python3", "-S", "-c", "sum(range(300000))"]


def by_perf(events):
    """The events that perf says this machine has not."""
    done = subprocess.run(["perf", "stat", "-x", ";", "-e", ",".join(events), *PROGRAM],
                          capture_output=True, check=True, text=True)
    rows = [line.split(";") for line in done.stderr.splitlines() if line.count(";") > 3]
    return {row[2].split(":")[0] for row in rows if row[0] == "<not supported>"}


def by_wperf(wperf, events, *words):
    return subprocess.run([wperf, "stat", *words, "-e", events, *PROGRAM], capture_output=True,
                          text=True, check=False)


def rows_of(done):
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["processes"][0]["Performance_counter"]
    return {row["event_name"]: row for row in rows}


def check_row(row, is_absent):
    assert (row.get("supported") is False) == is_absent, row
    assert (row["counter_value"] is None) == is_absent, row
    assert not is_absent or row["scaled_value"] is None, row


def check_text(wperf, absent):
    done = by_wperf(wperf, ",".join(EVENTS))
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    shown = {words[2] for words in lines if words[:2] == ["<not", "supported>"]}
    assert shown == absent, (shown, absent)
    notes = [line for line in done.stderr.splitlines() if line.startswith("note: ")]
    assert len(notes) == bool(absent), notes  # one line for all of them


def check_groups(wperf, absent):
    """Whoever is missing, the rest of its group is counted, at the same time."""
    name = sorted(absent)[0]
    for group in (f"{name},task-clock,page-faults", f"task-clock,{name},page-faults",
                  f"task-clock,page-faults,{name}"):
        rows = rows_of(by_wperf(wperf, "{" + group + "}", "--json"))
        check_row(rows[name], True)
        assert rows["task-clock"]["counter_value"] > 0 and rows["page-faults"]["counter_value"] > 0
        assert rows["task-clock"]["enabled_ns"] == rows["page-faults"]["enabled_ns"], rows


def check_nothing_left(wperf, absent):
    done = by_wperf(wperf, ",".join(sorted(absent)))
    assert done.returncode == 1 and not done.stdout, (done.returncode, done.stdout)
    assert done.stderr.startswith("this machine cannot count '"), done.stderr
    assert "hint: " in done.stderr, done.stderr


def main():
    wperf = sys.argv[1]
    if not shutil.which("perf"):
        print("skipped: no perf to compare with")
        return 77
    absent = by_perf(EVENTS)
    if not absent:
        print("skipped: this machine counts all of these events")
        return 77
    print("not supported here:", ", ".join(sorted(absent)))
    for name, row in rows_of(by_wperf(wperf, ",".join(EVENTS), "--json")).items():
        check_row(row, name in absent)
    check_text(wperf, absent)
    check_groups(wperf, absent)
    check_nothing_left(wperf, absent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
