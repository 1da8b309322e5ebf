# SPDX-License-Identifier: Apache-2.0
"""Counting through the shared library: beside `perf stat` and `wperf stat`, of commands, processes and
threads; errors; cancel out of another thread.

counting.py WPERF LIBWPERF EXAMPLE
"""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

WPERF, LIBRARY, EXAMPLE = sys.argv[1:4]
NONE = 0xffffffff
CANCELLED, FOREVER = 4, 0
MACHINE, PROCESS, THREAD = range(3)
PAGES = 2000
text, pointer = ctypes.c_char_p, ctypes.c_void_p


class Config(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("events", text), ("metrics", text), ("cores", text),
                ("pids", text), ("command", ctypes.POINTER(text)), ("scope", ctypes.c_int),
                ("with_kernel", ctypes.c_bool), ("period_ms", ctypes.c_uint32)]


class Value(ctypes.Structure):
    _fields_ = [("event", text), ("metric", text), ("unit", text), ("group", ctypes.c_uint32),
                ("core", ctypes.c_uint32), ("cluster", ctypes.c_uint32),
                ("channel", ctypes.c_uint32), ("pid", ctypes.c_uint32),
                ("is_counted", ctypes.c_bool), ("value", ctypes.c_double),
                ("raw", ctypes.c_uint64), ("enabled", ctypes.c_uint64),
                ("running", ctypes.c_uint64)]


library = ctypes.CDLL(LIBRARY)
for name in ("error_message", "error_hint", "count_notes"):
    getattr(library, "wperf_" + name).restype = text
for name in ("session_open", "count_open", "count_start", "count_stop", "count_resume",
             "count_wait", "count_read"):
    getattr(library, "wperf_" + name).restype = pointer
library.wperf_count_value.restype = ctypes.c_bool
library.wperf_count_value_at.restype = ctypes.c_bool


class Failure(Exception):
    def __init__(self, error):
        error = pointer(error)
        hint = library.wperf_error_hint(error)
        super().__init__(library.wperf_error_message(error).decode())
        self.hint = hint.decode() if hint else None
        self.kind = library.wperf_error_kind_of(error)
        library.wperf_error_free(error)


def check(error):
    if error:
        raise Failure(error)


class Count:
    """A session, and a count in it."""

    def __init__(self, events, command=(), **members):
        self.session, self.count = pointer(), pointer()
        config = Config(size=ctypes.sizeof(Config), events=events.encode(), **members)
        if command:
            config.command = (text * (len(command) + 1))(*[w.encode() for w in command], None)
        check(library.wperf_session_open(None, ctypes.byref(self.session)))
        try:
            check(library.wperf_count_open(self.session, ctypes.byref(config),
                                           ctypes.byref(self.count)))
        except Failure:
            library.wperf_session_close(self.session)
            raise

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        library.wperf_count_close(self.count)
        library.wperf_session_close(self.session)

    def start(self):
        check(library.wperf_count_start(self.count))

    def stop(self):
        check(library.wperf_count_stop(self.count))
        check(library.wperf_count_read(self.count))

    def wait(self, nanoseconds=FOREVER):
        check(library.wperf_count_wait(self.count, ctypes.c_uint64(nanoseconds), None))

    def cancel(self):
        library.wperf_count_cancel(self.count)

    def exit_code(self):
        return library.wperf_count_exit_code(self.count)

    def __getitem__(self, event):
        value = ctypes.c_double()
        assert library.wperf_count_value(self.count, event.encode(), ctypes.byref(value)), event
        return value.value

    def values(self):
        value = Value()
        number = 0
        while library.wperf_count_value_at(self.count, ctypes.c_size_t(number),
                                           ctypes.byref(value)):
            yield value
            number += 1


def touch(pages):
    """Fresh pages, which the kernel gives on the first write: so many faults at least."""
    import mmap  # pylint: disable=import-outside-toplevel
    with mmap.mmap(-1, pages * 4096) as area:
        area.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(pages):
            area[page * 4096] = 1


def a_command_is_counted_as_perf_does(folder):
    # The same program each time: as many faults as with the others, give or take what address space
    # layout does.
    command = ["setarch", "-R", "/usr/bin/python3", "-S", "-c",
               "x = bytearray(8 << 20); sum(range(3000000)); raise SystemExit(7)"]
    with Count("page-faults,task-clock,{context-switches,cpu-migrations}", command) as count:
        assert count.exit_code() == -1
        count.start()
        count.wait()
        count.stop()
        assert count.exit_code() == 7, count.exit_code()
        ours = {name: count[name] for name in ("page-faults", "task-clock")}
        groups = [value.group for value in count.values()]
        assert groups == [NONE, NONE, 0, 0], groups
    tools = {"wperf": [WPERF, "stat", "-x,", "-e", "page-faults,task-clock"]}
    if shutil.which("perf"):
        tools["perf"] = ["perf", "stat", "-x,", "-e", "page-faults,task-clock"]
    for tool, words in tools.items():
        path = os.path.join(folder, tool)
        done = subprocess.run([*words, "-o", path, "--", *command], check=False)
        assert done.returncode == 7, (tool, done.returncode)
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file if "," in line]
        theirs = {row[2].split(":")[0]: float(row[0]) for row in rows}
        assert abs(ours["page-faults"] - theirs["page-faults"]) <= 8, (tool, ours, theirs)
        assert 0.5 < ours["task-clock"] / theirs["task-clock"] < 2, (tool, ours, theirs)
        print(tool, theirs, "library", ours)


