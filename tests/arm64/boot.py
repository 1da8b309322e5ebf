# SPDX-License-Identifier: Apache-2.0
"""What wperf says and counts on AArch64: `boot.py HOST_WPERF GUEST_WPERF LOOP PACKAGES`.

ROWS at the end is the test: commands that run one after the other in one emulated machine, and what
is expected of each. To add a command, add a row. A check gets the Result and run_on_host() and
raises AssertionError; without one, only the exit code counts.
"""
import collections
import functools
import json
import re
import subprocess
import sys

import machine

Row = collections.namedtuple("Row", "user words exit check", defaults=(0, None))

CPU = "neoverse-n1"
NUM_COUNTERS = 6  # that QEMU gives this CPU, besides the one for cycles
PMU_EVENTS = {"inst_retired": "0x0008", "cpu_cycles": "0x0011", "stall_frontend": "0x0023",
              "stall_backend": "0x0024"}  # all that QEMU has
ROUND, DIGIT, REST = 4, 5, 7  # instructions of loop.S: per round, per digit of the number, others
ROUNDS = 1_000_000
LOOP_INSTRUCTIONS = ROUND * ROUNDS + DIGIT * len(str(ROUNDS)) + REST
MAX_SHOWN = 2000  # characters of what went wrong


def run_on_host(wperf, *words):
    """What the same wperf, built for this machine, writes."""
    return subprocess.run([wperf, *words], capture_output=True, text=True, timeout=20,
                          check=True).stdout


def column(text, heading, key):
    """The cell below @heading in the row that starts with @key; a table of wperf."""
    lines = text.split("\n")
    top = next(line for line in lines if heading in line)
    row = next(line for line in lines if line.split()[:1] == [key])
    return row[top.index(heading):].split()[0]


def finding(result, ability):
    rows = json.loads(result.out)["Abilities"]
    return next(row for row in rows if row["Source"] == "perf" and row["Ability"] == ability)


def check_finding(result, ability, here, detail):
    row = finding(result, ability)
    assert (row["Here"], row["Detail"]) == (here, detail), row


def check_version(result, host):
    ours = host("--version").split("\n")[2].split()
    theirs = result.out.split("\n")[2].split()
    assert theirs == ours, f"{theirs} instead of {ours}: ./wperf-dev build aarch64"
    assert re.search(r"\bwperf-driver +6\.", result.out), "the kernel stands for the driver"


def check_list(result, host):
    assert result.err.startswith("note: generic events not listed"), result.err
    assert column(result.out, "Raw Index", "ld_spec") == "0x0070"
    for name, code in PMU_EVENTS.items():
        assert column(result.out, "Raw Index", f"armv8_pmuv3/{name}/") == code
    assert column(result.out, "Events", "ipc"), result.out


def check_list_json(result, host):
    listed = json.loads(result.out)
    names = {row["Alias_Name"]: row for row in listed["Predefined_Events"]}
    sim = json.loads(host("list", "--json", "--source", f"sim,cpu={CPU},dsu=0,dmc=0"))
    table = [row for row in sim["Predefined_Events"] if row["Event_Type"] == "[core PMU event]"]
    assert len(table) > 100, table
    assert all(names[row["Alias_Name"]] == row for row in table), "the whole table of this CPU"
    for key in ("Predefined_Metrics", "Predefined_Groups_of_Metrics"):
        assert listed[key] == sim[key], key


def check_list_forbidden(result, host):
    assert "hardware events are not listed" in result.err, result.err
    assert column(result.out, "Raw Index", "ld_spec") == "0x0070"


def check_detect(result, host):
    devices = [row["Device_Instance_ID"] for row in json.loads(result.out)["Devices"]]
    assert "/sys/bus/event_source/devices/armv8_pmuv3" in devices, devices
    check_finding(result, "hardware events", "yes", f"{NUM_COUNTERS} counters")
    check_finding(result, "Arm SPE", "no", "no arm_spe_0")
    for ability in ("software events", "kernel code", "whole cores"):
        assert finding(result, ability)["Here"] == "yes"


def check_detect_events(result, host):
    row = finding(result, "common Arm events")
    counted, _, names = row["Detail"].partition(": ")
    assert row["Here"] == "partly" and counted == f"{len(PMU_EVENTS)} of 45 of {CPU}", row
    assert set(names.split(", ")) == set(PMU_EVENTS), row


def check_detect_forbidden(result, host):
    reason = "no permission: kernel.perf_event_paranoid is 3"
    for ability in ("hardware events", "software events", "kernel code", "whole cores"):
        check_finding(result, ability, "no", reason)
    check_detect_events(result, host)


def check_detect_own_code(result, host):
    check_finding(result, "hardware events", "yes", f"{NUM_COUNTERS} counters")
    assert finding(result, "kernel code")["Here"] == "no"


def check_test(result, host):
    assert re.search(rf"product_name +{CPU} *\n", result.out), result.out
    assert re.search(r"midr_value\] +0x0*414fd0c1\b", result.out), result.out
    assert re.search(rf"gpc_num\] +0x000{NUM_COUNTERS}\b", result.out), result.out
    assert re.search(r"source.description +Linux 6\S+, 1 core of Neoverse N1 *\n", result.out)


