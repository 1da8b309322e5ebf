# SPDX-License-Identifier: Apache-2.0
"""Samples are exact: as many as periods went by, at the instructions that bring them, with callers.

sampling.py WPERF FOLDER SYSROOT
"""
import collections
import json
import re
import shutil
import subprocess

import emulated

ROUNDS = 10_000
DEPTH = ["f4", "f3", "f2", "f1", "run_depth", "guest_main", "_start"]

# Which instructions an event may be sampled at, by their names in objdump.
MNEMONICS = {
    "ld_spec": r"ld\w*|swp\w*|cas\w*", "st_spec": r"st\w*|ldadd|swp\w*|cas\w*", "vfp_spec": r"f\w+",
    "ase_spec": r"add|fmul|tbl", "crypto_spec": r"aes\w+|sha\w+", "dmb_spec": "dmb",
    "isb_spec": "isb", "exc_svc": "svc", "br_return_spec": "ret", "br_indirect_spec": "ret|blr|br",
    "ldrex_spec": "ldxr|ldaxr|ldxp", "br_immed_spec": r"b|bl|b\..*|cbn?z|tbn?z",
    "mem_access_wr": r"st\w*|swp|cas\w*|ldadd", "unaligned_ld_spec": r"ldu?r\w*",
    "r8107": r"b\..*|cbn?z|tbn?z", "pc_write_spec": r"b|bl|blr|br|ret|b\..*|cbn?z|tbn?z",
}
# Events of a round that the loop's own instructions bring.
CLASSES = {
    "int": ["ld_spec", "st_spec", "br_immed_spec", "mem_access_wr"], "vfp": ["vfp_spec"],
    "ase": ["ase_spec"], "crypto": ["crypto_spec"], "barrier": ["dmb_spec", "isb_spec"],
    "svc": ["exc_svc"], "call": ["br_return_spec", "br_indirect_spec", "pc_write_spec"],
    "exclusive": ["ldrex_spec", "st_spec"], "branch": ["br_immed_spec", "r8107"],
    "atomic": ["ld_spec", "mem_access_wr"], "unaligned": ["unaligned_ld_spec"],
}


def disassemble(path):
    """Name of each instruction by its address."""
    text = subprocess.run(["llvm-objdump", "-d", "--no-show-raw-insn", "--mattr=+crypto,+lse", path],
                          check=True, capture_output=True, text=True).stdout
    return {int(found[1], 16): found[2]
            for found in re.finditer(r"^ *([0-9a-f]+):\s+(\S+)", text, re.MULTILINE)}


def leaf(sample):
    return sample.frames[0]


