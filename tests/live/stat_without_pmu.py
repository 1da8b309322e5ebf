# SPDX-License-Identifier: Apache-2.0
"""`stat` where the kernel has no CPU PMU, played by a library that refuses hardware events."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# What perf_event_open answers on such a machine.
LIBRARY = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/syscall.h>
long syscall(long number, ...)
{
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long values[6];
	va_list arguments;
	va_start(arguments, number);
	for (int i = 0; i < 6; i++)
		values[i] = va_arg(arguments, long);
	va_end(arguments);
	const struct perf_event_attr *attr = (const void *)values[0];
	if (number == SYS_perf_event_open && (attr->type == PERF_TYPE_HARDWARE ||
	    attr->type == PERF_TYPE_HW_CACHE || attr->type == PERF_TYPE_RAW)) {
		errno = ENOENT;
		return -1;
	}
	return real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}
"""
PROGRAM = ["--", "/bin/true"]


def build(folder):
    source, library = folder / "no_pmu.c", folder / "no_pmu.so"
    source.write_text(LIBRARY)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def run(wperf, library, *words):
    return subprocess.run([wperf, "stat", *words, *PROGRAM], capture_output=True, text=True,
                          check=False, env={**os.environ, "LD_PRELOAD": str(library)})


def rows_of(done):
    assert done.returncode == 0, done.stderr
    return {row["event_name"]: row for row in
            json.loads(done.stdout)["processes"][0]["Performance_counter"]}


def main():
    wperf = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        library = build(pathlib.Path(name))
        done = run(wperf, library)
        if "cycles  " in done.stdout:
            print("skipped: this wperf is linked so that nothing can stand before the kernel")
            return 77
        assert done.returncode == 0 and "task-clock" in done.stdout, done
        notes = done.stderr.splitlines()
        assert len(notes) == 1 and len(notes[0]) <= 100 and "wperf detect" in notes[0], notes
        for words in ("cycles,task-clock", "{cycles,task-clock}", "r11,task-clock",
                      "{r11,r8},task-clock", "cycles:u,LLC-loads,task-clock"):
            rows = rows_of(run(wperf, library, "--json", "-e", words))
            clock = rows.pop("task-clock")
            assert clock["counter_value"] > 0 and "supported" not in clock, clock
            assert rows and all(row["counter_value"] is None and row["supported"] is False
                                for row in rows.values()), rows
            assert not run(wperf, library, "--json", "-e", words).stderr
        done = run(wperf, library, "-e", "cycles,instructions")
        assert done.returncode == 1 and not done.stdout, done
        assert done.stderr.startswith("this machine cannot count 'cycles'\nhint: "), done.stderr
        done = run(wperf, library, "-m", "ipc")
        assert done.returncode == 2 and "hint: metrics need CPU counters" in done.stderr, done.stderr
    return 0


if __name__ == "__main__":
    sys.exit(main())
