# SPDX-License-Identifier: Apache-2.0
"""Programs whose shares, lines and callers are known by construction: a recording has the same.

record_shares.py WPERF FOLDER
"""
import collections
import re
import sys

import chance
from recorder import Recorder, clock_event, number, run, run_tests, sampling_rate, stretch

SHORTEST_SECONDS = 0.65  # of CPU, of a program whose shares are checked
CLOCK_SKEW = 0.02  # where a program measures its parts: what interrupts them and is not sampled
MAX_UNKNOWN = 0.01

SPLIT = """
#include <time.h>
#ifndef FRAME
#define FRAME
#endif
KEEP void hot(long part) {
	FRAME SPIN(7 * part); // hot line
}
KEEP void warm(long part) { FRAME SPIN(2 * part); }
KEEP void cool(long part) { FRAME SPIN(part); }
KEEP void work(void) {
	unsigned seed = 1;
	UNTIL(1000) for (int i = 0; i < 10; i++) {
		long part = PART(seed);
		hot(part); warm(part); cool(part);
	}
}
int main(void) { work(); return 0; }
"""
SPLIT_SHARES = {"hot": 70, "warm": 20, "cool": 10}
TO_MAIN = ["work", "main"]


def in_user_code(samples):
    """A busy machine interrupts programs more often."""
    return [sample for sample in samples if not sample.frames[0].module.startswith("[kernel")]


def least_samples():
    """Half of what there would be if nothing but the program ran."""
    return SHORTEST_SECONDS * stretch() * sampling_rate() / 2


def check_shares(samples, expected, key=lambda sample: sample.frames[0].name, skew=chance.SKEW):
    counts = collections.Counter(key(sample) for sample in in_user_code(samples))
    others = counts.total() - sum(counts[part] for part in expected)
    chance.check_at_most(others, counts.total(), 0.02, counts)
    return chance.check_shares(counts, expected, least_samples(), skew)


def check_unknown(samples):
    unknown = [sample.frames for sample in samples if "[unknown]" in sample.names()]
    chance.check_at_most(len(unknown), len(samples), MAX_UNKNOWN, unknown[:1])


def check_callers(samples, leaves, callers):
    """Of 99 % of the samples in a leaf: exactly these, up to main."""
    mine = [sample for sample in samples if sample.names()[0] in leaves]
    wrong = [sample.names() for sample in mine
             if sample.names()[1:len(callers) + 1] != callers
             or "[truncated stack]" in sample.names()]
    chance.check_at_most(len(wrong), len(mine), 0.01, f"others than {callers}: {wrong[:1]}")


def check_hot_line(recorder, path, place, function):
    """At least 95 % of a function's own samples are on its line."""
    rows = [row for row in recorder.report(path, "--sort", "line") if row["symbol"] == function]
    total = sum(number(row["samples"]) for row in rows)
    on_line = sum(number(row["samples"]) for row in rows if row["place"] == place)
    chance.check_at_least(on_line, total, 0.95, f"{place}: {rows}")


def check_split(recorder, program, *options, callers=TO_MAIN):
    path = recorder.record([program], *options)
    samples = recorder.samples(path)
    words = check_shares(samples, SPLIT_SHARES)
    check_unknown(samples)
    if callers:
        check_callers(samples, SPLIT_SHARES, callers)
    return path, words


def position_independent(recorder):
    program = recorder.compile("pie", SPLIT, "-O1", "-g", "-pie", "-fPIE")
    path, words = check_split(recorder, program, "-g")
    check_hot_line(recorder, path, f"{program}.c:{recorder.line_of('pie', '// hot line')}", "hot")
    return words


def at_fixed_addresses(recorder):
    program = recorder.compile("nopie", SPLIT, "-O2", "-g", "-no-pie", "-fno-pie")
    path, words = check_split(recorder, program, "-g")
    check_hot_line(recorder, path, f"{program}.c:{recorder.line_of('nopie', '// hot line')}",
                   "hot")
    return words


