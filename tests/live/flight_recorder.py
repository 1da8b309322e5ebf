# SPDX-License-Identifier: Apache-2.0
"""record --ring, --switch-output, --trigger and --control: each file has the samples that it should,
and the names of what began before them.

flight_recorder.py WPERF FOLDER
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import waiting
from recorder import Recorder, clock_event, parse_script, run, run_tests

CLOCK = clock_event(999)

# A thread with a name does all of it: the name, the code and the mapping of the interpreter are older
# than the ring.
PYTHON = """
import sys, threading, time

def alpha(until):
    x = 0
    while time.monotonic() < until:
        x += 1

def beta(until):
    y = 0
    while time.monotonic() < until:
        y += 2

def work():
    now = time.monotonic()
    alpha(now + float(sys.argv[1]))
    print("B", flush=True)
    beta(now + float(sys.argv[1]) + float(sys.argv[2]))

thread = threading.Thread(target=work, name="worker")
thread.start()
thread.join()
"""

# The child begins before the ring as well; both have the library of their start.
NATIVE = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
KEEP void early(void) { SPIN(100000); }
KEEP void late(void) { SPIN(100000); }
/* A ring of a size is full soon: each sample has many callers. */
KEEP void nest(int depth, void (*work)(void))
{
    if (depth) nest(depth - 1, work); else work();
    __asm__ volatile("");
}
KEEP void fault(void)
{
    char *room = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 1 << 20; i += 4096) room[i] = 1;
    munmap(room, 1 << 20);
}
int main(int argc, char **argv)
{
    double begin = now(), change = begin + atof(argv[1]), end = change + atof(argv[2]);
    pid_t child = fork();
    if (!child) prctl(PR_SET_NAME, "child"), prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (now() < change) nest(60, early);
    puts("B"); fflush(stdout);
    while (now() < end) if (argc > 3) fault(); else nest(60, late);
    if (child) waitpid(child, 0, 0);
    return 0;
}
"""


# Preloaded into wperf: from some moment on its counters cannot be read.
BROKEN_COUNTERS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
ssize_t read(int fd, void *bytes, size_t size)
{
    static ssize_t (*real)(int, void *, size_t);
    char path[32], target[64] = "";
    if (!real) real = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (readlink(path, target, sizeof(target) - 1) > 0 && strstr(target, "perf_event") &&
        access(getenv("BREAK_COUNTERS"), F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    return real(fd, bytes, size);
}
"""


def fresh(recorder, name):
    for old in recorder.folder.glob(name + "*"):
        old.unlink()
    return recorder.path(name)


def parts(path):
    """The files with a time in their names, oldest first."""
    return sorted(file for file in path.parent.glob(path.name + ".*") if re.fullmatch(r"\d{16}", file.suffix[1:]))


def start(words, **keywords):
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **keywords)


def end(process, code=0):
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, (process.returncode, out, err)
    return err


def script(recorder, path):
    done = run([recorder.wperf, "script", "-i", path])
    assert "truncated" not in done.stderr, done.stderr
    return parse_script(done.stdout)


def share(samples, name):
    return sum(name in sample.names() for sample in samples) / max(1, len(samples))


def ring_of_python(recorder):
    """A for some time, then B for longer than the ring: B's lines alone, in the thread with its name."""
    program = recorder.path("ab.py")
    program.write_text(PYTHON)
    path = fresh(recorder, "python.data")
    err = end(start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "600ms", "-o", path, "--",
                     "/usr/bin/python3", program, 1.2, 0.9]))
    let_go = int(re.search(r"let go, as asked: ([\d,]+)", err)[1].replace(",", ""))
    samples = script(recorder, path)
    assert len(samples) > 20 and let_go > 20, (len(samples), err)
    assert share(samples, "alpha") == 0, "A is in the ring"
    assert share(samples, "beta") > 0.9, share(samples, "beta")
    assert sum(sample.thread == "worker" for sample in samples) > 0.9 * len(samples), {s.thread for s in samples}
    assert samples[-1].time - samples[0].time <= 0.7, (samples[0].time, samples[-1].time)
    report = run([recorder.wperf, "report", "-i", path])
    assert re.search(r"ab\.py:1[345]\b", report.stdout) and "y += 2" in report.stdout, report.stdout
    assert "x += 1" not in report.stdout, report.stdout
    assert re.search(rf"let go, as asked \(--ring\): {let_go}$", report.stderr, re.M), report.stderr
    if not shutil.which("perf"):
        return "perf is not here"
    report = run(["perf", "report", "-i", path, "--stdio", "-g", "none", "--comm", "worker"]).stdout
    assert re.search(r"\bbeta\b", report) and "alpha" not in report, report
    return f"{len(samples)} samples, {let_go} let go"


