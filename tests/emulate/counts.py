# SPDX-License-Identifier: Apache-2.0
"""Counts are exact: each program twice, with N and 2 N rounds of a loop; the difference is N rounds.

counts.py WPERF FOLDER SYSROOT

What is not exact, for nobody can know it from the outside: instructions behind one that faults in
its block count as if they had been executed (a block is what no branch leads into or out of), a branch
that was interrupted by a signal counts as taken, and one to the next instruction as not taken.
"""
import json
import re

import emulated

ROUNDS = 1000

BLOCK_EVENTS = """inst_retired inst_spec ld_spec st_spec ldst_spec dp_spec vfp_spec ase_spec crypto_spec
    br_retired br_immed_spec br_indirect_spec br_return_spec ldrex_spec r6f rc_ld_spec rc_st_spec
    isb_spec dsb_spec dmb_spec exc_svc cpu_cycles""".split()
OTHER_EVENTS = """pc_write_spec r8107 r8108 mem_access mem_access_rd mem_access_wr
    unaligned_ldst_spec unaligned_ld_spec unaligned_st_spec""".split()

# At the end of each loop.
ROUND = {"dp_spec": 1, "br_retired": 1, "br_immed_spec": 1, "pc_write_spec": 1, "r8108": 1}


def loop(instructions, loads=0, stores=0, reads=0, writes=0, both=0, prefetches=0, **others):
    """What a round counts besides its end. @both: instructions that are load and store at once."""
    counts = dict.fromkeys(BLOCK_EVENTS + OTHER_EVENTS, 0)
    for name in ("inst_retired", "inst_spec", "cpu_cycles"):
        counts[name] = instructions + 2
    counts.update(ld_spec=loads, st_spec=stores, ldst_spec=loads + stores - both + prefetches,
                  mem_access_rd=reads, mem_access_wr=writes, mem_access=reads + writes)
    for name, number in [*ROUND.items(), *others.items()]:
        counts[name] += number
    return counts


LOOPS = {
    "int": loop(6, loads=2, stores=1, reads=2, writes=1, dp_spec=3),
    # Two registers are two accesses, as the bytes are of two.
    "pair": loop(3, loads=2, stores=1, reads=4, writes=2),
    "unaligned": loop(4, loads=3, stores=1, reads=3, writes=1, unaligned_ldst_spec=3,
                      unaligned_ld_spec=2, unaligned_st_spec=1),
    "vfp": loop(4, vfp_spec=4),
    "ase": loop(3, ase_spec=3),
    "crypto": loop(3, crypto_spec=3),
    "exclusive": loop(3, loads=1, stores=1, reads=1, writes=1, dp_spec=1, ldrex_spec=1, r6f=1),
    "acquire": loop(4, loads=2, stores=2, reads=2, writes=2, ldrex_spec=1, r6f=1, rc_ld_spec=2,
                    rc_st_spec=2),
    "exclusive_pair": loop(3, loads=1, stores=1, reads=2, writes=2, dp_spec=1, ldrex_spec=1, r6f=1),
    "atomic": loop(3, loads=3, stores=3, both=3, reads=3, writes=3),
    "atomic_pair": loop(2, loads=1, stores=1, both=1, reads=2, writes=2, dp_spec=1),
    "barrier": loop(4, isb_spec=1, dsb_spec=1, dmb_spec=2),
    "svc": loop(3, dp_spec=2, exc_svc=1),
    # bl and its ret, blr and its ret, br; adr and mov
    "call": loop(7, dp_spec=2, br_retired=5, br_immed_spec=1, br_indirect_spec=4, br_return_spec=2,
                 pc_write_spec=5, r8108=1),
    # 2 taken and 2 not, and cmp
    "branch": loop(5, dp_spec=1, br_retired=4, br_immed_spec=4, pc_write_spec=2, r8107=2, r8108=2),
    "prefetch": loop(3, loads=1, stores=1, prefetches=1, reads=2, writes=2),
    "structure": loop(2, loads=1, stores=1, reads=2, writes=2),
    "long": loop(400, loads=200, reads=200, dp_spec=200),
}


def check(once, twice, name, rounds=ROUNDS):
    """The difference of two rows is so many rounds."""
    wrong = {event: (twice[event] - once[event], LOOPS[name][event] * rounds) for event in once
             if twice[event] - once[event] != LOOPS[name][event] * rounds}
    assert not wrong, f"loop {name}, counted and expected: {wrong}"


