# SPDX-License-Identifier: Apache-2.0
"""Lines of Python on AArch64: `python_lines.py GUEST_WPERF GUEST_WALKS PACKAGES`.

hot_lines.py runs in the emulated machine, is walked over in the kernel and read from outside, and its
lines are held against its own clock.
"""
import ast
import collections
import json
import os
import re
import subprocess
import sys

import machine
from python_walks import LAYOUTS

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = "/tmp/hot_lines.py"
PYTHON = f"python3 -S -B {PROGRAM}"
LIBRARIES = ["lib/ld-linux-aarch64.so.1"] + [f"lib/aarch64-linux-gnu/{name}" for name in (
    "libc.so.6", "libm.so.6", "libz.so.1", "libexpat.so.1")]
LIBRARY = "usr/lib/python3.11"
TOUCHED = 16 * 257  # pages: each MiB has some bytes in front of it
WHOLE = "2"  # enum python_walk_end
NUM_THREADS = 3
# Threads of a program, and how alone they are to be found.
WAYS = [(NUM_THREADS, {"thread_id_reach": 3072}),
        (NUM_THREADS, {"thread_id": 0, "thread_id_reach": 1, "thread_native_id": 160}),
        (1, {"thread_id": 0, "thread_id_reach": 1})]
MAX_SHOWN = 2000  # characters of what went wrong

Row = collections.namedtuple("Row", "user command check", defaults=(None,))


def python_files(root):
    """What CPython needs, by its place in the machine."""
    files = {"bin/python3": os.path.join(root, "usr/bin/python3.11")}
    for name in LIBRARIES:
        path = os.path.join(root, name)
        files[name] = path if os.path.exists(path) else os.path.join(root, "usr", name)
    for folder, _, names in os.walk(os.path.join(root, LIBRARY)):
        paths = [os.path.join(folder, name) for name in names]
        files.update((os.path.relpath(path, root), path) for path in paths)
    return files


def line_of(mark):
    with open(os.path.join(HERE, "hot_lines.py"), encoding="utf-8") as text:
        return next(number for number, line in enumerate(text, 1) if line.endswith(f"# {mark}\n"))


def told(result):
    """What the program prints, which --json moves to stderr, and what wperf does."""
    words = next(line for line in result.err.splitlines() if line.startswith("{"))
    return ast.literal_eval(words), json.loads(result.out)["python"]


def own_samples(document):
    """Of the lines of the program: samples of their own by line."""
    return collections.Counter({row["line"]: row["events"][0]["self"]["samples"]
                                for row in document["lines"] if row["file"] == PROGRAM})


def check_shares(result, way, least, tolerance):
    spent, document = told(result)
    assert document["frames"]["way"] == way, document["frames"]
    counts = own_samples(document)
    counts = {mark: counts[line_of(mark)] for mark in spent}
    num = sum(counts.values())
    assert num > least, counts
    share = counts["PACK"] / num
    expected = spent["PACK"] / sum(spent.values())
    by_chance = 2 * (expected * (1 - expected) / num) ** 0.5
    assert abs(share - expected) < tolerance + by_chance, (share, expected, counts, spent)


def check_in_kernel(result):
    for words in ("Python stacks are read shortly", "match no sample", "truncated Python stacks"):
        assert words not in result.err, result.err


def check_cycles(result):
    check_in_kernel(result)
    check_shares(result, "sample", 400, 0.02)


def check_threads(result):
    check_in_kernel(result)
    check_shares(result, "sample", 80, 0.08)
    event = told(result)[1]["events"][0]
    assert event["outside"]["samples"] < 0.15 * event["samples"], event


def check_faults(result):
    """Each page of memory is touched once, by the same line."""
    check_in_kernel(result)
    count = own_samples(told(result)[1])[line_of("TOUCH")]
    assert TOUCHED <= count < TOUCHED + 16, count


def check_places(result):
    """Frames of Python stand where native code called them, also behind sorted()."""
    check_in_kernel(result)
    stacks = [line.rpartition(" ")[0] for line in result.out.splitlines()]
    sorting = [stack for stack in stacks if ";work;order;" in stack and stack.count(";count") == 1]
    good = [stack for stack in sorting if re.search(
        r";_start;__libc_start_main.*;PyEval_EvalCode;<module>;work;order;PyObject_Vectorcall;"
        r".*;PyObject_CallOneArg;.*;key;count", stack)]
    packing = [stack for stack in stacks if re.search(r";PyEval_EvalCode;<module>;work;pack;", stack)]
    assert packing and len(good) > 0.9 * len(sorting) > 5, (len(packing), len(good), sorting)


