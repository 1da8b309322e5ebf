# SPDX-License-Identifier: Apache-2.0
"""`report --spe` beside sums over what `perf script` prints of each sample.

    report_beside_perf.py WPERF SPE_PROGRAM [RECORDS]
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import jsonschema

import spe_recording

SCHEMA = json.loads(pathlib.Path(__file__).parents[2].joinpath("docs/schemas/spe.schema.json").read_text())

FIELDS = "tid,addr,weight,ip,sym,data_src"
# perf's words for a Neoverse core's data sources; a peer core's cache is "L2, snooped" to it.
LEVELS = {("L1 or L1 hit", "None"): "L1", ("L2 or L2 hit", "None"): "L2",
          ("L2 or L2 hit", "Peer"): "peer core", ("L3 or L3 hit", "Hit"): "system cache",
          ("Local RAM or RAM hit", "None"): "memory"}


def samples_of_perf(path):
    """tid, address, data source in words, function, weight, instruction."""
    done = subprocess.run(["perf", "script", "-i", path, "--itrace=i1i", "-F", FIELDS],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
    for line in done.stdout.splitlines():
        first, *words, last = line.split("|")
        tid, address, _ = first.split()
        weight, ip, function = last.replace("N/A", "").split()[-3:]
        yield int(tid), int(address, 16), words, function, int(weight), int(ip, 16)


def report(program, path, *words):
    done = subprocess.run([program, "report", "-i", path, "--json", "--sample-display-row", "0",
                           *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    spe = json.loads(done.stdout)["spe"]
    jsonschema.validate(spe, SCHEMA)
    return spe


class Check:
    def __init__(self):
        self.failures = 0

    def equal(self, what, ours, theirs):
        if ours == theirs:
            return
        self.failures += 1
        print(f"{what}:\n  ours {ours}\n  perf {theirs}")


def level_of(words):
    operation, level, snoop = (word.strip() for word in words[:3])
    if not operation.startswith("OP LOAD"):
        return None
    return LEVELS[level.removeprefix("LVL "), snoop.removeprefix("SNP ")]


def check_functions(check, ours, samples):
    theirs = collections.defaultdict(lambda: [0, 0, 0])
    for *_, function, weight, _ in samples:
        row = theirs[function]
        theirs[function] = [row[0] + 1, row[1] + weight, max(row[2], weight)]
    total = {row["function"]: row["latency"]["total"] for row in ours["rows"]}
    check.equal("functions", {name: [row["samples"], row["cycles"], row["max"]]
                              for name, row in total.items()}, dict(theirs))
    for name, row in total.items():
        weights = sorted(sample[4] for sample in samples if sample[3] == name)
        for key, percent in (("p50", 50), ("p90", 90), ("p99", 99)):
            exact = weights[-(-len(weights) * percent // 100) - 1]
            if abs(row[key] - exact) > exact / 32:
                check.equal(f"{name} {key}", row[key], exact)


def check_levels(check, ours, samples):
    theirs = collections.Counter(level_of(sample[2]) for sample in samples)
    del theirs[None]
    check.equal("data from", ours["data_from"], dict(theirs))


def check_rates(check, ours, samples):
    walked = sum("TLB Walker miss" in sample[2] for sample in samples)
    accesses = sum("OP No" not in sample[2] for sample in samples)
    rate = ours["rates"]["tlb_walk"]
    check.equal("TLB walks", [rate["samples"], rate["of"]], [walked, accesses])


def check_lines(check, ours, samples):
    lines = collections.defaultdict(list)
    for tid, address, words, _, weight, _ in samples:
        if address:
            lines[address // 64].append((tid, address % 64, words, weight))
    check.equal("lines touched", ours["data_lines"]["touched"], len(lines))
    shared = {number: line for number, line in lines.items()
              if len({access[0] for access in line}) > 1 and
              any("OP STORE" in access[2] for access in line)}
    check.equal("lines shared", {int(line["address"], 16) // 64: [line["threads"], line["cycles"]]
                                 for line in ours["data_lines"]["shared"]},
                {number: [len({access[0] for access in line}), sum(access[3] for access in line)]
                 for number, line in shared.items()})


def check_annotation(check, program, path, samples):
    """Every instruction with its samples; perf's are of the same addresses."""
    words = [program, "annotate", "-i", path, "--json", "--disassemble", "--event", "spe-latency"]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    ours = {}
    for function in json.loads(done.stdout)["events"][0]["functions"]:
        lines = sum(line["spe"]["samples"] for line in function["lines"])
        check.equal(f"lines of {function['name']}", lines, function["samples"])
        ours.update({int(row["address"], 16): row["spe"]["latency"]["total"]["cycles"]
                     for piece in function["code"] for row in piece["instructions"]
                     if "spe" in row})
    theirs = collections.Counter()
    for *_, weight, address in samples:
        theirs[address - spe_recording.BASE] += weight
    check.equal("instructions", ours, dict(theirs))


def check_one(check, program, path):
    samples = list(samples_of_perf(path))
    ours = report(program, path, "--spe", "summary")
    check.equal("samples", ours["samples"], len(samples))
    check_functions(check, ours, samples)
    check_levels(check, ours, samples)
    check_rates(check, ours, samples)
    check_lines(check, ours, samples)
    for topic in ("latency", "source", "miss", "branch", "operation", "sharing"):
        for row in ("function", "line", "module", "address"):
            other = report(program, path, "--spe", topic, "--sort", row)
            check.equal(f"{topic} by {row}", sum(row["samples"] for row in other["rows"]),
                        len(samples))
    worker = report(program, path, "--spe", "summary", "--thread", "worker")
    check.equal("of the worker", worker["samples"], sum(sample[0] == spe_recording.WORKER
                                                        for sample in samples))
    chase = report(program, path, "--spe", "summary", "--symbol", "chase")
    check.equal("of chase", chase["samples"], sum(sample[3] == "chase" for sample in samples))
    check_annotation(check, program, path, samples)
    return len(samples)


def main():
    if not shutil.which("perf"):
        print("no perf here")
        return 77
    program, sampled = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    check = Check()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        spe_recording.write(sampled, path, count)
        number = check_one(check, program, path)
    print(f"{number:,} samples, {check.failures} differences")
    return 1 if check.failures or number != count else 0


if __name__ == "__main__":
    sys.exit(main())
