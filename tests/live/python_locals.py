# SPDX-License-Identifier: Apache-2.0
"""The variables that wperf dump --locals shows, beside what the program prints of its own frames,
under every interpreter of this machine."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pythons

WPERF = sys.argv[1]
FRAMES = pathlib.Path(__file__).with_name("python_frames.py")
MOST_BYTES = 1000
SCHEMA = json.loads(pathlib.Path(__file__).parents[2].joinpath("docs/schemas/dump.schema.json").read_text())


def dump(pid, *more):
    result = subprocess.run([WPERF, "dump", "-p", str(pid), "--locals", *more],
                            capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def is_alike(seen, expected):
    """Long ones are cut somewhere, and say so."""
    if len(expected.encode()) < MOST_BYTES:
        return seen == expected
    return " more" in seen and len(seen.encode()) < 2 * MOST_BYTES and seen[:900] == expected[:900]


def compare(python, truth, dumped):
    num = 0
    threads = {str(thread["id"]): thread for thread in dumped["threads"]}
    for ident, frames in truth.items():
        for (name, expected), seen in zip(frames, threads[ident]["frames"]):
            values = {local["name"]: local["value"] for local in seen["locals"]}
            if len(expected) > 256:
                assert len(values) == 256
                expected = dict(list(expected.items())[:256])
            wrong = {key: (values.get(key), expected.get(key)) for key in {*values, *expected}
                     if key not in values or key not in expected
                     or not is_alike(values[key], expected[key])}
            assert not wrong, (python, name, wrong)
            assert list(values) == list(expected) or set(values) == set(expected)
            num += len(values)
    return num


def check(python, folder):
    truth = pathlib.Path(folder, "truth.json")
    with subprocess.Popen([python, str(FRAMES), str(truth)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n", python
            content = json.loads(truth.read_text())
            dumped = json.loads(dump(process.pid, "--json"))
            jsonschema.validate(dumped, SCHEMA)
            num = compare(python, content, dumped)
            text = dump(process.pid)
            assert "        negative = -" in text and "\n        ...\n" in text
            assert "\x1b" not in text and "\u202e" not in text
        finally:
            process.kill()
    return num


def main():
    found = pythons.find_all()
    assert found, "no interpreter at all"
    with tempfile.TemporaryDirectory() as folder:
        for python, _ in found:
            print(f"{python}: {check(python, folder)} variables alike", flush=True)


if __name__ == "__main__":
    main()
