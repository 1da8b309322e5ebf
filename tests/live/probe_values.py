# SPDX-License-Identifier: Apache-2.0
"""Values of probes: arguments and returned values of known programs, as numbers and strings, by line."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import recorder

CALLS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
KEEP void *grab(size_t n) { void *p = malloc(n); __asm__ volatile("" : : "r"(p) : "memory"); return p; }
KEEP int twice(int n, const char *text) { __asm__ volatile("" : : "r"(text)); return 2 * n; }
static void *thread(void *unused) { for (int i = 0; i < 100; i++) free(grab(20000)); return unused; }
int main(int count, char **words)
{
	pthread_t id;
	for (int i = 0; i < 300; i++) {
		free(grab(10000 + i % 3));
		twice(i - 100, i % 10 ? "often" : "rare");
	}
	for (int i = 0; i < 10; i++) {
		FILE *file = fopen(i % 5 ? "/etc/passwd" : "/etc/hostname", "r");
		if (file)
			fclose(file);
	}
	if (pthread_create(&id, NULL, thread, NULL) || pthread_join(id, NULL))
		return 1;
	if (count == 1 && fork() == 0) {
		// Its parent's probes are not its own at once; wperf has time to see the fork.
		usleep(300000);
		execl(words[0], words[0], "child", NULL);
	}
	return count == 1 && wait(NULL) < 0;
}
"""
LATE = """
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void *visits(void *path)
{
	void *library = dlopen(path, RTLD_NOW);
	int (*visit)(int) = (int (*)(int))dlsym(library, "visit");
	for (int i = 0; i < 100; i++)
		visit(i);
	dlclose(library);
	return NULL;
}
int main(int count, char **words)
{
	pthread_t id;
	if (count > 2 && getchar() == EOF)
		return 1;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&id, NULL, visits, words[1]) || pthread_join(id, NULL))
			return 1;
	return 0;
}
"""
SECRET = """
KEEP int work(int n, const char *text) { __asm__ volatile("" : : "r"(text)); return n; }
int main(void)
{
	for (int i = 0; i < 200; i++)
		work(i, i < 100 ? "excluded-and-not-to-be-seen" : "x");
	return 0;
}
"""
CHILDREN = """
#include <sys/wait.h>
#include <unistd.h>
KEEP int work(int n) { __asm__ volatile(""); return n; }
int main(void)
{
	for (int batch = 0; batch < 5; batch++) {
		for (int i = 0; i < 8; i++)
			if (fork() == 0) {
				usleep(700000);
				_exit(work(1) != 1);
			}
		while (wait(NULL) > 0)
			continue;
		usleep(700000);
	}
	return 0;
}
"""
# As many passages as it reads bytes; each is answered.
STEPS = """
#include <unistd.h>
KEEP int work(int n) { __asm__ volatile(""); return n; }
int main(void)
{
	char byte;
	while (read(0, &byte, 1) == 1) {
		work(byte);
		if (write(1, &byte, 1) != 1)
			return 1;
	}
	return 0;
}
"""
# A child that shares memory with its parent, at first without probes of its own, and then with them.
SHARED = """
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
KEEP int work(int n) { __asm__ volatile(""); return n; }
static int child(void *unused)
{
	work(1000);
	usleep(500000);
	for (int i = 0; i < 50; i++)
		work(i);
	return 0;
}
int main(void)
{
	static char stack[1 << 16];
	if (clone(child, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL) < 0 || wait(NULL) < 0)
		return 1;
	for (int i = 0; i < 50; i++)
		work(i);
	return 0;
}
"""
# A static probe as <sys/sdt.h> makes it, with arguments in a register, in memory and as a constant.
STATIC = """
int main(void)
{
	for (volatile long i = 0; i < 60; i++)
		__asm__ volatile("990: nop\\n.pushsection .note.stapsdt,\\"\\",\\"note\\"\\n.balign 4\\n"
			".4byte 992f-991f, 994f-993f, 3\\n991: .asciz \\"stapsdt\\"\\n992: .balign 4\\n"
			"993: .8byte 990b, 0, 0\\n.asciz \\"test\\"\\n.asciz \\"args\\"\\n"
			".asciz \\"-4@%0 -8@%1 8@$7 8@%2 8@(%3)\\"\\n994: .balign 4\\n.popsection\\n"
			: : "r"((int)(-i)), "m"(i), "r"("text"), "r"(8L));
	return 0;
}
"""
PYTHON = """import sys
def first(n):
    return n
def second(n):
    return n
sys.setprofile(lambda *a: None)
for i in range(40):
    first(i)
for i in range(20):
    second(i)
"""


