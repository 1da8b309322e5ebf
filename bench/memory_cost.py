# SPDX-License-Identifier: Apache-2.0
"""What sampling allocations costs the program, beside other memory profilers: how many times as long it
takes by its own clock, and how much more of the processor, each the least of several runs, in turns. Of
recording alone: the report comes after. On a machine that does other things only the second is of use; it
does not have the time in which threads wait for wperf.

    memory_cost.py WPERF [RUNS [PYTHON]]

`jemalloc` is Debian's, first as another malloc, then with its own profiler at the same period.
`objects` does nothing but allocate small objects of Python, `json` is an ordinary program, `malloc` is a loop
of malloc() and free() of 16 to 512 bytes in C. heaptrack and valgrind are Debian's; what is not installed is left out.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CLOCK = ("import time\nt = time.perf_counter()\n%s\n"
         "print('took', time.perf_counter() - t, 'cpu', time.process_time())\n")
OBJECTS = """
def work():
    s = 0
    for i in range(200000):
        l = [j for j in range(12)]
        d = {'a': i, 'b': str(i)}
        s += len(l) + len(d['b'])
for _ in range(5):
    work()
"""
JSON = """
import json, re
rows = [{'id': i, 'name': 'n%d' % (i * 7919 % 1000), 'tags': ['a', 'b', str(i)]} for i in range(4000)]
for _ in range(80):
    text = json.dumps(rows)
    back = json.loads(text)
    back.sort(key=lambda row: row['name'])
    len(re.findall(r'n[0-9]+7', text))
"""
MALLOC = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(int clock) { struct timespec t; clock_gettime(clock, &t); return t.tv_sec + t.tv_nsec / 1e9; }
int main(void)
{
	void *kept[64] = {0};
	double begin = now(CLOCK_MONOTONIC);
	unsigned long x = 1;
	for (int i = 0; i < 20000000; i++) {
		x = x * 6364136223846793005 + 1442695040888963407;
		free(kept[x >> 58]);
		kept[x >> 58] = malloc(16 + (x >> 32) % 497);
	}
	printf("took %f cpu %f\n", now(CLOCK_MONOTONIC) - begin, now(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
"""
SLOW = {"massif"}  # runs once


def took(words, folder):
    """Seconds on the clock, and of the processor, as the program says."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    found = re.search(r"took ([\d.]+) cpu ([\d.]+)", done.stdout + done.stderr)
    return float(found[1]), float(found[2])


def programs(folder, python):
    (folder / "objects.py").write_text(CLOCK % OBJECTS)
    (folder / "json_rows.py").write_text(CLOCK % JSON)
    (folder / "loop.c").write_text(MALLOC)
    subprocess.run(["gcc", "-O2", "-o", folder / "loop", folder / "loop.c"], check=True)
    return {"objects": [python, "objects.py"], "json": [python, "json_rows.py"], "malloc": ["./loop"]}


def profilers(wperf, program, words):
    yield "alone", words
    yield "wperf alloc", [wperf, "record", "-q", "-e", "alloc", "--save", "wperf.data", "--", *words]
    yield "wperf heap", [wperf, "record", "-q", "-e", "heap", "--save", "wperf.data", "--", *words]
    if program in ("objects", "json"):
        yield "tracemalloc", [words[0], "-X", "tracemalloc", *words[1:]]
    jemalloc = next(pathlib.Path("/usr/lib").glob("*/libjemalloc.so.2"), None)
    if jemalloc:
        preloaded = ["env", f"LD_PRELOAD={jemalloc}"]
        yield "jemalloc", [*preloaded, *words]
        yield "jemalloc, prof", [*preloaded, "MALLOC_CONF=prof:true,lg_prof_sample:19,prof_final:true", *words]
    if shutil.which("heaptrack"):
        yield "heaptrack", ["heaptrack", "-o", "heaptrack", *words]
    if shutil.which("valgrind"):
        yield "massif", ["valgrind", "-q", "--tool=massif", "--massif-out-file=massif.out", *words]


def main():
    wperf = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    python = sys.argv[3] if len(sys.argv) > 3 else "/usr/bin/python3"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program, words in programs(folder, python).items():
            times = {}
            for run in range(runs):
                for profiler, line in profilers(wperf, program, words):
                    if run == 0 or profiler not in SLOW:
                        times.setdefault(profiler, []).append(took(line, folder))
            alone = [min(column) for column in zip(*times["alone"])]
            print(f"{program}: {alone[0]:.2f} s alone, {alone[1]:.2f} s of the processor")
            for profiler, found in times.items():
                clock, processor = (min(column) / one for column, one in zip(zip(*found), alone))
                if profiler != "alone":
                    print(f"  {profiler:16} {clock:6.2f} times as long, {processor:6.2f} times the processor", flush=True)


if __name__ == "__main__":
    main()