def check_sums(run, events, command, rounds=ROUNDS, name="int"):
    """command(rounds): its words."""
    (once,), (twice,) = (run.count(events, *command(number)) for number in (ROUNDS, 2 * ROUNDS))
    check(once, twice, name, rounds)


def every_class(run):
    """Blocks alone are counted by generated code, all events by calls."""
    for name in LOOPS:
        for events in (BLOCK_EVENTS, BLOCK_EVENTS + OTHER_EVENTS):
            check_sums(run, events, lambda rounds: (run.guest, "loop", rounds, name), name=name)
    return f"{len(LOOPS)} loops, {len(BLOCK_EVENTS + OTHER_EVENTS)} events"


def every_class_in_threads(run):
    """A thread counts as much as a program with one; the emulator's code is another one then."""
    for name in LOOPS:
        rows = [run.count(BLOCK_EVENTS + OTHER_EVENTS, run.guest, "threads", rounds, name, 2,
                          options=["--per-thread"])
                for rounds in (ROUNDS, 2 * ROUNDS)]
        assert [len(threads) for threads in rows] == [3, 3], rows
        for number in (1, 2):
            check(rows[0][number], rows[1][number], name, ROUNDS * number)


def racing_threads(run):
    """Of 16 threads on 2 cores each has its own count."""
    threads, rounds = 16, 20 * ROUNDS
    once, twice = (run.count(["inst_retired", "ld_spec"], run.guest, "threads", number, "int",
                             threads, options=["--per-thread"])
                   for number in (rounds, 2 * rounds))
    assert len(once) == len(twice) == threads + 1
    for number in range(1, threads + 1):
        check(once[number], twice[number], "int", rounds * number)
    # And from one to the next it is one time the rounds more.
    for before, after in zip(once[1:], once[2:]):
        check(before, after, "int", rounds)


def short_threads(run):
    """More threads than there are places, one after the other: numbers are kept together."""
    threads = 1200
    once, twice = (run.count(["inst_retired", "st_spec"], run.guest, "short_threads", rounds, "int",
                             threads)[0] for rounds in (100, 200))
    stores = twice["st_spec"] - once["st_spec"]
    # The first thread waits for the others, more or less often.
    assert stores == 100 * threads, (stores, 100 * threads)


def forks(run):
    for mode in ("forks", "fork_exec"):
        each = (lambda number: number + 1) if mode == "forks" else (lambda number: 1)
        rounds = ROUNDS * sum(each(number) for number in range(5))
        check_sums(run, BLOCK_EVENTS, lambda number: (run.guest, mode, number, "int", 5), rounds)


def fork_storm(run):
    rows = [run.count(["inst_retired", "ld_spec"], run.guest, "fork_storm", rounds, "int", 300)[0]
            for rounds in (100, 200)]
    # How often the parent's loop of wait() goes round is not known, but what is in it.
    assert rows[1]["ld_spec"] - rows[0]["ld_spec"] == 2 * 100 * 300, rows


def own_process_alone(run):
    """Without its children, also when these came to the same places."""
    options = ["--no-inherit"]
    if "--no-inherit" not in run.run("help", "stat").stdout:
        return "no such option"
    rows = [run.count(["ld_spec"], run.guest, "forks", rounds, "int", 5, options=options)[0]
            for rounds in (ROUNDS, 2 * ROUNDS)]
    assert rows[0] == rows[1], rows
    return None


def execs(run):
    """The same program in the same process, once and 40 times."""
    check_sums(run, BLOCK_EVENTS, lambda rounds: (run.guest, "exec", rounds))
    check_sums(run, BLOCK_EVENTS, lambda rounds: (run.guest, "exec_chain", rounds, "int", 40),
               rounds=41 * ROUNDS)


def with_c_library(run):
    for program in (run.static, run.dynamic):
        for mode in ("loop", "fork"):
            check_sums(run, BLOCK_EVENTS, lambda rounds: (program, mode, rounds))


def threads_with_c_library(run):
    """Each thread of pthread_create(); the first one's waiting is its own."""
    for program in (run.static, run.dynamic):
        once, twice = (run.count(["ld_spec", "st_spec", "br_retired"], program, "threads", rounds,
                                 options=["--per-thread"])
                       for rounds in (10 * ROUNDS, 20 * ROUNDS))
        for number in range(1, 5):
            stores = twice[number]["st_spec"] - once[number]["st_spec"]
            # What a thread does at its begin and end is a matter of who comes first.
            assert abs(stores - 10 * ROUNDS * number) < 500, (number, once, twice)


