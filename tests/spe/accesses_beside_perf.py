# SPDX-License-Identifier: Apache-2.0
"""`report --accesses` of recordings of the form of `perf mem` and `perf record -b`, beside `perf c2c report` and sums
over what `perf script` prints.

    accesses_beside_perf.py WPERF SPE_PROGRAM
"""
import collections
import re
import shutil
import subprocess
import sys
import tempfile

import access_recording
from report_beside_perf import Check, report

# A line of perf c2c, and where the data came from that it counts.
C2C = {
    "Loads - uncacheable": "device (I/O or not cached)",
    "Load Fill Buffer Hit": "L1 (line fill buffer)",
    "Load L1D hit": "L1",
    "Load L2D hit": "L2",
    "Load Local DRAM": "memory (RAM)",
    "Load Remote HIT": "remote (remote cache)",
    "Load Remote HITM": "remote (remote cache, modified)",
}


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout


def counts_of_c2c(path):
    return {name.strip(): int(number) for name, number in
            re.findall(r"^  ([A-Z].*?) +: +(\d+)$", run("perf", "c2c", "report", "-i", path, "--stdio"), re.M)}


def latencies_of_perf(path):
    sums = collections.Counter()
    for line in run("perf", "script", "-i", path, "-F", "weight,ip,sym,data_src").splitlines():
        before, rest = line.split("|", 1)
        weight, _, function = rest.rsplit("|", 1)[1].replace("N/A", "").split()[-3:]
        if before.strip() and not rest.startswith("OP N/A"):
            sums[function] += int(weight)
    return sums


def check_sums(check, ours, theirs):
    classes, origins = ours["classes"], {row["name"]: row["samples"] for row in ours["origins"]}
    check.equal("stores", classes["stores"], theirs["Store Operations"])
    check.equal("locked", classes["atomics"], theirs["Locked Load/Store Operations"])
    check.equal("loads", classes["loads"] + classes["atomics"], theirs["Load Operations"])
    for name, origin in C2C.items():
        check.equal(name, origins[origin], theirs[name])
    # Of hops, which newer kernels tell, perf 6.1 knows nothing.
    by_hops = theirs["Unable to parse data source"]
    peers = origins["peer core (peer core, modified)"] - by_hops
    check.equal("local HITM", peers, theirs["Load Local HITM"])
    check.equal("LLC", peers + origins["system cache (L3)"], theirs["Load LLC hit"])
    # perf counts what another chip's cache had as its memory, too.
    check.equal("remote DRAM", origins["remote memory (remote RAM)"] + theirs["Load Remote HIT"] +
                theirs["Load Remote HITM"], theirs["Load Remote DRAM"])
    check.equal("all", ours["samples"], theirs["Load Operations"] + theirs["Store Operations"])
    check.equal("what nobody told", "misaligned" in ours["rates"], False)


def check_lines(check, lines, theirs):
    """perf lists each line that was modified elsewhere; ours are of two threads, one of them writing."""
    check.equal("shared lines", [line["address"] for line in lines["shared"]], ["0x7f0000001040"])
    line = lines["shared"][0]
    check.equal("kind", line["kind"], "false sharing")
    check.equal("of another core", line["from_other_core"], theirs["Load Local HITM"])


def check_branches(check, wperf, program, path):
    access_recording.write_branches(program, path, 2000)
    told, untold = collections.Counter(), 0
    for word in run("perf", "script", "-i", path, "-F", "brstack").split():
        source, target, outcome = word.split("/")[:3]
        if outcome == "-":
            untold += 1
        else:
            told[int(source, 16) - access_recording.BASE, int(target, 16) - access_recording.BASE, outcome] += 1
    ours = report(wperf, path, "--accesses", "branch", "--sort", "address")
    check.equal("branches", (ours["classes"]["branches"], ours["samples"]), (sum(told.values()),) * 2)
    check.equal("mispredicted", ours["rates"]["mispredicted"]["samples"],
                sum(count for key, count in told.items() if key[2] == "M"))
    check.equal("not taken, which nobody told", sorted(ours["rates"]), ["mispredicted"])
    pairs = collections.defaultdict(lambda: [0, 0])
    for (source, target, outcome), count in told.items():
        pairs[target][0] += count
        pairs[target][1] += count * (outcome == "M")
    check.equal("pairs", sorted([row["samples"], row["mispredicted"]] for row in ours["branches"]),
                sorted(pairs.values()))
    done = subprocess.run([wperf, "report", "-i", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=True)
    check.equal("note of others", f"note: {untold} branch records do not say" in done.stderr, True)


def check_copies(check, wperf, accesses, branches):
    """A copy has what perf and wperf find in the recording: addresses, sources, latencies and branches."""
    for path, fields, topic in ((accesses, "addr,weight,data_src", "sharing"), (branches, "brstack", "branch")):
        copy = path + ".copy.data"
        subprocess.run([wperf, "export", "-i", path, "--format", "perf", "-o", copy], check=True,
                       stderr=subprocess.DEVNULL)
        told = [run("perf", "script", "-i", each, "-F", fields).split() for each in (path, copy)]
        check.equal(f"a copy's {fields}", told[1] == told[0] and len(told[0]) > 1000, True)
        shown = [report(wperf, each, "--accesses", topic) for each in (path, copy)]
        check.equal(f"a copy's {topic}", shown[1], shown[0])


def main():
    if not shutil.which("perf"):
        sys.exit(77)
    wperf, program = sys.argv[1:3]
    check = Check()
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/accesses.data"
        access_recording.write(program, path)
        ours, theirs = report(wperf, path, "--accesses", "summary"), counts_of_c2c(path)
        check.equal("records", theirs["Total records"], access_recording.COUNT)
        check_sums(check, ours, theirs)
        check_lines(check, ours["data_lines"], theirs)
        rows = {row["function"]: row["latency"].get("total", {}).get("cycles", 0) for row in ours["rows"]}
        check.equal("latencies", rows, dict(latencies_of_perf(path)))
        check_branches(check, wperf, program, folder + "/branches.data")
        check_copies(check, wperf, path, folder + "/branches.data")
    sys.exit(check.failures > 0)


if __name__ == "__main__":
    main()
