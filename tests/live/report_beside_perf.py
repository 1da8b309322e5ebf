# SPDX-License-Identifier: Apache-2.0
"""Our names, stacks and hot lists beside perf's, on its recordings, on ours, and on a phone's.

report_beside_perf.py WPERF FOLDER SHARED_DATA
"""
import itertools
import json
import lzma
import pathlib
import re
import shutil
import sys

import chance
from recorder import Recorder, number, parse_script, run, run_tests, sampling_rate

PERF_FIELDS = "comm,pid,tid,cpu,time,period,event,ip,sym,dso"
TOP = 10
# Of samples whose stacks must be the same: where a program or a thread begins, some are not.
SAME = 0.99

# Twelve functions of different heat in two threads, below a call that is inlined.
PROGRAM = """
#include <ctime>
#include <pthread.h>
#define FRAME __asm__ volatile("" :: "r"(__builtin_frame_address(0)));
namespace heat {
template <int N> KEEP void rank(long part) { FRAME SPIN(N * N * part / 40); }
static inline __attribute__((always_inline)) void step(long part) {
	rank<1>(part); rank<2>(part); rank<3>(part); rank<4>(part); rank<5>(part); rank<6>(part);
	rank<7>(part); rank<8>(part); rank<9>(part); rank<10>(part); rank<11>(part);
	rank<12>(part); __asm__ volatile("");
}
KEEP void level(unsigned *seed) { FRAME step(PART(*seed)); __asm__ volatile(""); }
}
static void *run(void *) {
	unsigned seed = 1;
	pthread_setname_np(pthread_self(), "second one");
	UNTIL(500) heat::level(&seed);
	return nullptr;
}
int main() {
	unsigned seed = 2;
	pthread_t thread;
	pthread_create(&thread, nullptr, run, nullptr);
	UNTIL(500) heat::level(&seed);
	pthread_join(thread, nullptr);
	return 0;
}
"""


def program(recorder):
    path = recorder.path("ranks")
    if not path.exists():
        recorder.compile("ranks", PROGRAM, "-O2", "-g", "-fno-omit-frame-pointer", "-pthread",
                         compiler="g++")
    return path


def by_perf(path):
    return parse_script(run(["perf", "script", "-F", PERF_FIELDS, "-i", path]).stdout)


def places_of(sample):
    """Names and module of each address, without what was inlined there.

    perf shows inlined calls only in stacks that it walked itself, calls there an alias of a
    system library's function inlined, and in C++ repeats the name of the caller.
    """
    places = []
    frames = [frame for frame in sample.frames if frame.name != "[truncated stack]"]
    for _, group in itertools.groupby(frames, lambda frame: frame.address):
        group = list(group)
        outermost = group[-1]
        module = outermost.module.replace("[kernel.kallsyms]", "[kernel]")
        places.append((None, None) if outermost.is_inlined
                      else (outermost.name.split("@")[0], module))
    return places


def are_same(ours, theirs):
    return len(ours) == len(theirs) and all(
        mine == other or other == (None, None) for mine, other in zip(ours, theirs))


def key(sample):
    return sample.thread, sample.pid, sample.tid, sample.cpu, sample.time, sample.weight


def compare_stacks(ours, theirs):
    assert sorted(map(key, ours)) == sorted(map(key, theirs)), "the samples differ"
    assert len(ours) > 300, len(ours)
    by_key = {key(sample): sample for sample in theirs}
    pairs = [(places_of(sample), places_of(by_key[key(sample)])) for sample in ours]
    different = [pair for pair in pairs if not are_same(*pair)]
    chance.check_at_most(len(different), len(pairs), 1 - SAME, f"stacks differ: {different[:1]}")
    return len(pairs) - len(different), len(pairs)


