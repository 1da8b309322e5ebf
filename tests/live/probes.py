# SPDX-License-Identifier: Apache-2.0
"""Probes as events: counts of known loops, samples with native and Python stacks, and what is refused."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import recorder
from waiting import wait_for_program

LOOP = """
#include <pthread.h>
#include <stdio.h>
KEEP int visit(int n) { __asm__ volatile("" : "+r"(n)); return n + 1; }
KEEP int other(int n) { __asm__ volatile("" : "+r"(n)); return n + 2; }
KEEP int calls(int n) { int sum = 0; for (int i = 0; i < n; i++) sum = visit(sum); return other(sum); }
static void *thread(void *unused) { calls(100); return unused; }
int main(void)
{
	pthread_t id;
	int sum = calls(5000);
	if (pthread_create(&id, NULL, thread, NULL) || pthread_join(id, NULL))
		return 1;
	return sum != 5002;
}
"""
# A static probe as <sys/sdt.h> makes it, in two places, with a counter that must be set for it.
STATIC = """
unsigned short counter __attribute__((section(".probes"), used));
#define PROBE(name) __asm__ volatile("990: nop\\n" \\
	".pushsection .note.stapsdt,\\"\\",\\"note\\"\\n.balign 4\\n" \\
	".4byte 992f-991f, 994f-993f, 3\\n991: .asciz \\"stapsdt\\"\\n992: .balign 4\\n" \\
	"993: .8byte 990b, _.stapsdt.base, counter\\n.asciz \\"test\\"\\n.asciz \\"" name "\\"\\n.asciz \\"\\"\\n" \\
	"994: .balign 4\\n.popsection\\n")
__asm__(".pushsection .stapsdt.base,\\"aG\\",\\"progbits\\",.stapsdt.base,comdat\\n.weak _.stapsdt.base\\n"
	".hidden _.stapsdt.base\\n_.stapsdt.base: .space 1\\n.size _.stapsdt.base, 1\\n.popsection\\n");
int main(void)
{
	for (int i = 0; i < 70; i++)
		if (*(volatile unsigned short *)&counter) PROBE("often");
	for (int i = 0; i < 30; i++)
		if (*(volatile unsigned short *)&counter) PROBE("often");
	PROBE("once");
	return 0;
}
"""
PYTHON = """
import gc, time
def collect():
    gc.collect()
for i in range(200):
    collect()
    time.sleep(0.005)
