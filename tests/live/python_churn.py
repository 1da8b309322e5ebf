# SPDX-License-Identifier: Apache-2.0
"""Stacks of programs that call and return all the time: none may be put together of two."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chance
import pythons

PROBE = sys.argv[1]
NUM, PAUSE_US = os.environ.get("WPERF_CHURN_SAMPLES", "1500"), "300"
MAX_IMPOSSIBLE, MAX_TORN = 0.01, 0.1

CHURN = """
import sys
def leaf_a(): return sum(range(50))
def leaf_b(): return sum(range(50))
def hot_a(): return leaf_a()
def hot_b(): return leaf_b()
def numbers():
    for i in range(3): yield leaf_a()
def hot_g():
    for i in numbers(): pass
def main():
    while True:
        for i in range(1000):
            hot_a(); hot_b()
            if i % 10 == 0: hot_g()
sys.stdout.write("ready\\n"); sys.stdout.flush()
main()
"""
CALLERS = {"leaf_a": ("hot_a", "numbers"), "leaf_b": ("hot_b",), "hot_a": ("main",),
           "hot_b": ("main",), "hot_g": ("main",), "numbers": ("hot_g",), "main": ("<module>",),
           "<module>": (None,)}
TORN, WHOLE = "5", "2"


def is_possible(names):
    return all(caller in CALLERS.get(name, ()) for name, caller in zip(names, [*names[1:], None]))


def check(python):
    # Beside each other, where that can be: a reader that interrupts the program sees it at rest.
    cpus = sorted(os.sched_getaffinity(0))
    with subprocess.Popen([python, "-c", CHURN], stdout=subprocess.PIPE) as target:
        target.stdout.readline()
        os.sched_setaffinity(target.pid, {cpus[-1]})
        try:
            probe = subprocess.run([PROBE, str(target.pid), NUM, PAUSE_US], capture_output=True,
                                   text=True, check=False,
                                   preexec_fn=lambda: os.sched_setaffinity(0, {cpus[0]}))
        finally:
            target.kill()
    assert probe.returncode == 0, probe.stderr
    stacks = [line.split(";") for line in probe.stdout.splitlines()]
    whole = [[name.rsplit(":", 1)[0] for name in stack[1:]] for stack in stacks
             if stack[0] == WHOLE]
    impossible = [names for names in whole if not is_possible(names)]
    torn = sum(stack[0] != WHOLE for stack in stacks)
    print(f"{python}: {len(stacks)} stacks, {100 * len(impossible) / len(stacks):.2f} % impossible, "
          f"{100 * torn / len(stacks):.2f} % torn; {probe.stderr.strip()}", flush=True)
    chance.check_at_most(len(impossible), len(stacks), MAX_IMPOSSIBLE, impossible[:5])
    chance.check_at_most(torn, len(stacks), MAX_TORN, "torn")
    seen = {name for names in whole for name in names}
    assert set(CALLERS) - {"numbers", "hot_g"} <= seen, seen


def main():
    found = pythons.find_all()
    assert found, "no interpreter at all"
    for python, _ in found:
        check(python)


if __name__ == "__main__":
    main()
