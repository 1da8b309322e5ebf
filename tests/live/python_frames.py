# SPDX-License-Identifier: Apache-2.0
"""Runs under the interpreter that is looked at (3.6 or newer): threads that wait in frames with
variables of all kinds, and a file with what each frame has, as Python itself prints it."""
import collections
import enum
import json
import sys
import threading
import time

lock = threading.Lock()
lock.acquire()
num_waiting = 0
num_started = 0


class Own:
    class Inner:
        pass


class OwnList(list):
    pass


class Colour(enum.IntEnum):
    RED = 1


def start(function):
    global num_started
    num_started += 1
    threading.Thread(target=function, daemon=True).start()
    return function


def wait():
    global num_waiting
    num_waiting += 1
    lock.acquire()


@start
def simple():
    nothing = None
    yes, no = True, False
    zero, one, minus, small = 0, 1, -1, -5000
    digit, over = 2 ** 30 - 1, 2 ** 30
    big, negative = 3 ** 100, -(7 ** 90)
    longest = 2 ** 1080 - 1
    too_long = 2 ** 5000
    too_negative = -(2 ** 1080)
    wait()


@start
def floats():
    a, b, c, d = 0.0, -0.0, 1.0, 0.1
    e, f, g, h = 1e16, 1e15 + 0.5, 1e-4, 1e-5
    i, j, k = float("inf"), float("-inf"), float("nan")
    l, m, n, o = 5e-324, 1.7976931348623157e308, 123456.789, -2 / 3
    p, q, r = 9007199254740993.0, 123e300, 1e22
    wait()


@start
def texts():
    empty, plain = "", "plain"
    latin, two, four = "gr\u00fcn", "\u540d\u524d", "\U00010348\U0001f40d"
    quotes, both = "it's", "it's \"both\""
    escapes = "a\tb\nc\rd\\e\x00f\x1b[31m\x7f\x9b"
    hidden = "\u202e\u2066\u200b\u2028\ufeff\xad\xa0"
    alone = "\udcff\ud800"
    long = "x" * 1000
    long_two = "\u540d" * 150
    data, no_data, bad_data = b"bytes", b"", bytes(range(256))[:90] + b"'"
    long_data = b"y" * 3000
    wait()


@start
def containers():
    none, ones, pair = (), (1,), (1, "b")
    empty, numbers = [], [1, 2.5, None]
    many = list(range(1000))
    nested = [[1, [2, [3, [4, [5]]]]], (6, (7, (8, (9,))))]
    itself = [1]
    itself.append(itself)
    nothing, table = {}, {"a": 1, "b": [1, 2], 3: None, (4, 5): {"x": "y"}}
    with_gaps = dict.fromkeys(range(50))
    for i in range(45):
        del with_gaps[i]
    strings = {str(i): i for i in range(300)}
    one_set, no_set, frozen = {7}, set(), frozenset(["a"])
    no_frozen = frozenset()
    wide = [["abcdefghij" * 9] * 9 for _ in range(9)]
    shared = Own()
    shared.a, shared.b = 1, "two"
    attributes = shared.__dict__
    wait()


@start
def others():
    own, inner = Own(), Own.Inner()
    own_list = OwnList([1, 2])
    colour = Colour.RED
    ordered = collections.OrderedDict(a=1)
    counts = collections.defaultdict(int)
    plain, kind, function, module = object(), Own, wait, json
    complex_number, numbers, view = 1j, range(3), memoryview(b"x")
    listed = [Own(), Own]
    array = bytearray(b"abc")
    wait()


@start
def arguments():
    def inner(a, b=2, *rest, key, other="o", **more):
        late = wait()
        return late
    inner(1, 2, 3, 4, key="k", more_a=1)


@start
def shared_variables():
    cell, unset, changed = "cell", None, 1
    del unset

    def inner(argument):
        nonlocal changed
        local = argument
        changed += 1

        def innermost():
            return cell, argument, changed
        wait()
        return innermost, local
    inner("argument")


@start
def generator():
    def numbers(first):
        second = first + 1
        yield second
        wait()
        yield first
    for number in numbers(1):
        seen = number
    return seen


@start
def many_variables():
    source = "def f():\n" + "".join(" v%d = %d\n" % (i, i) for i in range(300)) + " wait()\n"
    names = {"wait": wait}
    exec(source, names)
    names["f"]()


def is_exact(value, *kinds):
    return type(value) in kinds


def shown_items(pairs, num, depth):
    """As wperf's python_value.h has it."""
    pieces = []
    if depth < 3:
        for item in pairs:
            if len(pieces) == 10:
                break
            pieces.append(": ".join(shown(value, depth + 1) for value in item))
    if len(pieces) < num:
        pieces.append("... %d more" % (num - len(pieces)) if pieces else "...")
    return ", ".join(pieces)


def shown_text(value):
    # Whole, quotes are chosen by the part that is shown.
    more = len(value) - 100
    return repr(value[:100]) + ("... %d more" % more if more > 0 else "")



def shown(value, depth=0):
    if value is None or is_exact(value, bool, float):
        return repr(value)
    if is_exact(value, int):
        return repr(value) if value.bit_length() <= 1080 else "<int of %d bits>" % value.bit_length()
    if is_exact(value, str, bytes):
        return shown_text(value)
    if is_exact(value, list):
        return "[%s]" % shown_items(((item,) for item in value), len(value), depth)
    if is_exact(value, tuple):
        return "(%s%s)" % (shown_items(((item,) for item in value), len(value), depth),
                           "," if len(value) == 1 and depth < 3 else "")
    if is_exact(value, dict):
        return "{%s}" % shown_items(value.items(), len(value), depth)
    if is_exact(value, set, frozenset):
        items = "{%s}" % shown_items(((item,) for item in value), len(value), depth)
        name = type(value).__name__
        return "%s()" % name if not value else items if name == "set" else "frozenset(%s)" % items
    return "<%s at 0x%x>" % (type_name(type(value)), id(value))


def type_name(kind):
    # Those of the interpreter say their whole name only if they are in no module of their own.
    builtin = kind.__module__ == "builtins"
    return kind.__name__ if builtin else kind.__module__ + "." + kind.__name__


def stack(frame):
    frames = []
    while frame:
        code = frame.f_code
        names = code.co_varnames + tuple(name for name in code.co_cellvars
                                         if name not in code.co_varnames) + code.co_freevars
        values = frame.f_locals if code.co_flags & 1 else {}
        frames.append([code.co_name, {name: shown(values[name]) for name in names
                                      if name in values}])
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
    # Looking at the variables of a frame makes objects that it refers to.
    stacks = {str(ident): stack(frame) for ident, frame in sys._current_frames().items()
              if ident != threading.get_ident()}
    with open(path, "w") as file:
        json.dump(stacks, file)
    print("ready", flush=True)
    sys.stdin.read()


main(sys.argv[1])
