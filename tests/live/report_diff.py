# SPDX-License-Identifier: Apache-2.0
"""Two recordings of programs that differ: each event of their page has the sums of its recording alone, and
`--fail-above` fails for what grew and for nothing else.

report_diff.py WPERF FOLDER
"""
import collections
import json
import sys

from page_stacks import Page
from recorder import Recorder, clock_event, run, run_tests

# Built twice: code and addresses differ, names do not, and one function of each is its own.
PROGRAM = """
#include <time.h>
KEEP void first(long part) { SPIN(FIRST * part); }
KEEP void second(long part) { SPIN(SECOND * part); }
KEEP void OWN(long part) { SPIN(part); }
KEEP void level(long part) { first(part); second(part); OWN(part); __asm__ volatile(""); }
int main(void) {
	unsigned seed = 1;
	UNTIL(400) level(PART(seed));
	return 0;
}
"""
SCRIPT = """
import time

def kept(rows):
    return [row * 3 for row in rows]

def changed(rows):
    return [%s for row in rows]

while time.process_time() < 0.8:
    kept(range(5000))
    changed(range(5000))
"""


def recorded(recorder, name, folder, own, first, second):
    recorder.path(folder).mkdir(exist_ok=True)
    program = recorder.compile(f"{folder}/prog", f"#define OWN {own}\n#define FIRST {first}\n#define SECOND {second}\n"
                               + PROGRAM, "-O1", "-g", "-fno-omit-frame-pointer")
    path = recorder.path(name)
    run([recorder.wperf, "record", "-q", "-g", *clock_event(4000), "-o", path, "--", program])
    return path


def recordings(recorder):
    before, after = recorder.path("before.data"), recorder.path("after.data")
    if not after.exists():
        recorded(recorder, "before.data", "old", "earlier_only", 2, 6)
        recorded(recorder, "after.data", "new", "later_only", 6, 2)
    return before, after


def page_of(recorder, name, *words):
    path = recorder.path(name)
    run([recorder.wperf, "report", "-q", "--html", path, *words])
    return Page(path)


def sums_of(page, event):
    """{(function, module): [self, total]} in weights, of one event."""
    summary, strings = json.loads(page.parts["summary"]), json.loads(page.parts["strings"])
    modules = [""] + [module["name"] for module in summary["modules"]]
    names = list(zip((strings[name] for name in page.steps("function-name")),
                     (modules[module] for module in page.column("function-module"))))
    functions, stacks = page.steps("frame-function"), []
    for i, (back, frame) in enumerate(zip(page.column("stack-parent"), page.column("stack-frame"))):
        stacks.append([names[functions[frame]]] + (stacks[i - back] if back else []))
    sums = collections.defaultdict(lambda: [0, 0])
    for number, stack, weight in zip(page.steps("sample-event"), page.steps("sample-stack"),
                                     page.steps("sample-weight")):
        if number != event or not stack:
            continue
        sums[stacks[stack - 1][0]][0] += weight
        for name in set(stacks[stack - 1]):
            sums[name][1] += weight
    return dict(sums)


def test_page_has_the_sums_of_each_alone(recorder):
    before, after = recordings(recorder)
    page = page_of(recorder, "diff.html", "-i", before, "--diff", after)
    summary = json.loads(page.parts["summary"])
    assert [event["recording"] for event in summary["events"]] == [0, 1], summary["events"]
    assert [each["name"] for each in summary["recordings"]] == ["before.data", "after.data"]
    alone = [page_of(recorder, "alone.html", "-i", path) for path in (before, after)]
    for event, of_one in enumerate(alone):
        sums = sums_of(of_one, 0)
        assert sums and sums == sums_of(page, event)
        assert json.loads(of_one.parts["summary"]).get("recordings") is None
        facts, own = summary["recordings"][event], json.loads(of_one.parts["summary"])
        for key in ("command", "host", "startMs", "durationNs", "lost"):
            assert facts[key] == own[key], (key, facts, own)
    # One function for both, and one for each of what only one has.
    strings = json.loads(page.parts["strings"])
    names = [strings[name] for name in page.steps("function-name")]
    for name in ("first", "second", "level", "main", "earlier_only", "later_only"):
        assert names.count(name) == 1, (name, names)


