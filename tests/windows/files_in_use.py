# SPDX-License-Identifier: Apache-2.0
"""wperf.exe writes files that another program has open, which Windows does not replace: nothing that
was recorded is lost. Usage: files_in_use.py WPERF_EXE CHILD_CHECKS_EXE PREFIX"""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import wine

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import waiting  # noqa: E402

exe, child, prefix = (os.path.abspath(word) for word in sys.argv[1:4])
wine.need(exe, child)
wine.use(prefix)
os.environ["LC_ALL"] = "C.UTF-8"  # by which Wine takes our words for characters

RECORD = ["record", "--source", "timer"]
PROGRAM = ["--", child, "exit", "7"]
SLEEPER = ["--timeout", "3", "--", child, "sleep"]


def start(folder, *words, program=exe):
    return subprocess.Popen([wine.PROGRAM, program, *words], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(folder, *words, code=0):
    process = start(folder, *words)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, (words, process.returncode, out, err)
    return err.replace("\r", "")


@contextlib.contextmanager
def held(path):
    with start(path.parent, "hold", path.name, program=child) as holder:
        assert holder.stdout.readline().strip() == "held", holder.stderr.read()
        try:
            yield
        finally:
            holder.kill()


def drafts(path):
    pattern = re.compile(re.escape(path.name) + r"\.[0-9a-f]{16}")
    return [file for file in path.parent.iterdir() if pattern.fullmatch(file.name)]


def take_draft(path, err, message):
    """The only one, which the error names: it is renamed as the hint says."""
    assert message in err, err
    draft, = drafts(path)
    assert f"{draft.name}'; close programs that have '{path.name}' open, then rename it" in err, err
    draft.rename(path)


def default_recording(folder):
    path = folder / "wperf.data"
    run(folder, *RECORD, *PROGRAM, code=7)
    old = path.read_bytes()
    with held(path):
        err = run(folder, *RECORD, "-q", *PROGRAM, code=7)
        assert path.read_bytes() == old
    take_draft(path, err, "cannot rename 'wperf.data' to 'wperf.data.old': one of them is in use\n")
    run(folder, "report", "-i", path.name)


def named_recording(folder):
    path = folder / "my.data"
    run(folder, *RECORD, "-o", path.name, *PROGRAM, code=7)
    with held(path):
        err = run(folder, *RECORD, "-o", path.name, *PROGRAM, code=7)  # the program's own
    take_draft(path, err, "cannot replace 'my.data': it is in use\n")
    run(folder, "report", "-i", path.name)


def place_that_is_free_at_the_end(folder):
    """The program that had the file open closes it while wperf records."""
    path = folder / "free.data"
    run(folder, *RECORD, "-o", path.name, *PROGRAM, code=7)
    old = path.read_bytes()
    with held(path):
        recording = start(folder, *RECORD, "-o", path.name, *SLEEPER)
        waiting.wait_until(lambda: drafts(path), "draft of the recording")
        assert path.read_bytes() == old
    _, err = recording.communicate(timeout=60)
    assert recording.returncode == 0, err
    assert not drafts(path) and path.read_bytes() != old


def results(folder):
    path = folder / "counts.json"
    words = ["stat", "--source", "sim", "-e", "ld_spec", "-c", "0", "--timeout", "1", "-o", path.name]
    run(folder, *words)
    before = json.loads(path.read_text())
    with held(path):
        err = run(folder, *words, code=1)
        assert json.loads(path.read_text()) == before
    take_draft(path, err, "cannot replace 'counts.json': it is in use\n")
    assert json.loads(path.read_text()).keys() == before.keys()


with tempfile.TemporaryDirectory() as name:
    for test in (default_recording, named_recording, place_that_is_free_at_the_end, results):
        test(pathlib.Path(name))
        print(test.__name__)
