# SPDX-License-Identifier: Apache-2.0
"""Runs under the interpreter that is looked at (3.6 or newer): threads that all wait somewhere, and
a file that says where, as Python itself sees it. Ends with its standard input."""
import json
import os
import sys
import threading
import time

sys.setrecursionlimit(3000)
threading.stack_size(64 << 20)
lock = threading.Lock()
lock.acquire()
num_waiting = 0
num_started = 0


def start(function):
    global num_started
    num_started += 1
    threading.Thread(target=function, name=function.__name__[:10], daemon=True).start()
    return function


def waiting():
    global num_waiting
    num_waiting += 1
    return lock


def recursion_body(depth):
    if depth:
        return recursion_body(depth - 1)
    return waiting().acquire()


@start
def recursion():
    recursion_body(1000)


@start
def generators():
    def innermost():
        yield 1
        yield waiting().acquire()

    def outer():
        yield 0
        yield from innermost()

    for _ in outer():
        pass


class Awaitable:
    def __await__(self):
        yield waiting().acquire()


@start
def coroutines():
    async def inner():
        await Awaitable()

    async def outer():
        await inner()

    outer().send(None)


@start
def async_generators():
    async def numbers():
        yield waiting().acquire()

    async def outer():
        async for _ in numbers():
            pass

    outer().send(None)


def decorator(value):
    def decorate(function):
        def wrapper(*args):
            return function(
                *args
            )
        return wrapper
    return decorate


@start
@decorator(
    1)
@decorator(2
           )
def wrapper():
    waiting(
    ).acquire(
        True,
        -1
    )


@start
def class_bodies():
    class Outer:
        class Inner:
            value = waiting().acquire()


@start
def lambdas():
    (lambda: (
        lambda x: waiting().acquire())(1)
     )()


@start
def comprehensions():
    return [
        {key: list(waiting().acquire() for _ in range(1))
         for key in range(2)}
        for _ in range(3)
    ]


@start
def größe_名_𐍈():
    def é():
        waiting().acquire()
    é()


@start
def statements():
    try:
        raise ValueError
    except ValueError:
        try:
            pass
        finally:
            with lock if waiting() is None else open(os.devnull):
                for i in range(3):
                    while True:
                        if i == 2: waiting().acquire()
                        break


def run_source(source, file):
    @start
    def from_source():
        exec(compile(source, file, "exec"), {"waiting": waiting})


run_source("waiting().acquire()\n", "\u00e9t\u00e9.py")
run_source("\n\nwaiting().acquire()\n", "\u0444\u0430\u0439\u043b.py")
run_source("def f():\n  waiting().acquire()\nf()\n", "\U0001f40d.py")
run_source("x = [\n1,\n2,\nwaiting().acquire()]\n", "x\udcff.py")
run_source("eval('waiting(\\n).acquire()')\n", "<exec>")
LONG = "".join(" a = %d\n if a is None: a = b = c\n" % i for i in range(3000))
run_source("def long():\n" + LONG + " waiting().acquire()\n" + LONG + "long()\n", "long.py")
run_source("\n" * 70000 + "class C:\n  def m(self):\n" + "\n" * 300 + "    waiting().acquire()\nC().m()",
           "far.py")


def position(frame):
    code = frame.f_code
    if not hasattr(code, "co_positions"):
        return None
    return list(code.co_positions())[frame.f_lasti // 2]


def stack(frame):
    frames = []
    while frame:
        code = frame.f_code
        frames.append([getattr(code, "co_qualname", code.co_name),
                       os.fsencode(code.co_filename).decode("utf-8", "replace"),
                       frame.f_lineno or 0, position(frame)])
        frame = frame.f_back
    return frames


num_looks, last_places = 0, None


def are_all_at_rest():
    """They say that they wait before they do: they have not moved for thirty looks."""
    global num_looks, last_places
    places = {ident: (id(frame), frame.f_lasti) for ident, frame in sys._current_frames().items()
              if ident != threading.get_ident()}
    num_looks = num_looks + 1 if places == last_places else 0
    last_places = places
    return num_looks >= 30


def main(path):
    while num_waiting < num_started or not are_all_at_rest():
        time.sleep(0.01)
    stacks = {str(ident): stack(frame) for ident, frame in sys._current_frames().items()}
    native = {str(thread.ident): getattr(thread, "native_id", 0)
              for thread in threading.enumerate()}
    stacks.pop(str(threading.get_ident()))
    with open(path, "w") as file:
        json.dump({"stacks": stacks, "native": native, "main": threading.get_ident()}, file)
    print("ready", flush=True)
    sys.stdin.read()


main(sys.argv[1])
