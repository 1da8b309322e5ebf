# SPDX-License-Identifier: Apache-2.0
"""Walks in the kernel stay within their budget, and each sample is taken or counted as missing.

python_budget.py PYTHON_WALKS [VERSION...]
"""
import collections
import signal
import sys

import chance
import waiting
from python_walks import NO_TIME, TOO_DEEP, WHOLE, Target, can_walk, find_interpreters, walk
from recorder import run_tests, sampling_rate

HERTZ = 3999
FAST_HERTZ = 14999
LEAST_FRAMES = 256  # WALK_BUDGET_LEAST_FRAMES
PROLOGUE_FRAMES = 8  # at most, around what these programs call
# A tenth, and for memory that is in no cache what the least of a walk costs. Without a budget it was
# a half to three quarters.
MOST_COST = 0.2

# A program that tells the CPU time from the word to begin to its end.
SPIN = """
def spin(seconds):
    start = time.process_time()
    while time.process_time() < start + seconds: sum(range(1000))
    print(time.process_time() - start, flush=True)
    os._exit(0)
"""

DEEP = SPIN + """
sys.setrecursionlimit(5000)
def down(n):
    if n:
        return down(n - 1)
    begin()
    spin(SECONDS)
down(DEPTH)
"""

# What it says of itself leads the walk into lists without an end: of states of its thread, which
# run nothing (DEPTH 0), or of frames, each in a page of its own.
ENDLESS = SPIN + """
import mmap
PAGE = 4096
memory = mmap.mmap(-1, PAGE * (8 + 1024))
base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
interpreter, state, current = base + PAGE, base + 4 * PAGE, base + 5 * PAGE
def put(address, value): ctypes.c_uint64.from_address(address).value = value
def frame(n): return base + (8 + n % 1024) * PAGE + n % 16 * 64
put(base + AT["head"], interpreter)
put(interpreter + AT["interpreter_threads"], state)
put(state + AT["thread_next"], state)
put(state + AT["thread_id"], threading.get_ident())
first = frame(0) if DEPTH else 0
if AT.get("cframe_frame"):
    put(state + AT["thread_frame"], current)
    put(current + AT["cframe_frame"] - 1, first)
else:
    put(state + AT["thread_frame"], first)
for n in range(1024):
    put(frame(n) + AT["frame_code"], frame(n) + 1024)
    put(frame(n) + AT["frame_back"], frame(n + 1))
print(json.dumps({"runtime": base, "codes": {}, "stack": "0-0"}), flush=True)
sys.stdin.readline()
spin(SECONDS)
"""

Run = collections.namedtuple("Run", "totals cpu_s hertz")


def spin(tool, interpreter, text, depth, hertz=HERTZ, seconds=0.7, during=None):
    text = f"AT, DEPTH, SECONDS = {interpreter.layout}, {depth}, {seconds}" + text
    with Target(interpreter, text) as target:
        walks = walk(tool, target, hertz=hertz, during=during, is_quiet=True)
        return Run(walks.totals, float(target.process.stdout.readline()), sampling_rate(hertz))


def check_number(run):
    """Each period has a sample that was taken or counted as lost, and time without is known."""
    num, counted_s = run.totals["generated"], run.totals["counted_ns"] / 1e9
    # A guest's clock goes on while the host runs others.
    assert 0.95 * run.cpu_s < counted_s < 1.5 * run.cpu_s, run
    assert 0.8 * run.cpu_s * run.hertz < num < 1.05 * counted_s * run.hertz, run


def cost(run):
    return run.totals["walk_ns"] / 1e9 / run.cpu_s


def check_cost(run):
    assert cost(run) < MOST_COST, (cost(run), run)
    return f"walks took {cost(run):.1%} of the CPU time"


def deep_stacks_stay_within_the_budget(tool, interpreter):
    run = spin(tool, interpreter, DEEP, 3000)
    far, cut = run.totals[f"end{TOO_DEEP}"], run.totals[f"end{NO_TIME}"]
    check_number(run)
    chance.check_at_least(far + cut, run.totals["generated"], 0.95, run)
    assert far > 10, run  # what the budget allows is used
    return check_cost(run)


def ordinary_stacks_are_complete(tool, interpreter):
    """Also where that costs more than the budget."""
    # 3.10 has two objects in other places for each frame: WALK_BUDGET_LEAST_READS.
    frames = LEAST_FRAMES // 3 if interpreter.version == (3, 10) else LEAST_FRAMES
    run = spin(tool, interpreter, DEEP, frames - PROLOGUE_FRAMES, hertz=FAST_HERTZ)
    check_number(run)
    assert run.totals[f"end{NO_TIME}"] == 0, run
    chance.check_at_least(run.totals[f"end{WHOLE}"], run.totals["generated"], 0.9, run)
    return f"walks took {cost(run):.1%} of the CPU time"


def endless_lists_stay_within_the_budget(tool, interpreter):
    words = []
    for depth in 0, 1:
        run = spin(tool, interpreter, ENDLESS, depth)
        check_number(run)
        words.append(check_cost(run))
    return ", ".join(words)


def what_finds_no_room_is_counted(tool, interpreter):
    """Also at the end, when no record follows with which the kernel would report it."""
    def pause(target):
        target.walker.send_signal(signal.SIGSTOP)
        waiting.wait_until(lambda: waiting.read_proc(target.process.pid, "stat").split()[2:3] in
                           ([], ["Z"]) or target.process.poll() is not None, "end of the program")
        target.walker.send_signal(signal.SIGCONT)
    run = spin(tool, interpreter, DEEP, 3000, hertz=FAST_HERTZ, seconds=1.5, during=pause)
    check_number(run)
    totals = run.totals
    assert totals["lost"] > 10 and totals["python_lost"] > 10, run
    return f"{totals['lost']} of {totals['generated']} lost"


TESTS = [deep_stacks_stay_within_the_budget, ordinary_stacks_are_complete,
         endless_lists_stay_within_the_budget, what_finds_no_room_is_counted]

if __name__ == "__main__":
    able, why = can_walk(sys.argv[1])
    interpreters = find_interpreters(sys.argv[2:])
    if not able or not interpreters:
        print(why or "no interpreter")
        sys.exit(77)
    run_tests(TESTS, sys.argv[1], max(interpreters, key=lambda one: one.version))
