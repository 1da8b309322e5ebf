# SPDX-License-Identifier: Apache-2.0
"""The source etw as its users see it, on a Windows that is a fake: wperf_with_fake_etw.

Usage: etw_source.py WPERF_WITH_FAKE_ETW MAKE_ETW_TRACE"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from waiting import wait_until

WPERF, MAKE_TRACE = sys.argv[1:]
MORE_BUFFERS = 15  # of 250 ms and 100 samples
TOTAL_ISSUES, FIRST_OWN = 2, 4102  # sources: of Windows, and the first that somebody registers
SOMEBODY = 4999998  # a process that the trace has, before it is known who that will be
WITHOUT_DRIVER = "note: source 'driver' cannot sample here; wperf samples with source 'etw'"


class Machine:
    """A fake Windows, and a process that its trace is of."""

    def __init__(self, folder, target):
        self.folder, self.target = folder, target
        self.state, self.log, self.trace = (folder / name for name in ("state", "log", "made.etl"))
        self.temporary = folder / "temporary"
        self.temporary.mkdir(exist_ok=True)
        self.make_trace()

    def make_trace(self, more_buffers=0, source=TOTAL_ISSUES, pid=None):
        subprocess.run([MAKE_TRACE, str(pid or self.target.pid), self.trace, str(more_buffers), str(source)],
                       check=True)

    def environment(self, more):
        of_fake = {"STATE": self.state, "LOG": self.log, "TRACE": self.trace, **more}
        return {**os.environ, "TMPDIR": str(self.temporary), "HOME": str(self.folder),
                **{f"WPERF_FAKE_ETW_{name}": str(value) for name, value in of_fake.items()}}

    def start(self, *words, **more):
        self.log.unlink(missing_ok=True)
        return subprocess.Popen([WPERF, *words], cwd=self.folder, env=self.environment(more), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, code=0, **more):
        with self.start(*words, **more) as process:
            out, err = process.communicate(timeout=60)
        assert process.returncode == code, (words, more, process.returncode, out, err)
        return out, err

    def calls(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def check_clean(self):
        """The session has ended, the interval is what it was, and nothing is left of the file."""
        calls = self.calls()
        intervals = [line for line in calls if line.startswith("set 5: 0 ")]
        assert sum(line.startswith("start") for line in calls) == calls.count("stop"), calls
        assert not intervals or intervals[-1] == "set 5: 0 2710", calls
        assert not list(self.temporary.iterdir()), list(self.temporary.iterdir())


def check_record(machine):
    pid = str(machine.target.pid)
    out, err = machine.run("record", "-p", pid, "--timeout", "0.1", "-g", "--off-cpu", "--save", "x.data",
                           "-e", "cpu-clock,TotalIssues:70000")
    assert WITHOUT_DRIVER in err, err
    assert "set 5: 2 11170" in machine.calls(), machine.calls()
    machine.check_clean()
    samples = machine.run("script", "-i", "x.data")[0].split("\n\n")[:-1]
    heads = [sample.splitlines()[0] for sample in samples]
    assert all(f" {pid}/{pid} " in head for head in heads), heads
    assert [sum(f" {event}:" in head for head in heads)
            for event in ("cpu-clock", "TotalIssues", "off-cpu")] == [20, 5, 1], heads
    assert all(len(sample.splitlines()) == 3 for sample in samples), samples  # two frames each
    assert " 3000000 off-cpu:" in heads[-1], heads
    report = machine.run("report", "-i", "x.data")[0]
    assert "20 samples" in report and "made.exe" in report, report


def check_all_processes(machine):
    machine.run("record", "--source", "etw", "-a", "--timeout", "0.1", "-q", "--save", "all.data", "-F", "2000")
    assert "set 5: 0 1388" in machine.calls(), machine.calls()
    machine.check_clean()
    assert machine.run("script", "-i", "all.data")[0].count("cpu-clock:") == 27


def check_stat(machine):
    pid = str(machine.target.pid)
    def counts(out):
        return [line.split()[:2] for line in out.splitlines() if "Issues" in line or "LoadI" in line]

    for words in (("-p", pid), ("-p", pid, "-k")):  # it cannot be told apart: with and without -k
        out, err = machine.run("stat", "--source", "etw", "-e", "TotalIssues,LoadInstructions", *words,
                               "--timeout", "0.1")
        assert counts(out) == [["7,000", "TotalIssues"], ["70", "LoadInstructions"]], out
        assert "kernel mode included" in out and "excluded" not in out, out
        assert "kernel code, interrupts and DPCs are in the counts" in err, err
        assert "set 9: 2 4" in machine.calls(), machine.calls()
        machine.check_clean()
    # Cores count what runs when nothing runs, too: 95,000 between the process's two turns.
    for words in ((), ("-c", "0")):
        out, err = machine.run("stat", "--source", "etw", "-e", "TotalIssues,LoadInstructions", *words,
                               "--timeout", "0.1")
        first = out[out.index("core 0"):].split("core 1")[0]
        assert counts(first)[:2] == [["102,000", "TotalIssues"], ["1,020", "LoadInstructions"]], out
        assert ("core 1" in out) == (os.cpu_count() > 1 and not words), out
        machine.check_clean()
    for words, reason in ((("-e", "TotalIssues:u", "-p", pid), "cannot count user or kernel code alone"),
                          (("-k", "-e", "cpu-clock", "-p", pid), "cannot count 'cpu-clock'"),
                          (("-k", "-e", "TotalIssues,LoadInstructions,BranchInstructions,DcacheMisses,IcacheMisses",
                            "-p", pid), "Windows has 4 at once")):
        err = machine.run("stat", "--source", "etw", *words, "--timeout", "0.1", code=2)[1]
        assert reason in err, err
        assert not any(line.startswith("start") for line in machine.calls()), machine.calls()


def check_registered(machine):
    """An event of the CPU's table is registered before the session and removed after it, however it ends."""
    machine.make_trace(0, FIRST_OWN)
    arm = {"MIDR": "410fd0c0"}
    words = ("--source", "etw", "-p", str(machine.target.pid), "-e", "ld_spec:100000")
    _, err = machine.run("record", "-g", "--save", "loads.data", "--timeout", "0.1", *words, **arm)
    assert "'ld_spec' was registered in Windows for this run" in err, err
    calls = machine.calls()
    # NtSetSystemInformation(), class 21: add, with event 0x70; class 22: remove.
    changes = [line.split(":")[0] for line in calls if line.startswith(("system", "start", "stop"))]
    assert [change.split()[:2] for change in changes] == \
        [["system", "15"], ["start", changes[1].split()[1]], ["stop"], ["system", "16"]], calls
    machine.check_clean()
    samples = machine.run("script", "-i", "loads.data")[0].split("\n\n")[:-1]
    assert len(samples) == 5 and all(" ld_spec:" in sample and len(sample.splitlines()) == 3
                                     for sample in samples), samples

    def is_gone():
        return "ld_spec" not in machine.run("etw")[0]

    assert is_gone()
    for number in range(1, 30):
        with machine.start("record", "-q", "--save", "f.data", "--timeout", "0.05", *words, **arm,
                           FAIL=f"{number}:5") as process:
            err = process.communicate(timeout=60)[1]
        assert process.returncode in (0, 1) and (is_gone() or "etw --clean" in err), (number, err)
        machine.state.unlink(missing_ok=True)
    for how in (signal.SIGINT, signal.SIGKILL):
        with machine.start("record", "--save", "f.data", *words, **arm) as process:
            wait_until(lambda: any(line.startswith("set 4:") for line in machine.calls()), "session")
            process.send_signal(how)
            process.communicate(timeout=60)
        assert is_gone() == (how == signal.SIGINT), how
    out = machine.run("etw", "--clean")[0]
    assert f"the profile source ld_spec of process {process.pid}, which has ended" in out and is_gone(), out
    for path in machine.temporary.iterdir():
        path.unlink()
    machine.make_trace()


