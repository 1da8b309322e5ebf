# SPDX-License-Identifier: Apache-2.0
"""`stat -G` and `--for-each-cgroup` count what the processes of control groups do, and nothing else;
names that are wrong, and groups that end, are said."""
import json
import os
import re
import shutil
import subprocess
import sys

import page_toucher

PAGES = {"one": 1500, "two": 400}
SLACK = 60


def find_mount():
    """As wperf does it, but with a way of its own."""
    with open("/proc/self/mounts", encoding="utf-8") as file:
        rows = [line.split() for line in file]
    first = [row[1] for row in rows if row[2] == "cgroup" and "perf_event" in row[3].split(",")]
    second = [row[1] for row in rows if row[2] == "cgroup2"]
    return (first + second + [None])[0]


class Group:
    """A control group with a program in it."""

    def __init__(self, mount, name):
        self.name = f"wperf_test_{os.getpid()}_{name}"
        self.path = os.path.join(mount, self.name)
        os.mkdir(self.path)
        self.program = page_toucher.PageToucher()
        with open(os.path.join(self.path, "cgroup.procs"), "w", encoding="ascii") as file:
            file.write(str(self.program.pid))

    def close(self):
        self.program.end()
        if os.path.exists(self.path):
            os.rmdir(self.path)


def count(counter, words, work):
    """Its lines of CSV while @work is done; it is ready when it answers."""
    orders, order_fd = os.pipe()
    answer_fd, answers = os.pipe()
    with subprocess.Popen([*counter, "stat", "-a", "-e", "page-faults", "-D", "-1", "--control",
                           f"fd:{orders},{answers}", *words], pass_fds=(orders, answers),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        os.close(orders)
        os.close(answers)
        os.write(order_fd, b"enable\n")
        assert os.read(answer_fd, 100).startswith(b"ack\n")
        work()
        os.write(order_fd, b"stop\n")
        os.read(answer_fd, 100)
        if counter == ["perf"]:  # that of Linux 6.1 answers and goes on
            child.send_signal(2)
        out, err = child.communicate(timeout=60)
    os.close(order_fd)
    os.close(answer_fd)
    return out, err


def check_counts(wperf, groups):
    def work():
        for group, pages in zip(groups, PAGES.values()):
            group.program.touch(pages)

    names = ",".join(group.name for group in groups)
    counters = [[wperf]] + [["perf"]] * bool(shutil.which("perf"))
    for counter in counters:
        out, err = count(counter, ["-x,", "--for-each-cgroup", names], work)
        rows = [line.split(",") for line in (out + err).splitlines() if "page-faults" in line]
        assert [row[3] for row in rows] == names.split(","), (counter, rows)
        for row, pages in zip(rows, PAGES.values()):
            assert abs(int(row[0]) - pages) <= SLACK, (counter, row, pages)
    # A group by its whole path, and the names in the other forms.
    out, _ = count([wperf], ["--json", "-G", groups[1].path], work)
    document = json.loads(out)
    entry, = document["cgroups"]
    assert entry["name"] == groups[1].path, entry
    assert abs(entry["Performance_counter"][0]["counter_value"] - PAGES["two"]) <= SLACK, entry
    out, _ = count([wperf], ["-G", groups[0].name], work)
    assert f"Performance counter stats for {groups[0].name}, " in out, out


def check_end(wperf, groups):
    """The counts of a group that ends stay, and its end is said."""
    def work():
        groups[0].program.touch(PAGES["one"])
        groups[0].close()

    out, err = count([wperf], ["-x,", "-G", groups[0].name], work)
    assert abs(int(out.split(",")[0]) - PAGES["one"]) <= 3 * SLACK, out  # its end has faults, too
    assert f"note: control group '{groups[0].name}' has ended" in err, err


def refused(wperf, *words):
    events = [] if "--source" in words else ["-e", "page-faults"]
    done = subprocess.run([wperf, "stat", "--timeout", "0.1", *events, *words],
                          capture_output=True, check=False, text=True)
    assert done.returncode != 0 and not done.stdout, (words, done)
    return done.stderr


def check_words(wperf, mount):
    assert f"no control group 'wperf/none' in {mount}" in refused(wperf, "-G", "wperf/none")
    assert "-G takes one control group for all events" in refused(wperf, "-G", "a,b")
    assert "a control group without a name: '/,,b'" in refused(wperf, "--for-each-cgroup", "/,,b")
    assert "both --per-socket and control groups" in refused(wperf, "-G", "a", "--per-socket")
    assert "not with a command" in refused(wperf, "-G", "/", "--", "true")
    assert "source 'sim' knows no control groups" in \
        refused(wperf, "--source", "sim", "-e", "ld_spec", "-G", "/")
    nobody = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", wperf, "stat", "-e",
         "page-faults", "--timeout", "0.1", "-G", "/"], capture_output=True, check=False, text=True)
    reached = "setpriv" not in nobody.stderr and "Permission" not in nobody.stderr
    assert not reached or re.search("cannot open 'page-faults'.* permission denied", nobody.stderr), nobody


def main():
    wperf = os.path.abspath(sys.argv[1])
    mount = find_mount()
    if not mount or not os.access(mount, os.W_OK):
        print("skipped: no control groups that this user may make")
        return 77
    groups = []
    try:
        for name in PAGES:
            groups.append(Group(mount, name))
    except OSError as error:
        for group in groups:
            group.close()
        print(f"skipped: {error}")
        return 77
    try:
        check_counts(wperf, groups)
        check_words(wperf, mount)
        check_end(wperf, groups)
    finally:
        groups[1].close()
        if not groups[0].program.process.stdin.closed:
            groups[0].close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
