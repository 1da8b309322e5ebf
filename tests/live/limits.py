# SPDX-License-Identifier: Apache-2.0
"""Full disks and limits of the system: commands work, or say what was refused and end.

limits.py WPERF FOLDER
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import waiting
from recorder import Recorder, run, run_tests

BURN = """
#include <stdlib.h>
#include <time.h>
KEEP void burn(void) { SPIN(100000); }
int main(int argc, char **argv) { UNTIL(atoi(argv[1])) burn(); return 0; }
"""
OLD = "what was there before\n"
TOO_LARGE, NO_SPACE = "File too large", "No space left on device"


def limited(**limits):
    """For run(): RLIMIT_<name> of the process, in the units of setrlimit()."""
    def set_all():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (value, value))
    return {"preexec_fn": set_all}


def writers(recorder):
    """Commands that write a file: the words before it, its name, and the words behind it."""
    recording = ("-i", recorder.recording)
    finish = ("--", "sh", "-c", "sleep 0.2; echo ran to its end")
    return (
        (("report", *recording, "--html"), "old.html", ()),
        (("flamegraph", *recording, "-o"), "old.html", ()),
        (("report", *recording, "-o"), "old.json", ()),
        (("report", *recording, "-o"), "old.txt", ()),
        (("export", *recording, "-o"), "old.folded", ()),
        (("export", *recording, "-o"), "old.pb.gz", ()),
        (("script", *recording, "-o"), "old.txt", ()),
        (("annotate", *recording, "--symbol", "burn", "-o"), "old.json", ()),
        (("evlist", *recording, "-o"), "old.json", ()),
        (("symbols", recorder.program, "-o"), "old.json", ()),
        (("dump", os.getpid(), "-o"), "old.json", ()),
        (("stat", "-o"), "old.txt", finish),
        (("stat", "--append", "-o"), "old.txt", finish),
        (("stat", "-o"), "old.json", finish),
        (("stat", "-I", 10, "-x,", "-o"), "old.csv", finish),
    )


def check_writers(recorder, folder, reason, **keywords):
    """Each says so in one line and ends with 1; the old file is as it was, and nothing else is there."""
    for before, name, behind in writers(recorder):
        path = folder / name
        if not path.exists():
            path.write_text(OLD)
        names = sorted(os.listdir(folder))
        done = run([recorder.wperf, *before, path, *behind], 1, **keywords)
        said = [line for line in done.stderr.splitlines() if not line.startswith(("note: ", "hint: "))]
        assert len(said) == 1 and said[0] in (f"cannot write {path}: {reason}", f"cannot write '{path}': {reason}"), (
            before, done.stderr)
        assert path.read_text() == OLD and sorted(os.listdir(folder)) == names, (before, os.listdir(folder))
        assert not behind or "ran to its end" in done.stdout, (before, done.stdout)


def full_disk(recorder):
    folder = recorder.path("full")
    folder.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", folder],
                      capture_output=True, check=False).returncode:
        return "skipped: no file system of one's own here"
    try:
        for _, name, _ in writers(recorder):
            (folder / name).write_text(OLD)
        with open(folder / "filler", "wb", buffering=0) as filler:
            try:
                while filler.write(b"x" * 4096):
                    pass
            except OSError:
                pass
        check_writers(recorder, folder, NO_SPACE)
    finally:
        run(["umount", folder])
    return None


def too_large_files(recorder):
    """RLIMIT_FSIZE, the signal of which ends programs that know nothing of it."""
    folder = recorder.path("limited")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    check_writers(recorder, folder, TOO_LARGE, **limited(fsize=0))


def too_large_output(recorder):
    """The same of standard output."""
    path = recorder.path("output.txt")
    for words in (("report", recorder.recording), ("script", recorder.recording), ("help",),
                  ("top", "--timeout", 0.5, "-p", os.getpid()), ("stat", "-p", os.getpid(), "--timeout", 0.1)):
        with open(path, "w", encoding="utf-8") as stream:
            done = subprocess.run([recorder.wperf, *map(str, words)], stdout=stream, stderr=subprocess.PIPE,
                                  text=True, check=False, **limited(fsize=0))
        assert done.returncode == 1 and done.stderr.count("cannot write standard output: " + TOO_LARGE) == 1, (
            words, done.returncode, done.stderr)


def a_page_beside_a_recording(recorder):
    """Where the page cannot be written, the tables and what is said of the recording are there all the same."""
    page, recording = recorder.path("limited.html"), recorder.path("limited.data")
    page.write_text(OLD)
    words = [recorder.wperf, "record", "-g", "--save", recording, "--html", page, "--", recorder.program, 500]
    done = run(words, 1, **limited(fsize=16384))
    assert " burn" in done.stdout and page.read_text() == OLD, done.stdout
    assert f"cannot write {page}: {TOO_LARGE}" in done.stderr, done.stderr
    assert f"warning: the recording ends early: cannot write '{recording}': {TOO_LARGE}" in done.stderr, done.stderr


NOBODY = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups")
LOOP = "x = 0\nwhile True: x += 1"
LIMITS = (
    {"nofile": 64},
    {"nofile": 10},
    {"as": 2000000 * 1024},
    {"as": 500000 * 1024},
    {"memlock": 0},
)
ENOUGH = LIMITS[:1] + LIMITS[2:3] + LIMITS[4:]  # for what concerns one process


def commands(folder, program, python, recording):
    """Words, and whether the limits of ENOUGH must do."""
    read = ("-i", recording, "-f")
    save = ("-o", folder / "new.data")
    return (
        (("record", *save, "--", program, 100), True),
        (("record", "-g", *save, "--", program, 100), True),
        (("record", "-q", "-a", *save, "--timeout", 0.1), False),
        (("stat", "--", program, 10), True),
        (("stat", "-a", "--timeout", 0.1), False),
        (("top", "-p", python, "--timeout", 0.2), True),
        (("dump", python), True),
        (("report", *read), True),
        (("report", "-q", *read, "--html", folder / "new.html"), True),
        (("export", *read, "-o", folder / "new.pb.gz"), True),
        (("annotate", *read, "--symbol", "burn"), True),
        (("symbols", program), True),
    )


def check_limits(wperf, folder, recording, before):
    """Each command works, or says why not: no crash, no hang, no silence."""
    python = subprocess.Popen([*before, "/usr/bin/python3", "-c", LOOP])
    failed = []
    try:
        # setpriv is not yet Python where it has no interpreter's maps.
        waiting.wait_until(lambda: "python" in waiting.read_proc(python.pid, "maps"), "Python")
        waiting.wait_for_cpu(python.pid, 0.1)
        # AddressSanitizer reserves some terabytes of addresses.
        is_sanitized = b"__asan_init" in pathlib.Path(wperf).read_bytes()
        for limits in LIMITS:
            if is_sanitized and "as" in limits:
                continue
            for words, must_do in commands(folder, folder / "burn", python.pid, recording):
                done = run([*before, wperf, *words], None, timeout=60, cwd=folder, **limited(**limits))
                is_said = done.returncode == 1 and re.search("^(?!note: |hint: ).*[a-z]", done.stderr, re.M)
                assert done.returncode == 0 or is_said, (limits, words, done.returncode, done.stderr)
                # The user's other recordings of this moment have their part of the locked memory.
                is_shared = "memory of all buffers of a user" in done.stderr
                assert done.returncode == 0 or is_shared or not (must_do and limits in ENOUGH), (
                    limits, words, done.stderr)
                if done.returncode:
                    failed.append(words[0])
    finally:
        python.kill()
        python.wait()
    return f"{len(failed)} refused"


def as_root_or_user(recorder):
    """Limits of files, address space and locked memory, with the rights of whoever runs the test."""
    return check_limits(recorder.wperf, recorder.folder, recorder.recording, ())


def as_ordinary_user(recorder):
    if os.geteuid() or not shutil.which("setpriv"):
        return "skipped: only root can become another"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chmod(folder, 0o777)
        for file in (recorder.wperf, recorder.program, recorder.recording):
            shutil.copy(file, folder)
            os.chmod(folder / pathlib.Path(file).name, 0o755)
        return check_limits(folder / "wperf", folder, folder / recorder.recording.name, NOBODY)


def main():
    recorder = Recorder(sys.argv[1], sys.argv[2])
    recorder.program = recorder.compile("burn", BURN, "-O2", "-g")
    recorder.recording = recorder.record([recorder.program, 300], "-g", rate=2000)
    run_tests((full_disk, too_large_files, too_large_output, a_page_beside_a_recording, as_root_or_user,
               as_ordinary_user), recorder)


if __name__ == "__main__":
    main()
