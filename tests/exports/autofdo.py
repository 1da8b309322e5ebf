# SPDX-License-Identifier: Apache-2.0
"""clang makes a program faster with what wperf exports of its recording.

autofdo.py WPERF FOLDER

llvm-profgen, which makes such profiles from branch records, is the oracle for places and counts: it is given each
sampled instruction as a branch's range of its own.
"""
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "live"))
from recorder import run, run_tests, sampling_rate, stretch  # noqa: E402 (of tests/live)

CLANG, PROFDATA, PROFGEN = "clang-19", "llvm-profdata-19", "llvm-profgen-19"
FLAGS = ["-x", "c++", "-O2", "-Wall", "-gline-tables-only", "-fdebug-info-for-profiling",
         "-funique-internal-linkage-names"]
RUNS = 9

# A virtual call that is nearly always of one function, and a call in the same loop that never is.
# The loop over `weights` is unrolled and vectorized.
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Shape {
	virtual long area(long scale) const = 0;
};

struct Square : Shape {
	long side = 7;
	long area(long scale) const override
	{
		return side * side + scale;
	}
};

struct Circle : Shape {
	long radius = 3;
	long area(long scale) const override
	{
		return 3 * radius * radius + scale;
	}
};

static long repair(long value)
{
	char text[64];
	for (int i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "%ld", value + i);
		value ^= strtol(text, nullptr, 16);
	}
	return value;
}

static long sum(const std::vector<const Shape *> &shapes, long scale)
{
	long total = 0;
	for (const Shape *shape : shapes) {
		long area = shape->area(scale);
		if (area < 0)
			area = repair(area);
		else if (area % 1024 == 1023)
			area += 3;
		total += area;
	}
	return total;
}

__attribute__((noinline)) static int weigh(const std::vector<int> &weights)
{
	int total = 0;
	for (int weight : weights)
		total += weight * weight;
	return total;
}