def check_after(result):
    """Who may not load programs into the kernel."""
    assert "Python stacks are read shortly" in result.err, result.err
    check_shares(result, "after", 30, 0.15)


def check_stopped(result):
    check_shares(result, "stop", 15, 0.2)


def check_dump(result):
    threads = result.out.split("\nThread ")[1:]
    assert len(threads) == NUM_THREADS, result.out
    assert re.search("(holds|waits for) the GIL", result.out), result.out
    assert all(re.search(rf"work  {PROGRAM}:\d+\n", thread) for thread in threads), result.out


def check_ways(result):
    """A program after the other, each with its threads."""
    rows = [line.split() for line in result.out.splitlines()]
    processes = sorted({int(pid) for _, pid, _, end in rows if end == WHOLE})
    assert len(processes) == len(WAYS), result.out
    for pid, (num_threads, members) in zip(processes, WAYS):
        own = [row for row in rows if int(row[1]) == pid]
        whole = sum(int(row[0]) for row in own if row[3] == WHOLE)
        assert len({row[2] for row in own}) == num_threads, (members, result.out)
        assert whole > 20 and whole >= 0.99 * sum(int(row[0]) for row in own), (members, result.out)


def runtime_address(program):
    words = subprocess.run(["nm", "-D", program], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^(\w+) D _PyRuntime$", words, re.MULTILINE)[1], 16)


def ways_row(packages):
    """Each way alone to find the state of a thread, see python_walk.h."""
    program = os.path.join(packages, "python/usr/bin/python3.11")
    starts, walks = "", ""
    for number, (num_threads, members) in enumerate(WAYS):
        walk = dict(LAYOUTS[3, 11], code_mask=0xffffffffffffffff, **members)
        walk["interpreters"] = runtime_address(program) + walk.pop("head")
        starts += f"{PYTHON} 1000 {num_threads} & pid{number}=$!; "
        words = " ".join(f"{name}={value}" for name, value in walk.items())
        walks += f" $pid{number} {words}"
    return Row("root", f"{starts} sleep 0.4; walks cpu-clock 997 0.4 -a {walks} | "
               "awk '$1 == \"sample\" { print $2, $3, $8 }' | sort | uniq -c; killall python3",
               check_ways)


def rows(packages):
    record = "wperf record --json"
    return [
        Row("root", "sysctl -w kernel.perf_event_paranoid=2"),
        Row("root", f"{record} -g -e cpu_cycles:100000 --save /tmp/d -- {PYTHON} 6 1", check_cycles),
        Row("root", "wperf export /tmp/d --format collapsed", check_places),
        Row("root", f"{record} -g -e cpu-clock -F 997 -- {PYTHON} 4 3", check_threads),
        Row("root", f"{record} -e minor-faults:1 -- {PYTHON} 1 1", check_faults),
        Row("ordinary", f"{record} -g -e cpu-clock -F 499 -- {PYTHON} 12 1", check_after),
        Row("ordinary", f"{record} --stop -e cpu-clock -F 199 -- {PYTHON} 16 1", check_stopped),
        Row("ordinary", f"{PYTHON} 1000 {NUM_THREADS} & sleep 0.2; wperf dump -p $!; kill $!", check_dump),
        ways_row(packages),
    ]


def check_row(row, result):
    """What is wrong, or None."""
    try:
        assert result.exit == 0, f"exit code {result.exit}: {result.out[-MAX_SHOWN:]}"
        if row.check:
            row.check(result)
    except (AssertionError, LookupError, ValueError) as wrong:
        return (f"{row.user}: {row.command}\n{type(wrong).__name__}: {str(wrong)[:MAX_SHOWN]}\n"
                f"-- errors\n{result.err}")
    return None


def main():
    wperf, walks, packages = sys.argv[1:]
    files = python_files(os.path.join(packages, "python"))
    files[PROGRAM[1:]] = os.path.join(HERE, "hot_lines.py")
    all_rows = rows(packages)
    commands = [machine.Command(row.user, ["sh", "-c", row.command]) for row in all_rows]
    try:
        results = machine.run_commands(packages, {"wperf": wperf, "walks": walks}, commands,
                                       files=files)
    except machine.Failure as failure:
        print(failure)
        return 1
    wrong = [text for row, result in zip(all_rows, results) if (text := check_row(row, result))]
    print("\n".join(wrong) or f"{len(commands)} commands did as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
