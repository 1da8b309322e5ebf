# SPDX-License-Identifier: Apache-2.0
"""A live recording, exported: the programs that people use show the same ten on top.

exports_live.py WPERF FOLDER NODE_MODULES
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "exports"))
import check_reader  # noqa: E402 (of tests/exports)
import perfparser  # noqa: E402
from recorder import Recorder, number, run, run_tests, sampling_rate  # noqa: E402

TOP = 10
RATE = sampling_rate(2000)

# Twelve functions of different heat in two threads.
PROGRAM = """
#include <pthread.h>
#include <time.h>
#define RANK(n) KEEP void rank_##n(long part) { SPIN(n * n * part / 40); }
RANK(1) RANK(2) RANK(3) RANK(4) RANK(5) RANK(6) RANK(7) RANK(8) RANK(9) RANK(10) RANK(11) RANK(12)
KEEP void level(long part) {
	rank_1(part); rank_2(part); rank_3(part); rank_4(part); rank_5(part); rank_6(part);
	rank_7(part); rank_8(part); rank_9(part); rank_10(part); rank_11(part); rank_12(part);
	__asm__ volatile("");
}
static void *run(void *name) {
	unsigned seed = 1;
	if (name) pthread_setname_np(pthread_self(), name);
	UNTIL(700) level(PART(seed));
	return 0;
}
int main(void) {
	pthread_t thread;
	pthread_create(&thread, 0, run, "second");
	run(0);
	pthread_join(thread, 0);
	return 0;
}
"""
THREADS = ("ranks", "second")


class Exported:
    def __init__(self, recorder, files):
        self.recorder, self.files = recorder, files
        program = recorder.compile("ranks", "#define _GNU_SOURCE\n" + PROGRAM, "-O2", "-g",
                                   "-pthread")
        self.recording = recorder.record([program], "-g", rate=RATE)

    def export(self, form, name, *options):
        run([self.recorder.wperf, "export", "--format", form, "-o", self.files.path(name),
             *options, self.recording])

    def check(self, got, *options):
        """@got: {function: [self, total]}. Of those as hot as the tenth it may be others."""
        rows = self.recorder.report(self.recording, *options)[:TOP]
        ours = [(row["symbol"], number(row["samples"])) for row in rows]
        theirs = sorted(((name, value[0]) for name, value in got.items()),
                        key=lambda item: -item[1])[:TOP]
        assert [count for _, count in ours] == [count for _, count in theirs], (ours, theirs)
        for row in set(ours) ^ set(theirs):
            assert row[1] == ours[-1][1], (row, ours, theirs)
        self.recorder.num_samples += sum(count for _, count in ours)

    def check_threads(self, threads):
        for name in THREADS:
            self.check(threads[name], "--thread", name)


def or_skipped(test):
    def tried(exported):
        try:
            return test(exported)
        except check_reader.Missing as missing:
            return f"skipped: {missing}"
    tried.__name__ = test.__name__
    return tried


def pprof(exported):
    exported.export("pprof", "profile.pb.gz")
    rows = check_reader.pprof_top(exported.files, "-sample_index=samples", "-nodefraction=0")
    exported.check({row[5]: [int(row[0]), int(row[3])] for row in rows})
    rows = check_reader.pprof_top(exported.files, "-sample_index=cpu-clock", "-unit=ns",
                                  "-nodefraction=0")
    # Time, as it is the weight of this event.
    assert all(row[0] == "0" or row[0].endswith("ns") for row in rows), rows[0]


def firefox(exported):
    exported.export("firefox", "profile.firefox.json")
    exported.check_threads(check_reader.profiler_cli(exported.files, "profile.firefox.json"))


def perf_script(exported):
    exported.export("perf-script", "profile.perf.txt")
    exported.check_threads(check_reader.profiler_cli(exported.files, "profile.perf.txt"))


def speedscope(exported):
    exported.export("speedscope", "profile.speedscope.json", "--thread", "second")
    exported.check(check_reader.speedscope(exported.files, "profile.speedscope.json"),
                   "--thread", "second")


def collapsed(exported):
    exported.export("collapsed", "profile.folded")
    exported.check(check_reader.collapsed(exported.files))


def hotspot(exported):
    """Not an export: it opens the recording itself."""
    parser = exported.files.npm_file(
        "../hotspot/usr/lib/x86_64-linux-gnu/libexec/hotspot-perfparser")
    stream = exported.files.path("hotspot.stream")
    run([parser, "--input", exported.recording, "--output", stream])
    exported.check(perfparser.Profile(stream.read_bytes()).functions)


def main():
    recorder = Recorder(*sys.argv[1:3])
    files = check_reader.Files(sys.argv[2], sys.argv[3])
    files.sample_ns = 1e9 / RATE
    exported = Exported(recorder, files)
    run_tests([or_skipped(test) for test in (pprof, firefox, perf_script, speedscope, collapsed,
                                        hotspot)],
              exported)
    print(f"{recorder.num_samples} samples of ten on top in five formats and in hotspot")
    return 0


if __name__ == "__main__":
    sys.exit(main())
