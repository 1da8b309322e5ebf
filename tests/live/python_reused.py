# SPDX-License-Identifier: Apache-2.0
"""Code objects at the address of others that are gone: modules that run one after the other, and all
begin in line 1. None has samples of another; what wperf could not read in time has no name.
python_reused.py WPERF"""
import json
import re
import subprocess
import sys
import tempfile

import chance
import pythons

NUM = 8
PROGRAM = f"""
import json, time
spent, places = {{}}, set()
while time.process_time() < 0.2:  # until wperf has found this interpreter
    pass
for number in range({NUM}):
    begin = time.process_time()
    # Of different lengths, as modules are: with equal ones all that belongs to them is at the old places, too.
    text = "".join("name%d = %d\\n" % (i, 1000 + i) for i in range(7 * number))
    code = compile("%stotal = 0\\nfor i in range(%d): total += i * i %% 7\\n" % (text, 300000 * (1 + number % 3)),
                   "module%d.py" % number, "exec")
    places.add(id(code))
    exec(code, {{}})
    spent["module%d.py" % number] = time.process_time() - begin
    time.sleep(0.05)  # in which an idle machine reads what the code was
    if number < {NUM} - 1:
        del code
print(json.dumps([len(places), spent, time.process_time()]))
time.sleep(0.3)
"""


def check(wperf, python):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([wperf, "record", "-q", "-o", f"{folder}/reused.data", "--", python, "-c",
                               PROGRAM], capture_output=True, text=True, timeout=120, check=True)
        num_places, spent, whole = json.loads(re.search(r"^\[.*\]$", done.stdout, re.M)[0])
        report = subprocess.run([wperf, "report", "-i", f"{folder}/reused.data", "--sample-display-row", "100"],
                                capture_output=True, text=True, timeout=120, check=True).stdout
    files = report[report.index("hot files of Python"):]
    # self %, within, total %, samples, file
    rows = {name: int(num.replace(",", "")) for num, name in re.findall(r" ([\d,]+)  (module\d\.py)$", files, re.M)}
    num_samples = int(re.search(r"^event .* ([\d,]+) samples", report, re.M)[1].replace(",", ""))
    print(f"{python}: {NUM} modules at {num_places} addresses, {len(rows)} read in time, {num_samples} samples",
          flush=True)
    for name, seconds in spent.items():
        # Twice: the kernel leaves out samples where the machine is busy. One module had all of them.
        chance.check_at_most(rows.get(name, 0), num_samples, 2 * seconds / whole, f"{name} of {python} in {rows}")
    assert f"module{NUM - 1}.py" in rows, report  # its code is there until the end


for path, _ in pythons.find_all():
    check(sys.argv[1], path)
