# SPDX-License-Identifier: Apache-2.0
"""wperf dump --async beside asyncio.capture_call_graph() of the program itself, under every
interpreter of this machine from 3.14 on; those before do not tell, and it says so."""
import json
import os
import pathlib
import subprocess
import sys

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pythons

WPERF = sys.argv[1]
SCHEMA = json.loads(pathlib.Path(__file__).parents[2].joinpath("docs/schemas/dump.schema.json").read_text())
OLDEST = 14
NUM_MANY, NUM_DEEP = 80, 40

# Everything waits, but for one task that tells what it knows of all of them and then blocks.
SHAPES = """
import asyncio, json, sys, time, types

def frame_of(entry):
    frame = entry.frame
    return frame.f_code.co_qualname, frame.f_code.co_filename, frame.f_lineno

def tell(out, circle):
    current, tasks = asyncio.current_task(), {}
    for task in asyncio.all_tasks():
        graph = asyncio.capture_call_graph(task)
        tasks[str(id(task))] = {
            "name": task.get_name(),
            "runs": task is current,
            "frames": [frame_of(entry) for entry in graph.call_stack],
            "awaited_by": sorted(id(by.future) for by in graph.awaited_by),
        }
    for task, other in (circle, reversed(circle)):
        tasks[str(id(task))]["awaited_by"] = [id(other)]
    out.write(json.dumps(tasks) + "\\n"); out.flush()

async def leaf():
    while asyncio.get_running_loop()._ready:  # others can still run
        await asyncio.sleep(0)
    # In circles the interpreter's own function would never end.
    circle = [task for task in asyncio.all_tasks() if task.get_name() in ("one", "two")]
    tell(sys.stdout, circle)
    asyncio.future_add_to_awaited_by(*circle)
    asyncio.future_add_to_awaited_by(*reversed(circle))
    time.sleep(1000)

@types.coroutine
def old_style(number):
    yield from asyncio.sleep(1000)

async def numbers():
    try:
        await asyncio.sleep(1000)
        yield 1
    finally:
        pass

async def generator():
    async for _ in numbers():
        pass

async def stubborn():
    for attempt in range(3):
        async with asyncio.timeout(500):
            await old_style(attempt)

class Waitable:
    def __await__(self):
        return (yield from asyncio.sleep(1000).__await__())

async def waitable():
    await Waitable()

async def group():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(leaf(), name="größe \\N{SNAKE}\\x1b[31m")
        tasks.create_task(generator(), name="generator")
        tasks.create_task(stubborn(), name="stubborn")
        tasks.create_task(waitable(), name="waitable")

async def shield():
    await asyncio.shield(asyncio.create_task(group(), name="group"))

async def wait_for(task):
    await asyncio.wait([task])

async def many(task):
    await asyncio.gather(task, asyncio.sleep(1000))

async def deep(number):
    if number:
        await asyncio.create_task(deep(number - 1), name=f"deep {number}")
    await asyncio.Future()

async def nested(number):
    if number:
        await nested(number - 1)
    await asyncio.Event().wait()

async def main(num_many, num_deep):
    shielded = asyncio.create_task(shield(), name="shield")
    popular = asyncio.create_task(asyncio.sleep(1000), name="popular")
    others = [asyncio.create_task(wait_for(shielded), name=f"wait {i}") for i in range(3)]
    others += [asyncio.create_task(many(popular)) for i in range(num_many)]
    others += [asyncio.create_task(deep(num_deep)), asyncio.create_task(nested(20))]
    circle = [asyncio.create_task(asyncio.sleep(1000), name=name) for name in ("one", "two")]
    await asyncio.gather(shielded, *others)
    await asyncio.gather(*circle)

asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
"""

