# SPDX-License-Identifier: Apache-2.0
"""What docs/showcase.md promises of two lines of Python in the emulator.

figures.py WPERF ROOT FOLDER
"""
import json
import os
import pathlib
import re
import subprocess
import sys

GOOGOLPLEX = "10**1000000"
FIBONACCI = "fib = lambda n: n if n < 2 else fib(n-1) + fib(n-2); fib(26)"


class Showcase:
    def __init__(self, wperf, root, folder):
        self.wperf, self.emulated = wperf, ["--source", "emulate", "--sysroot", root]
        self.folder = pathlib.Path(folder)
        # As scripts/showcase.sh has it.
        self.environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0",
                            "PYTHONPYCACHEPREFIX": str(self.folder / "pycache")}

    def wperf_text(self, *words):
        done = subprocess.run([self.wperf, *words], env=self.environment, text=True, timeout=60,
                              capture_output=True)
        assert done.returncode == 0, f"{words}: {done.returncode}, {done.stderr}"
        assert "no symbols for" not in done.stderr, done.stderr
        return done.stdout

    def emulate(self, verb, *words, line):
        return self.wperf_text(verb, *self.emulated, *words, "--", "python3.11d", "-S", "-c", line)

    def record(self, event, line, *more):
        """[(function, percent)], hottest first."""
        text = self.emulate("record", "--python", "native", "-e", event, "--json", *more, line=line)
        (found,) = json.loads(text)["sampling"]["events"]
        assert found["type"] == event.split(":")[0], found["type"]
        return [(row["symbol"], row["overhead"]) for row in found["samples"]]


def place(rows, function):
    names = [name for name, _ in rows]
    assert function in names, f"{function} is not among {rows}"
    return names.index(function)


def check_first(rows, function, share):
    assert rows[0][0] == function and rows[0][1] >= share, rows[:5]


def check_counts(showcase):
    """Each instruction of a known class is one of them all; a googolplex is no floating point."""
    found = json.loads(showcase.emulate("stat", "-m", "imix", "--json", line=GOOGOLPLEX))
    rows = found["processes"][0]["Performance_counter"]
    counts = {row["event_name"]: row["counter_value"] for row in rows}
    parts = ("dp_spec", "vfp_spec", "ase_spec", "ld_spec", "st_spec")
    assert 0.8 < sum(counts[name] for name in parts) / counts["inst_spec"] <= 1, counts
    assert counts["vfp_spec"] < counts["ld_spec"] / 1000, counts
    return counts["ld_spec"]


def check_googolplex(showcase, num_loads):
    recording = str(showcase.folder / "googolplex.data")
    rows = showcase.record("ld_spec:100000", GOOGOLPLEX, "--save", recording)
    check_first(rows, "x_mul", 65)
    assert 1 <= place(rows, "v_isub") <= 3, rows[:5]
    report = showcase.wperf_text("report", "-i", recording, "--sort", "module", "--json")
    num_samples = sum(row["samples"] for row in json.loads(report)["report"]["events"][0]["rows"])
    assert abs(num_samples - num_loads // 100000) <= 2, (num_samples, num_loads)
    listing = showcase.wperf_text("annotate", "-i", recording, "--symbol", "x_mul", "--disassemble")
    shares = re.findall(r"^ +(\d+\.\d+) .* ldr ", listing, re.MULTILINE)
    hot = [share for share in shares if float(share) > 30]
    assert len(hot) == 2, f"not the two loads of the inner loop: {hot}"


def check_fibonacci(showcase):
    rows = showcase.record("ld_spec:10000", FIBONACCI)
    check_first(rows, "_PyEval_EvalFrameDefault", 20)
    assert 1 <= place(rows, "unicodekeys_lookup_unicode") <= 4, rows[:6]


def main():
    showcase = Showcase(*sys.argv[1:])
    showcase.emulate("stat", "-q", line="pass")  # compiles what Python starts with
    check_googolplex(showcase, check_counts(showcase))
    check_fibonacci(showcase)


main()
