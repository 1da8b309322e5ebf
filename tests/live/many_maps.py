# SPDX-License-Identifier: Apache-2.0
"""Programs whose mappings are many: what they may cost the one who profiles the whole system.

many_maps.py WPERF FOLDER
"""
import os
import subprocess
import sys

import recorder

MAX_MB = 300
SECONDS = "3"

# Areas of one file with different rights in turn, so that the kernel joins none of them. Each child
# maps one more, so that its mappings differ from its parent's.
FORKS = """
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
enum { NUM_MAPS = 30000 };
static void *map(int file, int i)
{
	return mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_READ | PROT_EXEC, MAP_PRIVATE, file,
		    i % 3 * 4096);
}
int main(int argc, char **argv)
{
	int file = open(argv[1], O_RDONLY);
	for (int i = 0; i < NUM_MAPS; i++)
		if (map(file, i) == MAP_FAILED)
			return 1;
	puts("ready");
	fflush(stdout);
	for (;;) {
		pid_t child = fork();
		if (child == 0) {
			volatile char sum = *(char *)map(file, 0);
			clock_t end = clock() + CLOCKS_PER_SEC / 100;
			while (clock() < end)
				sum++;
			return 0;
		}
		if (child < 0 || waitpid(child, NULL, 0) < 0)
			return 1;
	}
}
"""

# What these files are named would make them interpreters of Python.
NAMES = """
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	SPIN(10000000);
	for (int i = 1; i < argc; i++) {
		int file = open(argv[i], O_RDONLY);
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED)
			return 1;
	}
	SPIN(100000000);
	return 0;
}
"""


def peak_mb(words):
    """What wperf prints, and the peak of its own memory: that of programs is not in it."""
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as child:
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, text
    return usage.ru_maxrss >> 10, text


def many_maps_and_forks(test):
    program = test.compile("forks", FORKS)
    with subprocess.Popen([program, program], stdout=subprocess.PIPE, text=True) as forking:
        try:
            assert forking.stdout.readline() == "ready\n", "cannot map 30,000 areas"
            peak, text = peak_mb([test.wperf, "record", "-a", *recorder.clock_event(), "--timeout",
                                  SECONDS, "--save", test.path("maps.data")])
        finally:
            forking.kill()
    assert peak <= MAX_MB, f"{peak} MB: {text}"
    found, _ = peak_mb([test.wperf, "report", "-i", test.path("maps.data"), "--sort", "comm"])
    assert found <= MAX_MB, f"{found} MB to report"
    rows = test.report(test.path("maps.data"), "--sort", "comm")
    assert any("forks" in row.values() for row in rows), rows
    return f"{peak} MB to record, {found} MB to report"


def names_of_interpreters(test):
    """No more than 256 such files are opened."""
    program = test.compile("names", NAMES, "-O1")
    files = []
    for i in range(300):
        files.append(test.path(f"python-{i}"))
        files[-1].write_bytes(bytes(4096))
    peak, text = peak_mb([test.wperf, "record", *recorder.clock_event(), "--save",
                          test.path("names.data"), "--", program, *files])
    assert "more than 256 files have an interpreter's name" in text, text
    assert peak <= MAX_MB, f"{peak} MB: {text}"
    return f"{peak} MB"


def main():
    test = recorder.Recorder(sys.argv[1], sys.argv[2])
    if os.geteuid() != 0:
        print("only root samples the whole system")
        sys.exit(77)
    recorder.run_tests([many_maps_and_forks, names_of_interpreters], test)


main()
