# SPDX-License-Identifier: Apache-2.0
"""wperf record --async: a program's asyncio tasks measure their own CPU time, and the shares by task are
the same within the sampling error; with two event loops in two threads, under every interpreter of this
machine. From 3.14 on tasks have the names that the program gave them, and stand inside of those that
wait for them. python_async_record.py WPERF"""
import collections
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

import pythons
from recorder import clock_event

WPERF = sys.argv[1]
SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs/schemas"
SCHEMA = json.loads((SCHEMAS / "python.schema.json").read_text())
OLDEST, GROUPS_SINCE, NAMED_SINCE = 8, 11, 14
SIGMAS = 5

# Each kind of task has 70, 20 and 10 percent of the time; they take turns at each await.
PROGRAM = """
import asyncio, json, sys, threading, time
spent = {}
def burn(kind, seconds):
    begin = time.thread_time()
    while time.thread_time() - begin < seconds:
        sum(i * i for i in range(50))
    spent[kind] = spent.get(kind, 0) + time.thread_time() - begin
async def inner(kind, seconds):
    burn(kind, seconds)
    await asyncio.sleep(0)
async def step(kind, seconds):
    await inner(kind, seconds)
async def fetch_orders(rounds):
    for _ in range(rounds):
        await step("orders", 0.0007)
async def send_mail(rounds):
    for _ in range(rounds):
        await step("mail", 0.0002)
async def clean(rounds):
    for _ in range(rounds):
        await step("clean", 0.0001)
async def for_ever():
    while True:
        await step("cancelled", 0.0001)
def create(work, name):
    task = asyncio.get_event_loop().create_task(work)
    if hasattr(task, "set_name"):
        task.set_name(name)
    return task
GROUP
async def main(rounds):
    cancelled = create(for_ever(), "cancelled one")
    await asyncio.gather(create(group(rounds), "a group"), send_mail(rounds), create(clean(rounds), "gr\\u00f6\\u00dfe"))
    cancelled.cancel()
async def other(rounds):
    for _ in range(rounds):
        burn("other", 0.0002)
        await asyncio.sleep(0)
def run(work):
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(work)
rounds = int(sys.argv[1])
thread = threading.Thread(target=run, args=(other(rounds),))
run(main(rounds))
thread.start()
thread.join()
json.dump(spent, open(sys.argv[2], "w"))
"""
GROUP = """
async def group(rounds):
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fetch_orders(rounds), name="orders")
"""
NO_GROUP = """
async def group(rounds):
    await create(fetch_orders(rounds), "orders")
"""
BY_COROUTINE = {"orders": "fetch_orders()", "mail": "send_mail()", "clean": "clean()",
                "cancelled": "for_ever()", "other": "other()"}
BY_NAME = {"orders": "orders", "mail": "send_mail()", "clean": "größe", "cancelled": "cancelled one",
           "other": "other()"}
# Outermost first, up to the function that runs.
CHAIN = "task main();main;task a group;group;TaskGroup.__aexit__;TaskGroup._aexit;task orders;fetch_orders;step;inner;burn"


def run_report(folder, *words):
    return subprocess.run([WPERF, "report", "-i", folder / "data", *words],
                          capture_output=True, text=True, timeout=60, check=True).stdout


def record(python, minor, folder, rounds, *words):
    program = folder / "program.py"
    program.write_text(PROGRAM.replace("GROUP", GROUP if minor >= GROUPS_SINCE else NO_GROUP))
    result = subprocess.run([WPERF, "record", "--async", "-q", *words, "-o", folder / "data", "--", python,
                             program, str(rounds), folder / "spent"], capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    report = json.loads(run_report(folder, "--json"))["report"]["python"]
    jsonschema.validate(report, SCHEMA)
    return json.loads((folder / "spent").read_text()), report


def compare(spent, report, names):
    """Of the time that tasks had; what else the program did is in no task."""
    weights = {task["task"]: task["events"][0]["self"] for task in report["tasks"]}
    found = {kind: weights["task " + name] for kind, name in names.items()}
    num = sum(part["samples"] for part in found.values())
    weight, time = sum(part["weight"] for part in found.values()), sum(spent.values())
    for kind, part in found.items():
        true, share = spent[kind] / time, part["weight"] / weight
        error = SIGMAS * math.sqrt(true * (1 - true) / num) + 0.01  # a step ends behind its clock
        assert abs(share - true) < error, (kind, share, true, num, weights)
    assert num > 0.7 * report["events"][0]["samples"] * time / (report["events"][0]["weight"] * 1e-9), num
    return num


def stacks_of(folder):
    text = subprocess.run([WPERF, "export", "--format", "collapsed", "-i", folder / "data"],
                          capture_output=True, text=True, timeout=60, check=True).stdout
    stacks = collections.Counter()
    for line in text.splitlines():
        stack, _, count = line.rpartition(" ")
        stacks[stack] += int(count)
    return stacks


def check_chains(folder, num):
    """Each sample of the task is inside of what waits for it; but for the loop's own work at its end."""
    stacks = stacks_of(folder)
    of_task = {stack: count for stack, count in stacks.items() if ";task orders;" in stack}
    inside = sum(count for stack, count in of_task.items() if CHAIN in stack)
    assert inside > 0.98 * sum(of_task.values()) > 0, (inside, num, list(of_task)[:5])


def check(python, minor, folder):
    names = BY_NAME if minor >= NAMED_SINCE else BY_COROUTINE
    spent, report = record(python, minor, folder, 200, *clock_event(5000), "-g")
    num = compare(spent, report, names)
    assert report["frames"]["way"] == "sample", report["frames"]
    if minor >= NAMED_SINCE:
        check_chains(folder, num)
    text = run_report(folder, "--no-browse", "--sort", "python-task")
    rows = [line.split(None, 3)[3] for line in text.splitlines() if " task " in line]
    assert "task " + names["orders"] == rows[0], text  # the recording has them
    print(f"{python}: {num} samples of tasks", flush=True)


def check_timer(python, minor, folder):
    """Read from outside, a task is known by its coroutine alone."""
    spent, report = record(python, minor, folder, 300, "--source", "timer", "-F", "999")
    print(f"{python}, on a timer: {compare(spent, report, BY_COROUTINE)} samples of tasks", flush=True)


def check_refused():
    refused = subprocess.run([WPERF, "record", "--async", "--python", "native", "--", "true"],
                             capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 2 and "--async and --python native cannot be combined" in refused.stderr, refused


def main():
    check_refused()
    found = [pair for pair in pythons.find_all() if pair[1] >= OLDEST]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for python, minor in found:
            check(python, minor, folder)
        check_timer(*found[-1], folder)


main()
