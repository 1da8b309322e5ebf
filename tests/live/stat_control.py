# SPDX-License-Identifier: Apache-2.0
"""`stat -D` and `--control` of stat and record: what a program does before, between and after is not
counted, as with perf, whose protocol it is."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import page_toucher

LATE = ["/usr/bin/python3", "-S", "-c",
        "import mmap, time\n"
        "def touch(pages):\n"
        "    m = mmap.mmap(-1, pages * 4096)\n"
        "    for i in range(pages): m[i * 4096] = 1\n"
        "touch(3000)\ntime.sleep(1.6)\ntouch(500)\n"]
COUNTED, SLACK = 1500, 60
PATIENCE_S = 50  # less than the longest delay


class Run:
    """A program, and a counter that is told when to count it."""

    def __init__(self, counter, words, command=("stat", "-x,", "-e", "page-faults"),
                 is_everywhere=False):
        self.program = page_toucher.PageToucher()
        target = ["-a"] if is_everywhere else ["-p", str(self.program.pid)]
        orders, self.order_fd = os.pipe()
        self.answer_fd, answers = os.pipe()
        self.counter = subprocess.Popen(
            [*counter, *command, *target, "--control", f"fd:{orders},{answers}", *words],
            pass_fds=(orders, answers), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.close(orders)
        os.close(answers)

    def tell(self, order):
        os.write(self.order_fd, order.encode())
        return os.read(self.answer_fd, 1000).rstrip(b"\0\n").decode()

    def end(self):
        out, err = self.counter.communicate(timeout=PATIENCE_S)
        self.program.end()
        for fd in (self.order_fd, self.answer_fd):
            with contextlib.suppress(OSError):
                os.close(fd)
        return out, err


def count(counter):
    run = Run(counter, ["-D", "-1"])
    assert run.tell("ping\n") == "ack"
    run.program.touch(3000)
    assert run.tell("enable\n") == "ack"
    run.program.touch(1000)
    assert run.tell("disable\n") == "ack"
    run.program.touch(4000)
    assert run.tell("enable\n") == "ack"
    run.program.touch(500)
    assert run.tell("stop\n") == "ack"
    if counter == ["perf"]:  # that of Linux 6.1 answers and goes on
        run.counter.send_signal(signal.SIGINT)
    out, err = run.end()
    row = [line for line in (out + err).splitlines() if "page-faults" in line][0].split(",")
    return int(row[0])


def check_commands(wperf):
    ours = count([wperf])
    print(f"page-faults while it was on: {ours} of 8500")
    assert abs(ours - COUNTED) <= SLACK, ours
    if shutil.which("perf"):
        theirs = count(["perf"])
        assert abs(ours - theirs) <= SLACK, (ours, theirs)


def check_refusals(wperf):
    """A command that is not known changes nothing, and is said; the end of the writer neither."""
    run = Run([wperf], [])
    assert run.tell("ping\n") == "ack"
    assert run.tell("enabel\n").startswith("error: stat knows enable, disable"), "enabel"
    assert run.tell("disable no-event\n").startswith("error: no such event"), "disable EVENT"
    assert run.tell("evlist -x\n").startswith("error: evlist takes -v, -g or -F"), "evlist -x"
    run.program.touch(700)
    os.close(run.order_fd)
    run.program.touch(800)
    run.program.process.stdin.close()
    out, err = run.end()
    assert abs(int(out.split(",")[0]) - COUNTED) <= SLACK, out
    assert "were not done: 3, the first: 'enabel'" in err, err


# Both events count the same touches, in the order of SINGLE: orders, and how many pages are touched.
SINGLE = ["disable", 900, "enable page-faults", 1000, "enable minor-faults", 500,
          "disable page-faults", 300, "disable", 200, "enable", 100]
SINGLE_COUNTS = {"page-faults": 1600, "minor-faults": 900}
EVENTS = ",".join(SINGLE_COUNTS)


def switch_single(run, words):
    for word in words:
        if isinstance(word, int):
            run.program.touch(word)
        else:
            assert run.tell(word + "\n") == "ack", word
    assert run.tell("evlist\n") == "ack" and run.tell("evlist -F\n") == "ack"
    run.tell("stop\n")
    if run.counter.args[0] == "perf":
        run.counter.send_signal(signal.SIGINT)
    return run.end()


def count_single(counter, words=SINGLE, events=EVENTS):
    run = Run(counter, ["-D", "-1"], ("stat", "-x,", "-e", events))
    out, err = switch_single(run, words)
    rows = [line.split(",") for line in (out + err).splitlines() if line.count(",") > 3]
    listed = [line for line in err.splitlines() if line.endswith("faults") or "sample_" in line]
    return {row[2]: row[0] for row in rows}, listed


def record_single(counter, words, folder):
    """How many samples each event has, and what evlist prints."""
    path = os.path.join(folder, "recording")
    run = Run(counter, [], ("record", "-q", "-o", path, *words))
    _, err = switch_single(run, SINGLE)
    script = subprocess.run([*counter, "script", "-i", path], capture_output=True, check=True,
                            text=True, timeout=PATIENCE_S).stdout
    # perf has a dummy event in its list.
    listed = [line for line in err.splitlines() if line.split(":")[0] in SINGLE_COUNTS]
    return {event: script.count(f"{event}:") for event in SINGLE_COUNTS}, listed


def check_same(ours, theirs, what):
    print(f"{what}: {ours}, perf {theirs}")
    for event, expected in SINGLE_COUNTS.items():
        assert abs(int(ours[0][event]) - expected) <= SLACK, (event, ours)
        assert not theirs or abs(int(theirs[0][event]) - expected) <= SLACK, (event, theirs)
    assert not theirs or ours[1] == theirs[1], (ours, theirs)


def check_single_events(wperf):
    """enable EVENT and disable EVENT, of stat and of record; and the lists of events."""
    has_perf = shutil.which("perf")
    check_same(count_single([wperf]), has_perf and count_single(["perf"]), "counts")
    with tempfile.TemporaryDirectory() as folder:
        ours = record_single([wperf], ("-e", "page-faults:1,minor-faults:1"), folder)
        theirs = has_perf and record_single(["perf"], ("-c", "1", "-e", EVENTS), folder)
    check_same(ours, theirs, "samples")
    # What nobody switched on counted nothing, which is not 0; and a group is switched by its name.
    counts, _ = count_single([wperf], ["enable page-faults", 100])
    assert int(counts["page-faults"]) >= 100 and counts["minor-faults"] == "<not counted>", counts
    counts, _ = count_single([wperf], ["enable page-faults", 100], "{" + EVENTS + "}")
    assert all(int(count) >= 100 for count in counts.values()), counts


def check_same_names(wperf):
    """An event may lead several groups, as that of a metric; in others it stays with their first."""
    events = "page-faults,{page-faults,minor-faults},{minor-faults,page-faults}"
    run = Run([wperf], ["-D", "-1"], ("stat", "-x,", "-e", events))
    out, _ = switch_single(run, ["enable page-faults", 1000, "disable page-faults", 700,
                                 "enable page-faults", 500, "enable minor-faults", 300,
                                 "disable page-faults", 400])
    counts = [int(line.split(",")[0]) for line in out.splitlines()]
    for count, expected in zip(counts, [1800, 1800, 1800, 700, 700], strict=True):
        assert abs(count - expected) <= SLACK, out


def check_never_on(wperf):
    """That it counted nothing is not the number 0."""
    run = Run([wperf], ["-D", "-1"])
    assert run.tell("stop\n") == "ack"
    out, _ = run.end()
    assert out.startswith("<not counted>,,page-faults"), out


def check_disable_turns_nothing_on(wperf):
    """Not even for a moment, in which events of a core count, whoever runs there."""
    run = Run([wperf], ["-D", "-1"], ("stat", "-x,", "-e", EVENTS), is_everywhere=True)
    for order in ("enable page-faults\n", "disable\n", "stop\n"):
        assert run.tell(order) == "ack", order
    out, _ = run.end()
    assert "<not counted>,,minor-faults" in out and "<not counted>,,page" not in out, out


def check_stop_in_delay(wperf):
    run = Run([wperf], ["-D", "60000"])
    assert run.tell("stop\n") == "ack"
    out, _ = run.end()
    assert out.startswith("<not counted>,,page-faults"), out


def check_fifo(wperf):
    """The channel of a shell: a writer that opens, writes and closes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "orders")
        os.mkfifo(path)
        with subprocess.Popen([wperf, "stat", "-e", "task-clock", "-a", "-I", "20", "-x,",
                               "--control", f"fifo:{path}"], stdout=subprocess.PIPE,
                              text=True) as child:
            child.stdout.readline()
            for order in ("ping\n", "stop\n"):
                with open(path, "w", encoding="ascii") as file:
                    file.write(order)
            child.stdout.read()
            assert child.wait(PATIENCE_S) == 0


def check_delay(wperf):
    done = subprocess.run([wperf, "stat", "-x,", "-D", "800", "-e", "page-faults", "--", *LATE],
                          capture_output=True, check=True, text=True)
    counted = int(done.stdout.split(",")[0])
    assert 500 <= counted <= 500 + SLACK, done.stdout


def main():
    wperf = sys.argv[1]
    check_commands(wperf)
    check_single_events(wperf)
    check_same_names(wperf)
    check_refusals(wperf)
    check_never_on(wperf)
    check_disable_turns_nothing_on(wperf)
    check_stop_in_delay(wperf)
    check_fifo(wperf)
    check_delay(wperf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
