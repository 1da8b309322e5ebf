# SPDX-License-Identifier: Apache-2.0
"""try-etw.cmd under Wine: with a program that stands in for wperf.exe on a computer with ETW, and with
wperf.exe, which finds no ETW there.
Usage: try_etw.py WPERF_EXE PREFIX TRY_ETW_CMD"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import wine

exe, prefix, script = map(pathlib.Path, map(os.path.abspath, sys.argv[1:]))
wine.need(exe)
wine.use(prefix)
ADMINISTRATORS_KEY = "HKU\\S-1-5-19"  # which only they may read; Wine has none
KNOWN_STEPS = 15

# Logs its words, says what try-etw.cmd expects, and fails where a file named "fail" has its words.
STAND_IN = r"""
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char words[1000] = "", failing[100] = "?";
	for (int i = 1; i < argc; i++) {
		strcat(words, argv[i]);
		strcat(words, " ");
	}
	FILE *log = fopen("log", "a"), *fail = fopen("fail", "r");
	fprintf(log, "%s\n", words);
	fclose(log);
	if (fail && fgets(failing, sizeof(failing), fail) && strstr(words, failing))
		return 3;
	printf("wperf etw Timer cpu-clock samples off-cpu TotalIssues inst_retired\n");
	return 0;
}
"""


def run(*words, cwd=None):
    done = subprocess.run([wine.PROGRAM, *words], cwd=cwd, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, done.stdout + done.stderr


def plain(*words):
    return run("cmd", "/c", "try-etw.cmd", *words, cwd=package)


def attempt(machine="AMD64"):
    """As an administrator: the key is there as long as Wine's server."""
    lines = ["@echo off", f"set PROCESSOR_ARCHITECTURE={machine}", f"reg add {ADMINISTRATORS_KEY} /f >nul", "call try-etw.cmd results", "exit /b %errorlevel%", ""]
    (package / "lines.cmd").write_text("\r\n".join(lines))
    result = run("cmd", "/c", "lines.cmd", cwd=package)
    (package / "lines.cmd").unlink()
    return result


def names():
    """What is in the folders where something could stay behind."""
    return {path.name for place in (package, prefix / "drive_c/windows/temp", *prefix.glob(
        "drive_c/users/*/Temp"), *prefix.glob("drive_c/users/*/AppData/Local/Temp"))
            for path in place.glob("*") if place == package or path.name.startswith("wperf-etw")}


def results():
    """The lines of the summary, and then no results any more."""
    lines = (package / "results/summary.txt").read_text().splitlines()
    files = sorted(path.name for path in (package / "results").iterdir())
    shutil.rmtree(package / "results")
    return lines, files


def check_refusals():
    run("reg", "delete", ADMINISTRATORS_KEY, "/f")
    code, text = plain("results")
    assert code == 1 and "administrator" in text and not (package / "results").exists(), text
    code, text = plain("a", "b")
    assert code == 2 and "usage" in text, text
    (package / "results").mkdir()
    code, text = plain("results")
    assert code == 1 and "exists" in text, text
    (package / "results").rmdir()
    (package / "wperf.exe").rename(package / "lost")
    code, text = plain("results")
    assert code == 1 and "not beside" in text, text
    (package / "lost").rename(package / "wperf.exe")


def check_success():
    before = names()
    code, text = attempt("ARM64")
    lines, files = results()
    log = (package / "log").read_text()
    (package / "log").unlink()
    assert code == 0 and lines[-1] == f"{KNOWN_STEPS} passed, 0 failed", (code, text, lines)
    assert sum(line.startswith("PASS  ") for line in lines) == KNOWN_STEPS, lines
    assert {"01-version.txt", "05-timer.txt", "13-clean.txt", "summary.txt"} <= set(files), files
    for words in ("--version", "detect ", "etw ", "list --source etw", "-e TotalIssues:65536",
                  "-e ld_spec:100000", "--off-cpu", "stat --source etw", "etw --clean",
                  "--anonymous", "-- cmd.exe /c try-etw.cmd --busy"):
        assert words in log, (words, log)
    assert log.splitlines()[-1] == "etw ", log  # after the cleaning
    assert names() == before, names() ^ before


def check_failures():
    """A failed step neither ends the others nor the cleaning."""
    (package / "fail").write_text("TotalIssues")
    code, _ = attempt("ARM64")
    lines, _ = results()
    assert code == 1 and lines[-1] == f"{KNOWN_STEPS - 2} passed, 2 failed", lines
    assert "FAIL  08-windows-event: exit code 3" in lines, lines
    log = (package / "log").read_text()
    assert "etw --clean" in log, log
    (package / "fail").unlink()
    (package / "log").unlink()


def check_without_etw():
    shutil.copy(exe, package / "wperf.exe")
    before = names()
    code, text = attempt()
    lines, files = results()
    assert code == 1 and "PASS  01-version" in lines, text
    assert any(line.startswith("FAIL  05-timer: exit code") for line in lines), text
    assert "05-timer.txt" in files and names() == before, (files, names() ^ before)


with tempfile.TemporaryDirectory(suffix=" of wperf") as name:
    package = pathlib.Path(name)
    (package / "try-etw.cmd").write_bytes(script.read_bytes().replace(b"\n", b"\r\n"))
    subprocess.run(["x86_64-w64-mingw32-gcc", "-x", "c", "-", "-o", package / "wperf.exe"],
                   input=STAND_IN, text=True, check=True)
    try:
        check_refusals()
        check_success()
        check_failures()
        check_without_etw()
    finally:
        run("reg", "delete", ADMINISTRATORS_KEY, "/f")
