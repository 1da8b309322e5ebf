# SPDX-License-Identifier: Apache-2.0
"""The package for Windows, its install.cmd and its uninstall.cmd under Wine.
Usage: install.py WPERF_EXE PREFIX PACKAGE_PY DRIVER_FOLDER"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import wine

exe, prefix, package_py, drivers = map(pathlib.Path, map(os.path.abspath, sys.argv[1:]))
wine.need(exe, drivers / "arm64/wperf.sys")
wine.use(prefix)
os.environ["LC_ALL"] = "C.UTF-8"
DIR, KEY = "C:\\wperf is here\\new", "HKCU\\Environment"
installed = prefix / "drive_c/wperf is here/new"


def run(*words, cwd=None):
    done = subprocess.run([wine.PROGRAM, *words], cwd=cwd, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=60)
    return done.returncode, done.stdout + done.stderr


VERSION = re.search(r"^ *wperf +(\S+)", run(exe, "--version", "--source", "sim")[1], re.M)[1]


def batch(folder, *lines):
    """Of a console of its own; its status is that of the last line."""
    script = pathlib.Path(folder) / "lines.cmd"
    script.write_text("\r\n".join(["@echo off", *lines, "exit /b %errorlevel%", ""]))
    result = run("cmd", "/c", "lines.cmd", cwd=folder)
    script.unlink()
    return result


def install(*words):
    return run("cmd", "/c", "install.cmd", *words, cwd=package)


def is_refused(result, code, *words):
    assert result[0] == code, result
    assert all(word in result[1] for word in words), result
    assert not installed.exists() and not (prefix / "drive_c/wperf is here/new.try").exists()


def path_of_user():
    lines = run("reg", "query", KEY, "/v", "Path")[1].splitlines()
    return next((line.split(None, 2)[2] for line in lines if line.split()[:1] == ["Path"]), None)


def state():
    return path_of_user(), {str(file.relative_to(installed)): file.read_bytes()
                            for file in installed.rglob("*") if file.is_file()}


def make(machine, *folders):
    """The path and the bytes of the package, whose name says the version."""
    subprocess.run([sys.executable, package_py, folder, machine, *folders], check=True)
    made = folder / f"wperf-{VERSION}-windows-{machine}.zip"
    return made, made.read_bytes()


def contents(data):
    with zipfile.ZipFile(data) as package_file:
        return package_file.namelist()


def check_packages():
    made = make("x64", exe.parent)
    assert made == make("x64", exe.parent)
    # What is for Arm64 but the driver needs no other test here: the program of x64 stands for it.
    with_driver, _ = make("arm64", exe.parent, drivers / "arm64")
    names = contents(with_driver)
    assert f"{with_driver.stem}/driver/wperf.inf" in names and len(names) == 24, names
    assert {f"{with_driver.stem}/{name}" for name in (
        "wperf.dll", "lib/wperf.lib", "include/wperf.h",
        "wperf-lib.dll", "lib/wperf-lib.lib", "include/wperf-lib.h")} <= set(names), names
    with zipfile.ZipFile(made[0]) as package_file:
        package_file.extractall(package.parent)
    for script in package.glob("*.cmd"):
        lines = script.read_bytes().split(b"\n")
        assert all(line.endswith(b"\r") for line in lines[:-1]) and lines[-1] == b"", script


def check_refusals():
    is_refused(install("--drivers"), 2, "--drivers", "usage:")
    is_refused(install(DIR, "another"), 2, "another")
    is_refused(install("C:\\a;b "), 2, "PATH")
    is_refused(install("--driver", DIR), 1, "no driver")
    is_refused(install("C:\\windows"), 1, "files of other programs")
    is_refused(install("."), 1, "folder of the package")
    is_refused(install("C:\\windows\\win.ini\\new"), 1, "cannot write")
    os.rename(package / "wperf.pdb", package / "lost")
    is_refused(install(DIR), 1, "wperf.pdb", "is missing")
    os.rename(package / "lost", package / "wperf.pdb")
    is_refused(batch(package, f'call uninstall.cmd "{DIR}"'), 1, "not installed")


def check_round(path):
    """From a PATH and back to it."""
    run("reg", "delete", KEY, "/v", "Path", "/f")
    if path:
        run("reg", "add", KEY, "/v", "Path", "/t", "REG_EXPAND_SZ", "/d", path, "/f")
    before = path_of_user()
    assert install(DIR)[0] == 0
    first = state()
    assert first[0] == (f"{path};{DIR}" if path else DIR), first[0]
    assert first[1]["wperf.exe"] == exe.read_bytes()
    assert install(DIR)[0] == 0 and state() == first
    # Wine finds no program behind an empty place in PATH.
    code, text = batch(folder, "wperf --version --source sim")
    assert path and ";;" in first[0] or code == 0 and "wperf-driver" in text, text
    code, text = batch(package, f'call uninstall.cmd "{DIR}"')
    assert code == 0 and not installed.exists() and path_of_user() == before, (code, text, before)


def check_own_uninstall():
    """Of what is installed, which is gone afterwards; Wine keeps the folder until the script has ended."""
    run("reg", "add", KEY, "/v", "Path", "/d", 'C:\\say "hello"', "/f")
    before = path_of_user()
    code, text = install(DIR)
    assert code == 0 and "warning: the PATH" in text and path_of_user() == before and '"' in before, text
    (installed / "mine.data").write_text("mine")
    code, text = batch(folder, f'call "{DIR}\\uninstall.cmd"')
    assert code == 0 and [file.name for file in installed.iterdir()] == ["mine.data"], text
    shutil.rmtree(installed)
    run("reg", "delete", KEY, "/v", "Path", "/f")


STAND_IN = r"""
#include <stdio.h>

int main(int argc, char **argv)
{
	printf("asked to %s\n", argv[1]);
	return 0;
}
"""


def check_driver():
    """Before programs that stand in for wperf-devgen, which windows.devgen_in_wine tests: one that
    refuses, and one that does as it is told."""
    shutil.copytree(drivers / "x64", package / "driver")
    shutil.copy(drivers / "x64/wperf-sim.inf", package / "driver/wperf.inf")
    shutil.copy(exe, package / "driver/wperf-devgen.exe")  # which fails on these words
    is_refused(install("--driver", DIR), 1, "the driver was not installed", "testsigning")
    subprocess.run(["x86_64-w64-mingw32-gcc", "-x", "c", "-", "-o", package / "driver/wperf-devgen.exe"],
                   input=STAND_IN, text=True, check=True)
    code, text = install("--driver", DIR)
    assert code == 0 and "asked to install" in text and "asked to status" in text, text
    code, text = batch(package, f'call uninstall.cmd "{DIR}"')
    assert code == 0 and "asked to remove" in text and not installed.exists(), text


with tempfile.TemporaryDirectory(suffix=" of wperf") as name:
    folder = pathlib.Path(name)
    package = folder / f"wperf-{VERSION}-windows-x64"
    check_packages()
    check_refusals()
    for path in (None, "C:\\one;D:\\two & (three)\\;"):
        check_round(path)
    check_own_uninstall()
    check_driver()
