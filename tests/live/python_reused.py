# SPDX-License-Identifier: Apache-2.0
"""Code objects at the address of others that are gone: modules that run one after the other, and all
begin in line 1. Each gets the share of time that it took by its own clock. python_reused.py WPERF"""
import json
import re
import subprocess
import sys
import tempfile

import chance
import pythons

NUM = 8
PROGRAM = f"""
import time
spent, places = {{}}, set()
for number in range({NUM}):
    begin = time.process_time()
    code = compile("total = 0\\nfor i in range(%d): total += i * i %% 7\\n" % (150000 * (1 + number % 3)),
                   "module%d.py" % number, "exec")
    places.add(id(code))
    exec(code, {{}})
    del code
    spent["module%d.py" % number] = time.process_time() - begin
import json
print(json.dumps([len(places), spent]))
"""


def check(wperf, python):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([wperf, "record", "-F", "2999", "-o", f"{folder}/reused.data", "--", python, "-c",
                               PROGRAM], capture_output=True, text=True, timeout=120, check=True)
        num_places, spent = json.loads(re.search(r"^\[.*\]$", done.stdout, re.M)[0])
        report = subprocess.run([wperf, "report", "-i", f"{folder}/reused.data", "--sample-display-row", "100"],
                                capture_output=True, text=True, timeout=120, check=True).stdout
    files = report[report.index("hot files of Python"):]
    # self %, within, total %, samples, file
    rows = {name: int(num.replace(",", "")) for num, name in re.findall(r" ([\d,]+)  (module\d\.py)$", files, re.M)}
    print(f"{python}: {NUM} modules at {num_places} addresses, {sum(rows.values())} samples", flush=True)
    whole = sum(spent.values())
    chance.check_shares(rows, {name: 100 * seconds / whole for name, seconds in spent.items()}, 300)


for path, _ in pythons.find_all():
    check(sys.argv[1], path)
