# SPDX-License-Identifier: Apache-2.0
"""Python in containers: seen from outside by other numbers and files, and wperf inside of one.

python_namespaces.py WPERF
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import chance
from page_stacks import python_stacks
from python_truth import NOTE, PERF_EVENT_OPEN, PYTHON, figures, run, without
from pythons import find_all
from recorder import run_tests

SKIPPED = 77
TIMER = "note: Python stacks are sampled on a timer"

# Two threads, each with a line of its own.
PROGRAM = """
import threading
def inner_work():
    x = 0
    for i in range(20000):
        x = (x * 3 + i) & 0xffff
def thread_loop():
    while True: inner_work()
def main_loop():
    while True: sum(range(10000))
threading.Thread(target=thread_loop, daemon=True).start()
print("ready", flush=True)
main_loop()
"""
# Root with few of its rights: who may look into processes, but not load programs of BPF.
ONLY_PTRACE = ["setpriv", "--bounding-set", "-all,+sys_ptrace,+sys_resource", "--inh-caps", "-all"]
NO_RIGHTS = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"]
OWN_NUMBERS = ["unshare", "--pid", "--fork", "--mount", "--mount-proc", "--kill-child"]


@contextlib.contextmanager
def container(folder, python):
    """A program in PID and mount namespaces of its own, and its number here. Its folder is one
    that nobody else sees."""
    (folder / "inner").mkdir(exist_ok=True)
    (folder / "program.py").write_text(PROGRAM)
    script = (f"mount -t tmpfs none {folder}/inner && cp {folder}/program.py {folder}/inner/ && "
              f"cp {python} {folder}/inner/python3 2>/dev/null; cd {folder}/inner && "
              f"exec \"$@\" {folder}/inner/program.py")
    words = [f"{folder}/inner/python3"] if is_alone(python) else [python]
    with subprocess.Popen([*OWN_NUMBERS, "bash", "-c", script, "bash", *words],
                          env={**os.environ, "PYTHONHOME": "/usr"} if is_alone(python) else None,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as outer:
        try:
            assert outer.stdout.readline() == b"ready\n"
            children = pathlib.Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text()
            yield int(children.split()[0])
        finally:
            outer.kill()


def is_alone(python):
    """Can it be copied? One with a shared library, or of pyenv, would look for its parts."""
    return os.path.realpath(python).startswith("/usr/bin/")


def functions(page):
    """How many samples, and how many of them are in the function or in what it calls."""
    stacks = python_stacks(page)
    whole = sum(count for count, _ in stacks)
    assert whole > 10, whole
    return whole, {name: sum(count for count, stack in stacks
                             if name in [function for function, _ in stack])
                   for name in ("main_loop", "thread_loop", "inner_work")}


def check_both_threads(page):
    """Each has about half, as the GIL goes to and fro; how it is shared out is the system's choice."""
    whole, found = functions(page)
    for name in ("main_loop", "inner_work"):
        chance.check_at_least(found[name], whole, 0.2, found)
    chance.check_at_least(found["main_loop"] + found["thread_loop"], whole, 0.85, found)
    return f"{found} of {whole}"


def seen_from_outside(wperf, folder):
    """With each method, and an interpreter that only its own namespace has."""
    ways = [([], [], None), ([], ["--stop", "-F", 100], "(--stop)"), (ONLY_PTRACE, [], NOTE),
            ([], ["--source", "timer"], TIMER)]
    found = []
    with container(folder, os.path.realpath(PYTHON)) as pid:
        for before, words, note in ways:
            done = run(wperf, folder, "record", "--python=only", "-e", "cpu-clock", "--timeout", 1,
                       "--output", "out.json", "--html", "page.html", *words, "-p", pid,
                       before=before)
            assert (note in done.stderr) if note else (NOTE not in done.stderr), done.stderr
            found.append(check_both_threads(folder / "page.html"))
    return str(found)


def old_interpreters_are_seen(wperf, folder):
    """Up to 3.10 they do not know the numbers of their threads."""
    old = [python for python, minor in find_all() if 8 <= minor <= 10]
    if not old:
        return "not here: none"
    with container(folder, old[0]) as pid:
        run(wperf, folder, "record", "--python=only", "-e", "cpu-clock", "--timeout", 1, "--output",
            "out.json", "--html", "page.html", "--stop", "-F", 100, "-p", pid)
        return f"{old[0]}: {check_both_threads(folder / 'page.html')}"


def inside_of_one(wperf, folder):
    """Each has its collection method, and its user is told which."""
    ways = [(NO_RIGHTS, NOTE), (["unshare", "--user"], NOTE),
            (["unshare", "--user", "--map-root-user", *OWN_NUMBERS[1:]], NOTE),
            ([*OWN_NUMBERS, *NO_RIGHTS], NOTE),
            ([*OWN_NUMBERS, *NO_RIGHTS, *without(PERF_EVENT_OPEN)], TIMER)]
    program = PROGRAM.replace("main_loop()\n", "").replace(
        "while True: sum(range(10000))", "for i in range(6000): sum(range(10000))")
    (folder / "program.py").write_text(program + "main_loop()\n")
    for before, note in ways:
        if subprocess.run([*before, "true"] if note is NOTE else ["true"], capture_output=True,
                          check=False).returncode:
            continue  # no such namespaces here
        done = run(wperf, folder, "record", "--output", "out.json", "--html", "page.html", "--", PYTHON,
                   "program.py", before=before)
        assert note in done.stderr and "hint: " in done.stderr, (before, done.stderr)
        assert figures(folder, done.stderr)["samples"] > 20, (before, done.stderr)
        whole, found = functions(folder / "page.html")
        chance.check_at_least(found["main_loop"], whole, 0.2, (found, before, done.stderr))


def main():
    needed = ("unshare", "setpriv", "mount")
    if os.geteuid() != 0 or not os.access(PYTHON, os.X_OK) or not all(map(shutil.which, needed)):
        sys.exit(SKIPPED)
    if subprocess.run([*OWN_NUMBERS, "true"], capture_output=True, check=False).returncode:
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        run_tests([seen_from_outside, old_interpreters_are_seen, inside_of_one], sys.argv[1],
                  pathlib.Path(name))


main()
