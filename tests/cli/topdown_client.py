# SPDX-License-Identifier: Apache-2.0
"""Plays Arm's topdown_tool on `--source sim`: what it runs, in its order, read by its rules."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# The tool knows no --source.
os.environ["WPERF_SOURCE"] = "sim,cpu=neoverse-n1+neoverse-v1,cores=4"
CYCLES = "r11"
# Made up from events of both kinds; every group has the cycles, so that they stand in it often.
OTHERS = {0: ["r8", "r1b", "r70", "r71", "r73", "r74", "r75", "r21", "r22", "r3", "r4", "r1", "r14",
              "r16", "r17", "r23", "r24", "r10", "r12", "r25", "r26", "r5", "r2"],
          2: ["r8", "r3b", "r3f", "r23", "r24", "r1b", "r70", "r71", "r73", "r74", "r75", "r21"]}
KIND_OF_CORE = {0: 0, 1: 0, 2: 2, 3: 2}
PATIENCE_S = 60
EXACT = 2e-3
ROUNDED = 2  # values are whole numbers, scaled from other whole numbers


def run(wperf, *words, check=True):
    return subprocess.run([wperf, *words], capture_output=True, text=True,
                          check=check, timeout=PATIENCE_S)


def check_no_mesh(wperf):
    lines = run(wperf, "cmnlist").stdout.splitlines()
    assert not any(line.strip().startswith("CMN") for line in lines), lines


def find_cores(wperf):
    """{core: MIDR} of the lines that are neither empty nor head nor rule, of six words or more."""
    cores = {}
    for line in run(wperf, "cpuinfo").stdout.splitlines():
        line = line.strip()
        if not line or line.startswith("Core") or line.startswith("===="):
            continue
        words = line.split()
        if len(words) >= 6:
            cores[int(words[0])] = int(words[-1], 16)
    return cores


def find_counters(wperf):
    rows = json.loads(run(wperf, "test", "--json").stdout)["Test_Results"]
    found = [row["Result"] for row in rows
             if row["Test_Name"] == "PMU_CTL_QUERY_HW_CFG [gpc_num]"]
    assert len(found) == 1, found
    return int(found[0], 0)


def make_groups(kind, size):
    """Of no more than @size events, the last one smaller than the others."""
    others = OTHERS[kind]
    return [[CYCLES, *others[i:i + size - 1]] for i in range(0, len(others), size - 1)]


def write_words(path, groups):
    cores = [f"core_{core}/" + ",".join("{" + ",".join(group) + "}" for group in groups[kind]) + "/"
             for core, kind in KIND_OF_CORE.items()]
    path.write_text(",".join(cores), encoding="utf-8")


def rates(wperf, core, events):
    """How often each happens in a second, counted on its own."""
    found = {}
    for event in {CYCLES, *events}:
        done = run(wperf, "stat", "-e", event, "-c", str(core), "--timeout", "1", "--json")
        row = json.loads(done.stdout)["core"]["cores"][0]["Performance_counter"][1]
        found[event] = row["counter_value"]
    return found


def values_of(counters, groups):
    """The rows that are not the fixed counter, dealt out to the events of the groups by place."""
    rows = [row for row in counters if "fixed" not in row["event_idx"].lower()]
    values = [row["scaled_value"] if "scaled_value" in row else row["counter_value"] for row in rows]
    assert len(values) == sum(len(group) for group in groups), len(values)
    dealt = iter(values)
    return [[next(dealt) for _ in group] for group in groups]


def check_round(document, groups, truth):
    """Returns how many groups were never on the counters. Members of a group were all the same
    time, so what is right is their ratio, however short the round was."""
    num_missing = 0
    cores = {entry["core_number"]: entry for entry in document["core"]["cores"]}
    assert sorted(cores) == sorted(KIND_OF_CORE), sorted(cores)
    for core, kind in KIND_OF_CORE.items():
        for group, values in zip(groups[kind],
                                 values_of(cores[core]["Performance_counter"], groups[kind])):
            if values[0] is None:
                num_missing += 1
                assert values == [None] * len(group), (core, group, values)
                continue
            cycles = values[0]
            assert cycles > 0, (core, group, values)
            for event, value in zip(group, values):
                expected = cycles * truth[core][event] / truth[core][CYCLES]
                assert abs(value - expected) <= max(EXACT * expected, ROUNDED), \
                    (core, event, value, cycles, expected)
    return num_missing


def writes_into(pid, folder):
    """Has the process a file open there? A draft has no name before it is complete."""
    for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            if os.readlink(link).startswith(f"{folder.resolve()}/"):
                return True
        except FileNotFoundError:
            pass  # closed meanwhile
    return False


def interrupt(wperf, folder, words, seconds):
    """The file of a run that is ended by Ctrl-C, which is not there before it is complete."""
    path = folder / "counts.json"
    path.unlink(missing_ok=True)
    with subprocess.Popen([wperf, "stat", "--json", "-o", path.name, *words],
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        while not writes_into(child.pid, folder):
            assert child.poll() is None, child.communicate()
            time.sleep(0.02)
        time.sleep(seconds)
        assert not path.exists(), "a file that is not complete"
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE_S)
    assert child.returncode == 0 and not out, (child.returncode, out, err)
    assert sorted(os.listdir(folder)) == ["counts.json", "words.cmdline"], os.listdir(folder)
    return json.loads(path.read_text(encoding="utf-8"))


def check_whole_run(wperf, folder, groups, truth):
    rounds = interrupt(wperf, folder, ["-e", "@words.cmdline", "-I", "365d"], 1.5)["timeline"]
    assert len(rounds) == 1, len(rounds)
    assert 1 < rounds[0]["Time_elapsed"] < PATIENCE_S, rounds[0]["Time_elapsed"]
    check_round(rounds[0], groups, truth)


def check_intervals(wperf, folder, groups, truth):
    """Two turns a round are not enough for all groups: what had none has no value, not 0."""
    rounds = interrupt(wperf, folder, ["-e", "@words.cmdline", "-I", "200"], 1.5)["timeline"]
    assert len(rounds) >= 2, f"{len(rounds)} rounds of 200 ms in 1.5 s"
    for entry in rounds[:-1]:
        assert abs(entry["Time_elapsed"] - 0.2) < 1e-9, entry["Time_elapsed"]
        assert check_round(entry, groups, truth) > 0
    check_round(rounds[-1], groups, truth)


def check_time_limit(wperf, groups, truth):
    """As long as all groups have their turns, scaling is exact: cycles are the same in all."""
    turns = 1
    for kind in groups:
        turns *= len(groups[kind])
    done = run(wperf, "stat", "--json", "-e", "@words.cmdline", "--timeout", str(turns * 0.2)[:5])
    document = json.loads(done.stdout)
    assert check_round(document, groups, truth) == 0
    for entry in document["core"]["cores"]:
        kind = KIND_OF_CORE[entry["core_number"]]
        cycles = {values[0] for values in values_of(entry["Performance_counter"], groups[kind])}
        expected = truth[entry["core_number"]][CYCLES] * document["Time_elapsed"]
        assert all(abs(value - expected) <= EXACT * expected for value in cycles), (cycles, expected)


def value_with(wperf, suffix):
    words = ",".join(f"core_1/{{{CYCLES}{suffix},r8{suffix}}}/" for _ in range(1))
    done = run(wperf, "stat", "--json", "-e", words, "--timeout", "1")
    rows = json.loads(done.stdout)["core"]["cores"][0]["Performance_counter"]
    return rows[2]["counter_value"]


def check_modifiers(wperf):
    user, kernel, both = (value_with(wperf, suffix) for suffix in (":u", ":k", ":uk"))
    assert user > kernel > 0 and both == user + kernel, (user, kernel, both)


def check_limit(wperf):
    """127 events with padding for a core, not for all of them together."""
    for num, is_fine in ((120, True), (132, False)):
        groups = ",".join(["{" + ",".join([CYCLES] * 6) + "}"] * (num // 6))
        words = ",".join(f"core_{core}/{groups}/" for core in KIND_OF_CORE)
        done = run(wperf, "stat", "--json", "-e", words, "--timeout", "0.1", check=False)
        assert (done.returncode == 0) == is_fine, (num, done.stderr)
        assert is_fine or "too many" in done.stderr, done.stderr


def check_two_files(wperf, folder):
    for name, event in (("a", "r8"), ("b", "r1b")):
        (folder / name).write_text(f"core_0/{{{event}}}/", encoding="utf-8")
    done = run(wperf, "stat", "--json", "-e", f"@{folder / 'a'}", "-e", f"@{folder / 'b'}",
               "--timeout", "0.1")
    rows = json.loads(done.stdout)["core"]["cores"][0]["Performance_counter"]
    assert [row["event_idx"] for row in rows] == ["fixed", "0x08", "0x1b"], rows
    for name in ("a", "b"):
        (folder / name).unlink()


def main():
    wperf = os.path.abspath(sys.argv[1])
    if os.name == "nt":
        print("skipped: no SIGINT to send here")
        return 77
    check_no_mesh(wperf)
    cores = find_cores(wperf)
    assert {core: midr >> 4 & 0xfff for core, midr in cores.items()} == \
        {0: 0xd0c, 1: 0xd0c, 2: 0xd40, 3: 0xd40}, cores
    size = find_counters(wperf)
    assert size == 6, size
    groups = {kind: make_groups(kind, size) for kind in OTHERS}
    truth = {core: rates(wperf, core, OTHERS[kind]) for core, kind in KIND_OF_CORE.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_words(folder / "words.cmdline", groups)
        check_whole_run(wperf, folder, groups, truth)
        check_intervals(wperf, folder, groups, truth)
        os.chdir(folder)
        check_time_limit(wperf, groups, truth)
        check_two_files(wperf, folder)
        os.chdir("/")
    check_modifiers(wperf)
    check_limit(wperf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
