# SPDX-License-Identifier: Apache-2.0
"""Samples of a real (emulated) Arm PMU: `sampling.py GUEST_WPERF LOOP PACKAGES`.

The loop executes 4 instructions a round, a cycle each, so every millionth cycle is a known number
of samples, and all but a few of them are in the loop.
"""
import json
import sys

import machine

ROUNDS = 30_000_000
SAMPLES = 4 * ROUNDS // 1_000_000
COMMANDS = [
    f"wperf record --json -e cpu_cycles:1000000 -- loop {ROUNDS}",
    f"wperf record --json -- loop {ROUNDS}",
    f"wperf record -q -g -e cpu_cycles:1000000 --save /tmp/l.data -- loop {ROUNDS}; "
    "wperf report --json -i /tmp/l.data",
    f"wperf record -q --save /tmp/m.data -e cpu_cycles:1000000,cpu-clock:1000000 -- loop {ROUNDS}; "
    "wperf script -i /tmp/m.data | grep -c cpu_cycles",
]


def only_event(result):
    assert result.exit == 0, result
    (event,) = json.loads(result.out)["sampling"]["events"]
    return event


def check_period(result):
    event = only_event(result)
    counts = {row["symbol"]: row["count"] for row in event["samples"]}
    assert event["type"] == "cpu_cycles" and event["interval"] == 1_000_000, event
    assert sum(counts.values()) == SAMPLES and counts["round"] >= SAMPLES - 2, counts


def check_frequency(result):
    event = only_event(result)
    assert event["type"] == "cycles", event
    assert event["samples"][0]["symbol"] == "round" and event["samples"][0]["overhead"] > 90, event


def check_file(result):
    assert result.exit == 0, result
    (event,) = json.loads(result.out)["report"]["events"]
    hottest = event["rows"][0]
    assert event["event"] == "cpu_cycles" and event["samples"] == SAMPLES, event
    assert event["weight"] == SAMPLES * 1_000_000, event
    assert hottest["name"] == "round" and hottest["module"].endswith("/loop"), hottest


def check_events_apart(result):
    assert result.exit == 0 and int(result.out) == SAMPLES, result


def main():
    wperf, loop, packages = sys.argv[1:]
    commands = [machine.Command("root", ["sh", "-c", command]) for command in COMMANDS]
    try:
        results = machine.run_commands(packages, {"wperf": wperf, "loop": loop}, commands)
    except machine.Failure as failure:
        print(failure)
        return 1
    for check, result in zip((check_period, check_frequency, check_file, check_events_apart), results):
        check(result)
    print(f"{SAMPLES} samples of {4 * ROUNDS} cycles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