def test_other_builds_have_no_samples_in_listings(recorder):
    before, after = recordings(recorder)
    page = page_of(recorder, "diff.html", "-i", before, "--diff", after)
    strings = json.loads(page.parts["strings"])
    names = [strings[name] for name in page.steps("function-name")]
    functions, instructions = page.steps("frame-function"), page.steps("frame-instruction")
    frames = page.column("stack-frame")
    shown = collections.defaultdict(set)
    for event, stack in zip(page.steps("sample-event"), page.steps("sample-stack")):
        frame = frames[stack - 1]
        if stack and instructions[frame]:
            shown[names[functions[frame]]].add(event)
    # A joined function has the code of the first one's build, in which addresses of the second mean nothing.
    assert shown["first"] == shown["second"] == shown["earlier_only"] == {0}, shown
    assert shown["later_only"] == {1}, shown


def test_same_build_shares_a_listing(recorder):
    _, after = recordings(recorder)
    page = page_of(recorder, "same.html", "-i", after, "--diff", after)
    strings = json.loads(page.parts["strings"])
    names = [strings[name] for name in page.steps("function-name")]
    functions, instructions = page.steps("frame-function"), page.steps("frame-instruction")
    assert names.count("first") == 1
    # Each frame in the program is one of both recordings.
    first = [(frame, at) for frame, at in zip(functions, instructions) if names[frame] == "first"]
    assert first and all(at for _, at in first) and len(set(first)) == len(first), first
    assert sums_of(page, 0) == sums_of(page, 1)


def verdict(recorder, before, after, *words):
    done = run([recorder.wperf, "report", "-i", before, "--diff", after, "-q", *words], code=None)
    lines = [line for line in done.stderr.splitlines() if " grew " in line]
    return done.returncode, lines


def test_only_growth_fails(recorder):
    before, after = recordings(recorder)
    code, lines = verdict(recorder, before, after, "--fail-above", 20)
    assert code == 1 and len(lines) == 1 and lines[0].startswith("error: prog first grew from "), lines
    code, lines = verdict(recorder, after, before, "--fail-above", 20)
    assert code == 1 and len(lines) == 1 and lines[0].startswith("error: prog second grew from "), lines
    code, lines = verdict(recorder, before, after, "--fail-above", 60)
    assert code == 0 and lines == ["note: nothing grew by more than 60 points beyond chance "
                                   + lines[0].split("chance ")[1]], lines
    code, lines = verdict(recorder, before, before, "--fail-above", 0)
    assert code == 0, lines


def test_two_runs_of_one_program_pass(recorder):
    _, after = recordings(recorder)
    again = recorder.path("again.data")
    run([recorder.wperf, "record", "-q", "-g", *clock_event(4000), "-o", again, "--", recorder.path("new/prog")])
    code, lines = verdict(recorder, after, again, "--fail-above", 5)
    assert code == 0, lines


def test_python_functions_and_lines(recorder):
    paths = []
    for name, what in (("before", "row"), ("after", "str(row).zfill(9).strip('0')")):
        script = recorder.path("job.py")
        script.write_text(SCRIPT % what)
        paths.append(recorder.path(f"{name}-python.data"))
        run([recorder.wperf, "record", "-q", "-g", "-o", paths[-1], "--", "/usr/bin/python3", script])
    code, lines = verdict(recorder, *paths, "--python=only", "--fail-above", 10)
    assert code == 1 and len(lines) == 1 and "job.py changed" in lines[0], lines
    code, lines = verdict(recorder, *paths, "--sort", "python-function", "--fail-above", 10)
    assert code == 1 and len(lines) == 1 and "job.py changed" in lines[0], lines
    code, lines = verdict(recorder, *paths, "--python=only", "--sort", "line", "--fail-above", 10)
    assert code == 1 and len(lines) == 1 and "job.py:8 grew" in lines[0], lines


def test_off_cpu_time_is_measured(recorder):
    paths = []
    for name, seconds in (("short", 0.05), ("long", 0.4)):
        paths.append(recorder.path(f"{name}-wait.data"))
        code = f"import time, select; time.sleep({seconds}); select.select([], [], [], 0.2)"
        run([recorder.wperf, "record", "-q", "-g", "--off-cpu", "-o", paths[-1], "--", "/usr/bin/python3",
             "-c", code])
    code, lines = verdict(recorder, *paths, "--event", "off-cpu", "--fail-above", 10)
    assert code == 1 and any(" of off-cpu: +" in line and "(at least" not in line for line in lines), lines


def main():
    tests = [test_page_has_the_sums_of_each_alone, test_other_builds_have_no_samples_in_listings,
             test_same_build_shares_a_listing, test_only_growth_fails, test_two_runs_of_one_program_pass,
             test_python_functions_and_lines, test_off_cpu_time_is_measured]
    recorder = Recorder(sys.argv[1], sys.argv[2])
    for path in recorder.folder.glob("*.data"):
        path.unlink()
    run_tests(tests, recorder)


main()
