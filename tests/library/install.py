# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` puts into place for programs that use libwperf, moved to another folder: a client in C and C++,
with the shared and the static library. Usage: install.py BUILD_FOLDER CLIENT_C WPERF_H"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

build, client, header = map(pathlib.Path, sys.argv[1:])


def run(*words, **env):
    return subprocess.run(words, check=True, capture_output=True, text=True, env=os.environ | env).stdout


def names(*words):
    """Of what a library shows; versions follow an @."""
    return {line.split()[-1] for line in run("nm", "--defined-only", *words).splitlines() if re.search(r" [A-Z] ", line)}


def check_names(place):
    """The libraries show functions of wperf.h and nothing else."""
    functions = set(re.findall(r"^WPERF_API[^;(]*\b(\w+)\(", header.read_text(), re.M))
    shared, static = names("-D", place / "libwperf.so"), names("-g", place / "libwperf.a")
    assert shared == {"WPERF_0"} | {f"{name}@@WPERF_0" for name in functions}, shared
    assert {f"{name}@@WPERF_0" for name in static} | {"WPERF_0"} == shared, static
    assert "[libwperf.so.0]" in run("readelf", "-d", place / "libwperf.so")


def flags(place, *words):
    return shlex.split(run("pkg-config", *words, "libwperf", PKG_CONFIG_PATH=str(place / "pkgconfig")))


def check_client(place, folder):
    for compiler in (["gcc", "-std=c99"], ["g++", "-std=c++11", "-x", "c++"]):
        command = [*compiler, "-Wall", "-Wextra", "-Werror", client, "-x", "none", "-o", folder / "client"]
        run(*command, *flags(place, "--cflags", "--libs"))
        assert "libwperf.so.0" in run("readelf", "-d", folder / "client")
        said = run(folder / "client", LD_LIBRARY_PATH=str(place))
        assert re.match(r"libwperf \d+\.\d+\.\d+: neoverse-v1, \d+ cores\n\d+ events, loads: yes\nld_spec [1-9]\d+\n", said), said
        # Of the two libraries the linker takes the static one if it finds no other.
        (place / "libwperf.so").rename(place / "away")
        run(*command, *flags(place, "--cflags", "--libs", "--static"))
        (place / "away").rename(place / "libwperf.so")
        assert "libwperf" not in run("readelf", "-d", folder / "client")
        assert run(folder / "client") == said


with tempfile.TemporaryDirectory() as temporary:
    work = pathlib.Path(temporary)
    run("cmake", "--install", build / "src/library", "--prefix", "/opt/wperf", DESTDIR=str(work / "staged"))
    (work / "staged/opt/wperf").rename(work / "moved here")
    check_names(work / "moved here/lib")
    check_client(work / "moved here/lib", work)
