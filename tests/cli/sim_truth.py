# SPDX-License-Identifier: Apache-2.0
"""Every number of `stat` on the simulator, computed again: counts from the load that it plays (the
shares of driver/sim/load.c, by the rules of load.h), metrics from the formulas of Arm's own files or,
where these are not there, from those that `list` shows.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

WPERF = sys.argv[1]
LOAD = pathlib.Path(__file__).parents[2] / "driver" / "sim" / "load.c"
TABLES = pathlib.Path(os.environ["WPERF_SHARED_DIR"]) / "data" / "pmu" / "telemetry-solution"
# Metrics of AmpereOne whose formulas Linux builds from each other; ours are of events alone.
AMPERE = {
    "backend_bound": "100 * stall_slot_backend / (4 * cpu_cycles)",
    "retired_fraction": "100 * op_retired / (4 * cpu_cycles)",
    "slots_lost_misspeculation_fraction": "100 * (op_spec - op_retired) / (4 * cpu_cycles)",
    "frontend_bound": "100 - (retired_fraction + slots_lost_misspeculation_fraction + backend_bound)",
    "backend_memory": "100 * (DTLB_STALL + stall_backend_cache) / cpu_cycles",
    "backend_core": "backend_bound - backend_memory",
    "frontend_latency": "100 * (stall_frontend - (stall_slot_frontend - "
                        "frontend_bound / 100 * 4 * cpu_cycles) / 4) / cpu_cycles",
    "frontend_bandwidth": "frontend_bound - frontend_latency",
    "branch_mispredict": "br_mis_pred_retired / gpc_flush * slots_lost_misspeculation_fraction",
    "other_miss_pred": "slots_lost_misspeculation_fraction - branch_mispredict",
}
DTLB_STALL = {"ampereone": "imp_ampere_stall_backend_tlb", "ampereonex": "stall_backend_tlb"}
SECONDS = 30  # that all runs last, so that every window has turns
MS = 1000 * SECONDS
CYCLES_PER_MS = 2500000
DSU_CYCLES_PER_MS = 2000000
DMC_CYCLES_PER_MS = {"dmc_clk": 1600000, "dmc_clkdiv2": 800000}
CORES = (0, 3)
METRICS_AT_ONCE = 35  # the driver takes 127 events


def read_shares():
    rows = re.findall(r"\{(\w+), OF_(\w+), (\d+)\}", LOAD.read_text(encoding="utf-8"))
    names = {"CPU_CYCLES": "0x11", "CHAIN": "0x1e", "MEMORY_ERROR": "0x1a"}
    return {int(names.get(event, event), 16): (base, int(share)) for event, base, share in rows}


SHARES = read_shares()


def mixed(value):
    """load_hash(): what has no share happens by it."""
    mask = (1 << 64) - 1
    value = value + 0x9e3779b97f4a7c15 & mask
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9 & mask
    value = (value ^ value >> 27) * 0x94d049bb133111eb & mask
    return value ^ value >> 31


def per_ms(core, event):
    """In user code and kernel together."""
    if event in SHARES:
        base, share = SHARES[event]
        instructions = CYCLES_PER_MS // 100 * (50 + 25 * (core % 8))
        rate = (CYCLES_PER_MS if base == "CYCLES" else instructions) * share // 1000
    else:
        rate = mixed(event << 8 | core) % 10000
    return rate - rate % 10


def core_truth(core, event, kernel):
    rate = per_ms(core, event)
    return (rate if kernel else rate - rate // 10) * MS


def cluster_truth(cores, event):
    return sum(per_ms(core, event) for core in cores) * MS


def channel_truth(channel, kind, event):
    kinds = list(DMC_CYCLES_PER_MS)
    clock = DMC_CYCLES_PER_MS[kind]
    return (mixed(event << 16 | channel << 8 | kinds.index(kind)) % clock if event else clock) * MS


def stat(*words):
    done = subprocess.run([WPERF, "--json", "stat", "--timeout", str(SECONDS), *words],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, (words, done.stderr)
    return json.loads(done.stdout)


def code_of(row):
    return 0x11 if row["event_idx"] == "fixed" else int(row["event_idx"], 16)


def same(what, value, truth, tolerance=0.0):
    assert abs(value - truth) <= tolerance, f"{what}: {value}, not {truth}"


def check_row(what, row, truth):
    """With turns: in its turns it counted the share of them, and scaled it is the truth."""
    what = f"{what} {row['event_name']}"
    if "multiplexed" not in row:
        same(what, row["counter_value"], truth)
        return
    turns, of = map(int, row["multiplexed"].split("/"))
    same(what, row["counter_value"], truth * turns / of)
    same(f"{what}, scaled", row["scaled_value"], truth, 1)


def check_counts(product, result, kernel):
    for core in result["core"]["cores"]:
        for row in core["Performance_counter"]:
            truth = core_truth(core["core_number"], code_of(row), kernel)
            check_row(f"{product} core {core['core_number']}", row, truth)
    rows = result["core"]["overall"]["Systemwide_Overall_Performance_Counters"]
    per_core = [core["Performance_counter"] for core in result["core"]["cores"]]
    assert len(rows) == len(per_core[0])
    for i, row in enumerate(rows):
        for key in ("counter_value", "scaled_value"):
            if key in row:
                same(f"{product} overall {key}", row[key], sum(core[i][key] for core in per_core))


def evaluate(formula, values):
    names = re.sub(r"[A-Za-z_][A-Za-z_0-9]*", lambda name: f"values['{name[0].upper()}']", formula)
    return eval(names, {"values": values})  # formulas of our own test data


def check_metrics(product, table, result, kernel):
    rows = result["core"]["ts_metric"]["Telemetry_Solution_Metrics"]
    seen = set()
    for row in rows:
        metric = table["metrics"][row["metric_name"]]
        codes = {name.upper(): int(table["events"][name]["code"], 16) for name in metric["events"]}
        truth = evaluate(metric["formula"], {
            name: core_truth(int(row["core"]), code, kernel) for name, code in codes.items()})
        same(f"{product} {row['metric_name']}", float(row["value"]), truth, 0.0006)
        assert row["unit"] == metric["units"], row
        if row["unit"].startswith("percent"):  # the load could be one of a real machine
            assert 0 <= truth <= 100, (product, row)
        seen.add((row["metric_name"], int(row["core"])))
    return seen


def some_metrics(product, table, metrics):
    """All at once, so that events take turns in dozens of windows."""
    for kernel in (False, True):
        result = stat("--source", f"sim,cpu={product}", "-m", ",".join(metrics), "-c",
                      ",".join(map(str, CORES)), *(["-k"] if kernel else []))
        assert result["core"]["Kernel_mode"] == kernel
        check_counts(product, result, kernel)
        seen = check_metrics(product, table, result, kernel)
        assert seen == {(name, core) for name in metrics for core in CORES}, product


def listed_table(product):
    """What `list` shows, in the form of Arm's files."""
    done = subprocess.run([WPERF, "list", "-v", "--json", "--cpu", product], capture_output=True,
                          text=True, check=True)
    listed = json.loads(done.stdout)
    return {"events": {row["Alias_Name"].upper(): {"code": row["Raw_Index"]}
                       for row in listed["Predefined_Events"]},
            "metrics": {row["Metric"]: {"formula": row["Formula"], "units": row["Unit"],
                                        "events": row["Events"].strip("{}").upper().split(",")}
                        for row in listed["Predefined_Metrics"] if row["Formula"] != "---"}}


