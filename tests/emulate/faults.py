# SPDX-License-Identifier: Apache-2.0
"""Whatever goes wrong around an emulated program, the end is clear and nothing hangs or stays.

faults.py WPERF FOLDER SYSROOT
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import emulated
import waiting

FOREVER = 10**12  # rounds
LONG = 150_000_000  # rounds: a second or two
BIG_STACKS = ["-g", "-e", "ld_spec:1000000"]


def start(run, verb, *words, **keywords):
    return subprocess.Popen(run.words(verb, *words), env=emulated.ENVIRONMENT, text=True,
                            cwd=run.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **keywords)


def finish(process, timeout=emulated.TIMEOUT_SECONDS):
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return process.returncode, out, err


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def emulator_of(process):
    """The child, when it has become the emulator."""
    child = waiting.wait_for_child(process.pid)
    waiting.wait_until(lambda: os.readlink(f"/proc/{child}/exe").endswith("qemu-aarch64"),
                       f"{child} is the emulator")
    return child


def assert_readable(run, path, at_least):
    samples = run.script(path)
    assert len(samples) >= at_least, len(samples)
    assert {sample.frames[0].name for sample in samples[1:]} == {"loop_int"}
    assert all(sample.names()[-1] == "_start" for sample in samples)
    return len(samples)


def killed_program(run):
    path = run.path("killed.data")
    process = start(run, "record", *BIG_STACKS, "--save", path, "--", run.guest, "depth", FOREVER,
                    "int")
    guest = emulator_of(process)
    waiting.wait_for_cpu(guest, 1)
    os.kill(guest, signal.SIGKILL)
    code, out, err = finish(process)
    assert code == 128 + signal.SIGKILL and "loop_int" in out, (code, out, err)
    num = assert_readable(run, path, 10)
    process = start(run, "stat", "-e", "ld_spec", "--", run.guest, "loop", FOREVER, "int")
    guest = emulator_of(process)
    waiting.wait_for_cpu(guest, 0.5)
    os.kill(guest, signal.SIGKILL)
    code, out, err = finish(process)
    counted = re.search(r"([\d,]+) +ld_spec", out)
    assert code == 128 + signal.SIGKILL and int(counted[1].replace(",", "")) > 10**6, (out, err)
    return f"{num} samples"


def interrupted(run):
    """Ctrl-C goes to both, as from a terminal."""
    path = run.path("interrupted.data")
    for verb, words in (("record", [*BIG_STACKS, "--save", path]), ("stat", ["-e", "ld_spec"])):
        process = start(run, verb, *words, "--", run.guest, "depth", FOREVER, "int",
                        start_new_session=True)
        guest = emulator_of(process)
        waiting.wait_for_cpu(guest, 0.7)
        os.killpg(process.pid, signal.SIGINT)
        code, out, err = finish(process)
        assert code in (0, 128 + signal.SIGINT), (code, out, err)
        assert ("loop_int" if verb == "record" else "ld_spec") in out, (out, err)
        assert not is_running(guest)
    assert_readable(run, path, 5)


def timed(run):
    """--timeout ends the looking, not more than that."""
    done = run.run("stat", "-e", "ld_spec", "--timeout", "0.5", "--", run.guest, "loop", LONG, "int",
                   code=None)
    assert "ld_spec" in done.stdout, done


def killed_wperf(run):
    """Its program goes on without it, also one that waits for room, and what it forks and execs."""
    before = set(os.listdir("/dev/shm"))
    # Far more samples than there is room for, so that it waits nearly all of the time.
    recording = start(run, "record", "-q", "-g", "-e", "ld_spec:100", "--", run.guest, "depth",
                      1_000_000, "int")
    guests = [(recording, emulator_of(recording))]
    counting = start(run, "stat", "-e", "ld_spec,mem_access", "--", run.guest, "fork_exec", LONG,
                     "int", 2)
    guests.append((counting, emulator_of(counting)))
    becoming = start(run, "stat", "-e", "ld_spec", "--", run.guest, "exec_chain", LONG // 30, "int",
                     30)
    guests.append((becoming, emulator_of(becoming)))
    waiting.wait_for_cpu(guests[-1][1], 0.2)
    for process, _ in guests:
        process.kill()  # and not waited for: it is dead, but still has its number
    for process, guest in guests:
        waiting.wait_until(lambda pid=guest: not is_running(pid), f"end of {guest}")
        process.stdout.close()
        process.stderr.close()
        process.wait()
    assert set(os.listdir("/dev/shm")) <= before, "files stay in /dev/shm"


def closed_files(run):
    for verb, words in (("stat", ["-e", "ld_spec"]), ("record", ["-e", "ld_spec:1000"])):
        done = run.run(verb, *words, "--", run.guest, "closed", 100_000)
        assert re.search(r"200,\d\d\d +ld_spec" if verb == "stat" else r"\b200 +loop_int",
                         done.stdout), done.stdout


def daemon(run):
    """The program is over when its first process is; what it left goes on, and starts others."""
    told = run.path("told")
    told.unlink(missing_ok=True)
    script = run.path("outliving")
    program = run.path("busybox")
    source = run.sysroot / "bin/busybox"
    if not source.exists():
        return "skipped: no busybox"
    shutil.copy(source, program)
    script.write_text(f"#!{program} sh\n{program} sleep 1\n"
                      f"{program} sh -c '{program} echo done >{told}; {program} true'\n")
    script.chmod(0o755)
    begin = time.monotonic()
    for verb, words in (("stat", ["-e", "ld_spec"]), ("record", ["-e", "ld_spec:100"])):
        told.unlink(missing_ok=True)
        run.run(verb, *words, "--", run.guest, "daemon", 1, script, capture_output=False,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert not told.exists() and time.monotonic() - begin < 10
        waiting.wait_until(told.exists, "what it left ends")
    return None


def foreign_program(run):
    """A program of the host runs, and it is said that nobody counted it."""
    done = run.run("stat", "-e", "ld_spec", "--", run.guest, "command", 1, "/bin/true")
    assert "note: programs for another machine ran without the emulator" in done.stderr, done.stderr
    done = run.run("record", "-e", "ld_spec:10", "--", run.guest, "command", 1, "/bin/true")
    assert "note: programs for another machine ran without the emulator" in done.stderr, done.stderr
    # What is not there is the program's own affair.
    run.run("stat", "-e", "ld_spec", "--", run.guest, "command", 1, "/no/such/program", code=9)


def exit_codes(run):
    run.run("stat", "-e", "ld_spec", "--", run.guest, "no such mode", 1, code=2)
    run.run("record", "-e", "ld_spec:10", "--", run.guest, "no such mode", 1, code=2)


# What is said before anything runs: words of wperf stat, exit code, message, hint.
WRONG = [
    ("emulate", ["no-such-program"], 1, "cannot run 'no-such-program'", "--sysroot"),
    ("emulate", ["/no/such/program"], 1, "cannot run '/no/such/program'", "no such file"),
    ("emulate", ["/bin/true"], 1, "cannot run '/bin/true'", "not an AArch64 program"),
    ("emulate", ["/etc/passwd"], 1, "cannot run '/etc/passwd'", "chmod"),
    ("emulate,qemu=/usr/bin/false", ["GUEST"], 1, "does not support plugins", "qemu-user"),
    ("emulate,qemu=/no/such/qemu", ["GUEST"], 1, "/no/such/qemu", ""),
    ("emulate,plugin=/no/such/plugin.so", ["GUEST"], 1, "/no/such/plugin.so", ""),
    ("emulate,plugin=/etc/passwd", ["GUEST"], 1, "is not a QEMU plugin", "wperf-emulated-pmu.so"),
    ("emulate,cpi=0", ["GUEST"], 2, "cpi=0", "0.001"),
    ("emulate,cpi=x", ["GUEST"], 2, "cpi=x", "0.001"),
    ("emulate,l1d=3:3:3", ["GUEST"], 2, "l1d=3:3:3", "size:ways:line"),
    ("emulate,l2_tlb=0", ["GUEST"], 2, "l2_tlb=0", "entries"),
    ("emulate,cpu=neoverse-n9", ["GUEST"], 2, "neoverse-n9", "neoverse-n1"),
    ("emulate,cpu=apple-m1", ["GUEST"], 2, "apple-m1", "not Arm's PMUv3"),
    ("emulate,counters=32", ["GUEST"], 2, "counters", ""),
    ("emulate,wings=2", ["GUEST"], 2, "wings", ""),
]


def wrong_words(run):
    for source, command, code, message, hint in WRONG:
        command = [run.guest if word == "GUEST" else word for word in command]
        if command == [run.guest]:
            command += ["loop", 10, "int"]
        for verb, words in (("stat", ["-e", "ld_spec"]), ("record", ["-e", "ld_spec:10"])):
            done = run.run(verb, *words, "--", *command, source=source, code=code)
            assert message in done.stderr, (source, command, done.stderr)
            assert hint in done.stderr.partition("hint: ")[2], (source, command, done.stderr)
    return f"{len(WRONG)} of them"


def wrong_sysroots(run):
    words = ["-e", "ld_spec", "--", run.dynamic, "loop", 10]
    for sysroot, message in ((run.folder, "the loader of"), ("/no/such/folder", "/no/such/folder")):
        done = run.run("stat", "--sysroot", sysroot, *words, code=1)
        assert message in done.stderr, done.stderr


def wrong_events(run):
    command = ["--", run.guest, "loop", 10000, "int"]
    for verb, event in (("stat", "stall_backend"), ("record", "stall_backend:1000")):
        done = run.run(verb, "-e", event, *command, code=1)
        assert "'stall_backend' is not emulated" in done.stderr and "hint: " in done.stderr
    done = run.run("stat", "-e", "ld_spec:k", *command)
    assert "<not counted>" in done.stdout and "only user code" in done.stderr, done
    done = run.run("record", "-e", "ld_spec:k:1000", *command, code=2)
    assert "only user code" in done.stderr, done.stderr
    done = run.run("stat", "-e", "ld_spec", "-p", 1, code=2)
    assert "the emulator profiles only programs that it runs" in done.stderr, done.stderr
    done = run.run("record", "--call-graph", "lbr", "-e", "ld_spec:100", *command, code=2)
    assert "hint: use --call-graph cfi or fp" in done.stderr, done.stderr


def emulator_without_plugins(run):
    """As Debian's static emulator: it runs, but knows no plugins."""
    emulator = run.path("qemu-aarch64-static")
    shutil.copy("/bin/true", emulator)
    done = run.run("stat", "-e", "ld_spec", "--", run.guest, "loop", 1,
                   source=f"emulate,qemu={emulator}", code=1)
    assert "does not support plugins" in done.stderr and "qemu-user-static" in done.stderr, done.stderr


def many_processes(run):
    done = run.run("record", "-e", "ld_spec:100", "--", run.guest, "fork_storm", 100, "int", 300)
    assert re.search(r"\b600 +(loop_int|top)", done.stdout) or "loop_int" in done.stdout, done


def many_threads(run):
    """Sampled, each with its own end: more than there are places."""
    samples = run.samples("st_spec:100", run.guest, "short_threads", 100, "int", 1200)
    assert len({s.tid for s in samples if s.frames[0].name == "loop_int"}) == 1200, len(samples)


if __name__ == "__main__":
    emulated.run_tests([
        killed_program, interrupted, timed, killed_wperf, closed_files, daemon, foreign_program,
        exit_codes, wrong_words, wrong_sysroots, wrong_events, emulator_without_plugins,
        many_processes, many_threads])