def processes_are_units():
    programs = [subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                for _ in range(2)]
    pids = [program.pid for program in programs]
    with Count("page-faults,context-switches", pids=",".join(map(str, pids)).encode()) as count:
        count.start()
        for program in programs:
            program.stdin.write(b"x" * 10000)
            program.stdin.close()
        count.wait()  # until both have ended
        count.stop()
        rows = [(value.event, value.pid) for value in count.values()]
        assert rows == [(event, pid) for pid in (*pids, NONE)
                        for event in (b"page-faults", b"context-switches")], rows
        assert count["page-faults"] > 0 and count.exit_code() == -1
    for program in programs:
        program.stdout.close()
        program.wait()


def threads_count_themselves():
    """Each its own pages, at the same time, in a session of its own."""
    results = {}
    meeting = threading.Barrier(2, timeout=60)

    def work(pages):
        with Count("page-faults", scope=THREAD) as count:
            meeting.wait()
            count.start()
            touch(pages)
            count.stop()
            meeting.wait()
            results[pages] = count["page-faults"]
            assert [value.pid for value in count.values()] == [threading.get_native_id()]

    threads = [threading.Thread(target=work, args=(pages,)) for pages in (PAGES, 5 * PAGES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(results) == {PAGES, 5 * PAGES}, results
    assert all(pages <= faults < pages + PAGES / 2 for pages, faults in results.items()), results


def the_process_has_all_threads():
    with Count("page-faults", scope=PROCESS) as count:
        count.start()
        thread = threading.Thread(target=touch, args=(PAGES,))
        thread.start()
        thread.join()
        subprocess.run([sys.executable, "-S", "-c", ""], check=True)
        count.stop()
        both = count["page-faults"]
        count.start()
        touch(PAGES)
        count.stop()
        # The thread's and the program's, and then none of them.
        assert both > PAGES + 100 and PAGES <= count["page-faults"] < 1.5 * PAGES, both


def waits_are_cancelled():
    with Count("task-clock", scope=THREAD) as count:
        count.start()
        timer = threading.Timer(0.2, count.cancel)
        timer.start()
        cancelled(count)
        timer.join()
        count.wait(1000000)  # only that one


def cancelled(count):
    try:
        count.wait()
    except Failure as failure:
        assert failure.kind == CANCELLED, failure
        return
    raise AssertionError("the wait has ended")


def errors_say_what_to_do():
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    for make, message in (
            (lambda: Count("page-fautls"), "page-fautls"),
            (lambda: Count("page-faults", pids=str(ended.pid).encode()), "process %d" % ended.pid),
            (lambda: Count("page-faults", pids=b"x"), "x"),
            (lambda: Count("page-faults", ["/nowhere/to/be/found"]), None)):
        try:
            with make() as count:
                count.start()
        except Failure as failure:
            assert message is None or message in str(failure), failure
            assert failure.hint or message != "page-fautls", failure
        else:
            raise AssertionError(message)


def the_example_counts_its_pages():
    done = subprocess.run([EXAMPLE, "page-faults,task-clock"], capture_output=True, text=True,
                          timeout=60, check=True)
    faults, clock, elapsed = re.fullmatch(
        r" +([\d.]+) +page-faults\n +([\d.]+) msec +task-clock\n +([\d.]+) s +elapsed\n",
        done.stdout).groups()
    assert 2000 <= float(faults) < 2100, done.stdout
    assert 0 < float(clock) / 1000 < float(elapsed) * 1.1, done.stdout
    done = subprocess.run([EXAMPLE, "ld_spec", "sim,cores=1"], capture_output=True, text=True,
                          timeout=60, check=True)
    assert re.search(r"^ +27000000.00 +ld_spec of core 0$", done.stdout, re.M), done.stdout
    done = subprocess.run([EXAMPLE, "ld_spek", "sim"], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 1 and "ld_spek" in done.stderr, done


def main():
    try:
        with Count("task-clock", scope=THREAD):
            pass
    except Failure as failure:
        print(failure)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        a_command_is_counted_as_perf_does(folder)
    for test in (processes_are_units, threads_count_themselves, the_process_has_all_threads,
                 waits_are_cancelled, errors_say_what_to_do, the_example_counts_its_pages):
        test()
        print(test.__name__)


main()
