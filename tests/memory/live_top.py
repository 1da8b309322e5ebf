# SPDX-License-Identifier: Apache-2.0
"""`top` of memory: rows of heap grow and shrink with what is in use, of programs that it starts and of running ones."""
import os
import pathlib
import re
import subprocess

import allocations
import top as terminals
import waiting

PROGRAM = """
#include <stdio.h>
#include <unistd.h>
static void *volatile kept[20000];
// So that wperf keeps up.
static void *slow(int i, void *block) { if (i % 1000 == 0) usleep(2000); return block; }
KEEP void first(void) { for (int i = 0; i < 20000; i++) kept[i] = slow(i, malloc(1000)); }
KEEP void second(void) { for (int i = 0; i < 20000; i++) kept[i] = slow(i, malloc(1000)); }
KEEP void none(void) { for (int i = 0; i < 20000; i++) free(kept[i]); }
int main(int argc, char **argv)
{
	puts("said by the program");
	fflush(stdout);
	if (argc > 1)
		getchar();
	first();
	usleep(800000); // two tables at least
	none();
	second();
	usleep(800000);
	return 0;
}
"""
SIZE = 20000 * 1000
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
ROW = re.compile(r"^ +[\d.]+ +[\d.]+ +[\d,]+ +([\d.]+) (\w+) +\S+ +(first|second|none)\s*$", re.M)
# Of 600 samples five standard deviations are a fifth.
CLOSE = 0.2
WORDS = ["-e", "heap:32K", "--delay", "0.2"]


def read_tables(text):
    """By table: bytes of each function."""
    return [{name: float(size) * UNITS[unit] for size, unit, name in ROW.findall(table)}
            for table in re.split(r"^[\d.]+ s to [\d.]+ s$", text, flags=re.M)[1:]]


def is_alone(table, name):
    return set(table) == {name} and abs(table[name] / SIZE - 1) < CLOSE


def has_lost(said):
    """A busy machine may not let wperf keep up, and wperf says so: then the sizes are those of what is left."""
    return "lost samples" in said or "were lost" in said


def check_tables(text):
    """One after the other is in use, at its full size; what was freed is gone."""
    tables = read_tables(text)
    firsts = [i for i, table in enumerate(tables) if is_alone(table, "first")]
    seconds = [i for i, table in enumerate(tables) if is_alone(table, "second")]
    assert firsts and seconds and max(firsts) < min(seconds), text
    assert seconds[-1] == len(tables) - 1, text


def check_program(recording):
    """Its words are not among the tables."""
    program = recording.build("changes", PROGRAM)
    done = subprocess.run([recording.wperf, "top", *WORDS, "--", program], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done
    if not has_lost(done.stderr):
        check_tables(done.stdout)
    assert "said by the program" not in done.stdout and "said by the program" in done.stderr, done
    # What is allocated is of each interval: nothing of the first one is left.
    done = subprocess.run([recording.wperf, "top", "-e", "alloc:16K", "--delay", "0.2", "--", program],
                          capture_output=True, text=True, timeout=60, check=False)
    tables = read_tables(done.stdout)
    assert sum(is_alone(table, "first") for table in tables) <= 1 and not all(tables), done.stdout


def check_running(recording):
    with subprocess.Popen([recording.path("changes"), "waits"], stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL) as process, \
            recording.path("said.txt").open("w") as stream, \
            subprocess.Popen([recording.wperf, "top", *WORDS, "-p", str(process.pid)], stdout=subprocess.PIPE,
                             stderr=stream, text=True) as top:
        waiting.wait_until(lambda: "more CPU time" in recording.path("said.txt").read_text() or top.poll() is not None,
                           "the note")
        # The first table: it samples.
        head = top.stdout.readline()
        process.stdin.write(b"\n")
        process.stdin.close()
        text = head + top.communicate(timeout=60)[0]
    said = recording.path("said.txt").read_text()
    assert top.returncode == 0, said
    if not has_lost(said):
        check_tables(text)
    assert "before wperf attached is not known" in said, said


def check_terminal(recording):
    """On a terminal the program is silent; a row is what is in use, and not that and what was before."""
    program = recording.build("twice", """
#include <stdio.h>
#include <unistd.h>
static void *volatile kept[20000];
KEEP void first(void) { for (int i = 0; i < 10000; i++) kept[i] = malloc(1000); }
KEEP void second(void) { for (int i = 10000; i < 20000; i++) kept[i] = malloc(1000); }
int main(void) { puts("said by the program"); first(); usleep(700000); second(); for (;;) pause(); }""")
    terminal = terminals.Terminal(recording.wperf, "-e", "heap:16K", "--", program)
    for name in b" first", b" second", b" second", b" second", b"wperf top:":
        terminal.wait_for(name)
    terminal.press(b"q")
    terminal.finish()
    rows = [(float(size) * UNITS[unit.decode()] / 1e7, name)
            for size, unit, name in re.findall(rb"([\d.]+) (\w+) +twice +(first|second)", terminal.text)]
    assert len(rows) > 6, terminal.text
    assert max(rows)[0] < 1 + CLOSE, rows
    assert {name for share, name in rows[-2:] if share > 1 - CLOSE} == {b"first", b"second"}, rows
    assert b"said by the program" not in terminal.text, terminal.text


def check(recording):
    check_program(recording)
    check_terminal(recording)
    if os.geteuid() or not pathlib.Path("/sys/bus/event_source/devices/uprobe").exists():
        print("not tried: a running process, which needs root and a kernel with uprobes")
        return
    check_running(recording)


allocations.main(check)
