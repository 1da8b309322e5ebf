# SPDX-License-Identifier: Apache-2.0
"""Builds of CPython that differ from most: lines of theirs against their own clocks.

python_builds.py WPERF FOLDER
"""
import collections
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import chance
import pythons
from recorder import clock_event, run_tests, sampling_rate

NOBODY = 65534
SKIPPED = 77
RATE = 999
CLOCK_SKEW = 0.02  # of a program's own clock: what interrupts it and is not sampled
LATE_SKEW = 0.04  # of stacks that are read after their sample: they may be of the next line

# Two threads, each with lines of its own and a clock of its own. Parts vary, so that no rate of
# sampling keeps step with them.
PARALLEL = """
import json, random, sys, threading, time
spent = {}
def first(rounds):
    total = 0
    for i in range(rounds): total += i * i % 7
    return total
def second(rounds):
    total = ""
    for i in range(rounds): total = str(i) + "x" + total[:3]
    return total
def work(mine, seconds):
    begin = time.thread_time()
    while time.thread_time() < begin + seconds:
        start = time.thread_time()
        mine(random.randrange(500, 5500))
        middle = time.thread_time()
        sorted(range(random.randrange(30000)), key=int.bit_length)
        end = time.thread_time()
        spent[mine.__name__] = spent.get(mine.__name__, 0) + middle - start
        spent[mine.__name__ + " sorted"] = spent.get(mine.__name__ + " sorted", 0) + end - middle
threads = [threading.Thread(target=work, args=(mine, float(sys.argv[1])))
           for mine in (first, second)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(spent))
"""


def line_of(program, words):
    return next(number for number, line in enumerate(program.splitlines(), 1) if words in line)


class Case:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, folder

    def record(self, python, text, *arguments, options=(), env=None, **rights):
        """The document, and what the program and wperf said."""
        program, out = self.folder / "program.py", self.folder / "out.json"
        program.write_text(text)
        out.unlink(missing_ok=True)
        words = [self.wperf, "record", *clock_event(RATE), "--json", "--output", out, *options,
                 "--", python, program, *arguments]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              timeout=120, check=False, env={**os.environ, **(env or {})}, **rights)
        assert done.returncode == 0, done.stderr
        return json.loads(out.read_text()), done.stdout, done.stderr


def self_samples(document):
    """{(function, line): samples}"""
    return {(row["function"], row["line"]): row["events"][0]["self"]["samples"]
            for row in document["python"]["lines"]}


def check_shares(seen, truth, seconds, skew):
    """@seconds: of CPU that the program takes at least."""
    return chance.check_shares(seen, truth, seconds * sampling_rate(RATE) / 2, skew)


def check_parallel(case, python, skew, **rights):
    document, text, words = case.record(python, PARALLEL, "1", **rights)
    truth = json.loads(text)
    lines = self_samples(document)
    sorting = line_of(PARALLEL, "sorted(")
    seen = collections.Counter()
    for (function, line), samples in lines.items():
        if function in ("first", "second"):
            assert line in range(line_of(PARALLEL, f"def {function}"),
                                 line_of(PARALLEL, f"def {function}") + 4), lines
            seen[function] += samples
        elif (function, line) == ("work", sorting):
            seen["sorted"] += samples
    truth["sorted"] = truth.pop("first sorted") + truth.pop("second sorted")
    loops = {function: lines[function, line_of(PARALLEL, f"def {function}") + 2]
             for function in ("first", "second")}
    # The loop's line is nearly all of its function.
    for name, samples in loops.items():
        chance.check_at_least(samples, seen[name], 0.95, seen)
    return check_shares(seen, truth, 1, skew), words


def builds(is_wanted):
    return [python for python, _ in pythons.find_all() if is_wanted(python)]


