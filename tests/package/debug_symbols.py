# SPDX-License-Identifier: Apache-2.0
"""Functions and lines of our programs in the packages of debug symbols: found by build ID below
/usr/lib/debug, or beside the program of an archive. Usage: debug_symbols.py PACKAGES WORK_FOLDER SOURCE"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLACE = re.compile(r"/usr/src/wperf-[\d.]+/(.*):(\d+):\d+")
HEAD_LINES = 4  # of the longest function looked for, up to its brace


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def address(debug, function):
    return next(line.split()[0] for line in output("nm", debug).splitlines() if line.lower().endswith(f" t {function}"))


def symbolize(program, at, *words):
    """Name and place of the function at an address, as a debugger finds them."""
    name, place = output("llvm-symbolizer", *words, f"--obj={program}", f"0x{at}").splitlines()[:2]
    return name, os.path.normpath(place)


def check(program, debug, function, *words):
    """The place of @function is where the source defines it: its name, or for gcc the brace below."""
    name, place = symbolize(program, address(debug, function), *words)
    file, line = PLACE.fullmatch(place).groups()
    lines = (source / file).read_text().splitlines()[:int(line)]
    head = "".join(lines[-HEAD_LINES:])
    assert name == function and re.search(rf"\b{function}\(", head), (name, place, head)


def check_debian(folder, package, architecture, file, function):
    root = folder / f"{package}-{architecture}"
    subprocess.run(["dpkg-deb", "-x", next(made.glob(f"{package}_*_{architecture}.deb")), root], check=True)
    program, debug_root = next(root.glob(file)), root / "usr/lib/debug"
    subprocess.run(["dpkg-deb", "-x", next(made.glob(f"{package}-dbgsym_*_{architecture}.deb")), root], check=True)
    (debug,) = debug_root.rglob("*.debug")
    check(program, debug, function, f"--debug-file-directory={debug_root}")
    # The program itself has none.
    assert symbolize(program, address(debug, function))[1].startswith("??")


def check_archive(folder, machine):
    for name in (machine, f"{machine}-debug"):
        subprocess.run(["tar", "-C", folder, "-xf", next(made.glob(f"wperf-*-linux-{name}.tar.xz"))], check=True)
    program = next(folder.glob(f"wperf-*-linux-{machine}/wperf"))
    check(program, f"{program}.debug", "main")


made, work, source = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory(dir=work) as temporary:
    place_of_all = pathlib.Path(temporary)
    for cpu, triplet in (("amd64", "x86_64-linux-gnu"), ("arm64", "aarch64-linux-gnu")):
        check_debian(place_of_all, "libwperf0", cpu, f"usr/lib/{triplet}/libwperf.so.0", "wperf_session_close")
        check_debian(place_of_all, "wperf", cpu, "usr/bin/wperf", "main")
        check_debian(place_of_all, "wperf-emulated-pmu", cpu, "usr/lib/wperf/wperf-emulated-pmu.so",
                     "qemu_plugin_install")
        check_debian(place_of_all, "libwperf0", cpu, "usr/lib/*/libwperf.so.0.*", "wperf_profile_open")
    for cpu in ("x86_64", "aarch64"):
        check_archive(place_of_all, cpu)