def values(live, events, command, *report):
    """Of each event, the values of the report."""
    path = live.path("values.data")
    words = [word for event in events for word in ("-e", event)]
    done = recorder.run([live.wperf, "record", "-g", *words, "--save", path, "--", *command])
    shown = recorder.run([live.wperf, "report", "-i", path, "--json", *report])
    found = {}
    for event in json.loads(shown.stdout)["report"]["events"]:
        found[event["event"]] = {value["value"]: value for value in event.get("values", [])}
    return [found[event[:event.rindex(")") + 1]] for event in events], done


def wait_for_events(process):
    """Until wperf has its probes: those are the last that it opens before it records."""
    deadline = time.monotonic() + 20
    while not any("bpf_link" in name_of(fd) for fd in files_of(process.pid)):
        assert process.poll() is None and time.monotonic() < deadline, "wperf attaches nothing"
        time.sleep(0.02)
    time.sleep(0.3)


def name_of(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def files_of(pid):
    return [str(path) for path in pathlib.Path(f"/proc/{pid}/fd").iterdir()]


def numbers(value):
    row, = value["rows"]
    return row["passages"], row["sum"], row.get("least"), row.get("greatest")


def texts(value):
    return {row["text"]: row["passages"] for row in value["rows"]}


def arguments_are_read(live):
    program = live.compile("calls", CALLS, "-O1", "-g", "-pthread")
    events = [f"u:{program}:grab(arg1)", f"u:{program}:twice(arg1:s32,str2)", f"ur:{program}:twice(ret:s32)",
              f"u:{program}:twice(str2 if arg1:s32>=0 and arg1:s32<100)"]
    (grab, twice, returned, some), _ = values(live, events, [program])
    # A parent and its child, with the thread of each.
    total = 2 * (sum(10000 + i % 3 for i in range(300)) + 100 * 20000)
    assert numbers(grab["arg1"]) == (800, total, 10000, 20000), grab
    histogram = [(row["from"], row["to"], row["passages"]) for row in grab["arg1"]["rows"][0]["histogram"]]
    assert histogram == [(8192, 16383, 600), (16384, 32767, 200)], histogram
    assert numbers(twice["arg1:s32"]) == (600, 2 * sum(range(-100, 200)), -100, 199), twice
    assert texts(twice["str2"]) == {"often": 540, "rare": 60} and not twice["str2"]["unread"], twice
    assert numbers(returned["ret:s32"]) == (600, 4 * sum(range(-100, 200)), -200, 398), returned
    assert texts(some["str2"]) == {"often": 180, "rare": 20}, some


def excluded_strings_are_in_no_file(live):
    program = live.compile("secret", SECRET, "-O1")
    (work,), _ = values(live, [f"u:{program}:work(str2 if arg1:s32>=100)"], [program])
    assert texts(work["str2"]) == {"x": 100}, work
    assert b"not-to-be-seen" not in live.path("values.data").read_bytes()


def probes_of_ended_children_are_closed(live):
    program = live.compile("children", CHILDREN, "-O1")
    path = live.path("children.data")
    done = recorder.run(["sh", "-c", 'ulimit -n 110; exec "$@"', "sh", live.wperf, "record", "-e",
                         f"u:{program}:work(arg1)", "--save", path, "--", program])
    shown = json.loads(recorder.run([live.wperf, "report", "-i", path, "--json"]).stdout)
    value, = shown["report"]["events"][0]["values"]
    assert numbers(value) == (40, 40, 1, 1), (value, done.stderr)
    assert "not probed" not in done.stderr, done.stderr


def shared_memory_doubles_nothing(live):
    program = live.compile("shared", SHARED, "-O1")
    (work,), _ = values(live, [f"u:{program}:work(arg1)"], [program])
    assert numbers(work["arg1"]) == (101, 1000 + 2 * sum(range(50)), 0, 1000), work


def lines_pass_values(live):
    program = live.path("calls")
    event = f"u:{program}:grab(arg1)"
    (grab,), done = values(live, [event], [program, "alone"], "--sort", "line")
    rows = {row["line"]: (row["passages"], row["least"]) for row in grab["arg1"]["rows"]}
    main, thread = live.line_of("calls", "free(grab(10000"), live.line_of("calls", "static void *thread")
    assert rows == {f"calls.c:{main}": (300, 10000), f"calls.c:{thread}": (100, 20000)}, rows
    assert "threads at once" in done.stderr, done.stderr


def names_of_files_are_read(live):
    libc = subprocess.run(["ldd", live.path("calls")], capture_output=True, text=True).stdout.split("libc.so.6 => ")[1]
    libc = libc.split()[0]
    events = [f"u:{libc}:fopen(str1)", f"u:{libc}:malloc(arg1 if arg1>=20000):10"]
    (opened, allocated), _ = values(live, events, [live.path("calls"), "alone"])
    assert texts(opened["str1"]) == {"/etc/passwd": 8, "/etc/hostname": 2}, opened
    # Copies have them as well.
    copied = live.path("copied.data")
    for words in [], ["--anonymous"]:
        copied.unlink(missing_ok=True)
        recorder.run([live.wperf, "export", "-i", live.path("values.data"), "--format", "perf", "-o", copied, *words])
        shown = json.loads(recorder.run([live.wperf, "report", "-i", copied, "--json"]).stdout)
        found = [texts(value) for event in shown["report"]["events"] for value in event.get("values", [])
                 if value["kind"] == "string"]
        assert found == [texts(opened["str1"])], (words, shown["report"]["events"])
    assert numbers(allocated["arg1"])[2:] == (20000, 20000), allocated
    # Each core counts to ten by itself.
    assert 100 - 10 * os.cpu_count() <= numbers(allocated["arg1"])[0] <= 100, allocated


def static_arguments_are_read(live):
    if os.uname().machine != "x86_64":
        return "the assembly is of x86-64"
    program = live.compile("arguments", STATIC, "-O1")
    (found,), _ = values(live, [f"usdt:{program}:test:args(arg1,arg2,arg3,str4)"], [program])
    assert numbers(found["arg1"]) == (60, -sum(range(60)), -59, 0), found
    assert numbers(found["arg2"]) == (60, sum(range(60)), 0, 59), found
    assert numbers(found["arg3"]) == (60, 420, 7, 7), found
    assert texts(found["str4"]) == {"text": 60}, found
    done = recorder.run([live.wperf, "record", "-e", f"usdt:{program}:test:args(arg1 if arg5==1)", "--", program], None)
    assert "60 passages were not sampled: a value of their condition" in done.stderr, done.stderr
    event = f"usdt:{program}:test:args(arg1 if arg3>-1)"
    refused = recorder.run([live.wperf, "stat", "-e", event, "--", program], None)
    assert refused.returncode and "write arg3:s64" in refused.stderr, refused.stderr
    return None


def python_tells_its_functions(live):
    python = shutil.which("python3", path="/usr/bin")
    if "usdt" not in recorder.run([live.wperf, "list", "probes", python, "function__entry"], None).stdout:
        return "this Python has no static probes"
    script = live.path("known.py")
    script.write_text(PYTHON)
    event = "usdt:python:function__entry(str1,str2,arg3)"
    (entries,), _ = values(live, [event], [python, script])
    functions = texts(entries["str2"])
    assert functions["first"] == 40 and functions["second"] == 20, functions
    assert texts(entries["str1"])[str(script)] == 60, entries["str1"]
    return None


def libraries_may_come_later(live):
    """By dlopen(), twice; and of a process that runs already, threads that start after wperf did."""
    library = live.compile("late.so", "KEEP int visit(int n) { return n + 1; }", "-shared", "-fPIC", "-O1")
    program = live.compile("late", LATE, "-O1", "-pthread")
    event = f"u:{library}:visit(arg1:s32)"
    (visit,), _ = values(live, [event], [program, library])
    assert numbers(visit["arg1:s32"]) == (200, 2 * sum(range(100)), 0, 99), visit
    path = live.path("attached.data")
    with subprocess.Popen([program, library, "waits"], stdin=subprocess.PIPE) as process:
        with subprocess.Popen([live.wperf, "record", "-e", event, "-p", f"{process.pid},{process.pid}", "--save", path],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as record:
            wait_for_events(record)
            process.communicate(b"\n")
            said = record.communicate(timeout=60)[1]
    shown = json.loads(recorder.run([live.wperf, "report", "-i", path, "--json"]).stdout)
    value, = shown["report"]["events"][0]["values"]
    assert numbers(value) == (200, 2 * sum(range(100)), 0, 99), (value, said)


def stat_sums_up(live):
    """The same as samples say; of the thread that was there when the count began."""
    program = live.path("calls")
    events = [f"u:{program}:grab(arg1)", f"u:{program}:twice(str2,arg1:s32 if arg1:s32>=0)"]
    done = recorder.run([live.wperf, "stat", "-e", ",".join(events), "--json", "--", program, "alone"])
    shown = json.loads(done.stdout[done.stdout.index("{"):])
    counts = {row["event_name"]: row["counter_value"] for row in recorder.find_rows(shown)}
    found = {(value["event"], value["value"]): value for value in shown["values"]}
    grab = found[events[0], "arg1"]
    assert numbers(grab) == (300, sum(10000 + i % 3 for i in range(300)), 10000, 10002), grab
    assert texts(found[events[1], "str2"]) == {"often": 180, "rare": 20}, found
    assert numbers(found[events[1], "arg1:s32"]) == (200, sum(range(200)), 0, 199), found
    assert counts == {events[0]: 300, events[1]: 200}, counts
    refused = recorder.run([live.wperf, "stat", "-r", "2", "-e", events[0], "--", program, "alone"], None)
    assert refused.returncode and "shown once for a run" in refused.stderr, refused.stderr


def one_event_is_switched(live):
    program = live.compile("steps", STEPS, "-O1")
    first, second = f"u:{program}:work(arg1:s32)", f"u:{program}:work(arg1)"

    def steps(process, text):
        os.write(process.stdin.fileno(), text)
        while text:
            text = text[len(os.read(process.stdout.fileno(), len(text))):]

    def run(*words):
        orders, order_fd = os.pipe()
        answer_fd, answers = os.pipe()
        with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            wperf = subprocess.Popen([live.wperf, *words, "-e", f"{first},{second}", "-p", str(process.pid),
                                      "--control", f"fd:{orders},{answers}"],
                                     pass_fds=(orders, answers), stdout=subprocess.PIPE, text=True)
            for before, order in (b"", "ping"), (b"a" * 5, f"disable {first}"), (b"b" * 7, f"enable {first}"):
                steps(process, before)
                os.write(order_fd, (order + "\n").encode())
                assert os.read(answer_fd, 1000).startswith(b"ack"), order
            steps(process, b"c" * 3)
            process.stdin.close()
        for fd in (orders, order_fd, answer_fd, answers):
            os.close(fd)
        return wperf.communicate(timeout=60)[0]

    out = run("stat", "--json")
    counted = [numbers(value) for value in json.loads(out[out.index("{"):])["values"]]
    run("record", "--save", live.path("steps.data"))
    shown = json.loads(recorder.run([live.wperf, "report", "-i", live.path("steps.data"), "--json"]).stdout)
    sampled = [numbers(value) for event in shown["report"]["events"] for value in event["values"]]
    a, b, c = b"abc"
    wanted = [(8, 5 * a + 3 * c, a, c), (15, 5 * a + 7 * b + 3 * c, a, c)]
    assert counted == wanted, counted
    assert sorted(sampled) == wanted, sampled


def bpftrace_says_the_same(live):
    """Both look at the same run."""
    bpftrace = shutil.which("bpftrace")
    if not bpftrace:
        return "there is no bpftrace"
    program = live.path("calls")
    script = f"""uprobe:{program}:grab {{ @sum = sum(arg0); @count = count(); @least = min(arg0); @most = max(arg0); }}
        uprobe:{program}:twice {{ @texts[str(arg1)] = count(); }}"""
    other = subprocess.Popen([bpftrace, "-e", script], stdout=subprocess.PIPE, text=True)
    try:
        line = other.stdout.readline()
        assert "Attaching" in line or "Attached" in line, line
        # It says so before it has done so.
        deadline = time.monotonic() + 10
        while not pathlib.Path(f"/proc/{other.pid}/fd").exists() or not any(
                "perf_event" in name_of(fd) for fd in files_of(other.pid)):
            assert time.monotonic() < deadline, "bpftrace attaches nothing"
            time.sleep(0.05)
        time.sleep(0.5)
        events = [f"u:{program}:grab(arg1)", f"u:{program}:twice(str2)"]
        (grab, twice), _ = values(live, events, [program, "alone"])
    finally:
        # SIGINT it would not notice if it began in the background of a shell.
        other.send_signal(signal.SIGTERM)
    said = other.communicate(timeout=20)[0]
    sums = {name: int(re.search(rf"@{name}: (\d+)", said)[1]) for name in ("count", "sum", "least", "most")}
    assert numbers(grab["arg1"]) == (sums["count"], sums["sum"], sums["least"], sums["most"]), (grab, said)
    strings = {text: int(count) for text, count in re.findall(r"@texts\[(\w+)\]: (\d+)", said)}
    # What was never touched it reads as empty.
    read = {text: count for text, count in texts(twice["str2"]).items() if text in strings}
    assert read == {text: strings[text] for text in read}, (twice, said)
    return None


def rights_are_told(live):
    some = "-all,+perfmon,+bpf"
    if not shutil.which("setpriv"):
        return "there is no setpriv"
    wperf = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", f"--inh-caps={some}",
             f"--ambient-caps={some}", live.wperf]
    # Values are of the memory of others: that is refused by wperf itself.
    for words, message in {"-a": "only root may see values of all processes",
                           f"-p {os.getpid()}": "cannot read the memory"}.items():
        done = recorder.run([*wperf, "record", "-e", f"u:{live.path('calls')}:main(arg1)", *words.split()], None)
        assert done.returncode and (message in done.stderr or "setpriv" in done.stderr), done.stderr
    done = recorder.run([*wperf, "stat", "-e", f"u:{live.path('calls')}:main", "--", "true"], None)
    if not done.returncode or "permission denied" not in done.stderr:
        return "this kernel lets CAP_PERFMON set probes, or the program is out of reach: " + done.stderr
    assert "this kernel lets only root (CAP_SYS_ADMIN) set probes" in done.stderr, done.stderr
    return None


def mistakes_are_told(live):
    program = live.path("calls")
    for event, message in {
            f"u:{program}:grab(arg9)": "arg9 cannot be read",
            f"u:{program}:grab(ret)": "what a function returns is not known yet",
            f"ur:{program}:grab(arg1)": "only ret and strret are there",
            f"u:{program}:grab()": "name a value between the parentheses",
            f"u:{program}:grab(arg1": "the ')' at the end is missing",
            f"u:{program}:grab+4(arg1)": "inside a function",
    }.items():
        done = recorder.run([live.wperf, "record", "-e", event, "--", program], None)
        assert done.returncode and message in done.stderr, (event, done.stderr)


if __name__ == "__main__":
    if os.geteuid() or not pathlib.Path("/sys/bus/event_source/devices/uprobe").exists():
        print("skipped: probes need root and a kernel with uprobes")
        sys.exit(77)
    live = recorder.Recorder(os.path.abspath(sys.argv[1]), sys.argv[2])
    probed = recorder.run([live.wperf, "record", "-q", "-e", "u:/bin/sleep:+0(arg1)", "--", "true"], None).stderr
    if "BPF" in probed:
        print("skipped: BPF programs cannot be loaded: " + probed)
        sys.exit(77)
    recorder.run_tests([arguments_are_read, excluded_strings_are_in_no_file, probes_of_ended_children_are_closed,
                        shared_memory_doubles_nothing, lines_pass_values, names_of_files_are_read, static_arguments_are_read,
                        python_tells_its_functions, libraries_may_come_later, stat_sums_up, one_event_is_switched,
                        bpftrace_says_the_same, mistakes_are_told, rights_are_told], live)