def static(recorder):
    program = recorder.compile("static", SPLIT, "-O2", "-g", "-static")
    return check_split(recorder, program, "-g")[1]


def without_callers(recorder):
    program = recorder.compile("plain", SPLIT, "-O2", "-g")
    path, words = check_split(recorder, program, callers=None)
    check_hot_line(recorder, path, f"{program}.c:{recorder.line_of('plain', '// hot line')}",
                   "hot")
    return words


def stripped(recorder):
    """Only the names for the loader, and the tables for exceptions, are left."""
    program = recorder.compile("stripped", SPLIT, "-O2", "-rdynamic")
    run(["strip", "--strip-all", program])
    return check_split(recorder, program, "-g")[1]


NAMELESS = """
#include <time.h>
static unsigned seed = 1;
KEEP int first(void) { SPIN(70 * PART(seed)); return 1; }
KEEP int second(void) { SPIN(30 * PART(seed)); return 2; }
int main(void) { int sum = 0; UNTIL(1000) { sum += first(); sum += second(); } return !sum; }
"""


def without_names(recorder):
    """Functions of a stripped program are told apart by where they begin."""
    program = recorder.compile("nameless", NAMELESS, "-O1")
    begins = {words[2]: int(words[0], 16) for words in
              map(str.split, run(["nm", program]).stdout.splitlines()) if len(words) == 3}
    run(["strip", "--strip-all", program])
    samples = recorder.samples(recorder.record([program], "-g"))
    leaves = [sample.names()[0] for sample in samples]
    shown = {name: leaves.count(f"[nameless+0x{begins[name]:x}]") for name in ("first", "second")}
    chance.check_at_least(sum(shown.values()), len(samples), 0.9, shown)
    return chance.check_shares(shown, {"first": 70, "second": 30}, least_samples())


# An interpreter as compilers build CPython's: a table of labels, one for each instruction; those
# behind the last one share a label.
INTERPRETER = """
#include <time.h>
static unsigned seed = 1;
KEEP int other(long part) { SPIN(3 * part); return 1; }
KEEP int run(const unsigned char *code) {
	static const void *const table[256] = {%s};
	int x = 0; long part = PART(seed);
	goto *table[*code];
%s
	op_0: SPIN(7 * part); x += other(part); goto *table[*++code];
	op_120: return x;
}
int main(void) {
	unsigned char code[] = {7, 0, 3, 200};
	int sum = 0;
	UNTIL(1000) sum += run(code);
	return !sum;
}
""" % (",".join(f"&&op_{min(i, 120)}" for i in range(256)),
       "\n".join(f"\top_{i}: x = x * {i} + 3; goto *table[*++code];" for i in range(1, 120)))
LOOP = "[python3.99 interpreter loop]"


def interpreter_without_symbols(recorder):
    """Its loop is known by the table, wherever names are shown; the rest by where it begins."""
    program = recorder.compile("python3.99", INTERPRETER, "-O1")
    run(["strip", "--strip-all", program])
    # Both with the names that `record` found, and without, as another program's recordings are.
    for options in ((), ("--archive",)):
        path = recorder.record([program], "-g", "--python", "native", *options)
        samples = recorder.samples(path)
        shown = collections.Counter(sample.names()[0] for sample in in_user_code(samples))
        chance.check_share(shown[LOOP], shown.total(), 0.7, shown)
    wperf = recorder.wperf
    rows = {row["symbol"]: row for row in recorder.report(path)}
    assert rows[LOOP]["module"] == "python3.99", rows
    texts = {"record": [wperf, "record", "-e", "cpu-clock", "-F", sampling_rate(8000), "-o",
                        recorder.path("shown.data"), program],
             "json": [wperf, "report", "--json", path],
             "tree": [wperf, "report", "--tree", "down", path],
             "folded": [wperf, "export", "--format", "collapsed", path],
             "annotate": [wperf, "annotate", "--symbol", LOOP, path],
             "symbols": [wperf, "symbols", program]}
    for name, words in texts.items():
        assert LOOP in run(words).stdout, name
    page = recorder.path("page.html")
    run([wperf, "report", "-q", "--html", page, path])
    assert LOOP in page.read_text(encoding="utf-8")
    # A file of another name may have any table.
    same = program.with_name("calculator")
    same.unlink(missing_ok=True)
    program.rename(same)
    names = {name for sample in recorder.samples(recorder.record([same])) for name in sample.names()}
    assert not any("loop]" in name for name in names), names
    return f"{shown[LOOP]:.1f} % in the loop that has 70"