def signal_in_the_middle(recorder):
    """SIGUSR2 writes a file while the recording goes on; the end writes another one."""
    path = fresh(recorder, "signal.data")
    process = start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "64M", "-o", path, "--",
                     recorder.program, 1, 1])
    running = waiting.wait_for_child(process.pid)
    waiting.wait_for_cpu(running, 0.05)
    process.send_signal(signal.SIGUSR2)
    waiting.wait_until(lambda: parts(path), "a file of SIGUSR2")
    assert not waiting.is_gone(running)
    err = end(process)
    middle, = parts(path)
    samples = script(recorder, middle)
    assert {"child"} <= {sample.thread for sample in samples}, {sample.thread for sample in samples}
    whole = script(recorder, path)
    assert len(whole) > len(samples) and share(whole, "late") > 0.2, share(whole, "late")
    assert share(samples, "early") > share(whole, "early"), (share(samples, "early"), err)
    assert "let go" not in err, err


def ring_by_size(recorder):
    """What there is no room for goes, and processes that are older keep their names and mappings."""
    path = fresh(recorder, "size.data")
    err = end(start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "256k", "-F", 4000, "-o", path, "--",
                     recorder.program, 0.5, 1.3]))
    samples = script(recorder, path)
    assert "let go, as asked" in err, err
    assert share(samples, "early") == 0 and share(samples, "late") > 0.9, share(samples, "late")
    assert {"child", recorder.program.name} == {sample.thread for sample in samples}, {s.thread for s in samples}


def files_in_turn(recorder):
    """Each can be read alone, and what was written stays when wperf is killed."""
    path = fresh(recorder, "turn.data")
    process = start([recorder.wperf, "record", "-g", *CLOCK, "--switch-output=400ms", "-o", path, "--",
                     recorder.program, 100, 1])
    running = waiting.wait_for_child(process.pid)
    waiting.wait_until(lambda: len(parts(path)) >= 3, "three files")
    process.kill()
    os.kill(running, signal.SIGKILL)
    process.communicate(timeout=60)
    last = 0
    for part in parts(path):
        samples = script(recorder, part)
        assert samples and share(samples, "early") > 0.9, (part, share(samples, "early"))
        assert samples[0].time > last, "files overlap"
        last = samples[-1].time
        if shutil.which("perf"):
            assert re.search(r"\bearly\b", run(["perf", "report", "-i", part, "--stdio", "-g", "none"]).stdout)


def newest_files(recorder):
    path = fresh(recorder, "newest.data")
    err = end(start([recorder.wperf, "record", *CLOCK, "--switch-output=300ms", "--switch-max-files", 2, "-o", path,
                     "--", recorder.program, 1, 0.5]))
    kept = parts(path)
    assert len(kept) == 2 and len(re.findall("^recorded", err, re.M)) > 2, (kept, err)
    assert all(script(recorder, part) for part in kept)
    assert not path.exists(), "the last one has its name, too"


def triggers(recorder):
    """A rate and a line fire once each, as long as the condition holds."""
    path, fifo = fresh(recorder, "trigger.data"), recorder.path("log")
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo, 0o600)
    process = start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "64M", "-o", path,
                     "--trigger", "page-faults>2000/s", "--trigger", f"line:ERROR 5@{fifo}", "--",
                     recorder.program, 2, 1.8, "fault"])
    waiting.wait_for_child(process.pid)
    with open(fifo, "w") as log:
        log.write("all is well\nERROR ")
        log.flush()
        log.write("5 of the disk\n")
        log.flush()
        waiting.wait_until(lambda: parts(path), "a file because of a line")
    assert share(script(recorder, parts(path)[0]), "fault") == 0
    err = end(process)
    fired = re.findall(r"^note: trigger '(.*)'$", err, re.M)
    assert fired == [f"line:ERROR 5@{fifo}", "page-faults>2000/s"], err
    assert len(parts(path)) == 2 and share(script(recorder, parts(path)[1]), "fault") > 0, err


