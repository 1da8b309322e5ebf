# SPDX-License-Identifier: Apache-2.0
"""Stacks of Python walked in the kernel are those that the interpreter itself tells of.

python_walks.py PYTHON_WALKS [VERSION...]
"""
import collections
import ctypes
import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import chance
import pythons
import waiting
from recorder import run_tests, sampling_rate

HERTZ = 1999
FAST_HERTZ = 4999
CLOCK_SKEW = 0.02  # of a program's own clock: what interrupts it and is not sampled
NO_PYTHON, NO_FRAMES, WHOLE, NO_MEMORY, TOO_DEEP, TORN, NO_TIME = range(7)
IS_ENTRY = 1
INDEX, ENTRY, OWNER = range(3)
MAX_FRAMES = 1024

# From the headers of each version, for x86-64 Linux. "head" is that of _PyRuntime.
OLD = dict(head=32, interpreter_threads=8, thread_next=8, thread_id=176, thread_frame=24,
           frame_size=128, frame_back=24, frame_code=32, kind=INDEX, code_version=40)
NEW = dict(interpreter_next=7264, interpreter_threads=7344, thread_next=8, thread_id=152,
           thread_active=32, thread_frame=72, frame_size=80, frame_code=0, frame_back=8,
           frame_instruction=56, frame_mark=70, kind=OWNER, shim_owner=3, code_version=92)
NO_TAGS = 2 ** 64 - 4  # what is no tag of a reference
LAYOUTS = {
    (3, 8): dict(OLD, frame_instruction=104),
    (3, 9): dict(OLD, frame_instruction=104),
    (3, 10): dict(OLD, frame_instruction=96, thread_cframe=48, cframe_previous=8),
    (3, 11): dict(head=40, interpreter_threads=16, thread_next=8, thread_id=152, thread_frame=56,
                  cframe_frame=9, thread_cframe=56, cframe_previous=16, frame_size=80,
                  frame_code=32, frame_back=48, frame_instruction=56, frame_mark=68, kind=ENTRY,
                  code_version=72),
    (3, 12): dict(head=40, interpreter_threads=72, thread_next=8, thread_id=136, thread_active=24,
                  thread_frame=56, cframe_frame=1, frame_size=80, frame_code=0, frame_back=8,
                  frame_instruction=56, frame_mark=70, kind=OWNER, shim_owner=3, code_version=92),
    (3, 13): dict(NEW, head=632),
    (3, 14): dict(NEW, head=808, interpreter_next=7272, frame_mark=74, code_mask=NO_TAGS),
    (3, 15): dict(NEW, head=936, interpreter_threads=7336, thread_id=176, frame_mark=74,
                  code_mask=NO_TAGS),
}
# Where it begins in a code object.
BYTECODE = {(3, 11): 184, (3, 12): 192, (3, 13): 200, (3, 14): 208, (3, 15): 208}

# What every program begins with: it tells its code objects and waits for a line.
PROLOGUE = """
import ctypes, gc, hashlib, json, os, sys, threading, time, types, zlib
def told(code, found):
    if id(code) not in found:
        lines = [list(range) for range in code.co_lines()] if hasattr(code, "co_lines") else []
        found[id(code)] = [code.co_name, code.co_firstlineno, lines]
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                told(constant, found)
    return found
def begin():
    runtime = ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime"))
    codes = told(sys._getframe(1).f_code, {})
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType):
            told(one.__code__, codes)
    maps = [line.split()[0] for line in open("/proc/self/maps") if "[stack]" in line]
    print(json.dumps({"runtime": runtime, "codes": codes, "stack": maps[0]}), flush=True)
    sys.stdin.readline()
def until(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
"""

Frame = collections.namedtuple("Frame", "name line stack is_entry")
Sample = collections.namedtuple("Sample", "pid tid cpu time ip sp end frames")

