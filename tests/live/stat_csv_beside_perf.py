# SPDX-License-Identifier: Apache-2.0
"""`stat -x`, `-I`, `-r`, `-a` and `-A` write the fields that `perf stat` writes for the same words."""
import json
import re
import shutil
import subprocess
import sys

EVENTS = "task-clock,context-switches,page-faults"
PAGES = 2000
# It touches pages in many steps, so that each period has some of them.
PROGRAM = ["/usr/bin/python3", "-S", "-c",
           "import mmap, time\n"
           f"m = mmap.mmap(-1, {PAGES} * 4096)\n"
           f"for i in range({PAGES}):\n"
           "    m[i * 4096] = 1\n"
           f"    if i % {PAGES // 10} == 0: time.sleep(0.03)\n"]


def lines_of_perf(words):
    done = subprocess.run(["perf", "stat", *words], capture_output=True, check=True, text=True)
    return [line for line in done.stderr.splitlines() if line.strip() and line[0] != "#"]


def lines_of_wperf(wperf, words):
    done = subprocess.run([wperf, "stat", *words], capture_output=True, check=True, text=True)
    return done.stdout.splitlines()


def look_of(field):
    """What kind of thing a field is: numbers of the same look are the same."""
    field = re.sub(r"\s", "", field)
    if re.fullmatch(r"\d+\.\d+%?", field):
        return "decimal" + "%" * field.endswith("%")
    return "number" if re.fullmatch(r"\d+", field) else field


def shape(lines, separator):
    return [[look_of(field) for field in line.split(separator)] for line in lines]


def same(ours, theirs):
    """Rates may have another prefix (K/sec), and what never happened has no rate but 0."""
    strip = [[re.sub(r"^[KMG]?/sec$", "/sec", field) for field in row] for row in ours]
    strip_theirs = [[re.sub(r"^[KMG]?/sec$", "/sec", field) for field in row] for row in theirs]
    assert strip == strip_theirs, f"\nours   {strip}\ntheirs {strip_theirs}"


def check_fields(wperf):
    for words in (["-x,"], ["-x", ";"], ["-x,", "-r", "3"], ["-x,", "-a"], ["-x,", "-a", "-A"],
                  ["-x,", "-a", "--per-core"], ["-x,", "-a", "--per-die"],
                  ["-x,", "-a", "--per-socket"], ["-x,", "-a", "--per-node"]):
        asked = [*words, "-e", EVENTS, "--", *PROGRAM]
        separator = words[0][2:] or words[1]
        theirs = shape(lines_of_perf(asked), separator)
        ours = shape(lines_of_wperf(wperf, asked), separator)
        same(ours, theirs)


def check_periods(wperf):
    """Each period has the fields of perf's; all together are what the program did, no event twice
    and none lost."""
    asked = ["-x,", "-I", "50", "-e", "page-faults"]
    theirs = shape(lines_of_perf([*asked, "--", *PROGRAM]), ",")
    rows = [line.split(",") for line in lines_of_wperf(wperf, [*asked, "--", *PROGRAM])]
    assert len(rows) >= 3, rows
    busy = [row[:4] for row in theirs if row[1] == "number"]
    assert [look_of(field) for field in rows[0][:4]] == busy[0], (rows[0], busy[0])
    times = [float(row[0]) for row in rows]
    assert times == sorted(set(times)), times
    document = subprocess.run([wperf, "stat", "--json", "-e", "page-faults", "--", *PROGRAM],
                              capture_output=True, check=True, text=True).stdout
    whole = json.loads(document)["processes"][0]["Performance_counter"][0]["counter_value"]
    added = sum(int(row[1]) for row in rows)
    print(f"page-faults {whole} at once, {added} in {len(rows)} periods")
    assert whole >= PAGES and abs(whole - added) <= whole * 0.02, (whole, added)


def check_threads(wperf):
    """A thread is "name-tid", as perf has it."""
    code = "import threading, time; t = [threading.Thread(target=time.sleep, args=(60,)) for _ in" \
           " range(3)]; [x.start() for x in t]; print(1, flush=True)"
    with subprocess.Popen(["/usr/bin/python3", "-S", "-c", code], stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"1\n"
        asked = ["-x,", "-e", "page-faults", "--per-thread", "-p", str(child.pid)]
        theirs = {line.split(",")[0] for line in lines_of_perf([*asked, "--timeout", "100"])}
        ours = {line.split(",")[0] for line in lines_of_wperf(wperf, [*asked, "--timeout", "0.1"])}
        child.kill()
    assert len(ours) == 4 and ours == theirs, (ours, theirs)


def check_json_periods(wperf):
    document = subprocess.run([wperf, "stat", "--json", "-I", "50", "-e", "page-faults", "--",
                               *PROGRAM], capture_output=True, check=True, text=True).stdout
    timeline = json.loads(document)["timeline"]
    added = sum(entry["processes"][0]["Performance_counter"][0]["counter_value"]
                for entry in timeline)
    assert added >= PAGES, added
    assert all(entry["Time_elapsed"] > 0 for entry in timeline), timeline


def main():
    wperf = sys.argv[1]
    if not shutil.which("perf"):
        print("skipped: no perf to compare with")
        return 77
    check_fields(wperf)
    check_periods(wperf)
    check_json_periods(wperf)
    check_threads(wperf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