SLOW_CALL = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <setjmp.h>
KEEP void sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, 0);
    __asm__ volatile("");
}
static jmp_buf back;
KEEP int serve(int depth, long ms)
{
    if (ms < 0) longjmp(back, 1);
    if (depth) return serve(depth - 1, ms) + 1;
    if (ms) sleep_ms(ms); else { SPIN(2000); }
    __asm__ volatile("");
    return 0;
}
int main(int argc, char **argv)
{
    (void)argc;
    for (int i = 0; i < 3000; i++) {
        if (setjmp(back) == 0) serve(2, i % 100 == 50 ? -1 : i == 2000 ? atol(argv[1]) : 0);
        if (i % 100 == 0) sleep_ms(1);
    }
    puts("done"); fflush(stdout);
    getchar();
    return 0;
}
"""


def latency(recorder):
    """One slow call among thousands writes a file, which has it; its thread, time and callers are said."""
    path, program = fresh(recorder, "latency.data"), recorder.compile("slow", SLOW_CALL, "-O1", "-g", "-fno-omit-frame-pointer")
    condition = f"latency>50ms@u:{program}:serve"
    process = start([recorder.wperf, "record", "-g", *CLOCK, "--off-cpu", "--ring", "64M", "-o", path,
                     "--trigger", condition, "--", program, 80], stdin=subprocess.PIPE)
    assert process.stdout.readline() == "done\n"
    waiting.wait_until(lambda: parts(path), "a file because of a slow call")
    process.stdin.close()
    process.stdin = None
    err = end(process)
    found = re.findall(r"^note: trigger '(.*)': slow \(thread (\d+) of process (\d+)\) was in it for ([\d.]+) ms, "
                       r"until ([\d.]+) s; called from (.*)$", err, re.M)
    assert len(found) == 1 and found[0][0] == condition and found[0][1] == found[0][2], err
    assert 80 <= float(found[0][3]) < 300 and found[0][5].startswith("slow+0x"), found
    samples = script(recorder, parts(path)[0])
    slow = [sample for sample in samples if sample.event == "off-cpu" and {"sleep_ms", "serve"} <= set(sample.names())]
    assert len(parts(path)) == 1 and len(slow) == 1 and slow[0].weight > 75e6, (len(slow), err)
    ended = float(found[0][4])
    assert ended - 0.3 < slow[0].time < ended, (slow[0].time, ended)
    # Nothing takes so long.
    process = start([recorder.wperf, "record", "--ring", "64M", "-o", path, "--trigger", f"latency>5s@u:{program}:serve",
                     "--", program, 80], stdin=subprocess.PIPE)
    process.stdin.close()
    process.stdin = None
    assert "trigger" not in end(process)
    for words, message in (([f"latency>x@u:{program}:serve"], "latency>50ms@u:"), (["latency>50ms@usdt:a:b"], "wperf list probes"),
                           ([f"latency>50ms@u:{program}:swerve"], "did you mean 'serve'"),
                           (["latency>50ms"], "latency>50ms@u:")):
        done = run([recorder.wperf, "record", "--ring", "64M", "-o", path, "--trigger", *words, "--", "true"], code=None)
        assert done.returncode and message in done.stderr, (words, done.stderr)
    done = run([recorder.wperf, "record", "--ring", "64M", "-o", path, "-a", "--trigger", condition, "--timeout", "1"], code=None)
    assert done.returncode and "-p PID" in done.stderr, done.stderr
    # The kernel would tell other numbers than those of the container.
    inside = ["unshare", "--pid", "--fork", "--mount", "--mount-proc", "--kill-child"]
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        return found[0][3] + ", no container here"
    done = run([*inside, recorder.wperf, "record", "--ring", "64M", "-o", path, "--trigger", condition, "--", program, 0],
               code=None, stdin=subprocess.DEVNULL)
    assert done.returncode and "PID namespace" in done.stderr, done.stderr
    return found[0][3]


LEFT_CALL = """
#include <setjmp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
static jmp_buf back;
static void nap(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, 0);
}
KEEP void serve(int depth, long ms)
{
    if (ms < 0) longjmp(back, 1);
    if (depth) serve(depth - 1, ms); else nap(ms);
    __asm__ volatile("");
}
KEEP void deeper(int depth, long ms)
{
    volatile char room[4096];
    room[0] = 0;
    serve(depth, ms);
    room[1] = 0;
}
int main(void)
{
    if (setjmp(back) == 0) serve(0, -1);
    deeper(100, 80);
    getchar();
    prctl(PR_SET_NAME, "a\\033[31mb\\nc");
    deeper(0, 400);
    nap(500); /* wperf looks meanwhile */
    deeper(0, 80);
    getchar();
    return 0;
}
"""


def latency_of_calls_left(recorder):
    """A call that longjmp() left, and calls within each other that the kernel gives no return of, hide none."""
    path, program = fresh(recorder, "left.data"), recorder.compile("left", LEFT_CALL, "-O1", "-g")
    process = start([recorder.wperf, "record", *CLOCK, "--ring", "1M", "-o", path, "--trigger",
                     f"latency>50ms@u:{program}:serve", "--", program], stdin=subprocess.PIPE)
    waiting.wait_until(lambda: parts(path), "a file because of a slow call")
    # Of what comes within the pause, the longest is told when that is over.
    process.stdin.write("\n")
    process.stdin.flush()
    waiting.wait_until(lambda: len(parts(path)) == 2, "a file because of the calls after that")
    process.stdin.close()
    process.stdin = None
    err = end(process)
    found = re.findall(r"was in it for ([\d.]+) ms, until [\d.]+ s; called from (.*)$", err, re.M)
    assert len(found) == 2 and "did not time" not in err, err
    assert 80 <= float(found[0][0]) < 400 <= float(found[1][0]), found
    # What the program calls itself is no command to the terminal.
    assert r"': a\x1b[31mb\x0ac (thread" in err, err
    # The longest is the outermost.
    deeper = int(re.search(r"^(\w+) . deeper$", run(["nm", program]).stdout, re.M)[1], 16)
    caller = int(re.match(r"left\+0x(\w+)", found[0][1])[1], 16)
    assert deeper < caller < deeper + 100, (found, deeper)


def broken_counters(recorder):
    """The counter of a trigger cannot be read: the run ends, with all that the ring has, and says why."""
    path, marker = fresh(recorder, "broken.data"), recorder.path("broken.now")
    marker.unlink(missing_ok=True)
    library = recorder.compile("broken.so", BROKEN_COUNTERS, "-shared", "-fPIC")
    process = start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "16M", "--trigger", "page-faults>1000000000/s",
                     "-o", path, "--", recorder.program, 0.3, 100],
                    env={**os.environ, "LD_PRELOAD": str(library), "BREAK_COUNTERS": str(marker)})
    assert process.stdout.readline() == "B\n"
    marker.touch()
    err = end(process, 1)
    assert "cannot read" in err and err.index("recorded") < err.index("cannot read"), err
    samples = script(recorder, path)
    assert share(samples, "early") > 0.5, len(samples)
    return f"{len(samples)} samples"


def many_processes(recorder):
    """A ring that thousands of processes pass needs no more memory for them."""
    path, source = fresh(recorder, "many.data"), "static int spare; int main(int argc, char **argv) { (void)argc;" \
        " for (int i = 0; i < atoi(argv[1]); i++) { if (!fork()) _exit(spare); wait(0); } return 0; }"
    forks = recorder.compile("forks", "#include <stdlib.h>\n#include <unistd.h>\n#include <sys/wait.h>\n" + source, "-O1")
    batches, kib = 4, []
    script_words = f"for i in {' '.join(map(str, range(batches)))}; do {forks} 4500; echo $i; read go; done"
    process = start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "1M", "-o", path, "--", "sh", "-c", script_words],
                    stdin=subprocess.PIPE)
    for batch in range(batches):
        assert process.stdout.readline() == f"{batch}\n"
        kib.append(int(re.search(r"VmRSS:\s+(\d+)", waiting.read_proc(process.pid, "status"))[1]))
        process.stdin.write("\n")
        process.stdin.flush()
    end(process)
    script(recorder, path)
    # Half a KiB for each of the last 9,000 would be 4,500. Sanitizers keep what is freed.
    is_sanitized = b"__asan_init" in pathlib.Path(recorder.wperf).read_bytes()
    assert is_sanitized or kib[-1] - kib[1] < 3300, kib
    return f"{kib} KiB"


def commands(recorder):
    """--control: while disabled, nothing is kept."""
    path = fresh(recorder, "control.data")
    names = [recorder.path(name) for name in ("ctl", "ack")]
    for name in names:
        name.unlink(missing_ok=True)
        os.mkfifo(name, 0o600)
    process = start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "64M", "-o", path,
                     "--control", f"fifo:{names[0]},{names[1]}", "--", recorder.program, 100, 1])
    with open(names[0], "w") as control, open(names[1]) as answers:
        def ask(word):
            control.write(word + "\n")
            control.flush()
            return answers.readline().strip()
        running = waiting.wait_for_child(process.pid)
        waiting.wait_for_cpu(running, 0.05)
        assert ask("disable") == "ack" and ask("snapshot") == "ack"
        waiting.wait_until(lambda: len(parts(path)) == 1, "a first file")
        waiting.wait_for_cpu(running, 0.1)
        assert ask("snapshot") == "ack"
        waiting.wait_until(lambda: len(parts(path)) == 2, "a second file")
        assert ask("enable") == "ack" and ask("ping") == "ack"
        waiting.wait_for_cpu(running, 0.1)
        assert ask("dance").startswith("error: ")
        assert ask("stop") == "ack"
        end(process)
    sizes = [len(script(recorder, part)) for part in (*parts(path), path)]
    assert 0 < sizes[0] == sizes[1] < sizes[2], sizes


def on_a_small_disk(recorder, work):
    folder = recorder.path("small")
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        return "skipped: no file system of one's own here"
    try:
        work(folder / "x.data", lambda: run(["mount", "-o", "remount,size=16m", folder]))
    finally:
        run(["umount", folder])
    return None


def wait_for_full_disk(process):
    lines = iter(process.stderr.readline, "")
    assert any("No space left on device" in line for line in lines), "the run has ended"


def no_room_for_a_snapshot(recorder):
    """It is reported, and the recording goes on."""
    def work(path, make_room):
        process = start([recorder.wperf, "record", "-g", *CLOCK, "--ring", "64M", "-o", path, "--",
                         recorder.program, 100, 1])
        running = waiting.wait_for_child(process.pid)
        waiting.wait_for_cpu(running, 0.5)
        process.send_signal(signal.SIGUSR2)
        wait_for_full_disk(process)
        assert not parts(path)
        make_room()
        process.send_signal(signal.SIGUSR2)
        waiting.wait_until(lambda: parts(path), "a file")
        process.send_signal(signal.SIGINT)
        end(process, 1)
        assert len(script(recorder, parts(path)[0])) < len(script(recorder, path))
    return on_a_small_disk(recorder, work)


def no_room_for_files(recorder):
    """What the disk has is kept, and files follow once there is room."""
    def work(path, make_room):
        process = start([recorder.wperf, "record", "-g", *CLOCK, "--switch-output=500ms", "-o", path, "--",
                         recorder.program, 100, 1])
        waiting.wait_until(lambda: parts(path), "a first file")
        wait_for_full_disk(process)
        full = len(parts(path))
        make_room()
        waiting.wait_until(lambda: len(parts(path)) > full + 1, "files after that")
        process.send_signal(signal.SIGINT)
        end(process, 1)
        assert script(recorder, parts(path)[-1])
        assert share(script(recorder, parts(path)[0]), "early") > 0.9
    return on_a_small_disk(recorder, work)


def main():
    recorder = Recorder(sys.argv[1], sys.argv[2])
    recorder.program = recorder.compile("native", NATIVE, "-O1", "-g")
    tests = (ring_of_python, signal_in_the_middle, ring_by_size, files_in_turn, newest_files, triggers, latency, latency_of_calls_left, broken_counters, many_processes, commands,
             no_room_for_a_snapshot, no_room_for_files)
    run_tests([test for test in tests if test.__name__ in sys.argv[3:] or not sys.argv[3:]], recorder)


if __name__ == "__main__":
    main()
