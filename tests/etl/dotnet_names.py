# SPDX-License-Identifier: Apache-2.0
"""Which samples of code that is in no image have names of .NET methods, in a real recording. The others
are not methods: stubs of the CLR, of one instruction each, and code that Direct3D's software renderer
compiles. Usage: dotnet_names.py WPERF SHARED
"""
import collections
import pathlib
import re
import subprocess
import sys

wperf, shared = sys.argv[1], pathlib.Path(sys.argv[2])
recording = shared / "data/etl/net.4.5.2.x64.etl.zip"
if not recording.exists():
    print(f"no {recording}")
    sys.exit(77)
text = subprocess.run([wperf, "script", "-i", recording], capture_output=True, text=True, check=True,
                      timeout=120).stdout
counts = collections.Counter()
for sample in text.split("\n\n"):
    head, *frames = sample.strip("\n").split("\n")
    frames = [re.fullmatch(r"\s*([0-9a-f]+) (.*) \((.*)\)", frame).groups() for frame in frames]
    if not frames or frames[0][2] not in ("[jit]", "[unknown]"):
        continue
    address, name, module = frames[0]
    process = re.match(r"(.*?) \d+/", head).group(1)
    if module == "[jit]":
        assert name != "[unknown]", sample
        counts[process, "method"] += 1
        continue
    callers = [caller for _, _, caller in frames if caller != "[unknown]"]
    if callers:
        assert callers[0].endswith("d3d10warp.dll"), sample
        counts[process, "renderer"] += 1
    else:
        assert int(address, 16) % 8 == 0 and len(frames) == 1, sample
        counts[process, "stub"] += 1
print(counts)
assert counts == {("Test.x64.exe", "method"): 4456, ("Test.x64.exe", "stub"): 88,
                  ("PerfView.exe", "method"): 38, ("PerfView.exe", "renderer"): 31,
                  ("dwm.exe", "renderer"): 15}
