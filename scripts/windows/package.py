# SPDX-License-Identifier: Apache-2.0
"""Makes the package of wperf for Windows, the same bytes from the same files.
Usage: package.py FILE.zip EXE_FOLDER [DRIVER_FOLDER]"""
import pathlib
import subprocess
import sys
import time
import zipfile

here = pathlib.Path(__file__).parent
source = here.parents[1]
LICENCES = [pathlib.Path("/usr/share/doc", package, "copyright")
            for package in ("mingw-w64-common", "libiberty-dev", "zlib1g-dev", "libzstd-dev")]


def lines_of_windows(*paths):
    return b"\n\n".join(path.read_bytes() for path in paths).replace(b"\n", b"\r\n")


def files(exe, driver):
    """Names and contents."""
    for name in ("install.cmd", "uninstall.cmd", "wperf-user-path.cmd", "README.txt"):
        yield name, lines_of_windows(here / name)
    yield "LICENSE.txt", lines_of_windows(source / "LICENSE")
    yield "THIRD-PARTY.txt", lines_of_windows(*LICENCES)
    for name in ("wperf.exe", "wperf.pdb"):
        yield name, (exe / name).read_bytes()
    for name in ("wperf-devgen.exe", "wperf.inf", "wperf.sys", "wperf.pdb") if driver else ():
        yield f"driver/{name}", (driver / name).read_bytes()


def time_of_sources():
    """Of the last commit; a zip file knows none before 1980."""
    git = subprocess.run(["git", "-C", source, "log", "-1", "--format=%ct"], check=False,
                         capture_output=True, text=True)
    return time.gmtime(int(git.stdout) if git.returncode == 0 else 315532800)[:6]


def write(path, exe, driver):
    date = time_of_sources()
    with zipfile.ZipFile(path, "w") as package:
        for name, content in files(exe, driver):
            info = zipfile.ZipInfo(f"{path.stem}/{name}", date)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            package.writestr(info, content)


target, *folders = map(pathlib.Path, sys.argv[1:])
write(target, folders[0], folders[1] if len(folders) > 1 else None)