def is_free_threaded(python):
    done = subprocess.run([python, "-S", "-c", "import sysconfig as s\n"
                           "print(s.get_config_var('Py_GIL_DISABLED'))"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() == "1"


def threads_without_a_gil_run_in_parallel(case):
    found = builds(is_free_threaded)
    words = []
    for python in found:
        inside, said = check_parallel(case, python, CLOCK_SKEW)
        assert "Python stacks are read shortly" not in said, said
        outside, said = check_parallel(case, python, LATE_SKEW, user=NOBODY, group=NOBODY,
                                       extra_groups=[])
        assert "Python stacks are read shortly" in said, said
        words.append(f"{python}: in the sample {inside}; from outside {outside}")
    return "; ".join(words) or "skipped: no build without the GIL here"


# Both run in what the JIT made, each by a clock of its own; then comes code that it did not make.
COMPILED = """
import json, random, sys, time
spent = {"first": 0, "second": 0, "native": 0}
numbers = list(range(400000))
def first(rounds):
    x = 0
    for i in range(rounds):
        x = x + i * 3
        y = x & 0xff
        x = x - y
    return x
def second(rounds):
    total = 0
    for i in range(rounds):
        total += called(i)
    return total
def called(i):
    return i * 2 - i
def native():
    max(numbers, key=int.bit_length)
def work(seconds):
    begin = time.thread_time()
    while time.thread_time() < begin + seconds:
        for one, rounds in (first, 7000), (second, 3000):
            rounds = random.randrange(2 * rounds)
            start = time.thread_time()
            one(rounds)
            spent[one.__name__] += time.thread_time() - start
    while spent["native"] < seconds / 2:
        start = time.thread_time()
        native()
        spent["native"] += time.thread_time() - start
work(float(sys.argv[1]))
print(json.dumps(spent))
"""


def has_jit(python):
    done = subprocess.run([python, "-S", "-c", "import sys\n"
                           "print(getattr(sys, '_jit', None) and sys._jit.is_available())"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() == "True"


def functions_seen(document):
    seen = collections.Counter()
    for row in document["python"]["functions"]:
        name = {"called": "second"}.get(row["function"], row["function"])
        seen[name] += row["events"][0]["self"]["samples"]
    return {name: seen[name] for name in ("first", "second", "native")}


def compiled_part(document):
    """Of all, of the function native(), and of the others: samples that are said to be unsure."""
    lines = collections.Counter()
    for row in document["python"]["lines"]:
        unsure = row["events"][0].get("self_compiled", {"samples": 0})["samples"]
        lines["native" if row["function"] == "native" else "other"] += unsure
    event = document["python"]["events"][0]
    return event.get("compiled", {"samples": 0})["samples"], lines["native"], lines["other"]


def check_compiled(case, python, skew, **rights):
    document, text, _ = case.record(python, COMPILED, "1", env={"PYTHON_JIT": "1"}, **rights)
    seen = functions_seen(document)
    words = check_shares(seen, json.loads(text), 1, skew)
    whole, native, other = compiled_part(document)
    assert whole == native + other, (whole, native, other)
    chance.check_at_most(native, seen["native"], 0.05)
    hot = seen["first"] + seen["second"]
    chance.check_at_least(other, hot, 0.8, seen)
    return f"{words}, {100 * other / hot:.0f} % by the JIT"


def what_the_jit_made_has_no_sure_lines(case):
    words = []
    for python in builds(has_jit):
        words.append(f"{python}: {check_compiled(case, python, CLOCK_SKEW)}")
        document, _, _ = case.record(python, COMPILED, "0.1", env={"PYTHON_JIT": "0"})
        assert compiled_part(document) == (0, 0, 0), compiled_part(document)
    return "; ".join(words) or "skipped: no build with a JIT here"


def snapshots_say_what_the_jit_made(case):
    found = builds(has_jit)
    if not found:
        return "skipped: no build with a JIT here"
    return check_compiled(case, found[-1], LATE_SKEW, user=NOBODY, group=NOBODY, extra_groups=[])


def recordings_keep_what_is_not_sure(case):
    found = builds(has_jit)
    if not found:
        return "skipped: no build with a JIT here"
    path = case.folder / "jit.data"
    case.record(found[-1], COMPILED, "0.5", options=["-g", "--save", path], env={"PYTHON_JIT": "1"})
    words = [case.wperf, "report", "--json", path]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True)
    whole, _, other = compiled_part(json.loads(done.stdout)["report"])
    assert whole and other, done.stdout[:500]
    words = [case.wperf, "annotate", path, "program.py"]
    text = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout
    assert "in JIT-compiled Python code" in text, text
    return f"{whole} samples"


# Each interpreter has a thread; since 3.12 they need not have the same GIL.
BESIDE = """
import sys, threading
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
TEXT = '''
def busy_NUMBER(rounds):
    x = 0
    for i in range(rounds): x = (x * 3 + i) & 0xffff
    return x
import time
end = time.thread_time() + SECONDS
while time.thread_time() < end: busy_NUMBER(3000)
'''
def run(number):
    text = TEXT.replace("NUMBER", str(number)).replace("SECONDS", sys.argv[1])
    interpreters.run_string(interpreters.create(), text)
threads = [threading.Thread(target=run, args=(number,)) for number in (1, 2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def has_interpreters(python):
    done = subprocess.run([python, "-S", "-c", BESIDE.partition("TEXT")[0]], capture_output=True,
                          check=False)
    return done.returncode == 0


def interpreters_beside_each_other_have_their_own_stacks(case):
    words = []
    newer = [python for python, minor in pythons.find_all() if minor >= 12]
    for python in [python for python in ["/usr/bin/python3", *newer] if has_interpreters(python)]:
        document, _, _ = case.record(python, BESIDE, "0.5")
        seen = collections.Counter()
        for row in document["python"]["functions"]:
            seen[row["function"]] += row["events"][0]["self"]["samples"]
        one, two = seen["busy_1"], seen["busy_2"]
        assert one + two > sampling_rate(RATE) / 2, (python, seen)
        chance.check_share(one, one + two, 0.5, (python, seen), 2 * CLOCK_SKEW)
        words.append(f"{python}: {one} and {two}")
    return "; ".join(words) or "skipped: no interpreter can have others in it"


def libraries(python):
    """Of Python's own, that it is linked with."""
    done = subprocess.run(["ldd", python], capture_output=True, text=True, check=False)
    return [words[2] for words in map(str.split, done.stdout.splitlines())
            if words and words[0].startswith("libpython")]


def strip_copy(case, python):
    """What runs it without any symbol that is not needed to link it: words of a command."""
    folder = case.folder / "stripped"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in (os.path.realpath(python), *libraries(python)):
        copy = folder / os.path.basename(path)
        subprocess.run(["strip", "-s", "-o", copy, path], check=True)
    home = os.path.dirname(os.path.dirname(os.path.realpath(python)))
    program = folder / os.path.basename(os.path.realpath(python))
    return program, {"LD_LIBRARY_PATH": str(folder), "PYTHONHOME": home}


def is_elf(python):
    with open(os.path.realpath(python), "rb") as file:
        return file.read(4) == b"\x7fELF"


def stripped_copies_are_read_alike(case):
    """The oldest and the newest that a loader of this machine runs, and one for debugging."""
    found = [python for python, minor in pythons.find_all() if minor >= 8 and is_elf(python)]
    debug = [python for python in found if python.endswith(("dbg", "d"))]
    words = []
    for python in dict.fromkeys([found[0], *debug, found[-1]]):
        program, env = strip_copy(case, python)
        document, text, said = case.record(program, PARALLEL, "0.4", env=env)
        truth = json.loads(text)
        seen = collections.Counter()
        for (function, _), samples in self_samples(document).items():
            seen[function] += samples
        seen = {name: seen[name] for name in ("first", "second")}
        words.append(f"{python}: " + check_shares(seen, {name: truth[name] for name in seen}, 0.1,
                                                       CLOCK_SKEW))
        # Its loop is known, though it has no name.
        event = document["sampling"]["events"][0]
        loop = sum(row["count"] for row in event["samples"] if "program.py" in row["symbol"])
        chance.check_at_least(loop, sum(seen.values()), 0.05, event["samples"][:5])
    return "; ".join(words)


def other_interpreters_are_said(case):
    """Their native code is shown all the same."""
    found = [(str(pythons.FETCHED / "pypy3"), "is PyPy; wperf reads only CPython"),
             *((path, "is Python 2; wperf reads 3.6 and newer")
               for path in pythons.of_pyenv("2.*/bin/python2.7")),
             (unknown_interpreter(case), "are not valid")]
    program = case.folder / "spin.py"
    program.write_text("for i in range(10**7): i * i\n")
    words = []
    for python, expected in found:
        if not os.path.exists(python):
            words.append(f"{os.path.basename(python)} is not here")
            continue
        done = subprocess.run([case.wperf, "record", "-e", "cpu-clock", "--", python, str(program)],
                              capture_output=True, text=True, check=True, timeout=60)
        assert f"note: no Python lines: " in done.stderr and expected in done.stderr, done.stderr
        assert "hot functions" in done.stdout and "lines of Python" not in done.stdout, done.stdout
        words.append(os.path.basename(python))
    return ", ".join(words)


def unknown_interpreter(case):
    """A version to come, of which nothing is where it was."""
    text, program = case.folder / "python3.99.c", case.folder / "python3.99"
    text.write_text("""
        #include <time.h>
        struct { char cookie[8]; unsigned long version, words[200]; } _PyRuntime = {
                "xdebugpy", 0x03630000};
        int main(void) { while (clock() < CLOCKS_PER_SEC / 4) continue; return 0; }
    """)
    subprocess.run(["gcc", "-O1", "-rdynamic", text, "-o", program], check=True)
    return str(program)


THREADS = """
    #include <asm/prctl.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    static void *tell(void *unused)
    {
            unsigned long base;
            syscall(SYS_arch_prctl, ARCH_GET_FS, &base);
            puts(base == (unsigned long)pthread_self() ? "same" : "another");
            return NULL;
    }
    int main(void)
    {
            pthread_t thread;
            tell(NULL);
            return pthread_create(&thread, NULL, tell, NULL) || pthread_join(thread, NULL);
    }
"""


def threads_are_known_by_their_tls_base(case):
    """What Python has as a thread's id, pthread_self(), is it: in glibc and in musl."""
    if platform.machine() != "x86_64":
        return "skipped: elsewhere it is another distance"
    text, program, words = case.folder / "threads.c", case.folder / "threads", []
    text.write_text(THREADS)
    headers = case.folder / "headers"  # of the kernel, which musl's compiler does not look for
    headers.mkdir(exist_ok=True)
    if not (headers / "asm").exists():
        (headers / "asm").symlink_to("/usr/include/x86_64-linux-gnu/asm")
    for compiler in ("gcc", "musl-gcc"):
        if not shutil.which(compiler):
            words.append(f"no {compiler} here")
            continue
        subprocess.run([compiler, text, "-pthread", "-idirafter", headers, "-o", program],
                       check=True)
        told = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        assert told == "same\nsame\n", (compiler, told)
        words.append(compiler)
    return ", ".join(words)


TESTS = [threads_are_known_by_their_tls_base, interpreters_beside_each_other_have_their_own_stacks, stripped_copies_are_read_alike,
         other_interpreters_are_said, threads_without_a_gil_run_in_parallel, what_the_jit_made_has_no_sure_lines,
         snapshots_say_what_the_jit_made, recordings_keep_what_is_not_sure]


def main():
    if os.geteuid() != 0:
        return SKIPPED
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    os.chmod(folder, 0o777)
    run_tests(TESTS, Case(sys.argv[1], folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