def by_frame_pointers(recorder):
    # Without a word compilers leave them out of functions that call none.
    program = recorder.compile("pointers", SPLIT, "-O2", "-g", "-fno-omit-frame-pointer",
                               "-DFRAME=__asm__(\"\"::\"r\"(__builtin_frame_address(0)));")
    return check_split(recorder, program, "--call-graph", "fp")[1]


def without_frame_pointers(recorder):
    """And without sections that a link could do without."""
    program = recorder.compile("omitted", SPLIT, "-O2", "-g", "-fomit-frame-pointer",
                               "-Wl,--no-eh-frame-hdr")
    return check_split(recorder, program, "--call-graph", "cfi")[1]


def by_clang(recorder):
    program = recorder.compile("clang", SPLIT, "-O2", "-g", compiler="clang")
    path, words = check_split(recorder, program, "-g")
    check_hot_line(recorder, path, f"{program}.c:{recorder.line_of('clang', '// hot line')}",
                   "hot")
    return words


RECURSION = """
#include <time.h>
volatile int one = 1;
KEEP int dive(int depth) {
	if (depth == 0) { SPIN(700000); return 0; }
	return dive(depth - 1) + one;
}
int main(void) { UNTIL(2000) dive(50 - 1); return 0; }
"""


def recursion(recorder):
    program = recorder.compile("recursion", RECURSION, "-O1", "-g")
    samples = recorder.samples(recorder.record([program], "-g"))
    check_unknown(samples)
    deep = [sample for sample in samples if sample.names().count("dive") == 50]
    chance.check_at_least(len(deep), len(samples), 0.97, "the whole chain")
    check_callers(deep, ["dive"], ["dive"] * 49 + ["main"])
    rows = recorder.report(recorder.path("live.data"))
    dive = next(row for row in rows if row["symbol"] == "dive")
    assert 97 < float(dive["total %"]) <= 100, f"each sample counts once: {dive}"
    return f"{len(deep)} chains of 50"


INLINED = """
#include <time.h>
#define INLINED static inline __attribute__((always_inline))
INLINED void innermost(long rounds) {
	SPIN(rounds); // hot line
}
INLINED void inner(long rounds) {
	innermost(rounds); // call of innermost
}
KEEP void left(long part) { inner(7 * part); }
KEEP void right(long part) { innermost(3 * part); }
KEEP void work(void) {
	unsigned seed = 1;
	UNTIL(1000) for (int i = 0; i < 10; i++) { long part = PART(seed); left(part); right(part); }
}
int main(void) { work(); return 0; }
"""


def inlined(recorder):
    program = recorder.compile("inlined", INLINED, "-O2", "-g")
    path = recorder.record([program], "-g")
    samples = recorder.samples(path)
    check_unknown(samples)
    chains = {("innermost", "inner", "left", "work", "main"): 70,
              ("innermost", "right", "work", "main"): 30}

    def chain(sample):
        names = tuple(sample.names())
        return names[:names.index("main") + 1] if "main" in names else names

    words = check_shares(samples, chains, chain)
    flags = {tuple(frame.is_inlined for frame in sample.frames[:3])
             for sample in samples if chain(sample) == next(iter(chains))}
    assert flags == {(True, True, False)}, flags
    check_hot_line(recorder, path,
                   f"{program}.c:{recorder.line_of('inlined', '// hot line')}", "innermost")
    call = f"{program}.c:{recorder.line_of('inlined', '// call of innermost')}"
    rows = recorder.report(path, "--sort", "line")
    total = float(next(row for row in rows if row["place"] == call)["total %"])
    chance.check_share(round(total * len(samples) / 100), len(samples), 0.7, rows, 2 * chance.SKEW)
    return words


