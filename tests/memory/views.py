# SPDX-License-Identifier: Apache-2.0
"""What recordings of memory show: lines with what they asked for, touched and kept, memory over time, and
the same numbers in pprof and massif's ms_print; growth between two recordings, and sizes beside lines."""
import json
import os
import re
import shutil
import subprocess
import sys

import allocations
import recorder

# 70 / 20 / 10 % by bytes; the second is not touched, the first is freed before the end.
PROGRAM = """
#include <string.h>
#include <unistd.h>
static void *volatile kept[100000];
static int num;
KEEP void most(void) { kept[num++] = malloc(70000); memset(kept[num - 1], 1, 70000); }
KEEP void some(void) { kept[num++] = malloc(20000); }
KEEP void few(void) { kept[num++] = malloc(10000); memset(kept[num - 1], 1, 10000); }
int main(int argc, char **argv)
{
	int count = argc > 1 ? 1600 : 800;
	for (int i = 0; i < 800; i++)
		most();
	for (int i = 0; i < count; i++)
		some();
	for (int i = 0; i < 800; i++)
		few();
	usleep(300000);
	for (int i = 0; i < 800; i++)
		free(kept[i]);
	usleep(300000);
	return 0;
}
"""
# One half is freed at once, the other one is lost.
LOSES = """
#include <signal.h>
#include <unistd.h>
KEEP void brief(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
KEEP void lost(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); } }
int main(void) { brief(); lost(); usleep(200000); return kill(getppid(), SIGUSR2); }
"""
LOST = 20000 * 1000
PARTS = {"most": 70000 * 800, "some": 20000 * 800, "few": 10000 * 800}
ALL = sum(PARTS.values())
PERIOD = 16 << 10
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}


def check_sum(got, truth, what):
    """Sizes are less than the deviation of the sum of a Poisson process of this period, five times."""
    deviation = (truth * PERIOD) ** 0.5
    assert abs(got - truth) < 5 * deviation + PERIOD, f"{what}: {got}, expected {truth} by {deviation:.0f}"


def report(recording, path, *options):
    return recorder.run([recording.wperf, "report", "-i", path, *options]).stdout


def check_lines(recording, path):
    """Asked for, touched and kept; the text has the same rows as the JSON."""
    found = json.loads(report(recording, path, "--json"))["report"]
    rows = {row.get("function"): row for row in found["memory"] if row.get("file", "").endswith("views.c")}
    for part, size in PARTS.items():
        check_sum(rows[part]["allocated"], size, part)
        check_sum(rows[part]["at_peak"], size, part)
    check_sum(rows["some"]["at_end"], PARTS["some"], "some")
    assert rows["most"]["at_end"] == 0, rows["most"]
    if "touched" in rows["most"]:
        assert abs(rows["most"]["touched"] / PARTS["most"] - 1) < 0.1, rows["most"]
        # The heads of the blocks, which malloc itself writes.
        assert rows["some"]["touched"] < PARTS["some"] / 2, rows["some"]
    text = report(recording, path)
    assert text.startswith("memory by line:\n"), text[:200]
    assert re.search(r"views\.c:\d+ +most\n", text), text[:800]
    return found


def check_curve(recording, path, found):
    curve = found["in_use"]
    weights = {event["event"]: event["weight"] for event in found["events"]}
    assert curve["peak_bytes"] == weights["heap-peak"] and curve["end_bytes"] == weights["heap"], curve
    check_sum(curve["peak_bytes"], ALL, "peak")
    times = [point[0] for point in curve["points"]]
    assert times == sorted(times) and len(times) <= 512, times
    # Most is in use for 0.3 s, then what remains for as long.
    plateau = [point for point in curve["points"] if point[1] > 0.95 * ALL]
    fall = next(point[0] for point in curve["points"] if point[2] < 0.5 * ALL and point[0] > plateau[0][0])
    assert fall - curve["peak_seconds"] > 0.25, curve
    text = report(recording, path, "--event", "heap")
    assert re.search(r"^in use: [\d.]+ MiB at the peak after [\d.]+ s, [\d.]+ MiB at the end after", text, re.M), text
    assert "█" in text, text


def check_pprof(recording, path, found, types, parts):
    """go tool pprof has the same numbers under the names of its own flags."""
    if not shutil.which("go"):
        print("left out: go tool pprof is not installed")
        return
    exported = recording.path("memory.pb.gz")
    recorder.run([recording.wperf, "export", "-i", path, "--format", "pprof", "-o", exported])
    weights = {event["event"]: event["weight"] for event in found["events"]}
    for flag, event in types:
        words = ["go", "tool", "pprof", "-symbolize=none", "-top", "-nodefraction=0", "-unit=b", *([flag] if flag else []),
                 exported]
        output = recorder.run(words, env={**os.environ, "PPROF_TMPDIR": str(recording.path("."))}).stdout
        total = re.search(r"Total samples = ([\d.]+)", output) or re.search(r"of ([\d.]+)[Bb]? total", output)
        assert float(total[1]) == weights[event], (flag, total[0], weights[event])
        rows = {row["function"]: row["weight"] for each in found["events"] if each["event"] == event
                for row in each["rows"]}
        for part in parts:
            value = re.search(rf"^ *([\d.]+)[Bb]? .* {part}$", output, re.M)
            assert (float(value[1]) if value else 0) == rows.get(part, 0), (flag, part, output)


