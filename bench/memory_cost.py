# SPDX-License-Identifier: Apache-2.0
"""What sampling allocations costs the program, beside other memory profilers, and whether they agree about
the hottest lines. Ten minutes on an idle machine.

    memory_cost.py WPERF [RUNS [PYTHON]]

Cost is CPU time (user and system), alone = 1, each the least of several runs, in turns, so that it can be
measured while other programs run: of the program by its own clock, and of the program with all that the
profiler runs beside it (recording alone: reports come after). The time in which threads wait is in neither.
Programs take two to four seconds alone, so that neither their start nor that of the profiler is what is measured,
and a period that follows the program has settled. Profilers that slow programs down several times run a tenth of
the rounds, beside the program alone with as many.

Lines are compared by what they have in use when most is: two programs, in Python and in C, keep what seven
lines allocate. massif and tracemalloc see every allocation: theirs is the truth.

`jemalloc` is Debian's, first as another malloc, then with its own profiler at the same period. heaptrack and
valgrind are Debian's; what is not installed is left out. heaptrack sees Python's arenas instead of its objects.
"""
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

CLOCK = "import sys, time\nrounds = int(sys.argv[1])\n%s\nprint('cpu', time.process_time())\n"
# With the rounds of each.
PYTHON_PROGRAMS = {
    # Nothing but small objects of Python.
    "objects": (6000000, """
for i in range(rounds):
    l = [j for j in range(12)]
    d = {'a': i, 'b': str(i)}
"""),
    "json": (400, """
import json, re
rows = [{'id': i, 'name': 'n%d' % (i * 7919 % 1000), 'tags': ['a', 'b', str(i)]} for i in range(4000)]
for _ in range(rounds):
    text = json.dumps(rows)
    back = json.loads(text)
    back.sort(key=lambda row: row['name'])
    len(re.findall(r'n[0-9]+7', text))
"""),
    "sqlite": (200, """
import sqlite3
base = sqlite3.connect(':memory:')
base.execute('create table orders (id integer primary key, name text, price real)')
for _ in range(rounds):
    base.executemany('insert into orders (name, price) values (?, ?)',
                     [('n%d' % (i * 7919 % 1000), i / 3) for i in range(2000)])
    for name in range(0, 1000, 10):
        base.execute('select sum(price), count(*) from orders where name = ?', ('n%d' % name,)).fetchone()
    sorted(base.execute('select name, price from orders order by price desc limit 3000').fetchall())
    base.execute('delete from orders')
"""),
    "numpy": (150, """
import numpy
for _ in range(rounds):
    prices = numpy.random.random(200000)
    sums = numpy.bincount((prices * 100).astype(numpy.int64), weights=prices)
    numpy.sort(prices)[::100].sum()
    (prices - prices.mean() > 0.25).sum()
    for row in prices[:20000].reshape(200, 100):
        (row * 2 + 1).sum()
"""),
    # A server and its client, in two threads.
    "web": (20000, """
import http.client, http.server, json, threading
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True  # else each request waits 40 ms for an acknowledgement
    def do_GET(self):
        lines = [{'sku': 's%d' % i, 'price': i * 1.5} for i in range(20)]
        body = json.dumps({'id': self.path, 'lines': lines}).encode()
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = http.client.HTTPConnection('127.0.0.1', server.server_port)
for i in range(rounds):
    client.request('GET', '/orders/%d' % i)
    json.loads(client.getresponse().read())
"""),
}
# malloc() and free() of 16 to 512 bytes.
MALLOC = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	void *kept[64] = {0};
	unsigned long x = 1;
	for (long i = atol(argv[1]); i > 0; i--) {
		x = x * 6364136223846793005 + 1442695040888963407;
		free(kept[x >> 58]);
		kept[x >> 58] = malloc(16 + (x >> 32) % 497);
	}
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	printf("cpu %f\n", t.tv_sec + t.tv_nsec / 1e9);
	return 0;
}
"""
MALLOC_ROUNDS = 250000000
KEEPS_PYTHON = """
import sys
rows, texts, index, numbers, tables, buffers, pairs = [], [], {}, [], [], [], []
for i in range(20000):
    texts.append('order %d of customer %d, %s' % (i, i % 97, 'x' * (i % 300)))
    rows.append({'id': i, 'name': i})
    numbers.append([i] * 24)
    if i % 4 == 0:
        index[i] = bytes(i % 3000)
    if i % 20 == 0:
        tables.append([None] * 1500)
    if i % 200 == 0:
        buffers.append(bytearray(40000))
    pairs.append((i, -i))
if 'trace' in sys.argv:
    import json, tracemalloc
    print(json.dumps([[s.traceback[0].lineno, s.size] for s in tracemalloc.take_snapshot().statistics('lineno')
                      if s.traceback[0].filename == __file__]))