PLUGIN = """
KEEP void plugin_hot(long part) { SPIN(8 * part); }
KEEP void plugin_entry(long part) { plugin_hot(part); __asm__ volatile(""); }
"""
LOADER = """
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
KEEP void own(long part) { SPIN(2 * part); }
KEEP void work(void (*plugin)(long)) {
	unsigned seed = 1;
	UNTIL(1000) for (int i = 0; i < 10; i++) { long part = PART(seed); plugin(part); own(part); }
}
int main(int argc, char **argv) {
	UNTIL(10) SPIN(10000);
	void *library = dlopen(argv[1], RTLD_NOW);
	if (!library) { puts(dlerror()); return 1; }
	work((void (*)(long))dlsym(library, "plugin_entry"));
	return 0;
}
"""


def loaded_later(recorder):
    library = recorder.compile("plugin.so", PLUGIN, "-O2", "-shared", "-fPIC")
    program = recorder.compile("loader", LOADER, "-O2", "-g")
    samples = recorder.samples(recorder.record([program, library], "-g"))
    check_unknown(samples)
    check_callers(samples, ["plugin_hot"], ["plugin_entry", "work", "main"])
    ours = [sample for sample in samples if sample.names()[0] in ("own", "plugin_hot")]
    modules = {sample.frames[0].module for sample in ours}
    assert modules == {str(library), str(program)}, modules
    counts = collections.Counter(sample.names()[0] for sample in ours)
    return chance.check_shares(counts, {"plugin_hot": 80, "own": 20}, least_samples())


CPLUSPLUS = """
#include <ctime>
#include <string>
namespace shapes {
template <typename T, int N> struct Grid {
	KEEP static void fill(const std::string &, T part) { SPIN(7 * part); __asm__ volatile(""); }
};
class Circle {
public:
	KEEP void draw(int part) const { SPIN(2 * part); __asm__ volatile(""); }
	KEEP bool operator()(double part) { SPIN(part); __asm__ volatile(""); return true; }
};
}
namespace { KEEP void work() {
	std::string name; shapes::Circle circle; unsigned seed = 1;
	UNTIL(1000) for (int i = 0; i < 10; i++) {
		long part = PART(seed);
		shapes::Grid<long, 3>::fill(name, part); circle.draw(part); circle(part);
	}
} }
int main() { work(); return 0; }
"""


def cplusplus_names(recorder):
    program = recorder.compile("cplusplus", CPLUSPLUS, "-O2", "-g", compiler="g++")
    samples = recorder.samples(recorder.record([program], "-g"))
    check_unknown(samples)
    names = {"shapes::Grid<long, 3>::fill": 70, "shapes::Circle::draw": 20,
             "shapes::Circle::operator()": 10}
    words = check_shares(samples, names)
    check_callers(samples, names, ["(anonymous namespace)::work", "main"])
    full = {row["symbol"] for row in recorder.report(recorder.path("live.data"),
                                                     "--sample-display-long")}
    assert "shapes::Circle::draw(int) const" in full, full
    return words


RUST = """
#include <time.h>
KEEP void current(long part) __asm__("_RNvNtCs1234_7mycrate3foo3bar");
KEEP void legacy(long part) __asm__("_ZN7mycrate3foo4quux17h0123456789abcdefE");
void current(long part) { SPIN(7 * part); }
void legacy(long part) { SPIN(3 * part); }
KEEP void work(void) {
	unsigned seed = 1;
	UNTIL(1000) for (int i = 0; i < 10; i++) { long part = PART(seed); current(part); legacy(part); }
}
int main(void) { work(); return 0; }
"""