def check_command(machine):
    """A program that wperf starts: its end is the end of the run, and its exit code is wperf's."""
    machine.make_trace(0, TOTAL_ISSUES, SOMEBODY)
    command = ("--", "sh", "-c", "exit 3")
    for words in (("record", "-g", "--save", "own.data"), ("stat", "-e", "TotalIssues"),
                  ("record", "--off-cpu", "--save", "own.data")):
        with machine.start(*words, "--source", "etw", *command, CHILD=SOMEBODY) as process:
            out, err = process.communicate(timeout=60)
        assert process.returncode == 3, (words, process.returncode, out, err)
        machine.check_clean()
        if words[0] == "stat":
            assert [line.split()[0] for line in out.splitlines() if "TotalIssues" in line] == ["7,000"], out
        else:
            assert machine.run("script", "-i", "own.data")[0].count("cpu-clock:") == 20, words
    with machine.start("record", "--source", "etw", "--", "nowhere/to/be/found") as process:
        err = process.communicate(timeout=60)[1]
    assert process.returncode and "nowhere" in err, err
    machine.check_clean()
    machine.make_trace()


def check_words(machine):
    out = machine.run("list", "--source", "etw")[0]
    for name in ("cpu-clock", "offcpu-time", "TotalIssues", "IcacheMisses"):
        assert name in out, out
    out = machine.run("detect")[0]
    assert "5 under Windows' names, 4 at once" in out, out
    err = machine.run("record", "--source", "etw", "-a", "-e", "TotalIssues:1", code=2)[1]
    assert "Windows accepts periods from 4096 to 2147483647" in err, err
    err = machine.run("record", "--source", "etw", "-a", code=1, NO_RIGHTS=1)[1]
    assert "run it as administrator" in err, err
    assert "lacks the privilege" in machine.run("detect", NO_RIGHTS=1)[0]
    err = machine.run("record", "--source", "etw", "-a", code=1, ABSENT=1)[1]
    assert "no ETW" in err, err