"""
KEEPS_C = r"""
#include <stdlib.h>
#include <string.h>
#define KEEP __attribute__((noinline, noclone)) void *
KEEP nodes(void) { return malloc(24); }
KEEP texts(int i) { return malloc(20 + i % 300); }
KEEP tables(void) { return calloc(100, 60); }
KEEP buffers(void) { return malloc(50000); }
KEEP grown(void *old, int i) { return realloc(old, 1000 + i); }
KEEP images(void) { return malloc(1500000); }
KEEP aligned(void) { return aligned_alloc(64, 640); }
void *volatile kept[400000];
int main(void)
{
	int n = 0;
	for (int i = 0; i < 40000; i++) {
		kept[n++] = nodes();
		kept[n++] = texts(i);
		if (i % 8 == 0) kept[n++] = tables();
		if (i % 100 == 0) kept[n++] = buffers();
		if (i % 20 == 0) { void *p = grown(NULL, i); kept[n++] = grown(p, i + 500); }
		if (i % 8000 == 0) kept[n++] = images();
		if (i % 5 == 0) kept[n++] = aligned();
	}
	return 0;
}
"""
SLOW = {"massif", "tracemalloc", "heaptrack"}  # twice, with fewer rounds
FEWER = 10
PERIOD_BITS = 14  # of what samples, where lines are compared


def run(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cpu_seconds(words, folder):
    """Of the program, as it says, and of all processes."""
    before = children_seconds()
    done = run(words, folder)
    return float(re.search(r"^cpu ([\d.]+)", done.stdout + done.stderr, re.M)[1]), children_seconds() - before


def programs(folder, python):
    """Words and rounds of each."""
    found = {}
    for name, (rounds, text) in PYTHON_PROGRAMS.items():
        (folder / f"{name}_loop.py").write_text(CLOCK % text)
        if name != "numpy" or subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0:
            found[name] = [python, f"{name}_loop.py"], rounds
    (folder / "loop.c").write_text(MALLOC)
    run(["gcc", "-O2", "-o", "loop", "loop.c"], folder)
    return {**found, "malloc": (["./loop"], MALLOC_ROUNDS)}


def jemalloc():
    return next(pathlib.Path("/usr/lib").glob("*/libjemalloc.so.2"), None)


def profilers(wperf, program, rounds):
    words, fewer = [*program, str(rounds)], [*program, str(rounds // FEWER)]
    yield "alone", words
    yield "fewer", fewer
    for event in "alloc", "heap":
        yield f"wperf {event}", [wperf, "record", "-q", "-e", event, "--save", "wperf.data", "--", *words]
    if len(program) > 1:
        yield "tracemalloc", [fewer[0], "-X", "tracemalloc", *fewer[1:]]
    if jemalloc():
        preloaded = ["env", f"LD_PRELOAD={jemalloc()}"]
        yield "jemalloc", [*preloaded, *words]
        yield "jemalloc, prof", [*preloaded, "MALLOC_CONF=prof:true,lg_prof_sample:19,prof_final:true", *words]
    if shutil.which("heaptrack"):
        yield "heaptrack", ["heaptrack", "-o", "heaptrack", *fewer]
    if shutil.which("valgrind"):
        yield "massif", ["valgrind", "-q", "--tool=massif", "--massif-out-file=massif.out", *fewer]


def compare_cost(wperf, python, runs, folder):
    for program, (words, rounds) in programs(folder, python).items():
        times = {}
        for turn in range(runs):
            for profiler, line in profilers(wperf, words, rounds):
                if turn < 2 or profiler not in SLOW:
                    times.setdefault(profiler, []).append(cpu_seconds(line, folder))
        alone, fewer = ([min(column) for column in zip(*times.pop(name))] for name in ("alone", "fewer"))
        print(f"{program}: {alone[0]:.2f} s of CPU time alone, {fewer[0]:.2f} s with fewer rounds")
        for profiler, found in times.items():
            own, everything = (min(column) / one
                               for column, one in zip(zip(*found), fewer if profiler in SLOW else alone))
            print(f"  {profiler:16} {own:6.3f}, with its own processes {everything:6.2f}", flush=True)


def wperf_lines(wperf, words, folder, key):
    """Bytes at the peak, by line or function."""
    events = f"alloc:{1 << PERIOD_BITS},heap-peak:{1 << PERIOD_BITS}"
    run([wperf, "record", "-q", "-e", events, "--save", "keeps.data", "--", *words], folder)
    report = json.loads(run([wperf, "report", "-i", "keeps.data", "--json"], folder).stdout)["report"]
    rows = {}
    for row in report["memory"]:
        if "keeps" in row.get("file", ""):
            rows[row[key]] = rows.get(row[key], 0) + row["at_peak"]
    return rows


def massif_lines(folder):
    """Of the peak: callers of the allocator are the first level of its tree."""
    run(["valgrind", "-q", "--tool=massif", "--detailed-freq=1", "--threshold=0.1",
         "--massif-out-file=keeps.massif", "./keeps"], folder)
    snapshots = (folder / "keeps.massif").read_text().split("snapshot=")[1:]
    peak = max(snapshots, key=lambda text: int(re.search(r"mem_heap_B=(\d+)", text)[1]))
    return {name: int(size) for size, name in re.findall(r"^ n\d+: (\d+) 0x\w+: (\w+) \(", peak, re.M)}


def heaptrack_lines(folder):
    run(["heaptrack", "-o", "keeps_track", "./keeps"], folder)
    run(["heaptrack_print", "-f", next(folder.glob("keeps_track*")).name, "-F", "keeps.flame",
         "--flamegraph-cost-type", "peak"], folder)
    rows = {}
    for line in (folder / "keeps.flame").read_text().splitlines():
        stack, size = line.rsplit(" ", 1)
        name = re.sub(r" *\(.*", "", stack.rstrip(";").split(";")[-1])
        rows[name] = rows.get(name, 0) + int(size)
    return rows


def jemalloc_lines(folder):
    """Of its dump at the end, when all is kept; small blocks stand for more, as jeprof has it. Sizes are those of
    its classes."""
    conf = f"MALLOC_CONF=prof:true,lg_prof_sample:{PERIOD_BITS},prof_final:true,prof_prefix:keeps_prof"
    run(["env", f"LD_PRELOAD={jemalloc()}", conf, "./keeps"], folder)
    dump = next(folder.glob("keeps_prof*.heap")).read_text()
    symbols = [(int(line.split()[0], 16), line.split()[2]) for line in run(["nm", "-n", "keeps"], folder).stdout.splitlines()
               if line.split()[1] in "tT"]
    rows = {}
    for stack, num, size in re.findall(r"^@ (.*)\n  t\*: (\d+): (\d+) \[", dump, re.M):
        inside = [int(word, 16) for word in stack.split() if symbols[0][0] <= int(word, 16) <= symbols[-1][0]]
        if inside and int(num):
            name = [name for address, name in symbols if address < inside[0]][-1]
            weight = int(size) / (1 - math.exp(-int(size) / int(num) / (1 << PERIOD_BITS)))
            rows[name] = rows.get(name, 0) + weight
    return rows


def print_lines(title, found):
    """@found: rows by profiler; the first one's are the truth."""
    truth = next(iter(found.values()))
    hottest = sorted(truth, key=truth.get, reverse=True)
    print(f"\n{title}: share of what is in use at the peak, %")
    print(" " * 12 + "".join(f"{name:>14}" for name in found))
    shares = {name: {key: 100 * rows.get(key, 0) / sum(rows.values()) for key in hottest} for name, rows in found.items()}
    for key in hottest:
        print(f"{key:>12}" + "".join(f"{column[key]:14.1f}" for column in shares.values()))
    for name, column in list(shares.items())[1:]:
        order = sorted(hottest, key=column.get, reverse=True)
        off = max(abs(column[key] - shares[next(iter(found))][key]) for key in hottest)
        same = next((i for i, pair in enumerate(zip(order, hottest)) if pair[0] != pair[1]), len(hottest))
        print(f"{name}: the first {same} of {len(hottest)} in the same order, at most {off:.1f} points off", flush=True)