VERSION = """
import sys, sysconfig
print(*sys.version_info[:2], *["t"] * bool(sysconfig.get_config_var("Py_GIL_DISABLED")))
"""


class Interpreter:
    def __init__(self, program):
        self.program = program
        words = subprocess.run([program, "-c", VERSION], capture_output=True, text=True,
                               check=True).stdout.split()
        self.version = tuple(map(int, words[:2]))
        has_gil = len(words) == 2
        self.layout = LAYOUTS.get(self.version) if has_gil else None

    def __str__(self):
        return self.program


class Target:
    """A program that has told its code objects."""

    def __init__(self, interpreter, text):
        self.interpreter = interpreter
        self.process = subprocess.Popen([interpreter.program, "-c", PROLOGUE + text],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        told = json.loads(self.process.stdout.readline())
        self.codes = {int(address): code for address, code in told["codes"].items()}
        self.stack = [int(end, 16) for end in told["stack"].split("-")]
        self.walk = {"code_mask": 2 ** 64 - 1, **interpreter.layout}
        self.walk["interpreters"] = told["runtime"] + self.walk.pop("head")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def words(self):
        return [str(self.process.pid)] + [f"{name}={value}" for name, value in self.walk.items()]

    def line_of(self, code, address, instruction):
        _, first, lines = code
        version = self.interpreter.version
        if version >= (3, 11):
            index = instruction - address - BYTECODE[version]
        else:
            index = instruction - (instruction >> 63 << 64)
            index = index * 2 if version == (3, 10) else index
        for start, end, line in lines:
            if start <= index < end:
                return line
        return first if not lines or index < 0 else None  # it has not begun yet

    def frame(self, text):
        address, instruction, stack, _, flags = (int(word, base) for word, base in
                                                 zip(text.split(":"), (16, 16, 16, 16, 10)))
        code = self.codes.get(address)
        name = code[0] if code else "?"
        line = self.line_of(code, address, instruction) if code else None
        return Frame(name, line, stack, bool(flags & IS_ENTRY))

    def sample(self, line):
        pid, tid, cpu, when, ip, sp, end, *frames = line.split()[1:]
        return Sample(int(pid), int(tid), int(cpu), int(when), int(ip, 16), int(sp, 16), int(end),
                      [self.frame(frame) for frame in frames])


class Walks:
    """What the program that walks said."""

    def __init__(self, target, output):
        lines = output.splitlines()
        self.samples = [target.sample(line) for line in lines if line.startswith("sample ")]
        totals = [line for line in lines if line.startswith("totals ")]
        assert totals, f"no totals: {output[-300:]}"
        self.totals = {name: int(value) for name, value in
                       (word.split("=") for word in totals[0].split()[1:])}

    def ends(self):
        return collections.Counter(sample.end for sample in self.samples)

    def check_totals(self):
        ends = self.ends()
        for end in range(7):
            assert self.totals[f"end{end}"] == ends[end], (end, self.totals, ends)
        assert self.totals["unpaired"] == 0 and self.totals["python_lost"] == 0, self.totals
        assert self.totals["lost"] == 0, self.totals


def walk(tool, target, event="cpu-clock", hertz=HERTZ, seconds=30, who=None, during=None,
         is_quiet=False):
    """Sample from the word to begin until the program has ended. Quiet: totals only."""
    process = subprocess.Popen([tool, *["-q"] * is_quiet, event, str(sampling_rate(hertz)),
                                str(seconds), who or str(target.process.pid)] + target.words(),
                               stdout=subprocess.PIPE, text=True)
    first = process.stdout.readline()
    if first != "ready\n":
        process.kill()
        process.communicate()
        assert False, "it cannot sample"
    target.process.stdin.write("\n")
    target.process.stdin.flush()
    target.walker = process
    if during:
        during(target)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 0, f"status {process.returncode}"
    return Walks(target, output)


def least(hertz, seconds):
    """Samples of a program that runs for so long by the clock: a quarter of what a core of its own
    would give."""
    return sampling_rate(hertz) * seconds / 4


def check_ends(walks, end, share):
    """At least so many of all walks end like this."""
    chance.check_at_least(walks.ends()[end], len(walks.samples), share, walks.ends())


def named(samples):
    """Those whose frames are all of the program itself."""
    return [sample for sample in samples if sample.frames and
            all(frame.name != "?" for frame in sample.frames)]


def check_callers(samples, callers):
    """Each function of the program was called by one that calls it."""
    for sample in samples:
        for callee, caller in zip(sample.frames, sample.frames[1:]):
            if callee.name in callers:
                assert caller.name in callers[callee.name], (
                    f"{callee.name} below {caller.name}: {sample}")


RECURSION = """
def fib(n):
    if n < 2: return n
    return fib(n - 1) + fib(n - 2)
def middle(n): return [fib(n)][0]
def work():
    for _ in until(1.5):
        middle(14)
begin()
work()
"""


def check_stack(target, sample):
    """Entries stand in the C stack, further out the older they are."""
    entries = [frame.stack for frame in sample.frames if frame.is_entry]
    assert entries and sample.frames[-1].is_entry, f"no entry: {sample}"
    if target.interpreter.version < (3, 10):
        assert not any(entries), sample
        return
    if target.interpreter.version == (3, 10) and entries[0] == 0:
        del entries[0]  # it has left its C frame
    assert entries == sorted(entries) and len(set(entries)) == len(entries), sample
    in_kernel = sample.ip >> 63
    assert in_kernel or sample.sp <= entries[0], (sample, target.stack)
    assert target.stack[0] <= entries[0] and entries[-1] < target.stack[1], (sample, target.stack)


def recursion_is_walked(tool, interpreter):
    with Target(interpreter, RECURSION) as target:
        walks = walk(tool, target)
    walks.check_totals()
    ends = walks.ends()
    assert len(walks.samples) > least(HERTZ, 1.5), len(walks.samples)
    # Nothing runs when the interpreter ends.
    check_ends(walks, WHOLE, 0.95)
    chance.check_at_least(ends[WHOLE] + ends[NO_FRAMES], len(walks.samples), 0.99, ends)
    inside = [sample for sample in walks.samples if sample.frames and
              sample.frames[0].name == "fib"]
    chance.check_at_least(len(inside), len(walks.samples), 0.8)
    check_callers(inside, {"fib": {"fib", "middle"}, "middle": {"work"}, "work": {"<module>"}})
    for sample in inside:
        names = [frame.name for frame in sample.frames]
        depth = names.count("fib")
        assert names == ["fib"] * depth + ["middle", "work", "<module>"] and depth <= 14, names
        check_stack(target, sample)
    if interpreter.version >= (3, 10):
        lines = collections.Counter(sample.frames[0].line for sample in inside)
        first = min(lines)
        assert max(lines) - first <= 2 and None not in lines, lines
    return f"{len(inside)} stacks"


FLUTTER = """
def leaf_a(): return sum(range(50))
def leaf_b(): return sum(range(50))
def hot_a(): return leaf_a()
def hot_b(): return leaf_b()
def work():
    for _ in until(2):
        for i in range(1000):
            hot_a(); hot_b()
begin()
work()
"""


def no_stack_is_impossible(tool, interpreter):
    with Target(interpreter, FLUTTER) as target:
        walks = walk(tool, target, hertz=FAST_HERTZ)
    samples = named(walks.samples)
    assert len(samples) > least(FAST_HERTZ, 2), len(samples)
    check_callers(samples, {"leaf_a": {"hot_a"}, "leaf_b": {"hot_b"}, "hot_a": {"work"},
                            "hot_b": {"work"}, "until": {"work"}, "work": {"<module>"}})
    leaves = sum(sample.frames[0].name.startswith("leaf") for sample in samples)
    chance.check_at_least(leaves, len(samples), 1 / 3)
    return f"{len(samples)} stacks"


RELEASED = """
blob = bytes(range(256)) * 4096
def digest(): hashlib.sha256(blob).digest()
def checksum(): zlib.crc32(blob)
def work():
    spent = {"digest": 0, "checksum": 0}
    for _ in until(2):
        for function in digest, checksum, checksum:
            start = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
            function()
            spent[function.__name__] += (
                time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID) - start)
    return spent
begin()
print(json.dumps(work()))
"""


def work_without_the_lock_keeps_its_stack(tool, interpreter):
    with Target(interpreter, RELEASED) as target:
        walks = walk(tool, target)
        spent = json.loads(target.process.stdout.readline())
    last = max(i for i, sample in enumerate(walks.samples) if sample.frames)
    counts = collections.Counter(sample.frames[0].name if sample.frames else "none"
                                 for sample in walks.samples[:last])
    chance.check_at_most(counts["none"], last, 0.002, counts)
    return (chance.check_shares(counts, spent, least(HERTZ, 2) / 2, CLOCK_SKEW) +
            f", {counts['none']} of {last} without")


MIXED = """
import random
import re
words = ["w%d" % (i * 7919 % 1000) for i in range(4000)]
text = " ".join(words)
blob = bytes(range(256)) * 2048
spent = {}
def loop(n):
    x = 0
    for i in range(n): x = (x * 3 + i) & 0xffff
    return x
def lap(start):
    now = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
    line = sys._getframe(1).f_lineno
    spent[line] = spent.get(line, 0) + now - start
    return time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
def work(start):
    for _ in until(3):
        loop(12000); start = lap(start)
        sorted(words); start = lap(start)
        hashlib.sha256(blob).digest(); start = lap(start)
        re.findall("w[0-9]+7 ", text); start = lap(start)
        [str(i) + "x" for i in range(3000)]; start = lap(start)
        zlib.crc32(blob); start = lap(start)
        loop(random.randrange(12000)) # so that rounds do not go in step with the timer
        start = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
begin()
work(time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID))
print(json.dumps(spent))
"""


def lines_have_the_shares_of_the_programs_clock(tool, interpreter):
    if interpreter.version < (3, 10):
        return "it does not tell its lines"
    with Target(interpreter, MIXED) as target:
        walks = walk(tool, target, hertz=1277)  # no multiple of what the program repeats
        told = json.loads(target.process.stdout.readline())
    spent = {int(line): nanoseconds for line, nanoseconds in told.items()}
    counts = collections.Counter()
    for sample in walks.samples:
        counts.update([frame.line for frame in sample.frames if frame.name == "work"][:1])
    return chance.check_shares(counts, spent, least(1277, 3) / 2, CLOCK_SKEW)


FAMILY = """
def spin(seconds):
    for _ in until(seconds):
        sum(range(1000))
def child(): spin(0.7)
def grandchild():
    if os.fork() == 0:
        spin(0.7)
        os._exit(0)
    os.wait()
begin()
pids = []
for function in child, child, grandchild:
    pid = os.fork()
    if pid == 0:
        function()
        os._exit(0)
    pids.append(pid)
threads = [threading.Thread(target=child) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
for pid in pids: os.waitpid(pid, 0)
if os.fork() == 0:
    os.execv("/usr/bin/md5sum", ["md5sum", "/usr/bin/md5sum"] + ["/proc/self/exe"] * 300)
os.wait()
"""


def check_family(walks):
    walks.check_totals()
    by_thread = collections.defaultdict(list)
    for sample in walks.samples:
        by_thread[sample.pid, sample.tid].append(sample)
    spinning = {key: samples for key, samples in by_thread.items()
                if any("spin" in [frame.name for frame in sample.frames] for sample in samples)}
    processes = {pid for pid, _ in spinning}
    assert len(processes) == 4 and len(spinning) == 7, list(spinning)
    missing = sum(sample.end != WHOLE for samples in spinning.values() for sample in samples)
    total = sum(map(len, spinning.values()))
    chance.check_at_most(missing, total, 0.02)
    others = [sample for key, samples in by_thread.items() if key[0] not in processes
              for sample in samples]
    return f"{total} samples of {len(spinning)} threads, {missing} without; others: {len(others)}"


def children_and_threads_are_followed(tool, interpreter):
    with Target(interpreter, FAMILY) as target:
        walks = walk(tool, target)
    return check_family(walks)


def walk_without_tls(tool, interpreter, text, native_id=0):
    """As on AArch64, where the kernel may have the TLS base of the program before."""
    with Target(interpreter, text) as target:
        target.walk.update(thread_id_reach=1, thread_id=0, thread_native_id=native_id)
        return walk(tool, target)


def threads_are_found_without_their_tls(tool, interpreter):
    """By the number that Python has of them, or because there is no other thread."""
    walks = walk_without_tls(tool, interpreter, RECURSION.replace("until(1.5)", "until(0.6)"))
    whole = walks.ends()[WHOLE]
    assert len(walks.samples) > least(HERTZ, 0.6) / 2, walks.ends()
    check_ends(walks, WHOLE, 0.95)
    guessed = walk_without_tls(tool, interpreter, FAMILY.replace("begin()", "begin(); child()", 1))
    told = [sample for sample in guessed.samples if sample.frames]
    assert told and len({sample.tid for sample in told}) == 1, "a guess among several threads"
    if interpreter.version < (3, 11):
        return f"{whole} stacks"
    by_number = walk_without_tls(tool, interpreter, FAMILY, interpreter.layout["thread_id"] + 8)
    return f"{whole} stacks, {check_family(by_number)}"


def threads_are_found_above_their_id(tool, interpreter):
    """As on AArch64, whose TLS base is above what an id points to."""
    with Target(interpreter, FAMILY) as target:
        target.walk["thread_id_reach"] = 3072
        walks = walk(tool, target)
    return check_family(walks)


# Each child has ten samples, and perhaps some less.
STORM = """
def child():
    end = time.thread_time() + 10 / HERTZ
    while time.thread_time() < end: sum(range(1000))
begin()
for number in range(400):
    if os.fork() == 0:
        child()
        os._exit(0)
    if number % 8 == 7:
        for _ in range(8): os.wait()
"""


def short_children_are_followed(tool, interpreter):
    with Target(interpreter, STORM.replace("HERTZ", str(sampling_rate(HERTZ)))) as target:
        walks = walk(tool, target)
    processes = {sample.pid for sample in walks.samples if sample.end == WHOLE}
    assert len(processes) > 350, len(processes)
    check_ends(walks, WHOLE, 0.98)
    return f"{len(walks.samples)} samples of {len(processes)} processes"


SECOND = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
TEXT = '''
import hashlib, time
blob = bytes(1000000)
end = time.monotonic() + 0.3
while time.monotonic() < end: hashlib.sha256(blob).digest()
'''
def inside(): interpreters.run_string(second, TEXT)
def outside():
    for _ in until(0.3): hashlib.sha256(bytes(1000000)).digest()
begin()
second = interpreters.create()
for _ in range(3):
    inside(); outside()
"""


def a_second_interpreter_has_its_own_stack(tool, interpreter):
    """Its code is not told; in the first one the thread stands where it has called it."""
    with Target(interpreter, SECOND) as target:
        walks = walk(tool, target)
    stacks = [[frame.name for frame in sample.frames] for sample in walks.samples]
    counts = {name: sum(name in stack[-2:] for stack in stacks)
              for name in ("?", "outside", "inside")}
    chance.check_at_least(counts["?"], len(stacks), 0.35, counts)
    chance.check_at_least(counts["outside"], len(stacks), 0.35, counts)
    chance.check_at_most(counts["inside"], len(stacks), 0.05, counts)
    return f"{dict(counts)} of {len(stacks)}"


EXEC = """
begin()
os.execv("PROGRAM", ["PROGRAM", "-c", '''
import time
end = time.monotonic() + 1
while time.monotonic() < end: sum(range(1000))
'''])
"""


def another_program_has_no_frames(tool, interpreter):
    with Target(interpreter, EXEC.replace("PROGRAM", interpreter.program)) as target:
        walks = walk(tool, target)
    late = [sample for sample in walks.samples
            if sample.time > walks.samples[-1].time - 500000000]
    assert len(late) > least(HERTZ, 0.5) / 2, len(late)
    assert all(sample.end == NO_PYTHON for sample in late), walks.ends()
    return f"{len(late)} samples"


CHURN = """
def short():
    sum(range(30000))
def one():
    short()
def work():
    for _ in until(2):
        threads = [threading.Thread(target=one) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
begin()
work()
"""


def threads_that_die_are_forgotten(tool, interpreter):
    with Target(interpreter, CHURN) as target:
        walks = walk(tool, target, hertz=FAST_HERTZ)
    check_callers(walks.samples, {"short": {"one"}, "work": {"<module>"}})
    ends = walks.ends()
    chance.check_at_most(ends[NO_MEMORY] + ends[TORN] + ends[TOO_DEEP], len(walks.samples), 0.005, ends)
    shorts = {sample.tid for sample in walks.samples
              if any(frame.name == "short" for frame in sample.frames)}
    assert len(shorts) > 50, len(shorts)
    return f"{len(walks.samples)} samples, {len(shorts)} threads, ends {dict(ends)}"


def a_killed_program_ends_the_walk(tool, interpreter):
    with Target(interpreter, RECURSION) as target:
        def kill(target):
            waiting.wait_for_cpu(target.process.pid, 0.5)
            target.process.send_signal(signal.SIGKILL)
        walks = walk(tool, target, during=kill)
    assert len(walks.samples) > least(HERTZ, 0.5), len(walks.samples)
    return f"{len(walks.samples)} samples"


DEEP = """
sys.setrecursionlimit(5000)
def down(n):
    if n:
        return down(n - 1)
    for _ in until(1):
        sum(range(1000))
begin()
down(1200)
"""


def deep_stacks_are_cut_at_their_oldest_frames(tool, interpreter):
    with Target(interpreter, DEEP) as target:
        walks = walk(tool, target)
    deep = [sample for sample in walks.samples if sample.end == TOO_DEEP]
    cut = [sample for sample in walks.samples if sample.end == NO_TIME]
    assert len(deep) > 10, walks.ends()
    chance.check_at_least(len(deep) + len(cut), len(walks.samples), 0.95, walks.ends())
    for sample in deep:
        names = [frame.name for frame in sample.frames]
        assert len(names) == MAX_FRAMES and set(names[1:]) == {"down"}, names[:3]
    return f"{len(deep)} samples"


NESTED = """
def key(x):
    return (sum(range(2000)), x)[1]
def outer():
    for _ in until(1.5):
        sorted(range(50), key=key)
def run():
    list(map(lambda _: outer(), [1]))
begin()
run()
"""


def native_callers_make_entries(tool, interpreter):
    with Target(interpreter, NESTED) as target:
        walks = walk(tool, target)
    samples = [sample for sample in walks.samples
               if [frame.name for frame in sample.frames] ==
               ["key", "outer", "<lambda>", "run", "<module>"]]
    chance.check_at_least(len(samples), len(walks.samples), 0.8, walks.ends())
    for sample in samples:
        check_stack(target, sample)
        entries = [frame.is_entry for frame in sample.frames]
        expected = ([True, False, True, False, True] if interpreter.version >= (3, 11)
                    else [True] * 5)
        assert entries == expected, entries
    return f"{len(samples)} stacks"


FAULTS = """
import mmap
def touch(memory):
    for place in range(0, len(memory), 4096):
        memory[place] = 1 # here
def work():
    for _ in range(4):
        memory = mmap.mmap(-1, 4096 * 5000)
        touch(memory)
        memory.close()
begin()
work()
"""


def page_faults_have_frames(tool, interpreter):
    with Target(interpreter, FAULTS) as target:
        walks = walk(tool, target, event="minor-faults:1")
    touches = [sample for sample in walks.samples
               if [frame.name for frame in sample.frames] == ["touch", "work", "<module>"]]
    assert len(touches) >= 20000, (len(touches), walks.ends())
    if interpreter.version >= (3, 10):
        lines = collections.Counter(sample.frames[0].line for sample in touches)
        chance.check_at_least(lines.most_common(1)[0][1], len(touches), 0.99, lines)
    return f"{len(touches)} faults"


CALLS = """
def ask(): os.getppid()
def work():
    for _ in range(3000): ask()
begin()
work()
"""


def system_calls_have_frames(tool, interpreter):
    if not os.path.exists("/sys/kernel/tracing/events/raw_syscalls/sys_enter"):
        return "no such tracepoint"
    with Target(interpreter, CALLS) as target:
        walks = walk(tool, target, event="raw_syscalls:sys_enter:1")
    asks = [sample for sample in walks.samples
            if [frame.name for frame in sample.frames] == ["ask", "work", "<module>"]]
    assert len(asks) == 3000, (len(asks), walks.ends(), walks.totals)
    return f"{len(asks)} calls"


def wild_layouts_do_no_harm(tool, interpreter):
    """Members that lead anywhere: the walk fails, and nothing else."""
    dice = random.Random(1)
    samples = 0
    for turn in range(6):
        with Target(interpreter, RECURSION.replace("until(1.5)", "until(0.4)")) as target:
            for name in dice.sample(sorted(target.walk), 3):
                small = {"frame_code", "frame_back", "frame_instruction", "frame_mark"}
                if name not in ("frame_size", "kind", "code_mask"):
                    target.walk[name] = dice.randrange(0, 64 if name in small else 20000, 4)
            walks = walk(tool, target)
            assert target.process.wait() == 0
            samples += len(walks.samples)
    assert samples > 6 * least(HERTZ, 0.4), samples
    return f"{samples} samples"


def other_processes_have_none(tool, interpreter):
    """On whole cores, only those that were told of have frames."""
    with subprocess.Popen([interpreter.program, "-c", "while True: sum(range(1000))"]) as other, \
            Target(interpreter, RECURSION) as target:
        walks = walk(tool, target, seconds=1.5, who="-a")
        other.kill()
    mine = [sample for sample in walks.samples if sample.pid == target.process.pid]
    others = [sample for sample in walks.samples if sample.pid == other.pid]
    assert mine and others, walks.ends()
    chance.check_at_least(sum(sample.end == WHOLE for sample in mine), len(mine), 0.98, walks.ends())
    assert all(sample.end == NO_PYTHON and not sample.frames for sample in others)
    return f"{len(mine)} and {len(others)}"


class SwapFile:
    """Where pages without a file go; False in a `with` if this user may have none."""

    SIZE = 256 << 20

    def __enter__(self):
        handle, self.path = tempfile.mkstemp(dir="/var/tmp")
        os.posix_fallocate(handle, 0, self.SIZE)
        os.close(handle)
        self.is_used = not any(subprocess.run([program, self.path], capture_output=True).returncode
                               for program in ("/sbin/mkswap", "/sbin/swapon"))
        return self.is_used

    def __exit__(self, *_):
        if self.is_used:
            subprocess.run(["/sbin/swapoff", self.path], check=True)
        os.unlink(self.path)


class Span(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def page_out(pid):
    """All that the process has in memory."""
    pidfd_open, process_madvise, to_disk = 434, 440, 21
    call = ctypes.CDLL(None).syscall
    process = call(pidfd_open, pid, 0)
    try:
        with open(f"/proc/{pid}/maps", encoding="ascii") as maps:
            lines = [line.split() for line in maps if "[v" not in line]
    except OSError:
        return
    ends = [[int(end, 16) for end in line[0].split("-")] for line in lines if line[1][0] == "r"]
    spans = (Span * len(ends))(*[Span(begin, end - begin) for begin, end in ends])
    for span in spans:
        call(process_madvise, process, ctypes.byref(span), 1, to_disk, 0)
    os.close(process)


def missing_memory_is_fetched(tool, interpreter):
    """Where the kernel can walk once more, no stack is cut by pages that are not there."""
    text = DEEP.replace("down(1200)", "down(180)").replace("until(1)", "until(2)")
    with SwapFile() as can_swap, Target(interpreter, text) as target:
        if not can_swap:
            return "this user may not use swap files"

        def press(target):
            while target.process.poll() is None:
                page_out(target.process.pid)
                time.sleep(0.05)  # so often, and the program gets on meanwhile
        walks = walk(tool, target, hertz=999, during=press)
    late, ends = walks.totals["late"], walks.ends()
    whole = [i for i, sample in enumerate(walks.samples) if len(sample.frames) > 180]
    assert whole, ends
    begin, end = whole[0], whole[-1]
    broken = sum(len(sample.frames) < 182 for sample in walks.samples[begin:end])
    if late:
        chance.check_at_most(broken, end - begin, 0.002, walks.totals)
    return f"{end - begin} samples, {broken} broken, {late} walked once more, ends {dict(ends)}"


# What depends on the version is tried with all; the rest is the kernel's and ours, and tried with the
# newest. The oldest keeps its stacks in another way.
BY_VERSION = [no_stack_is_impossible, work_without_the_lock_keeps_its_stack,
              lines_have_the_shares_of_the_programs_clock]
OLDEST = [*BY_VERSION, recursion_is_walked, native_callers_make_entries,
          a_second_interpreter_has_its_own_stack, deep_stacks_are_cut_at_their_oldest_frames]
TESTS = [*BY_VERSION, recursion_is_walked, native_callers_make_entries,
         children_and_threads_are_followed, threads_are_found_without_their_tls,
         threads_are_found_above_their_id,
         short_children_are_followed, a_second_interpreter_has_its_own_stack,
         another_program_has_no_frames, threads_that_die_are_forgotten,
         a_killed_program_ends_the_walk, deep_stacks_are_cut_at_their_oldest_frames,
         page_faults_have_frames, system_calls_have_frames, missing_memory_is_fetched,
         wild_layouts_do_no_harm, other_processes_have_none]


def find_interpreters(wanted):
    programs = pythons.of_pyenv("3.*/bin/python3")
    programs += glob.glob("/usr/bin/python3.[0-9]*[0-9]")
    programs += sorted(glob.glob(str(pythons.FETCHED / "python3.[0-9]*[0-9]")))
    # One of each version, Debian's rather than pyenv's: the layout is that of the version.
    found = {one.version: one for one in map(Interpreter, programs) if one.layout}
    return [one for one in found.values() if not wanted or "%d.%d" % one.version in wanted]


def can_walk(tool):
    done = subprocess.run([tool, "cpu-clock", "99", "0", str(os.getpid())], capture_output=True,
                          text=True)
    return done.returncode == 0, done.stderr


if __name__ == "__main__":
    able, why = can_walk(sys.argv[1])
    interpreters = find_interpreters(sys.argv[2:])
    if not able or not interpreters:
        print(why or "no interpreter")
        sys.exit(77)
    versions = [one.version for one in interpreters]
    for one in interpreters:
        print(f"{one}:", flush=True)
        special = {min(versions): OLDEST, max(versions): TESTS}
        run_tests(special.get(one.version, BY_VERSION), sys.argv[1], one)
