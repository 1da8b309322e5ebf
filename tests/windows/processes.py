# SPDX-License-Identifier: Apache-2.0
"""Programs that wperf.exe starts, and those that it is led to, under Wine. The programs are
child_checks.exe and process_checks.exe, which first check the rooms of wperf that they are built of.
Usage: processes.py WPERF_EXE FOLDER_OF_PROGRAMS PREFIX"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import wine

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import waiting  # noqa: E402

exe, programs, prefix = (os.path.abspath(word) for word in sys.argv[1:4])
CHECKS = [pathlib.Path(programs, name) for name in ("process_checks.exe", "child_checks.exe")]
wine.need(exe, *CHECKS)
wine.use(prefix)
os.environ["LC_ALL"] = "C.UTF-8"  # by which Wine takes our words for characters

RECORD = ["record", "--source", "timer", "--timeout"]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def start(folder, *words, program=exe):
    return subprocess.Popen([wine.PROGRAM, program, *words], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    out, err = process.communicate(timeout=60)
    return process.returncode, out.replace("\r", ""), err.replace("\r", "")


def run(folder, *words, program=exe):
    return finish(start(folder, *words, program=program))


def first_line(process):
    return process.stdout.readline().strip()


def the_rooms_hold(folder):
    for program in CHECKS:
        code, out, err = run(folder, program=program)
        check(code == 0, f"{program.name}:\n{out}{err}")
        print(program.name + ":", out.strip().splitlines()[-1])


def exit_codes_are_handed_on(folder):
    for number in (0, 7, 200):
        code, _, err = run(folder, *RECORD, "20", "--", "child", "exit", str(number))
        check(code == number, f"exit {number}: {code} {err}")
    code, _, err = run(folder, *RECORD, "20", "--", "nothing of this name")
    check(code == 1 and err.startswith("CreateProcess failed (0x2).\n"), f"no program: {err}")


def words_arrive_as_they_were(folder):
    words = ["a b", 'q"q', "Grüß 世", "", "x\\", 'y z\\', "*.exe"]
    shutil.copy(folder / "child.exe", folder / "sp äce.exe")
    code, out, err = run(folder, *RECORD, "20", "--", "./sp äce", "words", *words)
    lines = "".join(f"[{word}]\n" for word in words)
    check(code == 0 and out.startswith(lines), f"words: {out}{err}")


def time_ends_a_program_and_what_it_started(folder):
    process = start(folder, *RECORD, "1", "--", "child", "start")
    other = first_line(process)
    code, out, err = finish(process)
    check(code == 0 and "seconds time elapsed" in out, f"timeout: {code} {out}{err}")
    expect_gone(folder, other)


def ctrl_c_ends_them_too(folder):
    process = start(folder, *RECORD, "50", "--", "child", "start")
    other = first_line(process)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    check(code == 0 and "seconds time elapsed" in out, f"Ctrl-C: {code} {out}{err}")
    expect_gone(folder, other)


def expect_gone(folder, pid):
    """Whose number is soon another one's."""
    waiting.wait_until(lambda: not wine_process(folder), f"end of {pid}")


def running_programs_are_found(folder):
    """By name, by path and by number; the end of the program is the end of the run."""
    target = start(folder, "start", program=folder / "child.exe")
    other = first_line(target)  # which is called likewise, and sleeps
    ways = (["--image_name", "child"], ["--image_name", "CHILD.EXE"], ["--pe_file", ".\\child.exe"],
            ["-p", other])
    runs = [start(folder, "sample", "--source", "timer", *way, "--timeout", "50", "--save", f"{number}.data")
            for number, way in enumerate(ways)]
    for number in range(len(ways)):
        waiting.wait_for_recording(folder / f"{number}.data")
    for way, sampling in zip(ways, runs):
        check(sampling.poll() is None, f"{way}: it did not wait")
    for pid in (target.pid, wine_process(folder)):
        os.kill(pid, signal.SIGKILL)
    target.communicate()
    for way, sampling in zip(ways, runs):
        code, out, err = finish(sampling)
        check(code == 0 and "seconds time elapsed" in out, f"{way}: {code} {out}{err}")


def wine_process(folder):
    """The number that Linux has for the program that sleeps in this folder, or None."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes()
            if words.startswith(b"x\0sleep") and (entry / "cwd").resolve() == folder.resolve():
                return int(entry.name)
        except OSError:
            continue
    return None


def a_clock_needs_its_target(folder):
    """A program beside -p sets the duration. Without its target nothing is recorded, and a target
    that ends first ends the run."""
    with start(folder, "leave", program=folder / "child.exe") as starter:
        pid = first_line(starter)
        for pids in ("123456784", f"{pid},123456784"):
            code, out, err = run(folder, *RECORD, "20", "-p", pids, "--", "child", "words", "begun")
            expected = ("cannot watch process 123456784: No such process\n"
                        "hint: give the ID of a running process\n")
            check(code == 1 and err.endswith(expected) and "begun" not in out,
                  f"no process {pids}: {code} {out}{err}")
        code, out, err = run(folder, *RECORD, "20", "-p", pid, "--", "child", "exit", "7")
        check(code == 7 and "seconds time elapsed" in out, f"clock: {code} {out}{err}")
        began = time.monotonic()
        recording = start(folder, *RECORD, "50", "-p", pid, "--save", "clock.data", "--", "child", "sleep")
        waiting.wait_for_recording(folder / "clock.data")
        check(recording.poll() is None, "it did not wait for its clock")
        os.kill(wine_process(folder), signal.SIGKILL)
        code, out, err = finish(recording)
        took = time.monotonic() - began
        check(code == 0 and "seconds time elapsed" in out and took < 30,
              f"the target ended first: {code} after {took:.1f} s {out}{err}")


def what_is_not_there_is_told(folder):
    code, _, err = run(folder, "sample", "--source", "timer", "--image_name", "nobody.exe")
    check(code == 1 and err.startswith("no process named 'nobody.exe'"), f"no name: {err}")
    code, _, err = run(folder, "sample", "--source", "timer", "-p", "123456789")
    check(code == 1 and "No such process" in err, f"no process: {err}")


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    shutil.copy(CHECKS[1], here / "child.exe")
    for test in (the_rooms_hold, exit_codes_are_handed_on, words_arrive_as_they_were,
                 time_ends_a_program_and_what_it_started, ctrl_c_ends_them_too,
                 running_programs_are_found, a_clock_needs_its_target, what_is_not_there_is_told):
        before = time.monotonic()
        test(here)
        print(f"{test.__name__}: {time.monotonic() - before:.1f} s")
print(*failures, sep="\n")
sys.exit(1 if failures else 0)