def compare_tops(recorder, path):
    """The ten on top; of those that are as hot as the tenth there may be others."""
    ours = [(row["symbol"], number(row["samples"])) for row in recorder.report(path)][:TOP]
    text = run(["perf", "report", "--stdio", "--no-children", "-g", "none", "-n", "--sort", "sym",
                "-i", path]).stdout
    theirs = [(match[2], int(match[1])) for match in
              re.finditer(r"^ +[\d.]+% +(\d+)  \[[.k]\] (.*?) *$", text, re.M)][:TOP]
    counts = [count for _, count in theirs]
    assert len(ours) == TOP and counts == [count for _, count in ours], (ours, theirs)
    for row in set(ours) ^ set(theirs):
        assert row[1] == counts[-1], (row, ours, theirs)


def recordings_of_perf(recorder):
    path = recorder.path("perf.data")
    words = []
    for options in ((), ("--call-graph", "fp"), ("--call-graph", "dwarf,16384")):
        run(["perf", "record", "-q", "-e", "cpu-clock", "-F", sampling_rate(2000), "--sample-cpu", *options, "-o",
             path, "--", program(recorder)])
        same, total = compare_stacks(recorder.samples(path), by_perf(path))
        compare_tops(recorder, path)
        words.append(f"{options[-1] if options else 'none'} {same} of {total}")
    return "the same stacks: " + ", ".join(words)


def recordings_of_ours(recorder):
    words = []
    for options in ((), ("--call-graph", "fp"), ("--call-graph", "cfi")):
        path = recorder.record([program(recorder)], *options, rate=2000)
        same, total = compare_stacks(recorder.samples(path), by_perf(path))
        compare_tops(recorder, path)
        words.append(f"{options[-1] if options else 'none'} {same} of {total}")
    return "the same stacks: " + ", ".join(words)


def everything_is_read(recorder):
    """All processes, several events, and a pipe."""
    path = recorder.path("all.data")
    run(["perf", "record", "-q", "-a", "-g", "-e", "cpu-clock,context-switches", "-F", sampling_rate(2000),
         "--sample-cpu", "-o", path, "--", program(recorder)])
    same, total = compare_stacks(
        [sample for sample in recorder.samples(path) if sample.thread in ("ranks", "second one")
         and sample.event == "cpu-clock"],
        [sample for sample in by_perf(path) if sample.thread in ("ranks", "second one")
         and sample.event == "cpu-clock"])
    return f"{same} of {total}"


def rows_of_perf(path, words):
    """Of `perf report`: {the columns' texts: samples}."""
    text = run(["perf", "report", "--stdio", "--no-children", "-g", "none", "-q", "-t", "|", "-F",
                "sample," + words, "-i", path]).stdout
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if line.startswith(" ") and len(cells) == 2 + words.count(","):
            # perf says whose a symbol is, and calls the kernel by its list of names
            names = tuple(re.sub(r"^\[[.k]\] ", "", cell).replace("[kernel.kallsyms]", "[kernel]")
                          for cell in cells[1:])
            rows[names] = rows.get(names, 0) + int(cells[0])
    return rows


def rows_of_ours(recorder, path, words):
    event, = json.loads(run([recorder.wperf, "report", "--json", "--idle", "--sample-display-row",
                             0, "-F", "sample," + words, path]).stdout)["report"]["events"]
    keys = event["by"].split(",")
    return {tuple(row[key.replace(" ", "_")] for key in keys): row["samples"]
            for row in event["rows"] if row["samples"]}


def same_rows(recorder):
    """By one word of --sort and by several: as many samples in each row, but in functions with
    several names."""
    path = recorder.record([program(recorder)], "--call-graph", "fp", rate=2000)
    words = []
    for fields in ("comm", "tid", "dso", "comm,dso", "tid,comm", "dso,sym", "comm,dso,sym"):
        ours = rows_of_ours(recorder, path, fields)
        theirs = rows_of_perf(path, fields.replace("tid", "pid"))  # which is by thread in perf
        assert sum(ours.values()) == sum(theirs.values()) > 300, (fields, ours, theirs)
        same = sum(count for row, count in ours.items() if theirs.get(row) == count)
        assert same >= SAME * sum(ours.values()), (fields, ours, theirs)
        if "sym" not in fields:
            assert ours == theirs, (fields, ours, theirs)
        words.append(f"{fields} {len(ours)}")
    return ", ".join(words)