def samples_are_periods(run):
    """Events over period, rounded down, for each thread by itself."""
    for period in (1, 7, 1000):
        rounds = 20 if period == 1 else ROUNDS
        (counted,) = run.count(["ld_spec"], run.guest, "loop", rounds, "int")
        samples = run.samples(f"ld_spec:{period}", run.guest, "loop", rounds, "int")
        assert len(samples) == counted["ld_spec"] // period, (period, len(samples), counted)
    threads = run.samples("ld_spec:100", run.guest, "threads", ROUNDS, "int", 4)
    counted = run.count(["ld_spec"], run.guest, "threads", ROUNDS, "int", 4,
                        options=["--per-thread"])
    by_thread = collections.Counter(sample.tid for sample in threads)
    assert sorted(by_thread.values()) == sorted(row["ld_spec"] // 100 for row in counted), by_thread


def samples_are_of_the_class(run):
    instructions = disassemble(run.guest)
    num = 0
    for loop, events in CLASSES.items():
        for event in events:
            # A prime, so that all instructions of a round have their turn.
            samples = run.samples(f"{event}:97", run.guest, "loop", ROUNDS, loop)
            assert len(samples) >= ROUNDS // 97, (loop, event, len(samples))
            wrong = collections.Counter(
                instructions.get(leaf(sample).address) for sample in samples
                if not re.fullmatch(MNEMONICS[event], instructions.get(leaf(sample).address, "")))
            assert not wrong, (loop, event, wrong)
            num += len(samples)
    return f"{num} samples"


def instructions_share_evenly(run):
    """Each instruction of a loop has as many samples of inst_retired."""
    samples = run.samples("inst_retired:101", run.guest, "loop", 10 * ROUNDS, "int")
    places = collections.Counter(leaf(sample).address for sample in samples
                                 if leaf(sample).name == "loop_int")
    mean = len(samples) / 8
    hot = {address: number for address, number in places.items() if number > 10}
    assert len(hot) == 8 and all(abs(n - mean) < 0.02 * mean + 2 for n in hot.values()), hot


def cycles(run):
    samples = run.samples("cpu_cycles:1000", run.guest, "loop", ROUNDS, "int",
                          source="emulate,cpi=2.5")
    (counted,) = run.count(["cpu_cycles", "inst_retired"], run.guest, "loop", ROUNDS, "int",
                           source="emulate,cpi=2.5")
    assert counted["cpu_cycles"] == int(counted["inst_retired"] * 2.5), counted
    assert len(samples) == counted["cpu_cycles"] // 1000, (len(samples), counted)


def callers(run):
    """All of them, also of a function without a frame."""
    samples = run.samples("ld_spec:500", run.guest, "depth", ROUNDS, "int",
                          options=["--call-graph", "cfi"])
    chains = collections.Counter(tuple(sample.names()) for sample in samples)
    assert chains[("loop_int", *DEPTH)] >= len(samples) - 1 >= 39, chains
    # loop_int keeps no frame, so its caller is not in the list of frames: as on hardware.
    samples = run.samples("ld_spec:500", run.guest, "depth", ROUNDS, "int",
                          options=["--call-graph", "fp"])
    chains = collections.Counter(tuple(sample.names()) for sample in samples)
    assert chains[("loop_int", *DEPTH[1:])] >= len(samples) - 1 >= 39, chains
    # And where it does, nothing is left out.
    samples = run.samples("br_return_spec:1", run.guest, "depth", 1, "int",
                          options=["--call-graph", "fp"])
    assert any(sample.names()[:3] == ["f3", "f1", "run_depth"] or
               sample.names()[:3] == ["f3", "f2", "f1"] for sample in samples), samples


def callers_with_c_library(run):
    for program in (run.static, run.dynamic):
        samples = run.samples("ld_spec:500", program, "loop", ROUNDS, options=["-g"])
        hot = [sample.names() for sample in samples if sample.names()[0] == "loop_int"]
        assert len(hot) >= 39, len(hot)
        for names in hot:
            assert names[1:3] == ["run_loop", "main"] and names[-1] == "_start", names


def several_events(run):
    """Each has the samples that it has alone."""
    events = ["ld_spec:1000", "st_spec:500", "cpu_cycles:3000", "l1d_cache:777", "mem_access:1000"]
    alone = {}
    for event in events:
        alone[event.partition(":")[0]] = len(run.samples(event, run.guest, "loop", ROUNDS, "int"))
    together = run.samples(",".join(events), run.guest, "loop", ROUNDS, "int")
    assert collections.Counter(sample.event for sample in together) == alone, alone
    times = [sample.time for sample in together]
    assert times == sorted(times)


def frequency(run):
    """A thousand a second of emulated time, which is a nanosecond per cycle."""
    samples = run.samples("ld_spec", run.guest, "loop", 5_000_000, "int", options=["-F", 10000])
    seconds = 8 * 5_000_000 / 1e9
    assert 0.7 * 10000 * seconds < len(samples) < 1.3 * 10000 * seconds + 30, len(samples)


def names_of_code(run):
    """A library that is opened, what is started, and threads' own names."""
    samples = run.samples("ld_spec:500", run.dynamic, "plugged", ROUNDS, run.library)
    assert any(leaf(sample).name == "plugged_loop" and leaf(sample).module == str(run.library)
               for sample in samples), samples
    samples = run.samples("ld_spec:500", run.guest, "fork_exec", ROUNDS, "int", 3)
    processes = {sample.pid for sample in samples}
    assert len(processes) == 3 and all(leaf(s).name == "loop_int" for s in samples), samples
    samples = run.samples("ld_spec:500", run.dynamic, "spawn", ROUNDS, run.guest)
    assert {s.thread for s in samples if leaf(s).name == "loop_int"} == {"guest"}, samples
    samples = run.samples("ld_spec:1000", run.guest, "threads", ROUNDS, "int", 3)
    assert {f"worker-0{i}" for i in range(3)} <= {s.thread for s in samples}, samples
    samples = run.samples("ld_spec:1000", run.dynamic, "threads", ROUNDS)
    assert {f"job-{i}" for i in range(4)} <= {s.thread for s in samples}, samples


def forked_process(run):
    samples = run.samples("ld_spec:100", run.guest, "forks", ROUNDS, "int", 2, options=["-g"])
    by_process = collections.Counter(s.pid for s in samples if leaf(s).name == "loop_int")
    assert sorted(by_process.values()) == [2 * ROUNDS // 100, 4 * ROUNDS // 100], by_process
    assert all(s.names()[-1] == "_start" for s in samples), "callers behind a fork"


def tiny_ring(run):
    """Nothing is lost: whoever finds no room waits."""
    options = ["-g", "--stack-size", 65528]
    samples = run.samples("ld_spec:100", run.guest, "depth", ROUNDS, "int", options=options)
    (counted,) = run.count(["ld_spec"], run.guest, "depth", ROUNDS, "int")
    assert len(samples) == counted["ld_spec"] // 100, (len(samples), counted)
    options = ["-g", "--stack-size", 32768]
    samples = run.samples("ld_spec:100", run.guest, "threads", 5 * ROUNDS, "int", 4,
                          options=options)
    assert len(samples) >= 5 * ROUNDS * 2 // 100 * 10, len(samples)
    return f"{len(samples) * 32768 >> 20} MiB through a ring of 32"


def perf_reads_it(run):
    if not shutil.which("perf"):
        return "skipped: no perf"
    path = run.record("ld_spec:100", run.guest, "loop", ROUNDS, "int")
    ours = run.script(path)
    text = subprocess.run(["perf", "script", "-F", "ip,sym", "-i", path], check=True,
                          capture_output=True, text=True, timeout=30).stdout
    theirs = [line.split() for line in text.splitlines()]
    assert len(theirs) == len(ours), (len(theirs), len(ours))
    # perf shows addresses of AArch64 files as it finds them: names are what is the same.
    assert [names[-1] for names in theirs] == [leaf(sample).name for sample in ours]
    report = subprocess.run(["perf", "report", "--stdio", "-i", path], check=True,
                            capture_output=True, text=True, timeout=30).stdout
    top = next(line for line in report.splitlines() if line.strip() and line[0] != "#")
    assert "loop_int" in top and "guest" in top, top
    return f"{len(ours)} samples"


def other_outputs(run):
    page = run.path("page.html")
    page.unlink(missing_ok=True)
    done = run.run("record", "--json", "-g", "-e", "ld_spec:100", "--html", page, "--annotate",
                   "--disassemble", "--", run.guest, "depth", ROUNDS, "int")
    (event,) = json.loads(done.stdout)["sampling"]["events"]
    hottest = event["samples"][0]
    assert event["interval"] == 100 and hottest["symbol"] == "loop_int", event
    assert hottest["count"] >= ROUNDS * 2 // 100, hottest
    assert "loop_int" in page.read_text() and "run_depth" in page.read_text()
    text = run.run("record", "-e", "ld_spec:100", "--annotate", "--disassemble", "--", run.guest,
                   "loop", ROUNDS, "int").stdout
    assert re.search(r"\bldr\s+x2, \[x1\]", text), text


if __name__ == "__main__":
    emulated.run_tests([
        samples_are_periods, samples_are_of_the_class, instructions_share_evenly, cycles, callers,
        callers_with_c_library, several_events, frequency, names_of_code, forked_process, tiny_ring,
        perf_reads_it, other_outputs])