def others_started(run):
    """posix_spawn() of a program and of a script, system(), fexecve(), /proc/self/exe."""
    script = run.path("script")
    script.write_text(f"#!{run.guest} script")  # no end of the line
    script.chmod(0o755)
    for words in (["spawn", run.guest], ["spawn", script], ["exec_by_fd", run.guest], ["self"]):
        mode, *rest = words
        check_sums(run, BLOCK_EVENTS, lambda rounds: (run.dynamic, mode, rounds, *rest))


def opened_library(run):
    """dlopen(): a load and a store of each memory word, compiled."""
    once, twice = (run.count(["mem_access_wr"], run.dynamic, "plugged", rounds, run.library)[0]
                   for rounds in (ROUNDS, 2 * ROUNDS))
    written = twice["mem_access_wr"] - once["mem_access_wr"]
    assert written == ROUNDS, written


def signals(run):
    """Signals that a program sends itself are exact, however many."""
    rows = [run.count(BLOCK_EVENTS, run.guest, "signals", number)[0] for number in (100, 200, 300)]
    for event in BLOCK_EVENTS:
        steps = [rows[1][event] - rows[0][event], rows[2][event] - rows[1][event]]
        assert steps[0] == steps[1], (event, rows)
    assert rows[1]["exc_svc"] - rows[0]["exc_svc"] == 2 * 100  # kill() and the return


def faults(run):
    """A block counts when it begins: once before the fault, and its rest again behind it."""
    rows = [run.count(BLOCK_EVENTS, run.guest, "faults", number)[0] for number in (100, 200, 300)]
    for event in BLOCK_EVENTS:
        steps = [rows[1][event] - rows[0][event], rows[2][event] - rows[1][event]]
        assert steps[0] == steps[1], (event, rows)


def alarms(run):
    """Asynchronous signals come between blocks, so loads of the loop are exact all the same."""
    rounds = 5_000_000
    row = run.count(["crypto_spec", "exc_svc"], run.guest, "alarms", rounds, "crypto")[0]
    assert row["crypto_spec"] == 3 * rounds and row["exc_svc"] > 3, row
    return f"{row['exc_svc'] - 3} signals"


def multiplexed(run):
    """Two counters for four events: each counts half of the time, and is scaled."""
    rounds = 2_000_000
    words = ["--json", "-e", "ld_spec,st_spec,dp_spec,br_retired", "--", run.guest, "loop", rounds,
             "int"]
    done = run.run("stat", *words, source="emulate,counters=2")
    (row,) = json.loads(done.stdout)["processes"]
    for counter in row["Performance_counter"]:
        expected = LOOPS["int"][counter["event_name"]] * rounds
        share = counter["running_ns"] / counter["enabled_ns"]
        assert 0.45 < share < 0.55, counter
        assert abs(counter["scaled_value"] - expected) < 0.02 * expected, (counter, expected)
        assert abs(counter["counter_value"] - expected * share) < 0.02 * expected, counter


def models(run):
    """A loop in few lines hits in the caches; notes name the models."""
    events = ["l1d_cache", "l1d_cache_refill", "l1i_cache_refill", "cpu_cycles"]
    command = ["--", run.guest, "loop", 100 * ROUNDS, "int"]
    notes = run.run("stat", "-e", ",".join(events), *command, source="emulate,cpi=0.5").stderr
    assert "cpu_cycles: modelled: 0.5 cycles per instruction" in notes, notes
    assert re.search("note: l1d_cache.*: modelled.*l1d=64K:4:64", notes), notes
    (row,) = run.count(events, *command[1:], source="emulate,cpi=0.5")
    assert row["l1d_cache"] >= 300 * ROUNDS and row["l1d_cache_refill"] < 100, row
    assert row["l1i_cache_refill"] < 100 and abs(row["cpu_cycles"] - 400 * ROUNDS) < 1000, row


if __name__ == "__main__":
    emulated.run_tests([
        every_class, every_class_in_threads, racing_threads, short_threads, forks, fork_storm,
        own_process_alone, execs, with_c_library, threads_with_c_library, others_started,
        opened_library, signals, faults, alarms, multiplexed, models])
