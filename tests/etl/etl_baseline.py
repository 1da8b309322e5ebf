# SPDX-License-Identifier: Apache-2.0
"""Compares the events that wperf finds in ETW files with those that PerfView finds.

usage: etl_baseline.py DUMP_ETL_EVENTS SHARED_DIR SCRATCH_DIR

PerfView's baselines have for each kind of event the first five (EVENT: time to the microsecond, process,
thread, CPU, size of the payload) and their number (COUNT). Which of our kinds (class or provider, id,
opcode) is PerfView's is learned from the five; then the numbers must be equal.
"""
import collections
import pathlib
import re
import subprocess
import sys
import zipfile

RECORDINGS = {
    "net.4.5.2.x64": "net.4.5.2.x64.etl",
    "gcrundownevents": "gcrundownevents/PerfViewData.clrRundown.etl",
}
EVENT = re.compile(r"EVENT +(-?[\d,.]+): (.*?) PID=(-?[\d,]+); TID=(-?[\d,]+); PName=.*?; "
                   r"ProceNum=(\d+); DataLen=([\d,]+);")
COUNT = re.compile(r"COUNT (.*):(\d+)$")
SKIP = 77
SAMPLE = "Windows Kernel/PerfInfo/Sample"

Event = collections.namedtuple("Event", "microseconds pid tid cpu kind size")


def number(text):
    return int(text.replace(",", ""))


def read_dump(program, path):
    output = subprocess.run([program, path], stdout=subprocess.PIPE, check=True, timeout=100).stdout
    lines = output.decode().splitlines()
    assert lines[-1] == "damage 0 0 0", lines[-1]
    events = []
    for line in lines[:-1]:
        words = line.split()
        kind = (words[4], words[5], words[6], words[7])
        events.append(Event(int(words[0]) / 1000, int(words[1]), int(words[2]), int(words[3]), kind,
                            int(words[9])))
    return events


def read_baseline(path):
    """(name, event without kind) of the EVENT lines, and the counts by name."""
    events, counts = [], {}
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        match = EVENT.match(line)
        if match:
            time, name, *numbers = match.groups()
            pid, tid, cpu, size = map(number, numbers)
            microseconds = float(time.replace(",", "")) * 1000
            events.append((name, Event(microseconds, pid, tid, cpu, None, size)))
        match = COUNT.match(line)
        if match:
            counts[match[1]] = int(match[2])
    return events, counts


def candidates(index, wanted):
    found = []
    for rounded in range(round(wanted.microseconds) - 1, round(wanted.microseconds) + 2):
        for event in index.get((rounded, wanted.cpu, wanted.size), []):
            if abs(event.microseconds - wanted.microseconds) <= 0.6:
                found.append(event)
    return found


def is_same_thread(ours, theirs):
    """PerfView takes processes and threads from the payload where it can; so they are compared for
    events of providers, and where both know them."""
    return "-" in ours.kind or (ours.pid, ours.tid) == (theirs.pid, theirs.tid)


def find_kinds(index, expected, faults):
    """For each name the kinds that all of its first events may be."""
    kinds = {}
    for name, wanted in expected:
        found = {event.kind for event in candidates(index, wanted) if is_same_thread(event, wanted)}
        if not found:
            faults.append(f"not found: {name} {wanted}")
        kinds[name] = kinds.get(name, found) & found
    return kinds


def compare(program, etl, baseline):
    events = read_dump(program, etl)
    expected, counts = read_baseline(baseline)
    assert expected and counts, baseline
    index = collections.defaultdict(list)
    for event in events:
        index[round(event.microseconds), event.cpu, event.size].append(event)
    totals = collections.Counter(event.kind for event in events)
    faults = []
    for name, found in find_kinds(index, expected, faults).items():
        # PerfView leaves out the samples of idle CPUs, which only the payload tells.
        is_enough = [totals[kind] >= counts[name] if name == SAMPLE else totals[kind] == counts[name]
                     for kind in found]
        if not any(is_enough):
            faults.append(f"{name}: {counts[name]} for PerfView, "
                          f"{[(kind, totals[kind]) for kind in found]} for wperf")
    print(f"{baseline.name}: {len(events)} events, {len(expected)} compared, of {len(counts)} kinds")
    return faults


def main():
    program, shared, scratch = sys.argv[1], pathlib.Path(sys.argv[2]) / "data" / "etl", pathlib.Path(sys.argv[3])
    if not shared.is_dir():
        print(f"skipped: no {shared}")
        return SKIP
    faults = []
    for name, member in RECORDINGS.items():
        with zipfile.ZipFile(shared / f"{name}.etl.zip") as archive:
            path = archive.extract(member, scratch)
        faults += compare(program, path, shared / f"{name}.baseline.txt")
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
