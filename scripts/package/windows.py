# SPDX-License-Identifier: Apache-2.0
"""Makes the package of wperf for Windows, the same bytes from the same files.
Usage: windows.py FOLDER x64|arm64 EXE_FOLDER [DRIVER_FOLDER]"""
import pathlib
import sys
import time
import zipfile

import contents as common

here = common.SOURCE / "scripts/windows"


def lines_of_windows(*paths):
    return b"\n\n".join(path.read_bytes() for path in paths).replace(b"\n", b"\r\n")


def files(package, exe, driver):
    """Names and contents."""
    library = exe.parent / "library"
    for name in ("install.cmd", "uninstall.cmd", "wperf-user-path.cmd", "try-etw.cmd", "wperf.wprp",
                 "README.txt", *(("try-driver.cmd",) if driver else ())):
        yield name, lines_of_windows(here / name)
    yield "LICENSE.txt", lines_of_windows(common.SOURCE / "LICENSE")
    yield "THIRD-PARTY.txt", common.licences(common.WINDOWS).replace("\n", "\r\n").encode()
    yield "wperf.spdx.json", common.spdx(package, common.WINDOWS).encode()
    for name in ("wperf.exe", "wperf.pdb"):
        yield name, (exe / name).read_bytes()
    for name in ("wperf.dll", "wperf.dll.pdb"):
        yield name, (library / name).read_bytes()
    for name in ("wperf-lib.dll", "wperf-lib.pdb"):
        yield name, (library / "compat" / name).read_bytes()
    yield "lib/wperf.lib", (library / "wperf.lib").read_bytes()
    yield "lib/wperf-lib.lib", (library / "compat/wperf-lib.lib").read_bytes()
    yield "include/wperf.h", lines_of_windows(common.SOURCE / "src/library/wperf.h")
    yield "include/wperf-lib.h", lines_of_windows(common.SOURCE / "src/library/compat/wperf-lib.h")
    for name in ("wperf-devgen.exe", "wperf.inf", "wperf.sys", "wperf.pdb") if driver else ():
        yield f"driver/{name}", (driver / name).read_bytes()


def write(folder, machine, exe, driver):
    name = f"wperf-{common.VERSION}-windows-{machine}"
    date = time.gmtime(common.time_of_sources())[:6]
    with zipfile.ZipFile(folder / f"{name}.zip", "w") as package:
        for path, content in files(name, exe, driver):
            info = zipfile.ZipInfo(f"{name}/{path}", date)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            package.writestr(info, content)


target, cpu, *folders = sys.argv[1:]
write(pathlib.Path(target), cpu, *map(pathlib.Path, folders), *[None] * (2 - len(folders)))
