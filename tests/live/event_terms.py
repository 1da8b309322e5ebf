# SPDX-License-Identifier: Apache-2.0
"""Events by terms of a PMU's format, and their modifiers, as the kernel counts and samples them.

event_terms.py WPERF FOLDER
"""
import json
import os
import shutil
import sys

from recorder import Recorder, find_rows, run, run_tests

PMUS = "/sys/bus/event_source/devices"
LOOP = "for i in range(2000000): pass"


def counts(recorder, *events, program=("true",)):
    """{name: value} of one run."""
    words = [word for event in events for word in ("-e", event)]
    done = run([recorder.wperf, "stat", *words, "--json", "--", *program])
    return {row["event_name"]: row for row in find_rows(json.loads(done.stdout))}


def refused(recorder, event, message, hint, command="stat"):
    done = run([recorder.wperf, command, "-e", event, "--", "true"], None)
    assert done.returncode in (1, 2), (event, done)
    assert message in done.stderr and hint in done.stderr, (event, done.stderr)


def terms_are_events(recorder):
    """The PMU 'software' has no formats: its register is enough, and both names count the same."""
    found = counts(recorder, "{page-faults,software/config=2/,software/config=0x2,name=mine/}")
    assert list(found) == ["page-faults", "software/config=2/", "mine"], found
    values = {row["counter_value"] for row in found.values()}
    assert len(values) == 1 and values.pop() > 0, found


def rows_keep_their_modifiers(recorder):
    found = counts(recorder, "page-faults:u,page-faults:k,page-faults:uk,software/config=2/u")
    assert list(found) == ["page-faults:u", "page-faults:k", "page-faults:uk", "software/config=2/:u"], found
    user, kernel, both = [found[f"page-faults:{level}"]["counter_value"] for level in ("u", "k", "uk")]
    assert user > 0 and user + kernel == both, found


def samples_by_terms(recorder):
    path = recorder.path("terms.data")
    run([recorder.wperf, "record", "-q", "-e", "software/config=2,period=1,name=faults/", "-o", path, "--", "true"])
    samples = recorder.samples(path)
    assert samples and {sample.event for sample in samples} == {"faults"}, samples[:3]
    run([recorder.wperf, "record", "-q", "-e", "cpu-clock:u", "-F", "max", "-o", path, "--", sys.executable, "-c",
         LOOP])
    samples = recorder.samples(path)
    assert samples and {sample.event for sample in samples} == {"cpu-clock:u"}, samples[:3]
    report = run([recorder.wperf, "report", path]).stdout
    most = int(open("/proc/sys/kernel/perf_event_max_sample_rate", encoding="ascii").read())
    assert f"event cpu-clock:u ({most:,} Hz)" in report, report


def wrong_words(recorder):
    refused(recorder, "software/confg=1/", "PMU 'software' has no term 'confg'", "its terms: config")
    refused(recorder, "nopmu/event=1/", "this machine has no PMU 'nopmu'", "software")
    refused(recorder, "software/config=x/", "invalid value of 'config=x'", "0x")
    refused(recorder, "page-faults:x", "unknown event name: page-faults:x", "p, pp or ppp")
    refused(recorder, "sched:*", "unknown event name: sched:*", "wildcards")
    refused(recorder, "sched:*", "unknown event name: sched:*", "wildcards", "record")


def precision_is_not_silent(recorder):
    done = run([recorder.wperf, "record", "-e", "cpu-clock:pp", "-o", recorder.path("p.data"), "--", "true"])
    assert "note: 'cpu-clock:pp' is an event of the kernel" in done.stderr, done.stderr
    if not os.path.exists(f"{PMUS}/cpu/format/event"):
        return "skipped: no PMU of the CPU"
    done = run([recorder.wperf, "record", "-e", "cycles:ppp", "-o", recorder.path("p.data"), "--", "true"], None)
    assert done.returncode in (0, 1), done
    assert done.returncode == 0 or "cycles:ppp" in done.stderr, done.stderr
    return f"cycles:ppp: exit code {done.returncode}"


def periods_say_nothing_of_counts(recorder):
    """An event that was written for record is the same in stat, as with perf."""
    found = counts(recorder, "{page-faults,software/config=2,period=9,name=mine/}")
    values = {row["counter_value"] for row in found.values()}
    assert len(values) == 1 and values.pop() > 0, found


UNIT_FILES = {"format/event": "config:0-63", "events/tsc": "event=0x0", "events/tsc.scale": "1e-3",
              "events/tsc.unit": "kilo", "cpumask": "0"}


def a_unit_of_several_cores_counts_once(recorder):
    """A PMU with a cpumask is one of a package, say: each of its cores would give all of its counts.
    A folder plays that of the PMUs, and the time stamp counter of core 0 plays the unit."""
    if os.geteuid() or not os.path.exists(f"{PMUS}/msr/type") or os.cpu_count() < 2:
        return "skipped: needs root, the PMU msr and two cores"
    folder = recorder.path("pmus")
    for name, text in {**UNIT_FILES, "type": open(f"{PMUS}/msr/type", encoding="ascii").read()}.items():
        path = os.path.join(folder, "unit", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text.strip() + "\n")

    def stat(counter, *words):
        """The rows of -x that name the event."""
        done = run(["unshare", "-m", "sh", "-c", f'mount --bind {folder} {PMUS} && exec "$@"', "sh", counter,
                    "stat", "-x,", *words, "-e", "unit/tsc/,unit/event=0/", "--", "sleep", "0.1"])
        return [line.split(",") for line in (done.stdout + done.stderr).splitlines() if "unit/" in line]

    ours = stat(recorder.wperf, "-a")
    whole = float(ours[1][0])
    assert abs(float(ours[0][0]) * 1000 / whole - 1) < 0.1 and ours[0][1] == "kilo", ours
    each = stat(recorder.wperf, "-a", "-A")
    shown = {(row[0], row[3]): row[1] for row in each}
    assert shown.get(("CPU1", "unit/event=0/"), "<not counted>") == "<not counted>", each
    assert 0.5 < float(shown["CPU0", "unit/event=0/"]) / whole < 2, each
    theirs = stat("perf", "-a") if shutil.which("perf") else ours
    assert 0.6 < whole / float(theirs[1][0]) < 1.6, (ours, theirs)
    return f"{whole:.0f} of one core, perf {theirs[1][0]}"


def main():
    recorder = Recorder(*sys.argv[1:])
    if run([recorder.wperf, "stat", "--source", "perf", "-e", "page-faults", "--", "true"], None).returncode:
        print("skipped: no perf events here")
        return 77
    run_tests((terms_are_events, rows_keep_their_modifiers, samples_by_terms, wrong_words, precision_is_not_silent,
               periods_say_nothing_of_counts, a_unit_of_several_cores_counts_once), recorder)
    shutil.rmtree(recorder.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