def check_massif(recording, path, found):
    if not shutil.which("ms_print"):
        print("left out: ms_print of valgrind is not installed")
        return
    exported = recording.path("massif.out")
    recorder.run([recording.wperf, "export", "-i", path, "--format", "massif", "-o", exported])
    output = recorder.run(["ms_print", exported]).stdout
    assert f"{found['in_use']['peak_bytes']:,}" in output and "(peak)" in output, output[:2000]
    rows = {row["function"]: row["weight"] for event in found["events"] if event["event"] == "heap-peak"
            for row in event["rows"]}
    for part in PARTS:
        assert re.search(rf"->[\d.]+% \({rows[part]:,}B\) {part} \(views\)", output), (part, output)


def check_words(recording, path):
    alone = recording.path("alone.data")
    recorder.run([recording.wperf, "record", "-q", "-e", "alloc", "--save", alone, "--", "true"])
    done = recorder.run([recording.wperf, "export", "-i", alone, "--format", "massif"], None)
    assert done.returncode and "record it with -e heap or -e heap-peak" in done.stderr, done.stderr
    done = recorder.run([recording.wperf, "record", "-e", "touched", "--", "true"], None)
    assert done.returncode and "-e alloc,touched" in done.stderr, done.stderr
    text = recorder.run([recording.wperf, "annotate", "-i", path, "--event", "alloc", "few"]).stdout
    assert re.search(r"^ +self % +size +line$", text, re.M) and re.search(r"^ +100\.00 +[\d.]+ MiB +\d+  KEEP", text, re.M), text
    page = recording.path("page.html")
    recorder.run([recording.wperf, "report", "-i", path, "--html", page])
    assert '"memory":[[' in page.read_text(), "no track"


def check_growth(recording, program):
    """Twice as much of one line; its share is less telling than its bytes."""
    paths = [recording.path(name) for name in ("before.data", "after.data")]
    for path, words in zip(paths, ([], ["more"])):
        recorder.run([recording.wperf, "record", "-q", "-e", "heap:16K", "--save", path, "--", program, *words])
    text = report(recording, paths[0], "--diff", paths[1])
    growth, unit = re.search(r"^ +\+([\d.]+) (\w+) .*  some$", text, re.M).groups()
    check_sum(float(growth) * UNITS[unit], PARTS["some"], "growth")
    assert text.splitlines()[0].split()[0] == "growth" and text.splitlines()[2].endswith("some"), text


def check_lost_and_brief(recording):
    """Events of what becomes of blocks have columns, types of pprof and memory over time, too."""
    program, path = recording.build("loses", LOSES), recording.path("loses.data")
    events = "alloc:16K,alloc-temporary:16K,heap-at:16K,leak:16K"
    recorder.run([recording.wperf, "record", "-q", "-e", events, "--save", path, "--", program])
    found = json.loads(report(recording, path, "--json"))["report"]
    assert {event["event"]: event["unit"] for event in found["events"]} == dict.fromkeys(
        ("alloc", "alloc-temporary", "heap-at", "leak"), "bytes")
    rows = {row.get("function"): row for row in found["memory"]}
    check_sum(rows["brief"]["temporary"], LOST, "temporary")
    check_sum(rows["lost"]["leaked"], LOST, "leaked")
    assert rows["brief"]["allocated"] == rows["brief"]["temporary"] and not rows["brief"]["leaked"], rows
    assert not rows["lost"]["temporary"] and rows["lost"]["at_moment"] == rows["lost"]["allocated"], rows
    text = report(recording, path).splitlines()
    assert re.fullmatch(" +allocated +temporary +at the moment +leaked +line +function", text[2]), text[2]
    in_use = [before.split()[1] for before, line in zip(text, text[1:]) if line.startswith("in use: ")]
    assert in_use == ["heap-at", "leak"] and found["in_use"]["end_bytes"] >= rows["lost"]["leaked"], (in_use, text)
    check_pprof(recording, path, found, [(None, "heap-at"), ("-inuse_space", "heap-at"),
                ("-sample_index=leak_space", "leak"), ("-sample_index=temporary_space", "alloc-temporary")],
                ["brief", "lost"])


def main():
    recording = allocations.Allocations(os.path.abspath(sys.argv[1]), sys.argv[2])
    program = recording.build("views", PROGRAM, "-Wno-unused-result")
    path = recording.path("views.data")
    events = "alloc:16K,alloc-count:16K,heap:16K,heap-count:16K,heap-peak:16K"
    done = recorder.run([recording.wperf, "record", "-q", "-e", events + ",page-faults", "--save", path, "--", program], None)
    if done.returncode:  # where perf events are forbidden
        assert "perf_event" in done.stderr or "perf events" in done.stderr, done.stderr
        print("left out: what was touched, as perf events are forbidden")
        recorder.run([recording.wperf, "record", "-q", "-e", events, "--save", path, "--", program])
    found = check_lines(recording, path)
    check_curve(recording, path, found)
    check_pprof(recording, path, found, [(None, "heap"), ("-inuse_space", "heap"), ("-alloc_space", "alloc"),
                ("-alloc_objects", "alloc-count"), ("-inuse_objects", "heap-count"),
                ("-sample_index=peak_space", "heap-peak")], PARTS)
    check_massif(recording, path, found)
    check_words(recording, path)
    check_growth(recording, program)
    check_lost_and_brief(recording)


main()
