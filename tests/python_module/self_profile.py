# SPDX-License-Identifier: Apache-2.0
"""What the module says of the process that it is used in; runs with each Python. Usage: self_profile.py FOLDER"""
import mmap
import os
import sys
import threading
import time

import wperf


def hot(rounds):
    total = 0
    for i in range(rounds):
        total += i * i % 7  # line: hot
    return total


def warm(rounds):
    total = 0
    for i in range(rounds):
        total += i * i % 5  # line: warm
    return total


def line_of(name):
    with open(__file__, encoding="utf-8") as source:
        return [text.rstrip().endswith(f"# line: {name}") for text in source].index(True) + 1


def work(seconds):
    """Three of four rounds are hot."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        hot(30_000)
        warm(10_000)


def check_shares(rows, what):
    at = {(os.path.basename(row.file), row.line): row for row in rows}
    here = os.path.basename(__file__)
    assert (here, line_of("hot")) in at, (what, rows[:5])
    assert (here, line_of("warm")) in at, (what, rows[:5])
    hottest, second = at[here, line_of("hot")], at[here, line_of("warm")]
    assert rows[0] == hottest, (what, rows[:5])
    assert hottest.function.name == "hot" and hottest.function.kind == "python", hottest
    # Of three to one, whatever the other lines of the loops and the system take.
    assert hottest.samples > 1.7 * second.samples > 0, (what, rows[:5])


def check_record(folder):
    page = os.path.join(folder, "page.html")
    thread = threading.Thread(target=work, args=(0.6,), name="worker")
    with wperf.record(page, frequency=997) as recording:
        thread.start()
        work(0.2)
        thread.join()
    profile = recording.profile
    assert profile.num_samples > 50, profile.num_samples
    check_shares(profile.hot_lines(), "record")
    tids = {one.thread.tid for one in profile.samples()}
    assert tids <= {threading.main_thread().native_id, thread.native_id} and len(tids) == 2, (tids, profile.threads)
    functions = profile.hot_functions(2)
    assert [one.label for one in functions] == ["hot", "warm"], functions
    with open(page, encoding="utf-8") as file:
        assert "hot" in file.read()
    stacks = {tuple(frame.function.name for frame in one.stack if frame.function.kind == "python")
              for one in profile.samples()}
    assert any(stack[:2] == ("hot", "work") for stack in stacks), stacks


def check_files(folder):
    """A recording, which can be opened, and an export."""
    recorded = os.path.join(folder, "own.data")
    with wperf.record(recorded):
        work(0.3)
    with wperf.open(recorded) as profile:
        check_shares(profile.hot_lines(), "open")
        profile.export(os.path.join(folder, "own.folded"), "collapsed")
    with open(os.path.join(folder, "own.folded"), encoding="utf-8") as file:
        assert ";work" in file.read()


def check_fork():
    """A child that leaves the block as well disturbs nobody."""
    with wperf.record() as recording:
        child = os.fork()
        work(0.2)
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    check_shares(recording.profile.hot_lines(), "fork")


def check_stat():
    pages = 500
    with wperf.stat("page-faults,task-clock") as count:
        with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
            for page in range(pages):
                memory[page * mmap.PAGESIZE] = 1
    assert pages <= count["page-faults"] < 3 * pages, count
    assert count["task-clock"] > 0 and count.elapsed > 0, count.values
    assert set(count.as_dict()) == {"page-faults", "task-clock"} and "page-faults" in str(count), str(count)
    count.start().stop()
    assert count["page-faults"] < pages, count.values  # from 0 again
    try:
        count["cycles"]
        raise AssertionError("an event that was not asked for")
    except KeyError:
        pass


def check_thread():
    """What another thread does is not counted."""
    pages = 300
    stop = threading.Event()

    def touch():
        while not stop.is_set():
            with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
                for page in range(pages):
                    memory[page * mmap.PAGESIZE] = 1

    other = threading.Thread(target=touch)
    with wperf.stat("page-faults", scope="thread") as own, wperf.stat("page-faults") as whole:
        other.start()
        while whole.read()["page-faults"] < pages:
            time.sleep(0.001)
        stop.set()
        other.join()
    assert own["page-faults"] < pages / 2, own
    own.close()
    try:
        own.start()
        raise AssertionError("a closed count")
    except ValueError:
        pass


def check_simulated():
    """Metrics, on a machine that has them."""
    with wperf.stat(metrics="ipc", source="sim", scope="machine", cores="1") as count:
        count.wait(0.1)
    assert count["ipc"] > 0 and count["inst_retired"] > 0 and count.metrics[0].core == 1, (count.metrics, str(count))


def check_dump():
    inside, leave = threading.Event(), threading.Event()

    def waits_here():
        inside.set()
        leave.wait()  # line: waits

    thread = threading.Thread(target=waits_here, name="waiter")
    thread.start()
    inside.wait()
    try:
        dump = wperf.dump()
    finally:
        leave.set()
        thread.join()
    assert dump.pid == os.getpid(), dump
    own = next(one for one in dump.threads if one.tid == threading.get_native_id())
    assert own.frames[0].function == "check_dump", own
    other = next(one for one in dump.threads if one.tid == thread.native_id)
    assert (own.name, other.name) == ("MainThread", "waiter"), dump
    frame = next(one for one in other.frames if one.function.endswith("waits_here"))
    # It may have been on its way to the line.
    assert frame.line in (line_of("waits"), line_of("waits") - 1), (frame, line_of("waits"))
    assert "waits_here" in str(dump), str(dump)
    local = wperf.dump(locals=True)
    own = next(one for one in local.threads if one.tid == threading.get_native_id())
    assert "inside" in own.frames[0].locals, own.frames[0]


def check_errors(folder):
    for wrong in (lambda: wperf.open(os.path.join(folder, "absent.data")), lambda: wperf.stat("cyclez"),
                  lambda: wperf.stat(scope="some"), lambda: wperf.record(events="cpu-clokc").start(),
                  lambda: wperf.stat(source="nonsense")):
        try:
            wrong()
        except wperf.Error as error:
            assert error.message and error.kind in ("failed", "usage", "absent"), (error, error.kind)
        else:
            raise AssertionError("no error")
    try:
        wperf.stat("page-fautls")
    except wperf.Error as error:
        assert "page-fautls" in str(error), error
    try:
        with wperf.record(os.path.join(folder, "no/such/folder.html")):
            raise ZeroDivisionError  # which is what the user is to see
    except ZeroDivisionError:
        pass


place = sys.argv[1]
check_errors(place)
check_stat()
check_thread()
check_simulated()
check_dump()
check_record(place)
check_files(place)
check_fork()
print("all checks")
