# SPDX-License-Identifier: Apache-2.0
"""Makes the archives of wperf for any Linux, the same bytes from the same files: one folder with the static
program, libwperf, man pages, completion and licences, and its debug symbols in an archive of their own.
Usage: archive.py FOLDER x86_64|aarch64 BUILD STAGE [ROOT]

BUILD is the build folder of that architecture, STAGE where `cmake --install` of this machine's put man pages and
completion, ROOT where packages of another architecture are unpacked."""
import io
import lzma
import pathlib
import sys
import tarfile
import tempfile

import contents

README = """\
wperf {version} for Linux on {machine}: one program without libraries.

    ./wperf help
    ./wperf record -g --html page.html -- PROGRAM
    ./wperf detect          what works on this machine, and how to enable the rest

To install: copy wperf, and wperf-memory.so beside it (for record -e alloc), to a folder of PATH, and man/man1 to ~/.local/share/man/man1.

This program loads no libraries of the system. It does not disassemble, does not fetch debug information or PDBs
from servers, and has no emulated PMU; the packages for Debian do.

LICENSE.txt is the licence of wperf; THIRD-PARTY.txt has those of what is linked in, which wperf.spdx.json lists.
wperf links the GNU C library, libiberty, libbpf and libelf statically; their licences let you link it with other
versions of them: ./wperf-dev build in wperf's source, then `ninja -C build/release wperf-static`.

lib and include have libwperf, wperf as a library of your programs; it needs glibc {glibc} or later.
examples has programs to begin with:

    cc examples/hot_lines.c $(PKG_CONFIG_PATH=$PWD/lib/pkgconfig pkg-config --cflags --libs libwperf)

Debuggers and profilers find the functions and lines of wperf itself in wperf.debug of the archive whose name ends
with -debug; unpack it in the same place as this one.
"""
LIBRARY = "src/library/any_glibc/libwperf.so"
MEMORY = "wperf-memory.so"  # of --source memory; beside the program, where wperf looks


def programs(build, machine):
    """The program as users run it, and its debug symbols."""
    with tempfile.TemporaryDirectory() as folder:
        whole, program, debug = build / "src/cli/wperf-static", pathlib.Path(folder, "wperf"), pathlib.Path(folder, "wperf.debug")
        contents.debug_symbols(whole, debug, machine)
        contents.stripped(whole, program, machine, debug)
        return program.read_bytes(), debug.read_bytes()


def library_files(machine, build):
    """As those of files()."""
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, "libwperf.so")
        contents.stripped(build / LIBRARY, library, machine)
        yield "lib/libwperf.so.0", library.read_bytes(), 0o644
    yield "lib/libwperf.so", "libwperf.so.0", None
    yield "lib/libwperf.a", contents.stripped_archive(build / "src/library/libwperf.a", machine), 0o644
    yield "lib/pkgconfig/libwperf.pc", contents.pkg_config(build, "${pcfiledir}/../..", "lib").encode(), 0o644
    for example in contents.examples():
        yield f"examples/{example.name}", example.read_bytes(), 0o644
    yield "include/wperf.h", (contents.SOURCE / "src/library/wperf.h").read_bytes(), 0o644


def files(machine, build, program, stage, root):
    """Names, contents and modes; a symbolic link has what it leads to, and no mode."""
    parts = contents.STATIC_X86 if machine == "x86_64" else contents.STATIC
    yield "wperf", program, 0o755
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, MEMORY)
        contents.stripped(build / "src/cli" / MEMORY, library, machine)
        yield MEMORY, library.read_bytes(), 0o644
    glibc = contents.glibc_needed(build / LIBRARY)
    yield "README.txt", README.format(version=contents.VERSION, machine=machine, glibc=glibc).encode(), 0o644
    yield "LICENSE.txt", (contents.SOURCE / "LICENSE").read_bytes(), 0o644
    yield "THIRD-PARTY.txt", contents.licences(parts, root).encode(), 0o644
    yield "wperf.spdx.json", contents.spdx(f"wperf-{contents.VERSION}-linux-{machine}", parts, root).encode(), 0o644
    yield "completion/wperf.bash", (stage / "share/bash-completion/completions/wperf").read_bytes(), 0o644
    for page in sorted((stage / "share/man/man1").iterdir()):
        yield f"man/man1/{page.name}", page.read_bytes(), 0o644
    yield from library_files(machine, build)


def write(folder, name, entries, top):
    """An archive @name of @entries, below the folder @top."""
    with lzma.open(folder / f"{name}.tar.xz", "wb", preset=6) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path, content, mode in entries:
                info = tarfile.TarInfo(f"{top}/{path}")
                info.mtime, info.uname, info.gname = contents.time_of_sources(), "root", "root"
                if mode is None:
                    info.type, info.linkname, info.mode = tarfile.SYMTYPE, content, 0o777
                    archive.addfile(info)
                    continue
                info.size, info.mode = len(content), mode
                archive.addfile(info, io.BytesIO(content))


def make(folder, machine, build, stage, root):
    name = f"wperf-{contents.VERSION}-linux-{machine}"
    program, debug = programs(build, machine)
    write(folder, name, files(machine, build, program, stage, root), name)
    write(folder, f"{name}-debug", [("wperf.debug", debug, 0o644)], name)


target, cpu, *folders = sys.argv[1:]
make(pathlib.Path(target), cpu, *map(pathlib.Path, folders + ["/"] * (3 - len(folders))))
