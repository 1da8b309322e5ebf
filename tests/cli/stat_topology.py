# SPDX-License-Identifier: Apache-2.0
"""`stat --per-socket` and the like add up the CPUs of a machine that is described by a folder."""
import json
import os
import subprocess
import sys
import tempfile

CPUS = 8
GROUPS = {
    "--per-socket": ["S0", "S1"],
    "--per-die": ["S0-D0", "S1-D0", "S1-D1"],
    "--per-core": ["S0-D0-C0", "S0-D0-C1", "S1-D0-C0", "S1-D1-C0"],
    "--per-node": ["N0", "N1"],
    "--per-cache": ["S0-D0-L3-ID0", "S1-D0-L3-ID1", "S1-D1-L3-ID1"],
    "--per-cache=L1": [f"S{int(n > 1)}-D{int(n > 2)}-L1-ID{n}" for n in range(4)],
}


def describe(folder):
    """Two sockets of two cores with two threads; the cores of the second are two dies. Numbers of
    CPUs go through all cores first, as on many machines: 0 and 4 are one core."""
    for cpu in range(CPUS):
        core = cpu % 4
        files = {
            "topology/physical_package_id": core // 2,
            "topology/die_id": int(core == 3),
            "topology/core_id": core % 2 if core < 2 else 0,
            "cache/index0/level": 1, "cache/index0/type": "Data", "cache/index0/id": core,
            "cache/index1/level": 3, "cache/index1/type": "Unified", "cache/index1/id": core // 2,
            f"node{core // 2}/meminfo": "",
        }
        for name, value in files.items():
            path = os.path.join(folder, f"cpu/cpu{cpu}", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as file:
                print(value, file=file)


def run(wperf, folder, *words):
    done = subprocess.run([wperf, "stat", "--source", f"sim,cores={CPUS},topology={folder}",
                           "--timeout", "1", *words], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_sums(wperf, folder):
    each = [int(line.split(",")[1]) for line in
            run(wperf, folder, "-e", "ld_spec", "-x,", "-a", "-A").splitlines() if "ld_spec" in line]
    assert len(each) == CPUS and len(set(each)) > 1, each
    for word, labels in GROUPS.items():
        rows = [line.split(",") for line in
                run(wperf, folder, "-e", "ld_spec", "-x,", word).splitlines()]
        rows = [row for row in rows if "ld_spec" in row]
        assert [row[0] for row in rows] == labels, (word, rows)
        assert sum(int(row[1]) for row in rows) == CPUS, (word, rows)
        assert sum(int(row[2]) for row in rows) == sum(each), (word, rows, each)
    first = [line for line in run(wperf, folder, "-e", "ld_spec", "-x,", "--per-core").splitlines()
             if "ld_spec" in line][0].split(",")
    assert int(first[2]) == each[0] + each[4], (first, each)


def check_chosen_cpus(wperf, folder):
    """Only those that were counted are added up."""
    rows = [line.split(",")[:2] for line in
            run(wperf, folder, "-e", "ld_spec", "-x,", "--per-socket", "-c", "1,2,5").splitlines()]
    assert rows == [["S0", "2"]] * 2 + [["S1", "1"]] * 2, rows


def check_json_and_text(wperf, folder):
    document = json.loads(run(wperf, folder, "-m", "ipc", "--json", "--per-socket"))
    assert document["core"]["cores"] == [], document
    groups = document["groups"]
    assert [(group["name"], group["num_cpus"]) for group in groups] == [("S0", 4), ("S1", 4)], groups
    metrics = document["core"]["ts_metric"]["Telemetry_Solution_Metrics"]
    assert [metric["core"] for metric in metrics] == ["S0", "S1"], metrics
    for group, metric in zip(groups, metrics):
        counts = {row["event_name"]: row["counter_value"] for row in group["Performance_counter"]}
        ipc = counts["inst_retired"] / counts["cpu_cycles"]
        assert abs(float(metric["value"]) - ipc) < 0.001, (metric, counts)
    text = run(wperf, folder, "-m", "ipc", "--per-die")
    assert "Performance counter stats for S1-D1 (2 CPUs), no multiplexing" in text, text
    # A period has the same rows.
    rows = run(wperf, folder, "-m", "ipc", "--per-socket", "-I", "500", "-x,").splitlines()
    assert len([row for row in rows if ",S1,4,,,,,,1." in row]) == 2, rows


def main():
    wperf = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        describe(folder)
        check_sums(wperf, folder)
        check_chosen_cpus(wperf, folder)
        check_json_and_text(wperf, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
