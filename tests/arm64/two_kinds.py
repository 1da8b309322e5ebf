# SPDX-License-Identifier: Apache-2.0
"""A machine with two kinds of cores, each with a PMU of its own: `two_kinds.py GUEST_WPERF LOOP
PACKAGES`.

Its kernel takes core 0 for a Cortex-A53 and core 1 for a Cortex-A73 (two_kinds.dts). What the cores
say of themselves (MIDR_EL1) is replaced, so that wperf finds a table of its own for each.
"""
import json
import sys

import machine

ROUNDS = 1_000_000
INSTRUCTIONS = 4 * ROUNDS
STARTING = 60_000  # at most, of taskset and the program's start
PERIOD = 100_000
SAMPLES = INSTRUCTIONS // PERIOD
LITTLE, BIG = "armv8_cortex_a53", "armv8_cortex_a73"
ON_LITTLE, ON_BIG = (f"taskset {mask} loop {ROUNDS}" for mask in (1, 2))
MIDR = "/sys/devices/system/cpu/cpu{}/regs/identification/midr_el1"
CORTEX_A510, CORTEX_A710 = "0x00000000411fd461", "0x00000000412fd470"


def become(core, midr):
    return f"echo {midr} >/tmp/midr{core} && mount -o bind /tmp/midr{core} {MIDR.format(core)}"


COMMANDS = [
    f"{become(0, CORTEX_A510)} && {become(1, CORTEX_A710)}",
    f"wperf stat --json -e cycles,r8 -- {ON_LITTLE}",
    f"wperf stat --json -e {{cycles,instructions}} -- {ON_BIG}",
    f"wperf stat --json -e {BIG}/cycles/u,{BIG}/inst_retired/ -- {ON_BIG}",
    f"wperf stat --json -a -A -m ipc -- {ON_BIG}",
    f"wperf stat --json -m ipc -- sh -c '{ON_LITTLE}; {ON_BIG}'",
    "wperf list --json",
    f"wperf record -q --save /tmp/l.data -e cycles:{PERIOD} -- sh -c '{ON_LITTLE}; {ON_BIG}'; "
    "wperf report --json -i /tmp/l.data",
    f"wperf record --json -e cycles:{PERIOD} -a -- {ON_BIG}",
]


def events_of(result):
    """By name, of the only unit."""
    assert result.exit == 0 and not result.err, result
    (unit,) = json.loads(result.out)["processes"]
    return {row["event_name"]: row for row in unit["Performance_counter"]}


def is_of_loop(row):
    return INSTRUCTIONS <= row["counter_value"] <= INSTRUCTIONS + STARTING


def check_replaced(result):
    assert result.exit == 0, result


def check_little(result):
    rows = events_of(result)
    assert list(rows) == [f"{pmu}/{event}/" for event in ("cycles", "r8") for pmu in (LITTLE, BIG)]
    for event in ("cycles", "r8"):
        here, there = rows[f"{LITTLE}/{event}/"], rows[f"{BIG}/{event}/"]
        assert is_of_loop(here) and here["running_ns"] == here["enabled_ns"], here
        assert there["running_ns"] == 0 and there["scaled_value"] is None, there


def check_big(result):
    """It began on either core: a little of it may have been on the other."""
    rows = events_of(result)
    assert is_of_loop(rows[f"{BIG}/cycles/"]) and is_of_loop(rows[f"{BIG}/instructions/"]), rows
    assert rows[f"{BIG}/instructions/"]["derived"] == "1.00 insn per cycle", rows
    assert rows[f"{LITTLE}/cycles/"]["counter_value"] < STARTING, rows
    times = [rows[f"{pmu}/cycles/"] for pmu in (LITTLE, BIG)]
    assert sum(row["running_ns"] for row in times) == times[0]["enabled_ns"], times


def check_named(result):
    rows = events_of(result)
    assert list(rows) == [f"{BIG}/cycles/:u", f"{BIG}/inst_retired/"], rows
    assert all(is_of_loop(row) for row in rows.values()), rows


def check_whole_cores(result):
    """Each core has the counts of its own PMU, and no number for the other's."""
    cores = json.loads(result.out)["core"]["cores"]
    for core, here, there in ((0, LITTLE, BIG), (1, BIG, LITTLE)):
        rows = {row["event_name"]: row for row in cores[core]["Performance_counter"]}
        assert rows[f"{here}/cpu_cycles/"]["counter_value"] > 0, rows
        assert rows[f"{there}/cpu_cycles/"]["counter_value"] is None, rows
    assert is_of_loop(rows[f"{BIG}/inst_retired/"]), rows


def check_metrics(result):
    rows = json.loads(result.out)["core"]["ts_metric"]["Telemetry_Solution_Metrics"]
    shown = {row["metric_name"]: (row["product_name"], row["value"]) for row in rows}
    assert shown == {f"{LITTLE}/ipc/": ("cortex-a510", "1.000"),
                     f"{BIG}/ipc/": ("cortex-a710", "1.000")}, rows


def check_list(result):
    listed = json.loads(result.out)
    names = {row["Alias_Name"]: row for row in listed["Predefined_Events"]}
    for pmu in (LITTLE, BIG):
        assert names[f"{pmu}/cycles/"]["Event_Type"] == f"[Hardware event of {pmu}]", pmu
        assert names[f"{pmu}/ld_spec/"]["Event_Type"] == f"[{pmu} PMU event]", pmu
    metrics = {row["Metric"] for row in listed["Predefined_Metrics"]}
    # Only the table of the Cortex-A510 has the one, and only that of the Cortex-A710 the other.
    own = {pmu: {name.split("/")[1] for name in metrics if name.startswith(f"{pmu}/")}
           for pmu in (LITTLE, BIG)}
    assert own[LITTLE] - own[BIG] and own[BIG] - own[LITTLE], own


def check_report(result):
    """Process events came from both cores: the function of the loop has its name. The cores share
    the machine's time (machine.py), so a core has some samples more while wperf is on the other."""
    assert result.exit == 0, result
    events = {event["event"]: event for event in json.loads(result.out)["report"]["events"]}
    assert list(events) == [f"{LITTLE}/cycles/", f"{BIG}/cycles/"], events
    for event in events.values():
        hottest = event["rows"][0]
        assert SAMPLES <= event["samples"] <= 2 * SAMPLES, event
        assert hottest["name"] == "round" and hottest["self_percent"] > 90, hottest


def check_whole_machine(result):
    assert result.exit == 0, result
    events = {event["type"]: event for event in json.loads(result.out)["sampling"]["events"]}
    counts = {row["symbol"]: row["count"] for row in events[f"{BIG}/cycles/"]["samples"]}
    assert SAMPLES - 1 <= counts["round:loop"] <= 2 * SAMPLES, events


CHECKS = (check_replaced, check_little, check_big, check_named, check_whole_cores, check_metrics,
          check_list, check_report, check_whole_machine)


def main():
    wperf, loop, packages = sys.argv[1:]
    commands = [machine.Command("root", ["sh", "-c", command]) for command in COMMANDS]
    here = __file__.removesuffix("two_kinds.py")
    try:
        results = machine.run_commands(packages, {"wperf": wperf, "loop": loop}, commands,
                                       num_cores=2, device_tree=f"{here}two_kinds.dts")
    except machine.Failure as failure:
        print(failure)
        return 1
    for check, result in zip(CHECKS, results, strict=True):
        check(result)
    print(f"{len(COMMANDS)} commands did as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
