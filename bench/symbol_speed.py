# SPDX-License-Identifier: Apache-2.0
"""How fast addresses become functions and lines, with inlined calls: `wperf symbols --lines` beside
llvm-symbolizer and addr2line, on 20,000 addresses of a file. Processor time, the median of some
runs in turns; reading the file is in it.

    symbol_speed.py WPERF [FILE]
"""
import re
import resource
import shutil
import subprocess
import sys

NUM_ADDRESSES = 20000
RUNS = 5


def code_addresses(path):
    """Evenly over the code, in an order that makes no sense."""
    text = subprocess.run(["readelf", "-SW", path], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    start, size = (int(digits, 16) for digits in re.search(
        r" \.text +\w+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", text).groups())
    step = max(size // NUM_ADDRESSES, 1)
    addresses = [start + i * step % size for i in range(NUM_ADDRESSES)]
    return [addresses[i * 7919 % NUM_ADDRESSES] for i in range(NUM_ADDRESSES)]


def run(words, given):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, input=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    wperf = sys.argv[1]
    path = sys.argv[2] if len(sys.argv) > 2 else wperf
    addresses = [hex(address) for address in code_addresses(path)]
    lines = "\n".join(addresses) + "\n"
    tools = {"wperf symbols --lines": ([wperf, "symbols", path, "--lines"] + addresses, None),
             "llvm-symbolizer": (["llvm-symbolizer", "--obj=" + path], lines),
             "addr2line": (["addr2line", "-f", "-i", "-C", "-e", path], lines)}
    tools = {name: tool for name, tool in tools.items() if shutil.which(tool[0][0])}
    times = {name: [] for name in tools}
    for _ in range(RUNS):
        for name, (words, given) in tools.items():
            times[name].append(run(words, given))
    print(f"{len(addresses):,} addresses of {path}")
    ours = sorted(times["wperf symbols --lines"])[RUNS // 2]
    for name, values in times.items():
        seconds = sorted(values)[RUNS // 2]
        print(f"  {name:24} {seconds:8.3f} s {len(addresses) / seconds:12,.0f} a second"
              f"   {seconds / ours:6.1f}x of the time")


if __name__ == "__main__":
    main()
