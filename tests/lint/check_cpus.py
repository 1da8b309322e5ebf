#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/cpus.md names the CPUs that wperf knows, all of them and no other: check_cpus.py WPERF DOC"""

import json
import re
import subprocess
import sys

wperf, document = sys.argv[1:]
answer = subprocess.run([wperf, "test", "--json", "--source", "sim"], check=True,
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
rows = {row["Test_Name"]: row["Result"] for row in json.loads(answer.stdout)["Test_Results"]}
known = set(rows["pmu_device.product []"].split(","))

with open(document, encoding="utf-8") as file:
    first_cells = [line.split("|")[1] for line in file if line.startswith("| `")]
described = [name for cell in first_cells for name in re.findall("`([^`]+)`", cell)]

failures = [f"{name} is missing" for name in sorted(known - set(described))]
failures += [f"{name} is not known to wperf" for name in described if name not in known]
failures += [f"{name} stands there twice" for name in set(described) if described.count(name) > 1]
for failure in failures:
    print(f"{document}: {failure}")
sys.exit(bool(failures))