def compare_lines(wperf, python, folder):
    (folder / "keeps.py").write_text(KEEPS_PYTHON)
    (folder / "keeps.c").write_text(KEEPS_C)
    run(["gcc", "-O1", "-g", "-no-pie", "-fno-optimize-sibling-calls", "-o", "keeps", "keeps.c"], folder)
    traced = json.loads(run([python, "-X", "tracemalloc", "keeps.py", "trace"], folder).stdout)
    own = {line for line, text in enumerate(KEEPS_PYTHON.splitlines(), 1) if "append" in text or "index[" in text}
    print_lines("lines of Python", {
        "tracemalloc": {line: size for line, size in traced if line in own},
        "wperf": {line: size for line, size in wperf_lines(wperf, [python, "keeps.py"], folder, "line").items()
                  if line in own}})
    tools = {}
    if shutil.which("valgrind"):
        tools["massif"] = massif_lines(folder)
    tools["wperf"] = wperf_lines(wperf, ["./keeps"], folder, "function")
    if shutil.which("heaptrack"):
        tools["heaptrack"] = heaptrack_lines(folder)
    if jemalloc():
        tools["jemalloc"] = jemalloc_lines(folder)
    names = set(re.findall(r"^KEEP (\w+)", KEEPS_C, re.M))
    print_lines("functions of C", {tool: {name: size for name, size in rows.items() if name in names}
                                   for tool, rows in tools.items()})


def main():
    wperf = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    python = sys.argv[3] if len(sys.argv) > 3 else "/usr/bin/python3"
    with tempfile.TemporaryDirectory() as name:
        compare_lines(wperf, python, pathlib.Path(name))
        compare_cost(wperf, python, runs, pathlib.Path(name))


if __name__ == "__main__":
    main()
