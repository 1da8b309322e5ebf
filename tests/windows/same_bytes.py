# SPDX-License-Identifier: Apache-2.0
"""What wperf.exe writes about the simulated machine is what wperf on Linux writes, byte for byte:
standard output, exit code and files. Usage: same_bytes.py WPERF WPERF_EXE PREFIX [--few] [RUNNER WORD...]
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import wine

SAMPLE = "--source sim,spe=1 -c 1 --timeout 1 --image_name python_d.exe"
BITMAPS = "data/perfdata/arm64-simpleperf/perf_display_bitmaps.data"
SPE = "data/spe/hiperf-TestSpeDecoder.bin.wrapped.perf.data"
ETL = "data/etl/net.4.5.2.x64.etl.zip"
PE = "data/pdb/arm64-seh/xcpt4.exe"
# Each line is a command.
ON_SIM = f"""
    help stat --format man
    list --source sim
    list --source sim --json -v
    list --cpu neoverse-v2 --json
    man --json neoverse-n1/ipc neoverse-v1/ld_spec
    test --source sim,spe=1 -e ld_spec,{{r1,r2}} -m imix --json
    test --source sim,cores=4,counters=3 -m imix,icache
    stat --source sim -m imix,icache -c 0-3 --timeout 1
    stat --source sim -m imix,icache,l3_cache,ddr_bw -c 0-3 --timeout 1 --json
    stat --source sim -e ld_spec,{{cpu_cycles,inst_spec}},/dsu/l3d_cache --timeout 2.5 -k --output stat.json
    stat --source sim,cpu=neoverse-v1 -m topdown -c 0 --timeout 1
    stat --source sim -m ipc -c 1 -t -i 2 -n 3 --timeout 1 --output-csv out.csv
    stat --source sim -m ipc -t -i 1 -n 3 --timeout 1 --json --output-csv json.csv
    stat --source sim -m ipc -t -i 1 -n 3 --timeout 1 --html timeline.html --output-csv html.csv
    sample {SAMPLE} -e ld_spec:100000,inst_spec:200000
    sample {SAMPLE} -e ld_spec:100000 --annotate --disassemble --json
    sample {SAMPLE} -e arm_spe_0/load_filter=1/ --json
    stat --source sim -e ld_spec -c 1 --timeout 1 --output 'Größe von 測量 😀.json'
    report -i 'Größe von 測量 😀.json'
    man 'ä"ö\\'
    symbols no-such-file.exe
    report -i no-such-file.data
    stat -e nosuch --source sim
"""
# Of files of others, where they are.
ON_FILES = f"""
    report -i {BITMAPS}
    report -i {BITMAPS} --json
    report -i {BITMAPS} --tree down
    report -i {BITMAPS} --html report.html
    script -i {BITMAPS}
    flamegraph -i {BITMAPS}
    annotate -i {BITMAPS}
    export -i {BITMAPS} --format firefox -o firefox.json
    export -i {BITMAPS} --format speedscope -o speedscope.json
    export -i {BITMAPS} --format pprof -o pprof.gz
    report -i {SPE} --spe summary
    report -i {SPE} --spe source --json
    script --packets -i {SPE}
    symbols {PE}
    symbols {PE} --json
    report -i {ETL}
    report -i {ETL} --json
    report -i {ETL} --tree down --anonymous
    report -i {ETL} --html etl.html
    report -i {ETL} --sort thread
    script -i {ETL} --time 1,2
    export -i {ETL} --format collapsed
    export -i {ETL} --format perf -o etl.data
    report -i etl.data
    evlist -i etl.data -v
"""

linux, exe = map(os.path.abspath, sys.argv[1:3])
prefix = sys.argv[3]
few = "--few" in sys.argv[4:]  # every third command, for who is slow
runner = sys.argv[4 + few:] or [wine.PROGRAM]
wine.need(exe)
wine.use(prefix)
os.environ["LC_ALL"] = "C.UTF-8"  # by which Wine knows what our words are


def run(program, command, folder):
    return subprocess.run([*program, *shlex.split(command)], cwd=folder, capture_output=True,
                          stdin=subprocess.DEVNULL, check=False, timeout=60)


def files_of(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()
            if not path.is_symlink()}


def first_difference(left, right):
    at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
    place = slice(max(at - 40, 0), at + 60)
    return f"from byte {at} on\n  Linux:   {left[place]!r}\n  Windows: {right[place]!r}"


escaped_exe = ("Z:" + exe.replace("/", "\\")).replace("\\", "\\\\").encode()
failures, num_bytes, num_refused = [], 0, 0


def compare(what, left, right):
    global num_bytes
    num_bytes += len(left)
    if left != right:
        failures.append(f"{what}: other bytes {first_difference(left, right)}")


with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
    shared = pathlib.Path(os.environ.get("WPERF_SHARED_DIR", ""))
    has_files = os.environ.get("WPERF_SHARED_DIR") and (shared / "data").is_dir()
    lines = (ON_SIM + ON_FILES if has_files else ON_SIM).split("\n")
    commands = [line.strip() for line in lines if line.strip()]
    commands = commands[::3] if few else commands
    for folder in (here, there):
        (pathlib.Path(folder) / "data").symlink_to(shared / "data")
    for command in commands:
        ours, theirs = run([linux], command, here), run([*runner, exe], command, there)
        if ours.returncode != theirs.returncode:
            failures.append(f"{command}: exit code {theirs.returncode} instead of {ours.returncode}\n"
                            f"{theirs.stderr.decode()}")
        num_refused += ours.returncode != 0
        compare(command, ours.stdout, theirs.stdout)
        compare(f"{command}: errors", ours.stderr, theirs.stderr)
    ours, theirs = files_of(here), files_of(there)
    assert ours.keys() == theirs.keys(), (ours.keys(), theirs.keys())
    for name, content in ours.items():
        # A page says by which words it was made.
        compare(name, content.replace(linux.encode(), b"wperf"),
                theirs[name].replace(escaped_exe, b"wperf"))
print(*failures, sep="\n")
print(f"{len(commands)} commands and {len(ours)} files, {num_bytes} bytes, "
      f"{num_refused} commands refused; {len(failures)} differ")
sys.exit(1 if failures else 0)
