# SPDX-License-Identifier: Apache-2.0
"""Damaged recordings: report, annotate and export neither crash nor take too much of anything.

mutated_recordings.py RUNNER FOLDER --wperf WPERF [--make-large-etl MAKE_LARGE_ETL] [--shared FOLDER]
                      [--num N] [--first K] [--max-size BYTES]

WPERF records some programs into FOLDER; all perf.data files below the shared folder are taken, too.
With MAKE_LARGE_ETL (bench/make_large_etl.c), recordings of Windows (ETW) are taken instead: it makes two, and
those of the shared folder are shortened to some of their buffers.
RUNNER (run_mutated_recordings.c) damages them, in the same way for the same numbers, and runs the
commands under the sanitizers. A long run: --num 100000.
"""
import argparse
import lzma
import os
import pathlib
import subprocess
import sys
import zipfile

PROGRAM = """
#include <time.h>
__attribute__((noinline)) static long inner(long n) { return n * 7 % 3; }
__attribute__((noinline)) static long outer(long n)
{
	long sum = 0;
	for (long i = 0; i < 1000; i++)
		sum += inner(n + i);
	return sum;
}
int main(void)
{
	volatile long sum = 0;
	while (clock() < CLOCKS_PER_SEC / 20)
		sum += outer(sum);
	return 0;
}
"""
PYTHON = "import time\nwhile time.process_time() < 0.2:\n    sum(i * i for i in range(1000))\n"
SANITIZERS = {
    "ASAN_OPTIONS": "quarantine_size_mb=1:allocator_may_return_null=1:max_allocation_size_mb=1024"
                    ":handle_sigill=1:log_path={log}",
    "UBSAN_OPTIONS": "print_stacktrace=1:log_path={log}",
    "LSAN_OPTIONS": "log_path={log}",
}


def compiled(folder):
    source, program = folder / "program.c", folder / "program"
    source.write_text(PROGRAM, encoding="utf-8")
    # Static, so that its names are read in no time.
    subprocess.run(["gcc", "-g", "-O1", "-static", "-o", program, source], check=True)
    return program


def commands_of(folder):
    """Recordings to make: name, words of wperf."""
    program = compiled(folder)
    script = folder / "script.py"
    script.write_text(PYTHON, encoding="utf-8")
    clock = ("-e", "cpu-clock:u", "-F", "500")
    yield "plain", "record", *clock, "--", program
    yield "stacks", "record", "-g", *clock, "--", program
    yield "two", "record", "-e", "cpu-clock:u,page-faults:u", "-F", "300", "--", program
    yield "off-cpu", "record", "--off-cpu", "--", program
    yield "python", "record", "-g", "-F", "200", "--", "/usr/bin/python3", script
    yield ("sim", "sample", "--source", "sim", "-e", "ld_spec:100000", "-c", "0", "--timeout", "1")


def forget_system_files(path):
    """Names from Python, the C library and the kernel would take longer than everything else."""
    release = os.uname().release.encode()
    path.write_bytes(path.read_bytes().replace(b"/usr/", b"/gon/").replace(
        release, b"9" * len(release)))


def recorded(wperf, folder):
    """What this machine can record; a command that cannot be run here is left out."""
    files = []
    for name, command, *words in commands_of(folder):
        path = folder / f"{name}.data"
        done = subprocess.run([wperf, command, "-q", "--save", path, *words], cwd=folder,
                              capture_output=True, text=True, errors="replace", timeout=120)
        if path.exists():
            forget_system_files(path)
            files.append(path)
        else:
            print(f"no recording '{name}': {done.stderr.strip()}")
    return files


def shared_recordings(folder, max_size):
    if not folder or not folder.is_dir():
        return []
    return sorted(path for path in folder.rglob("*perf*data") if path.is_file()
                  and 0 < path.stat().st_size <= max_size
                  and path.read_bytes()[:8] == b"PERFILE2")


def etl_buffers(content):
    while len(content) >= 72:
        size = int.from_bytes(content[:4], "little")
        if not 72 <= size <= len(content):
            return
        yield content[:size]
        content = content[size:]


def shared_etl(folder):
    """Names and contents of the real recordings, also of packed ones."""
    for path in sorted((folder / "data" / "etl").glob("*")) if folder else []:
        if path.suffix == ".etl":
            yield path.stem, path.read_bytes()
        elif path.suffix == ".xz":
            yield path.stem, lzma.decompress(path.read_bytes())
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    if name.endswith(".etl"):
                        yield pathlib.Path(name).stem, archive.read(name)


def etl_recordings(make_large_etl, folder, shared):
    """The first six buffers of each, six of the middle (samples) and six of the end (lists)."""
    files = [folder / "small.etl", folder / "tiny.etl"]
    subprocess.run([make_large_etl, files[0], "200", "20"], check=True)
    subprocess.run([make_large_etl, files[1], "12", "8"], check=True)
    for name, content in shared_etl(shared):
        buffers = list(etl_buffers(content))
        middle = max(6, len(buffers) // 3)
        files.append(folder / f"{name}.short.etl")
        files[-1].write_bytes(b"".join(buffers[:6] + buffers[middle:middle + 6] +
                                       buffers[max(middle + 6, len(buffers) - 6):]))
    return files


def run(words, arguments, files):
    log = arguments.folder / "sanitizer"
    for old in arguments.folder.glob("sanitizer.*"):
        old.unlink()
    environment = {name: text.format(log=log) for name, text in SANITIZERS.items()}
    code = subprocess.run([arguments.runner, arguments.folder, *map(str, words), *files],
                          env=os.environ | environment | {"DEBUGINFOD_URLS": ""}).returncode
    for report in sorted(arguments.folder.glob("sanitizer.*")):
        print(report.read_text(encoding="utf-8", errors="replace")[:4000])
    return code


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner", type=os.path.abspath)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--wperf", type=os.path.abspath, required=True)
    parser.add_argument("--make-large-etl", type=os.path.abspath)
    parser.add_argument("--shared", type=pathlib.Path)
    parser.add_argument("--num", type=int, default=200)
    parser.add_argument("--max-size", type=int, default=1 << 20, help="of a recording, in bytes")
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    arguments.folder = arguments.folder.resolve()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.make_large_etl:
        files = etl_recordings(arguments.make_large_etl, arguments.folder, arguments.shared)
    else:
        files = recorded(arguments.wperf, arguments.folder)
        files += shared_recordings(arguments.shared, arguments.max_size)
    files = [path for path in files if path.stat().st_size <= arguments.max_size]
    assert files, "nothing could be recorded"
    for path in files:
        print(f"{path.stat().st_size:8} bytes: {path}", flush=True)
    sys.exit(run((arguments.first, arguments.num), arguments, files))


main()
