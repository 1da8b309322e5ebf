# SPDX-License-Identifier: Apache-2.0
"""The example that samples itself: its lines have the shares of its work, and nothing else is there.

sample_self.py EXAMPLE
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import chance  # pylint: disable=wrong-import-position

EXAMPLE = sys.argv[1]
SOURCE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "sample_self.c"
TRUTH = {"hot": 70, "warm": 20, "cool": 10}
LEAST_SAMPLES = 100


def functions():
    """By line of the source: in which function it is."""
    inside, lines = None, {}
    for number, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1):
        start = re.match(r"\w.*\b(\w+)\([^();]*\)$", line)
        inside = start.group(1) if start else inside
        lines[number] = inside
    return lines


def main():
    done = subprocess.run([EXAMPLE], capture_output=True, text=True, timeout=60,
                          env=os.environ | {"DEBUGINFOD_URLS": ""})
    if done.returncode and "perf_event_paranoid" in done.stderr:
        print(done.stderr)
        sys.exit(77)
    assert done.returncode == 0, done
    names, counts, num_others = functions(), collections.Counter(), 0
    for line in done.stdout.splitlines():
        percent, sign, count, label = line.split(maxsplit=3)
        assert sign == "%" and 0 <= float(percent) <= 100, line
        file, _, number = label.rpartition(":")
        name = names.get(int(number)) if file.endswith("sample_self.c") else None
        if name in TRUTH:
            counts[name] += int(count)
        else:
            num_others += int(count)
    print(chance.check_shares(counts, TRUTH, LEAST_SAMPLES, skew=0.02), f"{num_others} elsewhere")
    # The thread that takes the samples would be among the ten hottest lines.
    assert not re.search(r"profile_builder|sampling_round|perf_", done.stdout), done.stdout


main()
