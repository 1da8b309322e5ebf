# SPDX-License-Identifier: Apache-2.0
"""Lines of Python, on each interpreter of this machine: of pymalloc's objects, and of larger blocks that it
gets from malloc(), each counted once."""
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

main()
"""
ARRAYS = """
import numpy
def own():
    return numpy.ones(125000)

def added(array):
    return array + 1

for _ in range(1000):
    added(own())
"""
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
    assert 0.9 < small < 1.25, f"3.{minor}: {small}"
    missing = 1 - len(weights["main"]) / len(samples)
    # What the interpreter does at its start has no lines.
    assert missing < 0.1, f"3.{minor}: {missing:.1%} of {len(samples)} samples have no lines\n{done.stderr}"
    text = recorder.run([recording.wperf, "report", recording.path("memory.data")]).stdout
    assert "hot lines of Python" in text and "return bytes(69967)" in text, text
    return f"3.{minor}: {len(samples)} samples, {missing:.1%} without lines, small objects {100 * small:.0f} %"


def check_numpy(recording):
    """A million bytes each: allocated in C, below the line of Python that asks for the array."""
    if not pathlib.Path("/usr/lib/python3/dist-packages/numpy").exists():
        print("left out: python3-numpy is not installed")
        return
    program = recording.path("arrays.py")
    program.write_text(ARRAYS)
    samples, done = recording.trace(["/usr/bin/python3", "-E", "-s", program], "alloc:1M")
    for part in "own", "added":
        weights = [sample.weight for sample in samples if python_names([sample], program, part)]
        check_bytes(weights, 1000 * 1000000, f"numpy {part}\n{done.stderr}")


def check(recording):
    check_numpy(recording)
    found = pythons.find_all()
    for python, minor in found:
        print(check_one(recording, python, minor), flush=True)
    if not found:
        sys.exit(77)


allocations.main(check)
