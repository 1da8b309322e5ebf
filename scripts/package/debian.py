# SPDX-License-Identifier: Apache-2.0
"""Makes the packages of wperf for Debian, the same bytes from the same files.
Usage: debian.py FOLDER amd64|arm64 BUILD STAGE [ROOT]

BUILD is the build folder of that architecture, STAGE where `cmake --install` of this machine's put man pages and
completion, ROOT where packages of another architecture are unpacked. dpkg-deb does the packing."""
import gzip
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import contents

MAINTAINER = "wperf maintainers <wperf@localhost>"

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: wperf

Files: *
Copyright: 2026 the authors of wperf
License: Apache-2.0
 Licensed under the Apache License, Version 2.0. You may not use these files
 except in compliance with the License.
 .
 On Debian systems, the full text of the license is in
 /usr/share/common-licenses/Apache-2.0.
Comment: THIRD-PARTY.gz in this folder has the licences of the libraries that are
 linked in, and wperf.spdx.json lists them. The program that wperf loads into the
 kernel is also offered under GPL-2.0.
"""

WPERF = """\
Package: wperf
Section: devel
Depends: {libc}
Recommends: libbpf1, libllvm19 | libllvm16 | libllvm15 | libllvm14, libsqlite3-0
Suggests: wperf-emulated-pmu, libcurl4, libdebuginfod1, libmicrohttpd12, libpfm4
Description: profiler that shows where a program spends its hardware
 wperf counts and samples events of the CPU and of the kernel, and shows which
 functions, source lines, instructions and lines of Python code they belong to.
 CPython 3.8 to 3.15 is read from outside: nothing is loaded into it.
 .
 Its command line is that of WindowsPerf 3.8.0, with the words that perf users
 type. It reads recordings of perf, and writes reports as HTML, JSON and the
 formats of other viewers.
"""

PLUGIN = """\
Package: wperf-emulated-pmu
Section: devel
Depends: wperf (= {version}), qemu-user, {libc}
Description: PMU of an Arm CPU for programs in QEMU, for wperf
 With this plugin of QEMU, wperf counts and samples Arm events of AArch64
 programs on any machine: wperf stat --source emulate -e inst_spec -- PROGRAM
"""

LIBRARY = """\
Package: libwperf0
Section: libs
Multi-Arch: same
Depends: {libc}
Recommends: libbpf1, libllvm19 | libllvm16 | libllvm15 | libllvm14
Suggests: libcurl4, libdebuginfod1, libpfm4
Description: profiler as a library
 libwperf counts and samples the program that uses it, other processes or the
 whole machine, and reads recordings of wperf and perf: functions, source lines,
 instructions and lines of Python code.
"""

COMPAT = """\
Package: libwperf-lib0
Section: libs
Multi-Arch: same
Depends: {libc}
Description: library of WindowsPerf, by wperf
 Programs that were written for the C library of WindowsPerf 3.8.0 run with it:
 they count and sample Arm CPUs, by the Linux kernel or on a simulated machine.
"""

LIBRARY_DEV = """\
Package: libwperf-dev
Section: libdevel
Multi-Arch: same
Depends: libwperf0 (= {version}), libwperf-lib0 (= {version}), libc6-dev
Description: profiler as a library (headers and static library)
 What is needed to build programs that use libwperf: wperf.h, libwperf.a, and
 libwperf.pc for pkg-config; and wperf-lib.h for those written for WindowsPerf.
