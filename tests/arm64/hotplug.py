# SPDX-License-Identifier: Apache-2.0
"""A core goes offline while it is counted: `hotplug.py GUEST_WPERF PACKAGES`.

What it counted until then is shown, and counting on a core that is offline says so.
"""
import json
import sys

import machine

ONLINE = "/sys/devices/system/cpu/cpu1/online"
COUNT_BOTH = "wperf --json stat -e cpu-clock -c 0,1 --timeout 1"
COMMANDS = [
    COUNT_BOTH,
    f"{COUNT_BOTH} & sleep 0.5; echo 0 > {ONLINE}; wait $!",
    "wperf stat -e cpu-clock -c 1 --timeout 1",
    f"echo 1 > {ONLINE}; {COUNT_BOTH}",
    "wperf stat -t -i 0 -n 6 -e cpu-clock -c 0,1 --timeout 0.2 --output-csv /tmp/c & sleep 0.5; "
    f"echo 0 > {ONLINE}; wait $!; cat /tmp/c",
]


def milliseconds(result):
    """Of core 0 and 1; JSON has the nanoseconds that the kernel counts."""
    assert result.exit == 0, result
    cores = json.loads(result.out)["core"]["cores"]
    return [core["Performance_counter"][0]["counter_value"] / 1e6 for core in cores]


def check(both, went, offline, back, timeline):
    assert all(990 <= value <= 1100 for value in milliseconds(both)), both.out
    assert not both.err and not back.err, (both, back)
    note = "note: core 1 went offline; its counts end there"
    assert note in timeline.err, timeline
    first, second = milliseconds(went)
    assert 990 <= first <= 1100 and 300 <= second <= 700, went.out
    assert offline.exit == 1 and "core 1: the core is offline" in offline.err, offline
    assert all(990 <= value <= 1100 for value in milliseconds(back)), back.out
    assert timeline.exit == 0, timeline
    rows = [line.split(",") for line in timeline.out.split("\n") if line[:1].isdigit()]
    values = [float(row[2]) for row in rows]
    assert len(rows) == 6 and values[0] > 190 and values[-1] == 0, timeline.out


def main():
    wperf, packages = sys.argv[1:]
    commands = [machine.Command("root", ["sh", "-c", command]) for command in COMMANDS]
    try:
        check(*machine.run_commands(packages, {"wperf": wperf}, commands, num_cores=2))
    except machine.Failure as failure:
        print(failure)
        return 1
    print(f"{len(COMMANDS)} commands did as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