# Ten pairs that pass work on all the time; whoever runs, its parent waits at the same line.
BUSY = """
import asyncio, sys
def spin():
    for _ in range(100000):
        pass
async def child(number):
    for _ in range(5):
        spin()
        await asyncio.sleep(0)
async def parent(number):
    while True:
        await asyncio.create_task(child(number), name=f"child {number}")
async def main():
    sys.stdout.write("ready\\n"); sys.stdout.flush()
    await asyncio.gather(*(asyncio.create_task(parent(i), name=f"parent {i}") for i in range(10)))
asyncio.run(main())
"""
PARENT_LINE = 12

# Two loops, each in its own thread; one begins its tasks at once, inside of each other.
THREADS = """
import asyncio, sys, threading, time
async def inner():
    sys.stdout.write("ready\\n"); sys.stdout.flush()
    time.sleep(1000)
async def outer():
    await asyncio.create_task(inner(), name="inner")
async def eager():
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    await asyncio.create_task(outer(), name="outer")
class Mine(asyncio.tasks._PyTask):
    pass
async def mine():
    asyncio.get_running_loop().set_task_factory(lambda loop, work, **more: Mine(work, loop=loop))
    await asyncio.create_task(inner())
async def waiting():
    global loop; loop = asyncio.get_running_loop(); await asyncio.create_task(asyncio.sleep(1000), name="sleeping")
loop = None
threading.Thread(target=lambda: asyncio.run(waiting()), daemon=True).start()
while not (loop and loop._scheduled): time.sleep(0.01)  # its timer is set
asyncio.run(eager() if sys.argv[1] == "eager" else mine())
"""

# What is no coroutine the program itself does not see through.
UNSEEN = {"generator": "numbers", "waitable": "Waitable.__await__", "stubborn": "old_style"}

IDLE = """
import sys
sys.stdout.write("ready\\n"); sys.stdout.flush()
sys.stdin.read()
"""