"""

# As dh_strip makes it: debuggers find the file by the ID.
DEBUG = """\
Package: {name}-dbgsym
Source: wperf
Auto-Built-Package: debug-symbols
Section: debug
Depends: {name} (= {{version}})
Build-Ids: {build_id}
Description: debug symbols for {name}
"""

# Why lintian's errors are none.
OVERRIDES = """\
# The project has no address yet.
{package}: bogus-mail-host *
{package}: bogus-mail-host-in-debian-changelog *
"""
OVERRIDES_PROGRAM = """\
# Each shared library adds 0.2 ms to every start; docs/dependencies.md says what is linked in.
{package}: embedded-library zlib *
"""

# The binaries that a build folder has, and their places.
PROGRAM = ("src/cli/wperf", "usr/bin/wperf")
PLUGIN_FILE = ("src/cli/wperf-emulated-pmu.so", "usr/lib/wperf/wperf-emulated-pmu.so")
# Preloaded into programs whose allocations are sampled.
MEMORY_FILE = ("src/cli/wperf-memory.so", "usr/lib/wperf/wperf-memory.so")
LIBRARY_FOLDERS = {"amd64": "usr/lib/x86_64-linux-gnu", "arm64": "usr/lib/aarch64-linux-gnu"}


def libc_needed(program):
    """The C library whose functions it calls, as dpkg-shlibdeps would say."""
    return f"libc6 (>= {contents.glibc_needed(program)})"


def put(root, name, content, mode=0o644):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)


def pack_text(content):
    """As `gzip -9n` does: without a name and a time."""
    return gzip.compress(content if isinstance(content, bytes) else content.encode(), 9, mtime=0)


def changelog():
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(contents.time_of_sources()))
    return (f"wperf ({contents.VERSION}) unstable; urgency=medium\n\n  * See docs/ and CHANGELOG.md of the "
            f"source.\n\n -- {MAINTAINER}  {date}\n")


def put_documents(root, package, parts, libraries):
    """@parts: what is linked in."""
    folder = f"usr/share/doc/{package}"
    put(root, f"{folder}/copyright", COPYRIGHT)
    put(root, f"{folder}/changelog.gz", pack_text(changelog()))
    if parts:
        put(root, f"{folder}/THIRD-PARTY.gz", pack_text(contents.licences(parts, libraries)))
    overrides = OVERRIDES + (OVERRIDES_PROGRAM if parts else "")
    put(root, f"usr/share/lintian/overrides/{package}", overrides.format(package=package))
    put(root, f"{folder}/wperf.spdx.json", contents.spdx(f"{package}-{contents.VERSION}", parts, libraries))


def put_control(root, text, architecture):
    """The fields that every package has, and the sums of its files."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink()
                   and root / "DEBIAN" not in path.parents)
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    kilobytes = sum((path.stat().st_size + 1023) // 1024 for path in files)
    name, rest = text.split("\n", 1)
    put(root, "DEBIAN/control", f"{name}\nVersion: {contents.VERSION}\nArchitecture: {architecture}\n"
        f"Maintainer: {MAINTAINER}\nPriority: optional\nInstalled-Size: {kilobytes}\n{rest}")
    put(root, "DEBIAN/md5sums", sums)


def set_time(root):
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (contents.time_of_sources(),) * 2, follow_symlinks=False)


def write(folder, architecture, text, fill, **fields):
    """A package with what @fill puts into it; @text has the other fields of its control file. Returns its name."""
    name = re.match(r"Package: (\S+)", text).group(1)
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary, "root")
        root.mkdir()
        fill(root, name)
        put_control(root, text.format(version=contents.VERSION, **fields), architecture)
        set_time(root)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root,
                        folder / f"{name}_{contents.VERSION}_{architecture}.deb"], check=True,
                       stdout=subprocess.DEVNULL,
                       env=os.environ | {"SOURCE_DATE_EPOCH": str(contents.time_of_sources())})
    return name


def write_debug(folder, architecture, name, program):
    """The package with the debug symbols of package @name, which has @program."""
    build_id = contents.build_id(program)

    def fill_debug(root, package):
        target = root / f"usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug"
        target.parent.mkdir(parents=True)
        contents.debug_symbols(program, target, architecture)
        target.chmod(0o644)
        documents = root / "usr/share/doc" / package
        documents.parent.mkdir(parents=True)
        documents.symlink_to(name)

    write(folder, architecture, DEBUG.format(name=name, build_id=build_id), fill_debug)


def write_program(folder, architecture, build, text, binary, fill):
    """A package with the program @binary, and that of its debug symbols. @fill puts what else belongs into it."""
    program = build / binary[0]

    def fill_both(root, name):
        target = root / binary[1]
        target.parent.mkdir(parents=True)
        contents.stripped(program, target, architecture)
        target.chmod(0o644 if ".so" in program.suffixes else 0o755)
        fill(root, name)

    name = write(folder, architecture, text, fill_both, libc=libc_needed(program))
    write_debug(folder, architecture, name, program)


