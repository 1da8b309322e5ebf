# SPDX-License-Identifier: Apache-2.0
"""`stat -D` and `--control`: what a program does before, between and after is not counted, as with
perf, whose protocol it is."""
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

    def __init__(self, counter, words):
        self.program = page_toucher.PageToucher()
        orders, self.order_fd = os.pipe()
        self.answer_fd, answers = os.pipe()
        self.counter = subprocess.Popen(
            [*counter, "stat", "-x,", "-e", "page-faults", "-p", str(self.program.pid), "--control",
             f"fd:{orders},{answers}", *words], pass_fds=(orders, answers),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
    assert run.tell("disable page-faults\n").startswith("error: "), "disable EVENT"
    run.program.touch(700)
    os.close(run.order_fd)
    run.program.touch(800)
    run.program.process.stdin.close()
    out, err = run.end()
    assert abs(int(out.split(",")[0]) - COUNTED) <= SLACK, out
    assert "were not done: 2, the first: 'enabel'" in err, err


def check_never_on(wperf):
    """That it counted nothing is not the number 0."""
    run = Run([wperf], ["-D", "-1"])
    assert run.tell("stop\n") == "ack"
    out, _ = run.end()
    assert out.startswith("<not counted>,,page-faults"), out


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
    check_refusals(wperf)
    check_never_on(wperf)
    check_stop_in_delay(wperf)
    check_fifo(wperf)
    check_delay(wperf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