class Target:
    """An interpreter that runs until the end of the block."""

    def __init__(self, python, program, *words):
        self.process = subprocess.Popen([python, "-c", program, *map(str, words)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def line(self):
        return self.process.stdout.readline()

    def dump(self, *more):
        result = subprocess.run([WPERF, "dump", "--async", "-p", str(self.process.pid), *more],
                                capture_output=True, text=True, check=False, timeout=60)
        assert result.returncode == 0 and not result.stderr, result.stderr
        return result.stdout

    def dump_json(self):
        content = json.loads(self.dump("--json"))
        jsonschema.validate(content, SCHEMA)
        return content

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def rows_of(tasks):
    """All rows, each with its depth."""
    stack = [(task, 0) for task in reversed(tasks)]
    while stack:
        task, depth = stack.pop()
        yield task, depth
        stack += [(by, depth + 1) for by in reversed(task["awaited_by"])]


def frames_of(task):
    return [[frame["function"], frame["file"], frame["line"]] for frame in task["frames"]]


def compare_task(seen, true):
    assert seen["name"] == true["name"], (seen, true)
    if true["runs"]:
        assert seen["kind"] == "running" and not seen["frames"], seen
    elif true["name"] in UNSEEN:
        frames = frames_of(seen)
        assert frames[-len(true["frames"]):] == true["frames"], (frames, true)
        assert [frame[0] for frame in frames][:2] == ["sleep", UNSEEN[true["name"]]], frames
    else:
        assert seen["kind"] == "waiting" and frames_of(seen) == true["frames"], (seen, true)
    if "has_more" in seen:
        assert len(true["awaited_by"]) > 64 or true["name"].startswith("deep"), true
    else:
        ids = sorted(by["id"] for by in seen["awaited_by"] if by["kind"] != "future")
        assert set(ids) <= set(true["awaited_by"]), (seen, true)
        assert len(seen["awaited_by"]) == len(true["awaited_by"]), (seen, true)


def check_shapes(python):
    with Target(python, SHAPES, NUM_MANY, NUM_DEEP) as target:
        truth = json.loads(target.line())
        content, text = target.dump_json(), target.dump()
    thread, = content["threads"]
    compared = {}
    for task, depth in rows_of(thread["tasks"]):
        assert depth <= 32, depth
        if task["kind"] in ("running", "waiting"):
            assert str(task["id"]) not in compared, task
            compared[str(task["id"])] = compare_task(task, truth[str(task["id"])])
        elif task["kind"] == "elsewhere":
            assert task["name"] == truth[str(task["id"])]["name"] and not task["frames"], task
    assert set(compared) == set(truth), len(truth)
    assert "has_more_tasks" not in thread
    running = thread["tasks"][0]
    chain = ["größe 🐍\x1b[31m", "group", "shield"]
    for name in chain:
        assert running["name"] == name, (running, name)
        running = running["awaited_by"][0]
    popular = next(task for task in thread["tasks"] if task.get("name") == "popular")
    assert len(popular["awaited_by"]) == 64 and popular["has_more"], popular
    assert "\n    task 'größe 🐍\\x1b[31m', runs\n      awaited by task 'group'\n          TaskGroup." in text
    assert "      awaited by task 'two', see there\n" in text, text
    assert "... more tasks wait for it\n" in text
    return len(truth)


def check_busy(python):
    found = 0
    with Target(python, BUSY) as target:
        assert target.line() == "ready\n"
        for _ in range(300):
            if found == 3:
                break
            thread, = target.dump_json()["threads"]
            first = thread["tasks"][0]
            if first["kind"] != "running" or not first["name"].startswith("child"):
                continue
            found += 1
            assert any(frame["function"] == "child" for frame in thread["frames"]), thread
            parent, = first["awaited_by"]
            assert parent["name"] == first["name"].replace("child", "parent"), first
            frame, = parent["frames"]
            assert (frame["function"], frame["line"]) == ("parent", PARENT_LINE), parent
            assert parent["awaited_by"][0]["name"] == "Task-1", parent
    assert found == 3, found
    return found


def check_threads(python):
    with Target(python, THREADS, "mine") as target:
        assert target.line() == "ready\n"
        main = max(target.dump_json()["threads"], key=lambda thread: thread["tid"] == target.process.pid)
    # What runs is one of the program's own kind; the task around it is asyncio's.
    assert "tasks_note" not in main and all(task["kind"] == "waiting" for task in main["tasks"]), main
    with Target(python, THREADS, "eager") as target:
        assert target.line() == "ready\n"
        threads = target.dump_json()["threads"]
    main, other = sorted(threads, key=lambda thread: thread["frames"][0]["function"] != "inner")
    kinds = {task["name"]: (task["kind"], task.get("note")) for task in main["tasks"]}
    assert kinds.pop("inner") == ("running", None) and len(kinds) == 2, kinds
    assert set(kinds.values()) == {("waiting", "runs, too")} and "outer" in kinds, kinds
    waiting, sleeping = other["tasks"]
    assert frames_of(waiting) == [["waiting", "<string>", 17]], waiting
    assert sleeping["name"] == "sleeping", sleeping
    assert [by["name"] for by in sleeping["awaited_by"]] == [waiting["name"]], sleeping


def check_none(python, minor):
    with Target(python, IDLE) as target:
        assert target.line() == "ready\n"
        content, text = target.dump_json(), target.dump()
    if minor < OLDEST:
        assert f"asyncio tasks need Python 3.14 or newer; this is Python 3.{minor}" in text, text
        assert content["no_tasks"] in text and "tasks" not in content["threads"][0]
    elif "no_tasks" in content:
        assert "the process has not loaded asyncio" in text, text
    else:
        assert content["threads"][0]["tasks"] == []


def main():
    found = pythons.find_all()
    newest = [pair for pair in found if pair[1] >= OLDEST]
    for python, minor in found:
        check_none(python, minor)
    for python, _ in newest:
        check_threads(python)
        print(f"{python}: {check_shapes(python)} tasks alike, {check_busy(python)} that ran",
              flush=True)
    if not newest:
        print("no interpreter that tells its tasks")
        sys.exit(77)


if __name__ == "__main__":
    main()