"""


def counts(live, events, command):
    done = recorder.run([live.wperf, "stat", "-e", events, "--json", "--", *command])
    rows = recorder.find_rows(json.loads(done.stdout[done.stdout.index("{"):]))
    return {row["event_name"]: row["counter_value"] for row in rows}


def counts_are_exact(live):
    program = live.compile("loop", LOOP, "-O1", "-g", "-pthread")
    words = [f"u:{program}:visit", f"ur:{program}:visit", f"u:{program}:other"]
    # The thread starts (its pthread_create() is not broken), and is not counted.
    found = counts(live, ",".join(words), [program])
    assert found == {words[0]: 5000, words[1]: 5000, words[2]: 1}, found
    done = recorder.run([live.wperf, "stat", "-e", words[0], "--", program])
    assert "do not follow threads" in done.stderr, done.stderr


def samples_have_callers(live):
    program, path = live.path("loop"), live.path("probe.data")
    recorder.run([live.wperf, "record", "-q", "-g", "-e", f"u:{program}:visit:10,u:{program}:other", "--save", path,
                  "--", program])
    samples = live.samples(path)
    visits = [sample for sample in samples if sample.frames[0].name == "visit"]
    others = [sample for sample in samples if sample.frames[0].name == "other"]
    # Each core counts to ten by itself.
    assert 5000 / 10 - os.cpu_count() <= len(visits) <= 500, len(visits)
    assert {sample.weight for sample in visits} == {10}, visits[0].weight
    assert len(others) == 1 and others[0].names()[:3] == ["other", "calls", "main"], others[0].names()
    assert all(sample.names()[:3] == ["visit", "calls", "main"] for sample in visits)


def static_probes_are_counted(live):
    program = live.compile("static", STATIC, "-O1")
    found = counts(live, f"usdt:{program}:test:often,usdt:test:once", [program])
    assert found == {f"usdt:{program}:test:often#1": 70, f"usdt:{program}:test:often#2": 30, "usdt:test:once": 1}, found
    listed = recorder.run([live.wperf, "list", "probes", program, "usdt", "--json"])
    rows = {row["probe"]: row["places"] for row in json.loads(listed.stdout)["probes"]}
    assert rows == {f"usdt:{program}:test:often": 2, f"usdt:{program}:test:once": 1}, rows


def static_probes_of_processes(live):
    """Of several numbers, and by a name: also where only the last has the probe, and once where all have the file."""
    program = live.compile("endless", STATIC.replace("return 0;", "for (;;) PROBE(\"once\");"), "-O1")
    with subprocess.Popen(["sleep", "100"]) as other, subprocess.Popen([program]) as one, \
            subprocess.Popen([program]) as two:
        try:
            wait_for_program(one.pid, "endless")
            wait_for_program(two.pid, "endless")
            path = live.path("processes.data")
            for words in ["-p", f"{other.pid},{one.pid},{two.pid}"], ["--image_name", "endless"]:
                recorder.run([live.wperf, "record", "-e", "usdt:test:often", *words, "--timeout", "0.1", "--save", path])
                done = recorder.run([live.wperf, "record", "-e", "usdt:test:once:1000", *words, "--timeout", "0.2",
                                     "--save", path])
                samples = live.samples(path)
                assert {sample.pid for sample in samples} == {one.pid, two.pid}, (words, done.stderr)
                # Two places, in one file.
                assert {sample.event for sample in samples} == {"usdt:test:once#2"}, {s.event for s in samples}
        finally:
            for process in other, one, two:
                process.kill()


def a_pipe_is_not_waited_for(live):
    """Where a program was, which its process still has mapped."""
    program = live.path("replaced")
    shutil.copy(live.path("endless"), program)
    with subprocess.Popen([program]) as process:
        try:
            wait_for_program(process.pid, "replaced")
            pathlib.Path(program).unlink()
            # The kernel says "(deleted)" behind the path.
            os.mkfifo(f"{program} (deleted)")
            done = recorder.run([live.wperf, "record", "-e", "usdt:test:often", "-p", process.pid], None, timeout=20)
            assert done.returncode and "the target has no static probe" in done.stderr, done.stderr
        finally:
            process.kill()
            pathlib.Path(f"{program} (deleted)").unlink(missing_ok=True)


def python_has_lines(live):
    python = shutil.which("python3", path="/usr/bin")
    if "usdt" not in recorder.run([live.wperf, "list", "probes", python, "gc__start"], None).stdout:
        return "this Python has no static probes"
    script = live.path("collect.py")
    script.write_text(PYTHON)
    path = live.path("python.data")
    done = recorder.run([live.wperf, "record", "-e", "usdt:python:gc__start", "--save", path, "--", python, script])
    samples = live.samples(path)
    within = [sample for sample in samples if "collect" in sample.names()]
    assert len(within) == 200, (len(within), len(samples), done.stdout)
    return None


def refused(live, event, *messages):
    done = recorder.run([live.wperf, "stat", "-e", event, "--", live.path("loop")], None)
    assert done.returncode, (event, done.stdout)
    for message in messages:
        assert message in done.stderr, (event, message, done.stderr)


def instructions_of(program, function):
    """Where they begin, by objdump, from the function's beginning on."""
    text = recorder.run(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", program]).stdout
    places = [int(place, 16) for place in re.findall(r"^\s+([0-9a-f]+):\t", text, re.M)]
    return [place - places[0] for place in places]


def mistakes_are_told(live):
    program = live.path("loop")
    refused(live, f"u:{program}:visti", "has no function 'visti'", "did you mean 'visit'?")
    refused(live, f"u:{program}:+0", "there is no code at")
    refused(live, f"u:{program}:+0x7fffffff", "has no code at offset")
    refused(live, f"u:{program}:visit+0x1000", "has only")
    instructions = instructions_of(program, "calls")
    for offset in [offset for offset in range(1, instructions[-1]) if offset not in instructions][:3]:
        refused(live, f"u:{program}:calls+{offset}", "no instruction begins at")
    assert len(instructions) > 5 and counts(live, f"u:{program}:calls+{instructions[1]}", [program]), instructions
    refused(live, "u:visit", "not a probe: 'u:visit'", "u:/path/to/file:function")
    refused(live, f"u:{live.path('none')}:visit", "No such file")
    refused(live, "usdt:test:often", "the target has no static probe 'test:often'", "usdt:/path/to/file:test:often")
    libc = re.search(r"(/\S+/libc\.so\.6)", pathlib.Path("/proc/self/maps").read_text())
    if libc and os.uname().machine == "x86_64":
        refused(live, f"u:{libc[1]}:memcpy", "has a variant for each CPU")
    if not pathlib.Path("/sys/bus/event_source/devices/kprobe").exists():
        refused(live, "k:vfs_read", "this kernel has no probes in its own code", "CONFIG_KPROBE_EVENTS")


def kernel_functions_are_counted(live):
    if not pathlib.Path("/sys/bus/event_source/devices/kprobe").exists():
        return "this kernel has no kprobes"
    # Each of dd's blocks is a read.
    found = counts(live, "k:ksys_read,kr:ksys_read", ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=3000"])
    assert all(3000 <= count <= 3100 for count in found.values()) and len(found) == 2, found
    return None


if __name__ == "__main__":
    if os.geteuid() or not pathlib.Path("/sys/bus/event_source/devices/uprobe").exists():
        print("skipped: probes need root and a kernel with uprobes")
        sys.exit(77)
    recorder.run_tests([counts_are_exact, samples_have_callers, static_probes_are_counted, static_probes_of_processes,
                        a_pipe_is_not_waited_for, python_has_lines, mistakes_are_told, kernel_functions_are_counted],
                       recorder.Recorder(os.path.abspath(sys.argv[1]), sys.argv[2]))
