# SPDX-License-Identifier: Apache-2.0
"""The library samples real programs: others, commands, and the one that it is part of.

sampling.py WPERF LIBRARY SAMPLING_CALLS
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "live"))
import chance  # pylint: disable=wrong-import-position

WPERF, LIBRARY, CALLS = sys.argv[1:4]
OWN_PYTHON = HERE / "sample_own_python.py"
ENVIRONMENT = os.environ | {"DEBUGINFOD_URLS": ""}
SKIPPED = 77
LEAST_SAMPLES = 20  # of what burns 0.3 s; there are 300 where the kernel lets them be
# Of stacks that are read after the sample, some are of the next line; see tests/live/python_methods.py.
LATE_SKEW = 0.06
SCRIPT = """import sys
def hot():
    total = 0
    for i in range(3000000):
        total += i * i % 7
hot()
sys.exit(5)
"""


def is_sanitized():
    return b"__asan_init" in pathlib.Path(LIBRARY).read_bytes()


def run(*words, code=0, **keywords):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=100,
                          env=ENVIRONMENT, **keywords)
    if done.returncode == SKIPPED:
        print(done.stderr)
        sys.exit(SKIPPED)
    assert done.returncode == code, (words, done)
    return done


def counts(text):
    """Samples by name."""
    found = {}
    for line in text.splitlines():
        number, _, name = line.partition(" ")
        if number.isdigit():
            found[name] = found.get(name, 0) + int(number)
    return found


def test_threads(_folder):
    found = counts(run(CALLS, "threads").stdout)
    assert set(found) == {"sampling_calls", "early", "late"}, found
    # "early" had begun before it was sampled.
    assert all(number > LEAST_SAMPLES / 2 for number in found.values()), found
    found = counts(run(CALLS, "one_thread").stdout)
    assert "burn_two" not in found and found["burn_one"] > LEAST_SAMPLES, found


def test_others(folder):
    with subprocess.Popen([CALLS, "burn_two"]) as other:
        found = counts(run(CALLS, "pid", other.pid).stdout)
    chance.check_at_least(found["burn_two"], sum(found.values()), 0.8, found)
    script = folder / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = run(CALLS, "command", "/usr/bin/python3", script)
    found = counts(done.stdout)
    assert done.stdout.startswith("exit code 5\n"), done
    lines = {int(name.rpartition(":")[2]): number for name, number in found.items()
             if "script.py:" in name}
    assert max(lines, key=lines.get) in (4, 5), found
    chance.check_at_least(lines[4] + lines[5], sum(found.values()), 0.5, found)
    first, second = run(CALLS, "two").stdout.split("command burn_two\n")
    assert "burn_two" not in counts(first) and counts(first)["burn_one"] > LEAST_SAMPLES, first
    assert "burn_one" not in counts(second) and counts(second)["burn_two"] > LEAST_SAMPLES, second


def test_memory(_folder):
    if is_sanitized():
        return  # its library wants to be the first, before the one that samples
    # Where packages have it, seen from the library.
    installed = pathlib.Path(LIBRARY).parent / "wperf" / "wperf-memory.so"
    installed.parent.mkdir(exist_ok=True)
    if not installed.exists():
        installed.symlink_to(pathlib.Path(WPERF).resolve().parent / installed.name)
    # 20 MB by samples of 64 KiB: 305, by 17.
    found = counts(run(CALLS, "memory", CALLS, "keep_memory").stdout)
    assert abs(found["keep_memory"] - 305) < 5 * 17, found


def test_ends(folder):
    for name in ("cancel", "killed", "fork"):
        found = counts(run(CALLS, name).stdout)
        assert found["burn_one"] > LEAST_SAMPLES, (name, found)
    assert found["burn_two"] > LEAST_SAMPLES, found  # of the forked child
    for name in ("progress", "close", "refusals"):
        run(CALLS, name)
    found = counts(run(CALLS, "full_disk", folder / "full.data").stdout)
    assert found["burn_one"] > LEAST_SAMPLES, found


def test_recording(folder):
    path = folder / "own.data"
    found = counts(run(CALLS, "recording", path).stdout)
    report = json.loads(run(WPERF, "report", "--json", "-i", path, "--sort", "symbol").stdout)
    rows = {row["symbol"]: row["samples"] for row in report["report"]["events"][0]["rows"]}
    for name in ("burn_one", "burn_two"):
        assert rows[name] == found[name] > LEAST_SAMPLES, (rows, found)
    perf = shutil.which("perf")
    if perf:
        text = run(perf, "script", "-i", path, "-F", "comm,ip,sym").stdout
        num = len(re.findall(r"^sampling_calls", text, re.M))
        assert num == sum(found.values()), (num, found)
        assert re.search(r"burn_one\n.*test_recording\n.*main\n", text), text[:2000]


def check_own_python(source, note, **rights):
    seen = json.loads(run("/usr/bin/python3", OWN_PYTHON, LIBRARY, source, **rights).stdout)
    lines = OWN_PYTHON.read_text(encoding="utf-8").splitlines()
    hot = next(number for number, line in enumerate(lines, 1) if line.endswith("# the hot line"))
    rows = {int(name.rpartition(":")[2]): number for name, number in seen["rows"].items()
            if "sample_own_python.py:" in name}
    num = sum(rows.values())
    assert num > 2 * LEAST_SAMPLES, seen
    chance.check_at_least(rows[hot] + rows[hot - 1], num, 1 - LATE_SKEW - 0.05, seen)
    assert note in seen["notes"] and ("Python stacks are" in seen["notes"]) == bool(note), seen
    return num


def test_own_python(_folder):
    if is_sanitized():
        return  # an interpreter that is not sanitized cannot load it
    check_own_python("perf", "")
    check_own_python("timer", "sampled on a timer")
    if os.geteuid() == 0 and os.access(LIBRARY, os.R_OK):
        check_own_python("perf", "read shortly after each sample", user=65534, group=65534,
                         extra_groups=[])


def main():
    with tempfile.TemporaryDirectory() as name:
        for test in (test_threads, test_others, test_memory, test_ends, test_recording, test_own_python):
            folder = pathlib.Path(name) / test.__name__
            folder.mkdir()
            test(folder)
            print(f"{test.__name__}: right")


main()