int main(int argc, char **argv)
{
	Square square;
	Circle circle;
	std::vector<const Shape *> shapes;
	std::vector<int> weights(20000, argc);
	for (int i = 0; i < 10000; i++)
		shapes.push_back(i % 100 ? static_cast<Shape *>(&square) : &circle);
	long total = 0;
	for (long i = 0; i < ROUNDS; i++)
		total += sum(shapes, i) + weigh(weights);
	printf("%ld\\n", total);
	return 0;
}
"""
LINES = PROGRAM.splitlines()
CALL = LINES.index("		long area = shape->area(scale);") - LINES.index(
    "static long sum(const std::vector<const Shape *> &shapes, long scale)")
SQUARE, CIRCLE = "_ZNK6Square4areaEl", "_ZNK6Circle4areaEl"


def parse(text):
    """{place: count} of the lines in a profile: a place is the functions and calls that lead there."""
    counts, path = {}, []
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip(" "))
        words = re.match(r"(?:([\d.]+): )?(?:(\d+)(?: .*)?|(\S+?):\d+(?::\d+)?)$", line.strip())
        assert words, line
        path = path[:depth]
        if words[3]:
            path.append((words[1], words[3]))
        else:
            counts[(*path, words[1])] = int(words[2])
    return counts


class Exported:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, folder
        self.source, self.before = folder / "shapes.cpp", folder / "before"
        self.source.write_text(PROGRAM.replace("ROUNDS", str(20000 * stretch())))
        self.compile(self.before)
        self.recording = folder / "shapes.data"
        run([wperf, "record", "-q", "--archive", "-g", "-e", "cpu-clock:u", "-F", sampling_rate(4000), "-o",
             self.recording, "--", self.before])
        self.profile = folder / "prof.txt"
        self.text = self.export("-o", self.profile)

    def compile(self, output, *flags):
        done = run([CLANG, *FLAGS, *flags, self.source, "-o", output, "-lstdc++"])
        assert "warning" not in done.stderr, done.stderr
        return done.stderr

    def export(self, *options, recording=None):
        done = run([self.wperf, "export", "-i", recording or self.recording, "--format", "autofdo", *options])
        self.notes = done.stderr
        return done.stdout or self.profile.read_text()

    def function(self, name):
        head, body = re.search(rf"^({name}\S*:\d+:\d+)\n((?: .*\n)*)", self.text, re.M).groups()
        return [int(word) for word in head.split(":")[1:]], body


def test_llvm_reads_what_is_written(exported):
    merged = exported.folder / "merged.txt"
    run([PROFDATA, "merge", "--sample", "--text", exported.profile, "-o", merged])
    assert merged.read_text() == exported.text, "llvm-profdata writes it otherwise"
    shown = run([PROFDATA, "show", "--sample", exported.profile]).stdout
    for name in SQUARE, CIRCLE:
        (total, head), _ = exported.function(name)
        assert f"Function: {name}: {total}, {head}, " in shown, (name, total, head, shown)


def test_counts_are_those_of_llvm_profgen(exported):
    report = json.loads(run([exported.wperf, "report", "-i", exported.recording, "--sort", "address", "--json"]).stdout)
    rows = [row for row in report["report"]["events"][0]["rows"]
            if row.get("module") == str(exported.before) and row["samples"]]
    raw, theirs = exported.folder / "raw.txt", exported.folder / "profgen.txt"
    ranges = [f"{row['address']:x}-{row['address']:x}:{row['samples']}\n" for row in rows]
    raw.write_text(f"{len(ranges)}\n{''.join(ranges)}0\n")
    run([PROFGEN, f"--binary={exported.before}", f"--unsymbolized-profile={raw}", "--use-offset=0", "--format=text",
         f"--output={theirs}"])
    ours, theirs = parse(exported.text), parse(theirs.read_text())
    # Code of no line is of line 0 for llvm-profgen: before the function, with 16 bits.
    theirs = {place: count for place, count in theirs.items() if float(place[-1]) < 0x8000}
    assert {place: count for place, count in ours.items() if count} == {
        place: count for place, count in theirs.items() if count}
    # Lines without samples: it also writes those of functions with few samples.
    cold = {place for place, count in ours.items() if not count}
    assert cold and cold <= set(theirs), cold - set(theirs)
    return f"{len(ours) - len(cold)} lines with samples of {len(rows)} instructions, {len(cold)} without"


def test_names_of_the_recording_do(exported):
    """The program is not there any more: lines and their discriminators come from the recording."""
    note = "note: which lines of 'before' have no samples is not known here"
    hidden = exported.folder / "hidden"
    exported.before.rename(hidden)
    try:
        text = exported.export()
        assert note in exported.notes, exported.notes
    finally:
        hidden.rename(exported.before)
    exported.export()
    assert note not in exported.notes, exported.notes
    assert parse(text) == {place: count for place, count in parse(exported.text).items() if count}


def test_the_module_can_be_chosen(exported):
    assert exported.export("--module", "befor*") == exported.text
    done = run([exported.wperf, "export", "-i", exported.recording, "--format", "autofdo", "--module", "nowhere"], None)
    assert done.returncode and "no samples of native code in a module 'nowhere'" in done.stderr, done.stderr


def test_clang_takes_the_profile(exported):
    said = exported.compile(exported.folder / "after", f"-fprofile-sample-use={exported.profile}",
                            "-Rpass-analysis=sample-profile", "-Rpass=pgo-icall-prom|loop-vectorize")
    inlined_sum = [(place, count) for place, count in parse(exported.text).items()
                   if place[-2][1].startswith("_ZL3sum") and place[-1].split(".")[0] == str(CALL) and count]
    assert inlined_sum, exported.text
    for place, count in inlined_sum:
        assert f"Applied {count} samples from profile (offset: {place[-1]})" in said, (place, count, said)
    assert re.search(rf"Promote indirect call to {SQUARE} with count", said), said
    # It would not be if the loop were thought to run once for each call.
    assert "vectorized loop" in said, said


def timed(program):
    start = time.perf_counter()
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def test_the_program_is_the_same_but_faster(exported):
    programs = exported.before, exported.folder / "after"
    assert len({run([program]).stdout for program in programs}) == 1
    times = [[timed(program) for program in programs] for _ in range(RUNS)]
    before, after = (statistics.median(column) for column in zip(*times))
    return f"{before:.3f} s became {after:.3f} s: {before / after:.2f} times as fast (median of {RUNS} runs)"


def main():
    missing = [name for name in (CLANG, PROFDATA, PROFGEN) if not shutil.which(name)]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        return 77
    folder = pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    exported = Exported(pathlib.Path(sys.argv[1]).resolve(), folder)
    run_tests([test_llvm_reads_what_is_written, test_counts_are_those_of_llvm_profgen,
               test_names_of_the_recording_do, test_the_module_can_be_chosen, test_clang_takes_the_profile,
               test_the_program_is_the_same_but_faster], exported)
    return 0


sys.exit(main())