def known_products():
    """All names that wperf knows, without aliases."""
    done = subprocess.run([WPERF, "test", "--json", "--source", "sim"], capture_output=True,
                          text=True, check=True)
    rows = {row["Test_Name"]: row["Result"] for row in json.loads(done.stdout)["Test_Results"]}
    aliases = re.findall(r"\((.*?):", rows["pmu_device.m_product_alias"])
    return [name for name in rows["pmu_device.product []"].split(",") if name not in aliases]


def tables():
    """(product, its table) of each that has metrics."""
    for product in known_products():
        path = TABLES / f"{product}.json"
        table = (json.loads(path.read_text(encoding="utf-8")) if path.exists()
                 else listed_table(product))
        if table["metrics"]:
            yield product, table


def ampere_formulas(product, table):
    """Are ours the same as those of Linux?"""
    for core in CORES:
        values = {name: core_truth(core, int(event["code"], 16), False)
                  for name, event in table["events"].items()}
        values["DTLB_STALL"] = values[DTLB_STALL[product].upper()]
        for name, formula in AMPERE.items():  # each after those that it needs
            truth = values[name.upper()] = evaluate(formula, values)
            same(f"{product} {name}", evaluate(table["metrics"][name]["formula"], values), truth,
                 1e-9)


def all_metrics_of_a_product(product, table):
    metrics = list(table["metrics"])
    for begin in range(0, len(metrics), METRICS_AT_ONCE):
        some_metrics(product, table, metrics[begin:begin + METRICS_AT_ONCE])


