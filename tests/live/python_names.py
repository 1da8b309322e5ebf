# SPDX-License-Identifier: Apache-2.0
"""Names that programs give threads: in dump, record, report, the page and perf, under every
interpreter of this machine.

python_names.py WPERF FOLDER
"""
import itertools
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pythons
import waiting
from page_stacks import Page
from recorder import run

WPERF, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])

# Some threads run as long as they are told, the others wait for the end.
PROGRAM = """
import sys, threading, time

class Worker(threading.Thread):
    def __init__(self, extra, **words):
        self.extra = extra
        super().__init__(**words)
    def run(self):
        spin()

ready = threading.Semaphore(0)
end = threading.Event()

def spin():
    ready.release()
    until = time.time() + float(sys.argv[1])
    while time.time() < until:
        sum(range(1000))
    end.wait()

def own():
    with open("/proc/thread-self/comm", "w") as comm:
        comm.write("own")
    spin()

with_dict = threading.Thread(target=spin, name="with a dict of its own")
vars(with_dict)["more"] = 1
many = threading.Thread(target=spin, name="attributes")
for i in range(60):
    setattr(many, "attribute%d" % i, i)
late = threading.Thread(target=spin, name="early")
threads = [
    threading.Thread(target=spin, name="loader"),
    Worker(1, name="gr\\u00f6\\u00dfe_\\u540d_\\U0001040d"),
    with_dict, many, late,
    threading.Thread(target=spin, name="n" * 300),
    threading.Thread(target=own, name="not this"),
    threading.Thread(target=spin)]
for thread in threads:
    thread.daemon = True
    thread.start()
for thread in threads:
    ready.acquire()
late.name = "late"
sys.stdout.write("ready\\n"); sys.stdout.flush()
sys.stdin.read()
"""
GIVEN = {"loader", "größe_名_\U0001040d", "with a dict of its own", "attributes", "n" * 63, "own"}
SHORT = """
import sys, threading, time
threading.current_thread().name = "celery: beat" # one of the roles
def spin():
    until = time.time() + 0.2
    while time.time() < until:
        sum(range(1000))
for i in range(12):
    thread = threading.Thread(target=spin, name="short %d" % i)
    thread.start()
    thread.join()
"""


def expected_names(minor):
    """Since 3.14 Python tells the system the names, and a later one only if a thread renames itself."""
    return GIVEN | {"Thread-1 (spin)" if minor >= 10 else "Thread-1", "early" if minor >= 14 else "late"}


class Target:
    """The program, until the end of the block."""

    def __init__(self, python, seconds):
        self.process = subprocess.Popen([python, "-c", PROGRAM, str(seconds)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n", python

    def __enter__(self):
        return self.process.pid

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def names_of(threads, pid):
    """Of a process's threads; the first one is called as the process is."""
    first = [thread["name"] for thread in threads if thread["tid"] == pid]
    comm = waiting.read_proc(pid, "comm").strip()
    assert not comm or all(name == comm for name in first), (first, comm)
    return {thread["name"] for thread in threads if thread["tid"] != pid}


def check_dump(python, minor):
    with Target(python, 0) as pid:
        names = names_of(json.loads(run([WPERF, "dump", "--json", pid]).stdout)["threads"], pid)
        assert names == expected_names(minor), (python, names)
        text = run([WPERF, "dump", pid]).stdout
        assert " (loader)" in text and " (own)" in text and "MainThread" not in text, text


def threads_of_report(path):
    """The names of `report --sort thread` for the first event; they come last."""
    rows = run([WPERF, "report", "-i", path, "--sort", "thread", "--percent-limit", "0"]).stdout.splitlines()
    rules = next(row for row in rows if row.strip().startswith("==="))
    start = rules.rindex(" ") + 1
    table = itertools.takewhile(str.strip, rows[rows.index(rules) + 1:])
    return [row[start:] for row in table]


def check_record(python, minor, *words):
    """A thread has one row, whatever it was called before."""
    saved, page = FOLDER / "names.data", FOLDER / "names.html"
    with Target(python, 100) as pid:
        done = run([WPERF, "record", "--json", *words, "-p", pid, "--timeout", "1.5", "--save", saved, "--html", page])
        expected, report = expected_names(minor), json.loads(done.stdout)
        # Without a GIL that is known there is no table of threads.
        threads = [thread for thread in report.get("threads", []) if thread["event"] != "off-cpu"]
        assert minor == 6 or names_of(threads, pid) == expected, (python, words, threads)
        assert len({thread["tid"] for thread in threads}) == len(threads), threads
    found = threads_of_report(saved)
    assert expected <= set(found) and len(found) == len(set(found)), (python, words, found)
    of_page = [thread["name"] for thread in json.loads(Page(page).parts["summary"])["threads"]]
    assert expected <= set(of_page) and len(of_page) == len(set(of_page)), (python, words, of_page)
    return saved


def check_perf(saved):
    """perf has the names from when they were found on."""
    try:
        script = subprocess.run(["perf", "script", "-i", saved, "-F", "comm,tid"], capture_output=True, text=True,
                                check=True).stdout
    except FileNotFoundError:
        return False
    for name in sorted(GIVEN):
        assert name in script, (name, script[-1000:])
    return True


def check_short(python, minor):
    """Each lives for a fifth of a second, and wperf looks several times as often. The first thread keeps the
    name of the process, which since 3.14 Python changes itself."""
    saved = FOLDER / "short.data"
    program = FOLDER / "short.py"
    program.write_text(SHORT, encoding="utf-8")
    run([WPERF, "record", "-q", "--save", saved, "--", python, program])
    names = threads_of_report(saved)
    assert minor >= 14 or "celery" not in names, names
    roles = run([WPERF, "report", "-i", saved, "--sort", "role"]).stdout
    assert minor >= 14 or " short.py" in roles and "celery" not in roles, roles
    found = [name for name in names if name.startswith("short ")]
    assert len(found) >= 10 and len(found) == len(set(found)), found


def check_inside(python, minor):
    """In a container, whose threads have other numbers; None: there can be none here."""
    words = ["unshare", "--pid", "--fork", "--mount", "--mount-proc", "--kill-child", python, "-c", PROGRAM, "100"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as outer:
        try:
            if outer.stdout.readline() != "ready\n":
                return None
            pid = waiting.wait_for_child(outer.pid)
            saved = FOLDER / "inside.data"
            run([WPERF, "record", "-q", "-p", pid, "--timeout", "1.5", "--save", saved])
            found = threads_of_report(saved)
            assert expected_names(minor) <= set(found), (python, found)
        finally:
            outer.kill()
    return True


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    found = pythons.find_all()
    assert found, "no interpreter at all"
    for python, minor in found:
        check_dump(python, minor)
        saved = check_record(python, minor)
        print(f"{python}: names of {len(expected_names(minor))} threads")
    check_record(*found[-1], "--off-cpu")
    check_record(*found[0], "--source", "timer")
    check_short(*found[-1])
    newest_without_system = next(pair for pair in reversed(found) if pair[1] <= 13)
    check_short(*newest_without_system)
    # Until 3.10 the numbers are found in the memory of the C library.
    for python, minor in (newest_without_system, found[0]):
        print("names in a container" if check_inside(python, minor) else "no container here")
    print("perf has them" if check_perf(saved) else "there is no perf")


if __name__ == "__main__":
    main()
