# SPDX-License-Identifier: Apache-2.0
"""Recordings go from Windows to Linux and back, and read the same there.
Usage: travel.py WPERF WPERF_EXE PREFIX"""
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

import wine

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.with_name("pdb")))
import kernel_recording

linux, exe, prefix = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
CLANG = ["clang-19", "--target=x86_64-w64-windows-gnu", "-fuse-ld=lld-19", "-g", "-gcodeview", "-O1"]
LINUX_PROGRAM = HERE.with_name("live") / "travel_program.c"
VIEWS = [[], ["--tree", "down"], ["--sort", "line"], ["--sort", "module"], ["--json"]]


def run(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL, timeout=100)
    assert done.returncode == code, (words, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def windows(*words, code=0):
    return run(wine.PROGRAM, exe, *words, code=code)


def reads_the_same(data, words, *options):
    """@words: what a report has to name."""
    told = ""
    for view in VIEWS:
        there = run(linux, "report", "-i", data, *options, *view)
        here = windows("report", "-i", data, *options, *view)
        assert here == there, (view, here[:3000], there[:3000])
        told += there
    for word in words:
        assert word in told, word


def from_windows(folder):
    """Functions, lines and callers of a program with a PDB; then without program and PDB."""
    program = folder / "program.exe"
    run(*CLANG, f"-Wl,--pdb={folder / 'program.pdb'}", "-o", program, HERE / "timer_program.c")
    data = folder / "windows.data"
    windows("record", "--source", "timer", "-F", "499", "-g", "--save", data, "--", program, "work",
            "2", code=7)
    named = ["seventy", "parts", "main", "timer_program.c:", "program.exe", "ntdll.dll"]
    before = [windows("report", "-i", data, *view) for view in VIEWS]
    pdbs = folder / "pdbs"
    pdbs.mkdir()
    (folder / "program.pdb").rename(pdbs / "program.pdb")
    (folder / "program.exe").unlink()
    # The recording says which PDB is meant, so that servers can be asked for it.
    assert b"program.pdb\0" in data.read_bytes()
    assert "seventy" in run(linux, "report", "-i", data, "--symbol-path", pdbs)
    reads_the_same(data, named)
    assert [windows("report", "-i", data, *view) for view in VIEWS] == before
    print("from Windows: the same in", len(VIEWS), "views, with and without the program")


def from_linux(folder):
    program = folder / "program"
    run("gcc", "-g", "-O1", "-fno-omit-frame-pointer", "-o", program, LINUX_PROGRAM)
    data = folder / "linux.data"
    run(linux, "record", "-e", "cpu-clock", "-F", "499", "-g", "--save", data, "--", program)
    reads_the_same(data, ["inner", "outer", "main", "travel_program.c:", "[kernel]"])
    print("from Linux: the same in", len(VIEWS), "views")


def from_perf(folder):
    """A compressed recording; what is exported of it is compressed, too."""
    program = folder / "program"
    run("gcc", "-g", "-O1", "-fno-omit-frame-pointer", "-o", program, LINUX_PROGRAM)
    data = folder / "perf.data"
    run("perf", "record", "-q", "-z", "-e", "cpu-clock:u", "-F", "499", "-g", "-o", data, "--", program)
    assert "# compressed : Zstd" in run("perf", "report", "--header-only", "-i", data)
    reads_the_same(data, ["inner", "outer", "main", "travel_program.c:"])
    there, here = folder / "linux.pb.gz", folder / "windows.pb.gz"
    run(linux, "export", "-i", data, "--format", "pprof", "-o", there)
    windows("export", "-i", data, "--format", "pprof", "-o", here)
    assert here.read_bytes() == there.read_bytes()
    assert b"travel_program.c" in gzip.decompress(here.read_bytes())
    print("from perf record -z: the same in", len(VIEWS), "views, and as pprof")


def from_kernel(folder):
    """Images of the Windows kernel, with a PDB and with exports only, whose disk is in a folder."""
    images = pathlib.Path(os.environ["WPERF_SHARED_DIR"], "data/pdb/arm64-seh")
    if not images.is_dir():
        return
    kernel_recording.place_images(images, folder / "system")
    data, caller = folder / "kernel.data", kernel_recording.PROGRAM + 0x1064
    places = [kernel_recording.KERNEL + 0x11A8, kernel_recording.DRIVER + 0x1060]
    os.chmod(folder, 0o755)  # on Linux, root sees sources of unknown users that everybody may read
    data.write_bytes(kernel_recording.recording([(place, caller) for place in places]))
    named = ["Test82", "xcpt4cxx.cpp:39", "ntoskrnl.exe", "setup_data_dll", "exports.sys",
             "LoadXframeDll [app.exe]"]
    reads_the_same(data, named, "--sysroot", folder / "system")
    words = ["annotate", "-i", data, "--sysroot", folder / "system", "--symbol", "Test82"]
    assert windows(*words) == run(linux, *words)
    print("from a Windows kernel: the same in", len(VIEWS), "views, and annotated")


def main():
    wine.need(exe)
    wine.use(prefix)
    with tempfile.TemporaryDirectory() as folder:
        from_windows(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        from_linux(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        from_perf(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        from_kernel(pathlib.Path(folder))


main()