def rust_names(recorder):
    program = recorder.compile("rust", RUST, "-O2")
    samples = recorder.samples(recorder.record([program], "-g"))
    check_unknown(samples)
    names = {"mycrate::foo::bar": 70, "mycrate::foo::quux": 30}
    words = check_shares(samples, names)
    check_callers(samples, names, TO_MAIN)
    return words


THREADS = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static double cpu_ms(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}
KEEP void burn(void) { SPIN(100000); }
static void *run(void *share) {
	char name[16];
	snprintf(name, sizeof(name), "worker %ld", (long)share);
	pthread_setname_np(pthread_self(), name);
	while (cpu_ms() < STRETCH * 6.5 * (long)share) burn();
	return 0;
}
int main(void) {
	pthread_t threads[4];
	for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, run, (void *)(10 * (i + 1)));
	for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
	return 0;
}
"""


def threads(recorder):
    program = recorder.compile("threads", THREADS, "-O2", "-g", "-pthread")
    path = recorder.record([program], "-g")
    samples = recorder.samples(path)
    check_unknown(samples)
    names = {f"worker {share}": share for share in (10, 20, 30, 40)}
    words = check_shares(samples, names, lambda sample: sample.thread, CLOCK_SKEW)
    check_callers(samples, ["burn"], ["run"])
    rows = recorder.report(path, "--sort", "thread")
    for name, share in names.items():
        row = next(row for row in rows if name in row["thread"])
        count = round(float(row["self %"]) * len(samples) / 100)
        chance.check_share(count, len(samples), share / 100, rows, 2 * CLOCK_SKEW)
    return words


FAMILY = """
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
KEEP void in_parent(void) { SPIN(100000); }
KEEP void in_child(void) { SPIN(100000); }
int main(int argc, char **argv) {
	UNTIL(325) in_parent();
	if (fork() == 0) { UNTIL(195) in_child(); _exit(0); }
	if (fork() == 0) { execl(argv[1], argv[1], (char *)0); _exit(1); }
	int status, all = 0;
	while (wait(&status) > 0) all |= status;
	return all != 0;
}
"""
OTHER = """
#include <time.h>
KEEP void in_other(void) { SPIN(100000); }
int main(void) { UNTIL(130) in_other(); return 0; }
"""


def children(recorder):
    other = recorder.compile("other", OTHER, "-O2", "-g")
    program = recorder.compile("family", FAMILY, "-O2", "-g")
    samples = recorder.samples(recorder.record([program, other], "-g"))
    check_unknown(samples)
    names = {("family", "in_parent"): 50, ("family", "in_child"): 30, ("other", "in_other"): 20}
    words = check_shares(samples, names, lambda sample: (sample.thread, sample.names()[0]),
                         CLOCK_SKEW)
    check_callers(samples, ["in_parent", "in_child", "in_other"], ["main"])
    pids = {sample.pid for sample in samples}
    assert len(pids) == 3, pids
    return words


SIGNALS = """
#include <signal.h>
#include <sys/time.h>
#include <time.h>
KEEP void in_handler(void) { SPIN(400000); }
static void on_signal(int number) { in_handler(); __asm__ volatile(""); }
KEEP void leaf(void) { SPIN(100000); }
KEEP void work(void) { UNTIL(650) leaf(); }
int main(void) {
	signal(SIGPROF, on_signal);
	struct itimerval every = {{0, 4000}, {0, 4000}};
	setitimer(ITIMER_PROF, &every, 0);
	work();
	return 0;
}
"""


def signal_handlers(recorder):
    """Callers are found through the kernel's frame, into a function that was anywhere."""
    program = recorder.compile("signals", SIGNALS, "-O2", "-g")
    samples = recorder.samples(recorder.record([program], "-g"))
    check_unknown(samples)
    handled = [sample for sample in samples if sample.names()[:2] == ["in_handler", "on_signal"]]
    whole = [sample for sample in handled if sample.names()[3:6] == ["leaf", "work", "main"]]
    chance.check_at_least(len(handled), len(samples), 0.03, "in the handler")
    chance.check_at_least(len(whole), len(handled), 0.99, handled[0].names())
    return f"{len(whole)} chains through a handler"