def put_library_control(root, package, name, version_name, map_file):
    """What dpkg-shlibdeps reads of packages that are built with the library, and when to renew ld.so's cache."""
    names = re.findall(r"^\t(\w+);$", (contents.SOURCE / map_file).read_text(), re.M)
    symbols = "".join(f" {symbol}@{version_name} {contents.VERSION}\n" for symbol in sorted([version_name, *names]))
    put(root, "DEBIAN/shlibs", f"{name} 0 {package} (>= {contents.VERSION})\n")
    put(root, "DEBIAN/symbols", f"{name}.so.0 {package} #MINVER#\n{symbols}")
    put(root, "DEBIAN/triggers", "activate-noawait ldconfig\n")


def put_library_for_builds(root, architecture, build):
    place = LIBRARY_FOLDERS[architecture]
    for header in ("wperf.h", "compat/wperf-lib.h"):
        path = contents.SOURCE / "src/library" / header
        put(root, f"usr/include/{path.name}", path.read_bytes())
    put(root, f"{place}/libwperf.a", contents.stripped_archive(build / "src/library/libwperf.a", architecture))
    for name in ("libwperf", "libwperf-lib"):
        (root / place / f"{name}.so").symlink_to(f"{name}.so.0")
    put(root, f"{place}/pkgconfig/libwperf.pc",
        contents.pkg_config(build, "/usr", place.removeprefix("usr/")))


def make_library(folder, architecture, build, libraries, text, path, version_name):
    """The package of the shared library at @path below src/library."""
    place, file = LIBRARY_FOLDERS[architecture], pathlib.Path(f"src/library/{path}.so.{contents.VERSION}")

    def fill_library(root, name):
        put_documents(root, name, contents.PROGRAM, libraries)
        (root / place / f"{pathlib.Path(path).name}.so.0").symlink_to(file.name)
        put_library_control(root, name, pathlib.Path(path).name, version_name,
                            file.parent / ("wperf-lib.map" if "/" in path else "libwperf.map"))

    write_program(folder, architecture, build, text, (file, f"{place}/{file.name}"), fill_library)


def make_libraries(folder, architecture, build, libraries):
    def fill_for_builds(root, name):
        put_documents(root, name, contents.PROGRAM, libraries)
        for example in contents.examples():
            put(root, f"usr/share/doc/{name}/examples/{example.name}", example.read_bytes())
        put_library_for_builds(root, architecture, build)

    make_library(folder, architecture, build, libraries, LIBRARY, "libwperf", "WPERF_0")
    make_library(folder, architecture, build, libraries, COMPAT, "compat/libwperf-lib", "WPERF_LIB_0")
    write(folder, architecture, LIBRARY_DEV, fill_for_builds)


def make(folder, architecture, build, stage, libraries):
    def fill_program(root, name):
        put_documents(root, name, contents.PROGRAM, libraries)
        put(root, "usr/share/bash-completion/completions/wperf",
            (stage / "share/bash-completion/completions/wperf").read_bytes())
        # It is there, and not enabled: nothing is profiled that nobody asked for.
        put(root, "lib/systemd/system/wperf-agent.service",
            (contents.SOURCE / "scripts/package/wperf-agent.service").read_bytes())
        for page in (stage / "share/man/man1").iterdir():
            put(root, f"usr/share/man/man1/{page.name}.gz", pack_text(page.read_bytes()))
        library = root / MEMORY_FILE[1]
        library.parent.mkdir(parents=True)
        contents.stripped(build / MEMORY_FILE[0], library, architecture)
        library.chmod(0o644)

    write_program(folder, architecture, build, WPERF, PROGRAM, fill_program)
    write_program(folder, architecture, build, PLUGIN, PLUGIN_FILE,
                  lambda root, name: put_documents(root, name, (), libraries))
    make_libraries(folder, architecture, build, libraries)


target, cpu, *folders = sys.argv[1:]
make(pathlib.Path(target), cpu, *map(pathlib.Path, folders + ["/"] * (3 - len(folders))))
