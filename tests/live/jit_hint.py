# SPDX-License-Identifier: Apache-2.0
"""Code of a JIT compiler without names is hinted at with the option that makes its runtime write them.

jit_hint.py WPERF FOLDER; 77 without node
"""
import re
import shutil
import sys

from recorder import Recorder, run

LOOP = """
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7 * (i & 3); return s; }
const end = Date.now() + 1000;
let t = 0;
while (Date.now() < end) t += hot(100000);
console.log(t > 0);
"""
NOTE = re.compile(r"^note: (\d+) % of samples are in JIT code without names; start node with (\S+)$", re.M)


def main():
    recorder = Recorder(*sys.argv[1:])
    node = shutil.which("node")
    if not node:
        print("skipped: no node")
        return 77
    script, saved = recorder.path("loop.js"), recorder.path("loop.data")
    script.write_text(LOOP)
    words = [recorder.wperf, "record", "-e", "cpu-clock", "-o", saved, "--"]
    done = run([*words, node, script], cwd=recorder.folder)
    said = NOTE.search(done.stderr)
    assert said and int(said[1]) > 50, done.stderr
    report = run([recorder.wperf, "report", saved])
    assert NOTE.search(report.stderr), report.stderr
    done = run([*words, node, said[2], script], cwd=recorder.folder)
    assert not NOTE.search(done.stderr), done.stderr
    assert re.search(r"^ +\d+\.\d+ +\d+ +JS:\S*hot ", done.stdout, re.M), done.stdout
    print(f"{said[1]} % without names; with {said[2]} they are there")
    shutil.rmtree(recorder.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