def clusters_and_channels():
    source = "sim,cores=8,dsu=2,dmc=3"
    events = {"dmc_clk": "request", "dmc_clkdiv2": "rdwr"}
    words = ",".join(f"/{kind}/{name}" for kind, name in events.items())
    result = stat("--source", source, "-m", "l3_cache,ddr_bw", "-e", words, "-c", "0,4,5")
    for name, cores in (("0", range(0, 4)), ("1", range(4, 8))):
        for row in result["dsu"][name]["Performance_counter"]:
            truth = (DSU_CYCLES_PER_MS * MS if row["event_idx"] == "fixed"
                     else cluster_truth(cores, code_of(row)))
            check_row(f"cluster {name}", row, truth)
    check_l3(result["dsu"]["l3metric"]["L3_Cache_Metrics"])
    check_channels(result["dmc"], {"request": "dmc_clk", "rdwr": "dmc_clkdiv2"})


def check_l3(rows):
    clusters = {"0": range(0, 4), "1": range(4, 8), "all": range(8)}
    assert [row["cluster"] for row in rows] == list(clusters)
    for row in rows:
        lookups, refills = (cluster_truth(clusters[row["cluster"]], event) for event in (0x2b, 0x2a))
        assert row["read_bandwidth"] == f"{lookups * 64 / 2**20:.2f}MB", row
        assert row["miss_rate"] == f"{refills / lookups * 100:.2f}%", row


def check_channels(result, kinds):
    def truth(name, channels, event):
        return sum(channel_truth(channel, kinds[name], event) for channel in channels)
    rows = result["pmu"]["PMU_Performance_Counters"]
    assert len(rows) == 3 * 3 + 3, len(rows)  # three events, each with a sum
    for row in rows:
        unit = row["pmu_id"].split()[-1]
        channels = range(3) if unit == "overall" else [int(unit)]
        same(f"{row['pmu_id']} {row['event_name']}", row["counter_value"],
             truth(row["event_name"], channels, code_of(row)))
    for row in result["ddr"]["DDR_Metrics"]:
        channels = range(3) if row["channel"] == "all" else [int(row["channel"])]
        bandwidth = truth("rdwr", channels, 0x12) * 128 / 1e6
        assert row["rw_bandwidth"] == f"{bandwidth:.2f}MB", row


def main():
    products = set()
    for product, table in tables():
        all_metrics_of_a_product(product, table)
        if product in DTLB_STALL:
            ampere_formulas(product, table)
        products.add(product)
        print("ok", product, "and", len(table["metrics"]), "metrics")
    assert products >= {"ampereone", "cortex-a725", "neoverse-v3"}, products
    clusters_and_channels()
    print("ok clusters and channels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
