# SPDX-License-Identifier: Apache-2.0
"""What wperf.exe writes about the simulated machine is what wperf on Linux writes, byte for byte:
standard output, exit code and files. Usage: same_bytes.py WPERF WPERF_EXE PREFIX [--runner WORD...]"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import wine

SAMPLE = "--source sim,spe=1 -c 1 --timeout 1 --image_name python_d.exe"
# Each line is a command. What one writes to a file, the next ones may read.
COMMANDS = f"""
    help
    help stat --format man
    help --format bash
    list --source sim
    list --source sim --json -v
    list --cpu neoverse-v2 --json
    man --json neoverse-n1/ipc neoverse-v1/ld_spec
    test --source sim,spe=1 -e ld_spec,{{r1,r2}} -m imix --json
    test --source sim,cores=4,counters=3 -m imix,icache
    detect --source sim,cores=2 --json
    stat --source sim -m imix,icache -c 0-3 --timeout 1
    stat --source sim -m imix,icache,l3_cache,ddr_bw -c 0-3 --timeout 1 --json
    stat --source sim -e ld_spec,{{cpu_cycles,inst_spec}},/dsu/l3d_cache --timeout 2.5 -k --output stat.json
    stat --source sim,cpu=neoverse-v1 --topdown -c 0 --timeout 1
    stat --source sim -m ipc -c 1 -t -i 2 -n 3 --timeout 1 --output-csv out.csv
    stat --source sim -m ipc -t -i 1 -n 3 --timeout 1 --json
    stat --source sim -r 3 -e ld_spec,inst_spec -c 1 --timeout 1
    sample {SAMPLE} -e ld_spec:100000,inst_spec:200000
    sample {SAMPLE} -e ld_spec:100000 --annotate --disassemble --json
    sample {SAMPLE} -e arm_spe_0/load_filter=1/ --json
    record {SAMPLE} -g -e ld_spec:20000 -e arm_spe_0// --save sim.data
    report -i sim.data
    report -i sim.data --json --tree down
    report -i sim.data --spe summary
    report -i sim.data --html report.html
    script -i sim.data
    flamegraph -i sim.data
    export -i sim.data --format firefox -o firefox.json
    export -i sim.data --format speedscope -o speedscope.json
    export -i sim.data --format pprof -o pprof.gz
    script --packets -i sim.data
    annotate -i sim.data
    symbols no-such-file.exe
    report -i no-such-file.data
    stat -e nosuch --source sim
"""
# Of the machine and the moment.
DIFFERENT = ("wperf.exe",)

linux, exe = map(os.path.abspath, sys.argv[1:3])
prefix = sys.argv[3]
runner = sys.argv[5:] or [wine.PROGRAM]
wine.need(exe)
wine.use(prefix)


def run(program, command, folder):
    return subprocess.run([*program, *shlex.split(command)], cwd=folder, capture_output=True,
                          stdin=subprocess.DEVNULL, check=False, timeout=60)


def files_of(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def first_difference(left, right):
    at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
    return f"from byte {at} on\n  Linux:   {left[at - 40:at + 60]!r}\n  Windows: {right[at - 40:at + 60]!r}"


failures, num_bytes = [], 0


def compare(what, left, right):
    global num_bytes
    num_bytes += len(left)
    if left != right:
        failures.append(f"{what}: other bytes {first_difference(left, right)}")


with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
    commands = [line.strip() for line in COMMANDS.split("\n") if line.strip()]
    for command in commands:
        ours, theirs = run([linux], command, here), run([*runner, exe], command, there)
        if ours.returncode != theirs.returncode:
            failures.append(f"{command}: exit code {theirs.returncode} instead of {ours.returncode}\n"
                            f"{theirs.stderr.decode()}")
        compare(command, ours.stdout, theirs.stdout)
        compare(f"{command}: errors", ours.stderr, theirs.stderr)
    ours, theirs = files_of(here), files_of(there)
    assert ours.keys() == theirs.keys(), (ours.keys(), theirs.keys())
    for name, content in ours.items():
        compare(name, content, theirs[name])
print(*failures, sep="\n")
print(f"{len(commands)} commands and {len(ours)} files, {num_bytes} bytes, {len(failures)} differ")
sys.exit(1 if failures else 0)
