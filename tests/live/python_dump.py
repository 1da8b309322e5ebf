# SPDX-License-Identifier: Apache-2.0
"""wperf dump beside sys._current_frames(), under every interpreter of this machine."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pythons
import waiting

WPERF = sys.argv[1]
MAX_LOOKS = 300
BLOCKED = pathlib.Path(__file__).with_name("python_blocked.py")

SPIN = """
import sys
def spin():
    while True:
        pass
sys.stdout.write("ready\\n"); sys.stdout.flush()
spin()
"""

ACTIVITIES = """
import hashlib, sys, threading, time
def spinning():
    while True:
        pass
def native(data=b"x" * (100 << 20)):
    while True:
        hashlib.sha256(data).digest()
def sleeping():
    time.sleep(1000)
for function in (spinning, spinning, spinning, native, sleeping):
    threading.Thread(target=function, daemon=True).start()
sys.stdout.write("ready\\n"); sys.stdout.flush()
sys.stdin.read()
"""

SUBINTERPRETER = """
import sys, threading
try:
    import _interpreters as it
except ImportError:
    try:
        import _xxsubinterpreters as it
    except ImportError:
        sys.exit()
def run():
    it.run_string(it.create(), '''
import time
def inside():
    time.sleep(1000)
inside()
''')
threading.Thread(target=run, daemon=True).start()
import time
sys.stdout.write("ready\\n"); sys.stdout.flush()
time.sleep(1000)
"""


def dump(pid, *more):
    result = subprocess.run([WPERF, "dump", "-p", str(pid), *more], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def dump_json(pid):
    return json.loads(dump(pid, "--json"))


class Target:
    """An interpreter that runs until the end of the block."""

    def __init__(self, python, *words):
        self.process = subprocess.Popen([python, *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def is_ready(self):
        return self.process.stdout.readline() == "ready\n"

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def expected_frame(frame):
    name, file, line, position = frame
    answer = {"function": name, "file": file, "line": line}
    if position and position[2] is not None:
        answer.update(line=position[0], end_line=position[1], column=position[2] + 1,
                      end_column=position[3] + 1)
    return answer


def compare(truth, dumped, minor):
    threads = {str(thread["id"]): thread for thread in dumped["threads"]}
    for ident, frames in truth["stacks"].items():
        expected = [expected_frame(frame) for frame in frames]
        seen = threads[ident]["frames"]
        assert seen == expected, (minor, [pair for pair in zip(seen, expected)
                                          if pair[0] != pair[1]][:3], len(seen), len(expected))
        if truth["native"][ident]:
            assert threads[ident]["tid"] == truth["native"][ident], ident
        assert not threads[ident]["holds_gil"]
    assert threads[str(truth["main"])]["tid"] == dumped["pid"]
    tids = [thread["tid"] for thread in dumped["threads"]]
    assert len(set(tids)) == len(truth["stacks"]) + 1, tids


def check_blocked(python, minor, folder):
    truth = pathlib.Path(folder, "truth.json")
    with Target(python, str(BLOCKED), str(truth)) as target:
        assert target.is_ready(), python
        content = json.loads(truth.read_text())
        compare(content, dump_json(target.process.pid), minor)
        text = dump(target.process.pid)
        assert f"Process {target.process.pid}, Python 3.{minor}" in text
        assert text.count("\nThread ") == len(content["stacks"]) + 1
        assert "größe_名_𐍈" in text and "🐍.py:2" in text
        assert "long.py:6002" in text and f"far.py:{70000 + 2 + 301}" in text
    return len(content["stacks"])


def check_gil(python, minor):
    with Target(python, "-c", SPIN) as target:
        assert target.is_ready()
        # It says that it is ready a moment before.
        waiting.wait_until(lambda: dump_json(target.process.pid)["threads"][0]["frames"][0].get("function") == "spin",
                           "it spins")
        seen = [dump_json(target.process.pid)["threads"][0] for _ in range(10)]
        assert all(thread["frames"][-1]["function"] == "<module>" for thread in seen), seen
        spinning = [thread for thread in seen if thread["frames"][0]["function"] == "spin"]
        assert len(spinning) >= 9 and all(t["frames"][0]["line"] in (4, 5) for t in spinning), seen
        holding = sum(thread["holds_gil"] for thread in seen)
        is_free = "free-threaded" in dump(target.process.pid)
        assert holding >= 9 if minor >= 7 and not is_free else holding == 0, (minor, holding)


def check_activities(python, minor):
    """One of three has the GIL; the others wait for it, or are about to."""
    waits = without = num_looks = 0
    with Target(python, "-c", ACTIVITIES) as target:
        assert target.is_ready()
        if "free-threaded" in dump(target.process.pid):
            return
        # How often a thread gets the GIL is up to the system; a busy one takes longer.
        while num_looks < 12 or num_looks < MAX_LOOKS and (without < 2 or minor >= 7 and waits < 2):
            num_looks += 1
            threads = dump_json(target.process.pid)["threads"]
            of = {}
            for thread in threads:
                of.setdefault(thread["frames"][0]["function"], []).append(thread)
                assert not thread["holds_gil"] or not thread["waits_for_gil"], thread
            assert of["sleeping"][0]["state"] == "sleeps" and not of["sleeping"][0]["holds_gil"]
            assert minor < 7 or not of["sleeping"][0]["waits_for_gil"], of["sleeping"]
            native = of["native"][0]
            without += native["state"] == "runs" and not native["holds_gil"]
            assert sum(thread["holds_gil"] for thread in of["spinning"]) <= 3
            waits += sum(thread.get("waits_for_gil", False) for thread in of["spinning"])
        text = dump(target.process.pid)
    assert waits >= 2 if minor >= 7 else waits == 0, (minor, waits)
    assert without >= 2, without
    assert ", sleeps\n    " in text, text


def is_inside(pid):
    return any(frame.get("function") == "inside" and frame["line"] == 4
               for thread in dump_json(pid)["threads"] if thread["interpreter"] > 0
               for frame in thread["frames"])


def check_subinterpreter(python, minor):
    """3.6 and 3.7 have them for C only."""
    with Target(python, "-c", SUBINTERPRETER) as target:
        if not target.is_ready():
            return False
        waiting.wait_until(lambda: is_inside(target.process.pid), "thread of the other interpreter")
        assert "interpreter " in dump(target.process.pid)
    return True


def refusal(*words, **more):
    result = subprocess.run([WPERF, "dump", *words], capture_output=True, text=True, check=False,
                            **more)
    assert result.returncode and not result.stdout, result
    return result.stderr


def check_refusals():
    with subprocess.Popen(["sleep", "1000"]) as other:
        try:
            waiting.wait_for_program(other.pid, "sleep")
            assert "runs no Python interpreter" in refusal("-p", str(other.pid))
        finally:
            other.kill()
    assert "No such process" in refusal("-p", str(other.pid))
    assert "'dump' needs one process" in refusal()
    assert "'dump' needs one process" in refusal("-p", "1,2")
    if os.geteuid() == 0:
        with Target(sys.executable, "-c", SPIN) as target:
            assert target.is_ready()
            pid = target.process.pid
            held = subprocess.run([WPERF, "dump", "-p", str(pid), "--stop"], capture_output=True,
                                  text=True, check=True).stdout
            assert "Thread" in held and "changed" not in held, held
            tracers = [line for line in open(f"/proc/{pid}/status") if "TracerPid" in line]
            assert tracers == ["TracerPid:\t0\n"], tracers
            words = refusal("-p", str(target.process.pid), user=65534, group=65534)
            assert "cannot read the memory of process" in words and "ptrace_scope" in words, words


def main():
    found = pythons.find_all()
    assert found, "no interpreter at all"
    check_refusals()
    with tempfile.TemporaryDirectory() as folder:
        for python, minor in found:
            num = check_blocked(python, minor, folder)
            check_gil(python, minor)
            check_activities(python, minor)
            with_sub = check_subinterpreter(python, minor)
            print(f"{python}: {num} blocked threads alike"
                  + (", a subinterpreter as well" if with_sub else ", no subinterpreters"),
                  flush=True)


if __name__ == "__main__":
    main()
