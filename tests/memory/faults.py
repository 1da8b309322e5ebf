# SPDX-License-Identifier: Apache-2.0
"""Programs that crash, are killed, or have no memory; and a wperf that is killed, stopped or asked to end: the
program always goes on or ends as it would by itself, and what was recorded is there."""
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import allocations
from allocations import check_bytes

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "live"))
import recorder  # noqa: E402
import waiting  # noqa: E402

CRASHES = """
#include <signal.h>
#include <string.h>
#include <unistd.h>
KEEP void work(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
int main(int argc, char **argv)
{
	work();
	if (!strcmp(argv[1], "crash"))
		raise(SIGSEGV);
	if (!strcmp(argv[1], "killed"))
		kill(getpid(), SIGKILL);
	if (!strcmp(argv[1], "abort"))
		abort();
	return 3;
}
"""

# Says by its output, in the file, that it goes on.
LASTING = """
#include <stdio.h>
#include <time.h>
int main(int argc, char **argv)
{
	FILE *out = fopen(argv[1], "w");
	time_t end = time(NULL) + atoi(argv[2]);
	for (long rounds = 0; time(NULL) < end; rounds++) {
		for (int i = 0; i < 1000; i++) { void *p = malloc(3000); TOUCH(p); free(p); }
		rewind(out);
		fprintf(out, "%20ld\\n", rounds);
		fflush(out);
	}
	fprintf(out, "done\\n");
	return fclose(out);
}
"""

NO_MEMORY = """
#include <stdio.h>
#include <sys/resource.h>
int main(void)
{
	struct rlimit limit = {300 << 20, 300 << 20};
	setrlimit(RLIMIT_AS, &limit);
	int num = 0, failed = 0;
	for (; num < 100000 && !failed; num++)
		failed = !malloc(1 << 20);
	return failed && num > 100 && num < 300 ? 8 : 1;
}
"""

KILLED_CHILDREN = """
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
KEEP void endless(void) { for (;;) { void *p = malloc(100000); TOUCH(p); free(p); } }
KEEP void work(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
int main(void)
{
	for (int round = 0; round < 40; round++) {
		pid_t pids[8];
		for (int i = 0; i < 8; i++)
			if (!(pids[i] = fork()))
				endless();
		usleep(2000);
		for (int i = 0; i < 8; i++) {
			kill(pids[i], SIGKILL);
			waitpid(pids[i], NULL, 0);
		}
	}
	work();
	return 2;
}
"""


def check_ends(recording):
    program = recording.build("crashes", CRASHES)
    for word, code in ("crash", 128 + signal.SIGSEGV), ("killed", 128 + signal.SIGKILL), \
            ("abort", 128 + signal.SIGABRT), ("none", 3):
        samples, _done = recording.trace([program, word], code=code)
        check_bytes([sample.weight for sample in samples if "work" in sample.names()], 20000000, word)


def check_killed_children(recording):
    """In the middle of a sample, too: their slots come back."""
    samples, _done = recording.trace([recording.build("killed", KILLED_CHILDREN)], code=2)
    check_bytes([sample.weight for sample in samples if "work" in sample.names()], 20000000, "after 320 kills")


def rounds_of(path):
    text = path.read_text() if path.exists() else ""
    return int(text.split()[0]) if text.split() else -1


def start(recording, seconds):
    out = recording.path("rounds")
    out.unlink(missing_ok=True)
    program = recording.build("lasting", LASTING)
    path = recording.path("lasting.data")
    path.unlink(missing_ok=True)
    wperf = subprocess.Popen([recording.wperf, "record", "-q", "-e", "alloc:1M", "--save", path, "--", program, out,
                              str(seconds)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    waiting.wait_until(lambda: rounds_of(out) > 0, "the program runs")
    return wperf, out, path


def check_wperf_killed(recording):
    wperf, out, _path = start(recording, 3)
    wperf.kill()
    wperf.wait()
    now = rounds_of(out)
    # Without anybody who reads, it is as fast as by itself: many rounds in a short time.
    begin = time.monotonic()
    waiting.wait_until(lambda: rounds_of(out) > now + 2000, "the program goes on without wperf")
    print(f"without wperf: 2,000 rounds in {time.monotonic() - begin:.2f} s")
    waiting.wait_until(lambda: "done" in out.read_text(), "the program ends")


def check_wperf_stopped(recording):
    wperf, out, path = start(recording, 3)
    wperf.send_signal(signal.SIGSTOP)
    now = rounds_of(out)
    waiting.wait_until(lambda: rounds_of(out) > now + 500, "the program goes on while wperf is stopped")
    wperf.send_signal(signal.SIGCONT)
    assert wperf.wait(60) == 0
    assert recording.samples(path)
    assert "records LOST" in recorder.run([recording.wperf, "report", "-i", path]).stdout


def check_interrupted(recording):
    wperf, out, path = start(recording, 30)
    wperf.send_signal(signal.SIGINT)
    wperf.wait(30)
    assert recording.samples(path)
    assert "done" not in out.read_text()


def check_valgrind(recording):
    """It brings an allocator of its own into the program: nothing is sampled, and all else is as usual."""
    if not shutil.which("valgrind"):
        print("left out: valgrind is not installed")
        return
    program = recording.build("crashes", CRASHES)
    done = recorder.run([recording.wperf, "record", "-e", "alloc", "--save", recording.path("v.data"), "--",
                         "valgrind", "-q", "--error-exitcode=99", program, "none"], code=3)
    assert "Invalid" not in done.stdout + done.stderr, done.stderr
    # Without its allocator, ours is checked while it takes samples.
    samples, done = recording.trace(["valgrind", "-q", "--soname-synonyms=somalloc=nouserintercepts",
                                     "--error-exitcode=99", program, "none"], "alloc:64K,heap:64K", code=3)
    assert not re.search(r"^==\d+==", done.stderr, re.M), done.stderr
    check_bytes([sample.weight for sample in samples if sample.event == "alloc" and "work" in sample.names()],
                20000000, "in valgrind")


def check(recording):
    check_ends(recording)
    recording.trace([recording.build("no_memory", NO_MEMORY)], code=8)
    check_killed_children(recording)
    check_wperf_killed(recording)
    check_wperf_stopped(recording)
    check_interrupted(recording)
    check_valgrind(recording)


allocations.main(check)