def are_same_lines(mine, other):
    """Word by word; addresses by their place in a page, as ours begin with the module."""
    pairs = list(itertools.zip_longest(mine.split(), other.split(), fillvalue=""))
    return all(own == their.replace("[kernel.kallsyms]", "[kernel]") or
               re.fullmatch("[0-9a-f]+ [0-9a-f]+", f"{own} {their}") and own[-3:] == their[-3:]
               for own, their in pairs)


def same_fields(recorder):
    """`script -F` has the lines of `perf script -F`, but for the names of some functions."""
    words = []
    for options, fields in (((), "comm,ip,sym"), ((), "comm,pid,tid,cpu,time,period,event,ip,sym,dso"),
                            ((), "tid,time,ip"), (("--call-graph", "fp"), "comm,tid,event,ip,sym"),
                            (("--call-graph", "fp"), "comm,pid,cpu,time")):
        path = recorder.record([program(recorder)], *options, rate=2000)
        ours = run([recorder.wperf, "script", "-F", fields, path]).stdout.splitlines()
        theirs = run(["perf", "script", "-F", fields, "-i", path]).stdout.splitlines()
        if options:  # of stacks the lines of the samples: others differ where calls are inlined
            ours, theirs = [[line for line in lines if re.match(r" *(ranks|second one) ", line)]
                            for lines in (ours, theirs)]
        assert len(ours) == len(theirs) > 300, (fields, ours[:3], theirs[:3])
        same = sum(map(are_same_lines, ours, theirs))
        assert same >= SAME * len(ours), (fields, [pair for pair in zip(ours, theirs)
                                                   if not are_same_lines(*pair)][:3])
        words.append(f"{fields}: {same} of {len(ours)}")
    return "; ".join(words)


def reference_samples(path):
    """Time and addresses of each sample: the reference has no names."""
    opener = lzma.open if path.suffix == ".xz" else open
    samples = []
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            head = re.match(r"\S.*? +(\d+)/(\d+) +\[\d+\] +(\d+\.\d{6})", line)
            if head:
                samples.append((int(head[2]), float(head[3]), []))
            elif line.strip():
                samples[-1][2].append(int(line.split()[0], 16))
    return samples


def compare_with_reference(recorder, path, reference):
    ours = recorder.samples(path)
    theirs = reference_samples(reference)
    assert len(ours) == len(theirs), (len(ours), len(theirs))
    num_frames = 0
    for mine, (tid, time, addresses) in zip(ours, theirs):
        assert (mine.tid, round(mine.time, 6)) == (tid, time), (mine.tid, mine.time, tid, time)
        frames = [frame.address for frame in mine.frames if frame.name != "[truncated stack]"]
        assert len(frames) >= len(addresses), addresses
        # The reference stops at 127. A caller is named by the last byte of its call, it has the
        # one behind.
        for own, other in zip(frames, addresses):
            assert other in (own, own + 1), (mine.time, hex(own), hex(other))
        num_frames += len(addresses)
    return f"{len(ours)} samples with {num_frames} frames"


def recordings_of_phones(recorder):
    folder = pathlib.Path(sys.argv[3], "data/perfdata/arm64-simpleperf")
    if not folder.is_dir():
        return "skipped: the files are not there"
    words = []
    for path in sorted(folder.glob("*.data")):
        reference = next(folder.glob(path.name + ".perf-script.txt*"))
        words.append(compare_with_reference(recorder, path, reference))
    return ", ".join(words)


def main():
    recorder = Recorder(*sys.argv[1:3])
    run_tests((recordings_of_phones,), recorder)
    if not shutil.which("perf"):
        print("skipped: no perf to compare with")
        return 77
    recorder.path("ranks").unlink(missing_ok=True)
    run_tests((recordings_of_perf, recordings_of_ours, everything_is_read, same_rows, same_fields),
              recorder)
    print(f"{recorder.num_samples} samples compared")
    return 0


if __name__ == "__main__":
    sys.exit(main())
