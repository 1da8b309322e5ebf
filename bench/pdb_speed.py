# SPDX-License-Identifier: Apache-2.0
"""A Windows program of 100,000 functions and its PDB, made here: how long one address takes from the
start of the program to its answer, what some addresses and all functions take, beside
llvm-symbolizer and llvm-pdbutil, and what an address takes within a program that has the files open.
Processor time, the best of some runs in turns. llvm-symbolizer takes as long for each address, which
is why it gets few.

    pdb_speed.py WPERF [FUNCTIONS [FOLDER]]
"""
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile

PER_FILE = 2000
FEW, MANY = 200, 200000
RUNS = 3


def source(number):
    """Functions that call others, some of which are inlined."""
    parts = ["typedef unsigned long long u64;\nextern volatile u64 sink;\n"
             "static inline __attribute__((always_inline)) u64 mix(u64 h, u64 v)\n"
             "{\n\th ^= v;\n\th *= 0x9E3779B97F4A7C15ull;\n\treturn h ^ (h >> 29);\n}\n"]
    for i in range(PER_FILE):
        name = f"function_{number}_{i}"
        parts.append(f"u64 {name}(u64 a, u64 b)\n{{\n\tu64 sum = mix(a, {i});\n"
                     f"\tif (sum & 1)\n\t\tsum += mix(b, sum);\n\tsink = sum;\n\treturn sum + b;\n}}\n")
    if number == 0:
        parts.append("volatile u64 sink;\nint entry(void) { return 0; }\n")
    return "".join(parts)


def build(folder, num_functions):
    objects = []
    running = []
    for number in range(num_functions // PER_FILE):
        path = folder / f"part{number}.c"
        path.write_text(source(number))
        objects.append(f"part{number}.obj")
        running.append(subprocess.Popen(
            ["clang", "--target=x86_64-pc-windows-msvc", "-O1", "-g", "-gcodeview", "-ffreestanding",
             "-fno-stack-protector", "-ffunction-sections", "-c", path.name, "-o", objects[-1]],
            cwd=folder))
        if len(running) == 2:
            running.pop(0).wait()
    for process in running:
        process.wait()
    subprocess.run(["lld-link", "/nologo", "/dll", "/machine:x64", "/debug:full", "/nodefaultlib",
                    "/entry:entry", "/opt:noref,noicf", "/out:many.dll", "/pdb:many.pdb", *objects],
                   check=True, cwd=folder)
    return folder / "many.dll"


def code_of(image):
    text = subprocess.run(["llvm-readobj", "--sections", image], capture_output=True, text=True,
                          check=True).stdout
    part = text[text.index("Name: .text"):].split("}")[0].split("\n")
    values = {line.split(":")[0].strip(): line.split(":")[1].strip() for line in part if ":" in line}
    start = int(values["VirtualAddress"], 16)
    return start, int(values["VirtualSize"], 16)


def run(words, given=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, input=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compare(title, tools, count):
    times = {name: [] for name in tools}
    for _ in range(RUNS):
        for name, (words, given) in tools.items():
            times[name].append(run(words, given))
    ours = min(next(iter(times.values())))
    print(title)
    for name, values in times.items():
        print(f"  {name:24} {min(values):8.3f} s {min(values) / count * 1e6:10.2f} us each"
              f" {min(values) / ours:7.1f}x of the time")
    return [min(values) for values in times.values()]


def within_programs(lookup, image, start, size, llvm_each):
    """What an address takes a program that has the files open. llvm-symbolizer tells by the
    addresses after its first one."""
    print("within a program that has the files open, an address")
    if lookup.exists():
        text = subprocess.run([lookup, image, hex(start), hex(size), str(MANY)],
                              capture_output=True, text=True, check=True).stdout
        print("".join(f"  wperf: {line}\n" for line in text.splitlines()), end="")
    print(f"  llvm-symbolizer: {llvm_each * 1e6:.3f} us")


def measure(wperf, image):
    start, size = code_of(image)
    chance = random.Random(1)
    addresses = [hex(start + chance.randrange(size)) for _ in range(FEW)]
    llvm = ["llvm-symbolizer", "--relative-address", "--inlines", f"--obj={image}"]
    llvm_times = []
    for count in 1, FEW:
        some = addresses[:count]
        times = compare(f"{count:,} addresses",
                        {"wperf symbols --lines": ([wperf, "symbols", image, "--lines"] + some,
                                                   None),
                         "llvm-symbolizer": (llvm, "\n".join(some) + "\n")}, count)
        llvm_times.append(times[1])
    pdb = image.with_suffix(".pdb")
    compare("all functions",
            {"wperf symbols": ([wperf, "symbols", pdb], None),
             "llvm-pdbutil": (["llvm-pdbutil", "dump", "--symbols", pdb], None)}, 1)
    lookup = wperf.parent / "release" / "bench" / "symbol_lookup"
    within_programs(lookup, image, start, size, (llvm_times[1] - llvm_times[0]) / (FEW - 1))


def main():
    wperf = pathlib.Path(sys.argv[1]).resolve()
    num_functions = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    if not all(map(shutil.which, ("clang", "lld-link", "llvm-symbolizer", "llvm-pdbutil"))):
        print("clang, lld or llvm is not there")
        return
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else made)
        image = folder / "many.dll"
        if not image.exists():
            image = build(folder, num_functions)
        size = image.with_suffix(".pdb").stat().st_size / 1e6
        print(f"{num_functions:,} functions, a PDB of {size:.0f} MB")
        measure(wperf, image)


if __name__ == "__main__":
    main()
