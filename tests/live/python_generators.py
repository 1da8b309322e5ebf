# SPDX-License-Identifier: Apache-2.0
"""Generators and comprehensions stand under their callers, as the source shows: what a generator calls
was called by whoever asks it for the next value, through each `yield from`. Comprehensions have a frame
of their own up to 3.11 (PEP 709). python_generators.py WPERF"""
import collections
import pathlib
import subprocess
import sys
import tempfile

import pythons
from page_stacks import python_stacks
from recorder import clock_event

PROGRAM = """
import time
def work(n):
    total = 0
    for i in range(n): total += i * i % 7
    return total
def numbers():
    for i in range(20): yield work(1000)
def delegating():
    yield from numbers()
def by_loop():
    for x in numbers(): pass
def by_from():
    for x in delegating(): pass
def by_list(): return [work(1000) for i in range(20)]
def by_dict(): return {i: work(1000) for i in range(20)}
def by_set(): return {work(1000) for i in range(20)}
def by_genexpr(): return sum(work(1000) for i in range(20))
def main():
    while time.process_time() < 0.3:
        by_loop(); by_from(); by_list(); by_dict(); by_set(); by_genexpr()
main()
"""
BETWEEN = {"by_loop": ["numbers"], "by_from": ["numbers", "delegating"], "by_genexpr": ["<genexpr>"],
           "by_list": ["<listcomp>"], "by_dict": ["<dictcomp>"], "by_set": ["<setcomp>"]}
INLINED_SINCE = 12


def check(wperf, python, minor):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "program.py").write_text(PROGRAM)
        subprocess.run([wperf, "record", "-q", "--python=only", *clock_event(1999), "--html", folder / "page.html",
                        "-o", folder / "data", "--", python, folder / "program.py"],
                       capture_output=True, timeout=60, check=True)
        stacks = python_stacks(folder / "page.html")
    counts = collections.Counter()
    for count, stack in stacks:
        names = [function.split(".")[-1] for function, _ in stack]
        if names[:1] == ["work"]:
            counts[";".join(names)] += count
    expected = set()
    for caller, between in BETWEEN.items():
        is_inlined = minor >= INLINED_SINCE and between[0].endswith("comp>")
        expected.add(";".join(["work", *([] if is_inlined else between), caller, "main", "<module>"]))
    print(f"{python}: {sum(counts.values())} samples, {len(counts)} stacks", flush=True)
    assert set(counts) == expected, (python, counts)


for number, path in {minor: path for path, minor in pythons.find_all() if minor >= 8}.items():
    check(sys.argv[1], path, number)
