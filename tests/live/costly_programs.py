# SPDX-License-Identifier: Apache-2.0
"""Programs with endless mappings, names and stacks: what they may cost who profiles them.

costly_programs.py WPERF FOLDER
"""
import os
import pathlib
import subprocess
import sys

import recorder

MAX_MB, MAX_MAP_MB = 300, 1024
MAX_CPU_SECONDS = 10
SECONDS = "3"
PYTHON = "/usr/bin/python3"

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


# Code of a compiler, and the file with its names: argv[1] lines of it, and argv[2] bytes of zeros.
COMPILED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	static const unsigned char loop[] = {0xb9, 0, 0, 0x10, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
	void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "w");
	if (!map || code == MAP_FAILED)
		return 1;
	memcpy(code, loop, sizeof(loop));
	for (long i = atol(argv[1]); i; i--)
		fputs("1 1 a\\n", map);
	fflush(map);
	if (ftruncate(fileno(map), ftell(map) + atol(argv[2])))
		return 1;
	fseek(map, 0, SEEK_END);
	fprintf(map, "\\n%lx 1000 compiled\\n", (long)code);
	fclose(map);
	printf("%d\\n", getpid());
	UNTIL(300) ((void (*)(void))code)();
	return 0;
}
"""

# Threads whose stacks are deep, with long values.
DEEP = """
import threading, time
waiting = threading.Lock()
waiting.acquire()
def call(depth, a="a" * 200, b="b" * 200, c="c" * 200, d="d" * 200, e="e" * 200):
    if depth:
        return call(depth - 1)
    waiting.acquire()
for i in range(60):
    threading.Thread(target=call, args=(900,), daemon=True).start()
print("ready", flush=True)
time.sleep(1000)
"""

# The next thread in the interpreter's list is the same one again.
ENDLESS = """
import ctypes, time
def call(depth, a="a" * 200, b="b" * 200, c="c" * 200, d="d" * 200, e="e" * 200):
    if depth:
        return call(depth - 1)
    current = ctypes.pythonapi.PyThreadState_Get
    current.restype = ctypes.c_void_p
    ctypes.c_uint64.from_address(current() + 8).value = current()
    print("ready", flush=True)
    time.sleep(1000)
call(900)
"""


def peak_mb(words):
    """What wperf prints, and the peak of its own memory: that of programs is not in it."""
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as child:
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, text
    seconds = usage.ru_utime + usage.ru_stime
    assert seconds <= MAX_CPU_SECONDS, f"{seconds} s: {text[-500:]}"
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


def check_names_of_compiled_code(test, program, lines, zeros, expected):
    """The program prints its number, by which its file is found, also after its end."""
    data = test.path("compiled.data")
    done = recorder.run([test.wperf, "record", *recorder.clock_event(), "-q", "--save", data, "--",
                         program, lines, zeros])
    names = pathlib.Path(f"/tmp/perf-{int(done.stdout.split()[0])}.map")
    try:
        peak, text = peak_mb([test.wperf, "report", "-i", data])
    finally:
        names.unlink()
    assert expected in text, text
    assert peak <= MAX_MAP_MB, f"{peak} MB: {text}"
    return f"{peak} MB"


def names_of_compiled_code(test):
    program = test.compile("compiled", COMPILED, "-O1")
    return ", ".join(check_names_of_compiled_code(test, program, *size) for size in (
        (10, 0, "compiled"), (10_000_000, 0, "wrote more than 4194304 names; 5805697 of them"),
        (0, 200 << 20, "compiled"), (0, 100 << 30, "has more than 268435456 bytes")))


def check_dump(test, source):
    script = test.path("script.py")
    script.write_text(source, encoding="utf-8")
    with subprocess.Popen([PYTHON, script], stdout=subprocess.PIPE, text=True) as python:
        try:
            assert python.stdout.readline() == "ready\n"
            peak, text = peak_mb([test.wperf, "dump", "--locals", python.pid])
        finally:
            python.kill()
    assert "more threads: the output is limited to 8 MB" in text[-200:], text[-200:]
    assert len(text) < 9 << 20, len(text)
    assert peak <= MAX_MB, f"{peak} MB"
    return f"{peak} MB, {len(text) >> 20} MB of text"


def deep_python_stacks(test):
    return check_dump(test, DEEP)


def endless_list_of_python_threads(test):
    return check_dump(test, ENDLESS)


def main():
    test = recorder.Recorder(sys.argv[1], sys.argv[2])
    if os.geteuid() != 0:
        print("only root samples the whole system")
        sys.exit(77)
    recorder.run_tests([many_maps_and_forks, names_of_interpreters, names_of_compiled_code,
                        deep_python_stacks, endless_list_of_python_threads], test)


main()
