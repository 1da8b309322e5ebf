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


def check(wperf, by_minor):
    """One recording of all: each has a main() of its own name."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for minor in by_minor:
            (folder / f"{minor}.py").write_text(PROGRAM.replace("main()", f"main_{minor}()"))
        script = "\n".join(f"'{python}' {folder}/{minor}.py || exit 1" for minor, python in by_minor.items())
        subprocess.run([wperf, "record", "-q", "--python=only", *clock_event(1999), "--html", folder / "page.html",
                        "-o", folder / "data", "--", "/bin/sh", "-c", script],
                       capture_output=True, timeout=120, check=True)
        stacks = python_stacks(folder / "page.html")
    counts = collections.defaultdict(collections.Counter)
    for count, stack in stacks:
        names = [function.split(".")[-1] for function, _ in stack]
        if names[:1] == ["work"]:
            counts[names[-2]][";".join(names)] += count
    for minor, python in by_minor.items():
        found, expected = counts.pop(f"main_{minor}", {}), set()
        for caller, between in BETWEEN.items():
            is_inlined = minor >= INLINED_SINCE and between[0].endswith("comp>")
            expected.add(";".join(["work", *([] if is_inlined else between), caller, f"main_{minor}", "<module>"]))
        print(f"{python}: {sum(found.values())} samples, {len(found)} stacks", flush=True)
        assert set(found) == expected, (python, found)
    assert not counts, counts


check(sys.argv[1], {minor: path for path, minor in pythons.find_all() if minor >= 8})
