# SPDX-License-Identifier: Apache-2.0
"""Lines of Python, on each interpreter of this machine: of pymalloc's objects, and of larger blocks that it
gets from malloc(), each counted once; of numpy's arrays and pandas' frames."""
import pathlib
import sys

import allocations
from allocations import check_bytes
import pythons
import recorder

PROGRAM = """
import sys
def seventy():
    return bytes(69967)  # 70,000 with the head of the object

def twenty():
    return [None] * 2493  # 20,000 with the head of the object

def ten():
    return [bytes(467) for _ in range(20)]  # 20 of 500

def main():
    for _ in range(int(sys.argv[1])):
        seventy()
        twenty()
        ten()

def kept():
    return [bytes(19967) for _ in range(1000)]

main()
if len(sys.argv) > 2:
    import os
    kept = kept()
    os._exit(0)  # nothing is freed
"""
ARRAYS = """
import os
import numpy
try:
    import pandas
except ImportError:
    pandas = None

def own():
    return numpy.ones(125000)

def added(array):
    return array + 1

def grid():
    return numpy.zeros((500, 250))

def columns():
    return numpy.arange(100000), numpy.arange(100000.0)

def frame(one, two):
    return pandas.DataFrame({"a": one, "b": two})  # copies both

for _ in range(300):
    added(own())
    grid()
kept = []
for _ in range(300 if pandas else 0):
    data = frame(*columns())
    if len(kept) < 60:
        kept.append(data)
print("pandas" if pandas else "no pandas", flush=True)
os._exit(0)  # what is kept is not freed
"""
ARRAY = 1000000
FRAME = 1600000
ROUNDS = 3000
LARGE = {"seventy": 70000, "twenty": 19944}


def python_names(samples, path, name):
    return [sample for sample in samples
            if any(frame.name == name and path.name in frame.module for frame in sample.frames)]


def check_one(recording, python, minor):
    program = recording.path("lines.py")
    program.write_text(PROGRAM)
    samples, done = recording.trace([python, "-S", program, ROUNDS], "alloc:64K")
    weights = {part: [sample.weight for sample in samples if part in sample.names()]
               for part in ("seventy", "twenty", "ten", "main")}
    for part, size in LARGE.items():
        check_bytes(weights[part], size * ROUNDS, f"3.{minor}: {part}")
    # The list itself, and its growth, are not the same in all versions.
    small = sum(weights["ten"]) / (20 * 500 * ROUNDS)
    assert 0.8 < small < 1.3, f"3.{minor}: {small}"
    missing = 1 - len(weights["main"]) / len(samples)
    # What the interpreter does at its start has no lines.
    assert missing < 0.1, f"3.{minor}: {missing:.1%} of {len(samples)} samples have no lines\n{done.stderr}"
    text = recorder.run([recording.wperf, "report", recording.path("memory.data")]).stdout
    assert "hot lines of Python" in text and "return bytes(69967)" in text, text
    return f"3.{minor}: {len(samples)} samples, {missing:.1%} without lines, small objects {100 * small:.0f} %"


def check_kept(recording, python, minor):
    """What is freed is not in use, and what is kept is, also with the functions that see frees."""
    program = recording.path("lines.py")
    samples, _done = recording.trace([python, "-S", program, 200, "keep"], "heap:64K")
    weights = {part: [sample.weight for sample in samples if part in sample.names()] for part in ("kept", *LARGE)}
    check_bytes(weights["kept"], 1000 * 20000, f"3.{minor}: kept")
    freed = sum(sum(weights[part]) for part in LARGE)
    assert freed < 5 * 70000, f"3.{minor}: {freed} bytes of what was freed"


def check_numpy(recording):
    """Arrays and frames: allocated in C, below the line of Python that asks for them."""
    if not pathlib.Path("/usr/lib/python3/dist-packages/numpy").exists():
        print("left out: python3-numpy is not installed")
        return
    program = recording.path("arrays.py")
    program.write_text(ARRAYS)
    samples, done = recording.trace(["/usr/bin/python3", "-s", program], "alloc:512K,heap:512K")
    truth = {("alloc", "own"): 300 * ARRAY, ("alloc", "added"): 300 * ARRAY, ("alloc", "grid"): 300 * ARRAY}
    if "no pandas" in done.stdout + done.stderr:
        print("left out: python3-pandas is not installed")
    else:
        truth.update({("alloc", "columns"): 300 * FRAME, ("alloc", "frame"): 300 * FRAME, ("heap", "frame"): 60 * FRAME})
    for (event, part), size in truth.items():
        found = python_names([sample for sample in samples if sample.event == event], program, part)
        check_bytes([sample.weight for sample in found], size, f"{event} of {part}\n{done.stderr}")
        if part in ("own", "added", "grid"):
            # The object around the data may be a sample as well, of CPython.
            foreign = [sample for sample in found if "_multiarray_umath" not in
                       next(frame.module for frame in sample.frames if not frame.is_inlined)]
            assert sum(sample.weight for sample in foreign) < size / 50, f"{part}: not numpy's data: {foreign}"
    freed = python_names([sample for sample in samples if sample.event == "heap"], program, "own")
    assert not freed, "arrays that were freed are in use"


def check(recording):
    check_numpy(recording)
    found = pythons.find_all()
    for python, minor in found:
        print(check_one(recording, python, minor), flush=True)
        check_kept(recording, python, minor)
    if not found:
        sys.exit(77)


allocations.main(check)