def check_test_forbidden(result, host):
    assert re.search(r"gpc_num\] +not known", result.out), result.out


def check_man(result, host):
    assert result.out == host("man", f"{CPU}/ld_spec"), result.out


def counter_value(result, event):
    found = re.search(rf"^ *([\d,]+) +{event}\b", result.out, re.MULTILINE)
    assert found, result.out + result.err
    return int(found[1].replace(",", ""))


def check_loop(result, host):
    for event in ("inst_retired", "cpu_cycles"):  # each takes one cycle on this machine
        counted = counter_value(result, event)
        assert counted == LOOP_INSTRUCTIONS, f"{counted} of {event}, not {LOOP_INSTRUCTIONS}"


def check_default_events(result, host):
    assert counter_value(result, "instructions") == LOOP_INSTRUCTIONS, result.out
    assert "branches" not in result.out, "QEMU counts none"


def check_missing_events(result, host):
    assert counter_value(result, "l1d_cache") == 0, result.out
    notes = [line for line in result.err.split("\n") if line]
    # Nobody can tell whether a PMU has ld_spec: it is none of the common events.
    assert len(notes) == 1 and notes[0].startswith("note: l1d_cache: this PMU may not have the event"), notes
    assert re.search(rf"\b{CPU} +ipc +1\.000 ", result.out), result.out


def check_large_group(result, host):
    assert f"exceeds number of hardware PMU counters({NUM_COUNTERS})" in result.err, result


def check_loop_forbidden(result, host):
    assert "perf_event_paranoid is 3" in result.err, result


def stat_loop(*words):
    return ["wperf", "stat", *words, "--", "loop", str(ROUNDS)]


STAT_LOOP = stat_loop("-e", "inst_retired,cpu_cycles")
LARGE_GROUP = "{" + ",".join(["inst_retired"] * (NUM_COUNTERS + 1)) + "}"
FAILED, USAGE = 1, 2  # exit codes of wperf

ROWS = [
    Row("root", ["wperf", "--version"], check=check_version),
    Row("root", ["wperf", "list"], check=check_list),
    Row("root", ["wperf", "list", "--json"], check=check_list_json),
    Row("root", ["wperf", "test"], check=check_test),
    Row("root", ["wperf", "man", "ld_spec"], check=check_man),
    Row("root", ["wperf", "detect", "-v", "--json"], check=check_detect),
    Row("root", ["wperf", "detect", "-v", "--json"], check=check_detect_events),
    Row("root", STAT_LOOP, check=check_loop),
    Row("root", stat_loop(), check=check_default_events),
    Row("root", stat_loop("-e", "ld_spec,l1d_cache", "-m", "ipc"), check=check_missing_events),
    Row("root", stat_loop("-e", LARGE_GROUP), exit=USAGE, check=check_large_group),
    # Debian's default for ordinary users: nothing
    Row("ordinary", ["wperf", "list"], check=check_list_forbidden),
    Row("ordinary", ["wperf", "list", "--json"], check=check_list_json),
    Row("ordinary", ["wperf", "test"], check=check_test_forbidden),
    Row("ordinary", ["wperf", "man", "ld_spec"], check=check_man),
    Row("ordinary", ["wperf", "detect", "-v", "--json"], check=check_detect_forbidden),
    Row("ordinary", STAT_LOOP, exit=FAILED, check=check_loop_forbidden),
    # the kernel's default: their own code
    Row("root", ["sysctl", "-w", "kernel.perf_event_paranoid=2"]),
    Row("ordinary", ["wperf", "list"], check=check_list),
    Row("ordinary", ["wperf", "detect", "-v", "--json"], check=check_detect_own_code),
    Row("ordinary", STAT_LOOP, check=check_loop),
]


def shorten(text):
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + " ...\n"


def check_row(row, result, host):
    """What is wrong, or None."""
    try:
        assert result.exit == row.exit, f"exit code {result.exit} instead of {row.exit}"
        if row.check:
            row.check(result, host)
    except (AssertionError, LookupError, StopIteration, ValueError) as wrong:
        return (f"{row.user}: {' '.join(row.words)}\n{row.check.__name__ if row.check else ''} "
                f"{type(wrong).__name__}: {shorten(str(wrong))}\n"
                f"-- output\n{shorten(result.out)}-- errors\n{shorten(result.err)}")
    return None


def main():
    host_wperf, guest_wperf, loop, packages = sys.argv[1:]
    host = functools.partial(run_on_host, host_wperf)
    commands = [machine.Command(row.user, row.words) for row in ROWS]
    try:
        results = machine.run_commands(packages, {"wperf": guest_wperf, "loop": loop}, commands)
    except machine.Failure as failure:
        print(failure)
        return 1
    wrong = [text for row, result in zip(ROWS, results) if (text := check_row(row, result, host))]
    print("\n".join(wrong) or f"{len(ROWS)} commands did as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
