# SPDX-License-Identifier: Apache-2.0
"""What cannot be sampled is refused before it runs, with the reason."""
import os
import shutil

import allocations
import recorder

HELLO = "#include <stdio.h>\nint main(void) { puts(\"it ran\"); return 0; }\n"


def refused(recording, words, *messages, code=None):
    done = recorder.run([recording.wperf, *words], code)
    assert done.returncode in (1, 2), done.returncode
    for message in messages:
        assert message in done.stderr, (message, done.stderr)
    assert "it ran" not in done.stdout, done.stdout


def check_programs(recording):
    static = recording.compile("static", HELLO, "-static")
    refused(recording, ["record", "-e", "alloc", "--", static], f"cannot sample the allocations of '{static}'",
            "linked statically", "Go")
    script = recording.path("script")
    script.write_text(f"#!{static}\n")
    script.chmod(0o755)
    refused(recording, ["record", "-e", "alloc", "--", script], "linked statically")
    lent = recording.compile("lent", HELLO)
    if os.geteuid() == 0 and shutil.which("setcap"):
        recorder.run(["setcap", "cap_net_raw+ep", lent])
        refused(recording, ["record", "-e", "alloc", "--", lent], "rights of its own")
    refused(recording, ["record", "-e", "alloc", "--", recording.path("none")], "none")


def check_words(recording):
    program = recording.compile("hello", HELLO)
    refused(recording, ["record", "-e", "alloc", "-a", "--timeout", "1"], "only in programs that wperf starts",
            "wperf record -e alloc -- PROGRAM", "-p PID")
    refused(recording, ["record", "-e", "alloc,cpu-clock", "--", program],
            "'alloc' and 'cpu-clock' cannot be sampled together", "run wperf twice")
    refused(recording, ["record", "-e", "alloc,alloc-count:64K", "--", program], "need the same period")
    refused(recording, ["record", "-e", "alloc", "-e", "alloc", "--", program], "event 'alloc' was given twice")
    refused(recording, ["record", "-e", "alloc:64Q", "--", program], "event interval: 64Q is invalid",
            "65536, 64K or 1M")
    refused(recording, ["record", "-e", "alloc:64G", "--", program], "event interval: 64G is out of range")
    refused(recording, ["record", "-e", "alloc", "--call-graph", "fp", "--", program], "by unwind tables only")
    refused(recording, ["record", "--source", "memory", "-e", "cpu-clock", "--", program],
            "'cpu-clock'")


def check_missing_library(recording):
    """A wperf by itself says what it lacks."""
    alone = recording.path("alone")
    shutil.copy(recording.wperf, alone)
    done = recorder.run([alone, "record", "-e", "alloc", "--", "true"], None)
    assert done.returncode
    assert "wperf-memory.so is missing beside this wperf" in done.stderr, done.stderr


def check(recording):
    check_programs(recording)
    check_words(recording)
    check_missing_library(recording)


allocations.main(check)
