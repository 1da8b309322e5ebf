# SPDX-License-Identifier: Apache-2.0
"""Checks that libwperf.map names exactly the functions of wperf.h, in its order.
Usage: check_library_names.py WPERF_H LIBWPERF_MAP"""
import pathlib
import re
import sys

header, version_map = (pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[1:])
functions = re.findall(r"^WPERF_API[^;(]*\b(\w+)\(", header, re.M)
exported = re.findall(r"^\t(\w+);$", version_map, re.M)
faults = [f"{name}: in wperf.h, not in libwperf.map" for name in functions if name not in exported]
faults += [f"{name}: in libwperf.map, not in wperf.h" for name in exported if name not in functions]
if not functions:
    faults.append("wperf.h has no functions")
if not faults and functions != exported:
    faults.append("libwperf.map names the functions in another order than wperf.h")
print("\n".join(faults) or f"{len(functions)} functions")
sys.exit(bool(faults))