DELETED = SPLIT.replace("int main(void) {", "#include <unistd.h>\n"
                        "int main(int argc, char **argv) { if (unlink(argv[0])) return 1;")


def deleted_program(recorder):
    program = recorder.compile("deleted", DELETED, "-O2", "-g")
    done = run([recorder.wperf, "record", *clock_event(), "-g", "--save",
                recorder.path("live.data"), "--", program])
    samples = recorder.samples(recorder.path("live.data"))
    assert len(samples) >= least_samples() and not program.exists()
    mine = [sample for sample in samples if sample.frames[0].module == str(program)]
    chance.check_at_least(len(mine), len(in_user_code(samples)), 0.99)
    assert str(program) in done.stderr, f"nothing is said of the missing file: {done.stderr}"
    return f"{len(mine)} samples in a file that is gone"


DEEP = """
#include <time.h>
KEEP int dive(int depth, volatile char *above) {
	volatile char frame[256];
	frame[0] = above[0];
	if (depth == 0) { SPIN(100000); return frame[0]; }
	return dive(depth - 1, frame) + frame[0];
}
KEEP int work(void) { char top = 0; int sum = 0; UNTIL(600) sum += dive(100, &top); return sum; }
int main(void) { return work(); }
"""


def deep_stacks(recorder):
    """256 bytes and some a call: 8 KiB hold less than 32 calls; if nobody says how much, all."""
    program = recorder.compile("deep", DEEP, "-O1", "-g", "-fno-stack-protector")
    done = run([recorder.wperf, "record", *clock_event(), "-g", "--stack-size", 8192, "--save",
                recorder.path("live.data"), "--", program])
    samples = recorder.samples(recorder.path("live.data"))
    cut = [sample for sample in samples if 25 < sample.names().count("dive") < 33
           and sample.names()[-1] == "[truncated stack]"]
    chance.check_at_least(len(cut), len(samples), 0.95, samples[9].names())
    said = re.search(r"truncated stacks: (\d+) of (\d+)", done.stderr)
    assert said and int(said[1]) >= len(cut) and int(said[2]) == len(samples), done.stderr
    samples = recorder.samples(recorder.record([program], "-g"))
    whole = [sample for sample in samples if sample.names().count("dive") == 101]
    check_callers(whole, ["dive"], ["dive"] * 100 + TO_MAIN)
    chance.check_at_least(len(whole), len(samples), 0.95)
    return f"{len(cut)} cut, {len(whole)} whole"


DEEPER = DEEP.replace("dive(100, &top)", "dive(600, &top)")


def stacks_beyond_the_copy(recorder):
    """160 KB of stack: no more than the sample has is shown, and the rest is said to be missing."""
    program = recorder.compile("deeper", DEEPER, "-O1", "-g", "-fno-stack-protector")
    samples = recorder.samples(recorder.record([program], "-g"))
    deep = [sample for sample in samples if sample.names().count("dive") > 25]
    cut = [sample for sample in deep if sample.names().count("dive") < 300
           and sample.names()[-1] == "[truncated stack]"]
    chance.check_at_least(len(deep), len(samples), 0.9)
    chance.check_at_least(len(cut), len(deep), 0.98)
    return f"{len(cut)} of {len(samples)} cut"


def main():
    recorder = Recorder(*sys.argv[1:])
    run_tests((position_independent, at_fixed_addresses, static, without_callers, stripped,
               without_names, interpreter_without_symbols,
               by_frame_pointers, without_frame_pointers, by_clang, recursion, inlined,
               loaded_later, cplusplus_names, rust_names, threads, children, signal_handlers,
               deleted_program, deep_stacks, stacks_beyond_the_copy), recorder)
    print(f"{recorder.num_samples} samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