def check_top(machine):
    """Tables come while the session writes, and each has what happened since the one before."""
    machine.make_trace(MORE_BUFFERS)
    process = machine.start("top", "-g", "-p", str(machine.target.pid), "--delay", "0.5")
    seen = []
    while sum(seen) < 100 * (MORE_BUFFERS - 3):  # the last half second waits for what may come
        assert len(seen) < 40, seen
        line = process.stdout.readline()
        assert line, process.communicate()
        if line.startswith("event cpu-clock"):
            seen.append(int(re.search(r"([\d,]+) samples", line)[1].replace(",", "")))
    assert len([number for number in seen if number]) >= 3, seen
    assert "stop" not in machine.calls() and machine.calls().count("flush") >= 4, machine.calls()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and WITHOUT_DRIVER in err, (process.returncode, out, err)
    machine.check_clean()
    with machine.start("top", "--source", "etw", "-a", "--delay", "0.5", LOST=12) as process:
        wait_until(lambda: "flush" in machine.calls(), "a look at the file")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    machine.check_clean()
    machine.make_trace()


def check_failing_calls(machine):
    """Each call fails once: recording says why or does without it, and everything is as before."""
    for words, least in ((("record", "-q", "--save", "f.data", "--timeout", "0.05"), 8),
                         (("top", "-n", "1", "--delay", "0.3"), 9)):
        failures = 0
        for number in range(1, 25):
            machine.state.unlink(missing_ok=True)
            with machine.start(*words, "--source", "etw", "-a", FAIL=f"{number}:5") as process:
                err = process.communicate(timeout=60)[1]
            assert process.returncode in (0, 1), (words, number, process.returncode, err)
            assert (process.returncode == 0) or err, number
            failures += process.returncode
            assert not list(machine.temporary.iterdir()), number
        assert failures >= least, (words, failures)
    machine.state.unlink(missing_ok=True)


def check_interrupted(machine):
    for words, last, expected in ((("record", "-a", "--save", "stopped.data"), "set 4:", "recorded 27 samples"),
                                  (("stat", "-e", "TotalIssues", "-p", str(machine.target.pid)), "set 9:", "7,000")):
        with machine.start(*words, "--source", "etw") as process:
            wait_until(lambda: any(line.startswith(last) for line in machine.calls()), "session")  # pylint: disable=cell-var-from-loop
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        assert process.returncode == 0 and expected in out + err, (words, process.returncode, out, err)
        machine.check_clean()


def check_killed(machine):
    """What a killed recording has changed is set back by --clean, which says what it was. What it has
    recorded stays, and can be read."""
    machine.make_trace(MORE_BUFFERS)
    with machine.start("record", "--source", "etw", "-a", "-F", "2000", "--save", "killed.data") as process:
        wait_until(lambda: any(line.startswith("set 4:") for line in machine.calls()), "session")
        process.kill()
    assert "stop" not in machine.calls() and "set 5: 0 1388" in machine.calls(), machine.calls()
    out, _ = machine.run("etw", "--clean")
    assert f"a session of process {process.pid}, which has ended" in out, out
    assert "the sampling interval of Timer, which was 10000" in out, out
    assert machine.calls()[-2:] == ["stop", "set 5: 0 2710"], machine.calls()
    kept, = machine.temporary.iterdir()
    assert out.splitlines()[-1] == f"    {kept}" and "Read them with 'wperf report -i FILE'" in out, out
    assert f"{20 + 7 + 100 * MORE_BUFFERS:,} samples" in machine.run("report", "-i", str(kept))[0]
    assert machine.run("etw", "--clean")[0] == "nothing to clean up\n"
    kept.unlink()
    # Nobody wants the file of counts.
    with machine.start("stat", "--source", "etw", "-e", "TotalIssues") as process:
        wait_until(lambda: any(line.startswith("set 9:") for line in machine.calls()), "counters")
        process.kill()
    out, _ = machine.run("etw", "--clean")
    assert "the file " in out and "Read them" not in out, out
    assert not list(machine.temporary.iterdir()), list(machine.temporary.iterdir())
    machine.make_trace()


def check_dying_target(machine):
    """Its end is the end of the run, and no error."""
    for command, *words in (["record", "--save", "dying.data"], ["stat", "-k", "-e", "TotalIssues"]):
        with subprocess.Popen(["sleep", "600"]) as target:
            process = machine.start(command, "--source", "etw", *words, "-p", str(target.pid))
            wait_until(lambda: any(line.startswith("start") for line in machine.calls()), "session")
            target.kill()
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0 and "time elapsed" in out, (command, process.returncode, out, err)
        machine.check_clean()


def check_lost(machine):
    err = machine.run("record", "--source", "etw", "-a", "--timeout", "0.1", "--save", "lost.data", LOST=12)[1]
    assert "lost" in err and "12" in err, err


def main():
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(["sleep", "600"]) as target:
        try:
            machine = Machine(pathlib.Path(folder), target)
            check_record(machine)
            check_all_processes(machine)
            check_stat(machine)
            check_words(machine)
            check_top(machine)
            check_registered(machine)
            check_command(machine)
            check_failing_calls(machine)
            check_interrupted(machine)
            check_killed(machine)
            check_dying_target(machine)
            check_lost(machine)
        finally:
            target.kill()


main()
