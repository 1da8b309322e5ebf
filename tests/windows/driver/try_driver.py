# SPDX-License-Identifier: Apache-2.0
"""try-driver.cmd under Wine, with the driver on simulated registers and wperf.exe: DRIVERS WPERF.exe
TRY_DRIVER.cmd PREFIX. PowerShell, which Wine lacks, is a program that stands in for it."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import check, end
from wine_session import Wine

drivers, exe, script, place = map(pathlib.Path, sys.argv[1:])
wine = Wine(place, exe)
ADMINISTRATORS_KEY = "HKU\\S-1-5-19"  # which only they may read; Wine has none
NUM_STEPS = 16

# Logs its words. It signs nothing if there is a file named "unsigned".
POWERSHELL = r"""
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	FILE *log = fopen("log", "a"), *unsigned_file = fopen("unsigned", "r");
	for (int i = 1; i < argc; i++)
		fprintf(log, "%s ", argv[i]);
	fprintf(log, "\n");
	fclose(log);
	printf("Valid\n");
	return unsigned_file && strstr(argv[argc - 1], "CodeSigningCert");
}
"""


def attempt(*words, machine="ARM64", administrator=True):
    reg = "add" if administrator else "delete"
    lines = ["@echo off", f"cd /d {package_in_wine}", f"set PROCESSOR_ARCHITECTURE={machine}", "set seconds=0.5",
             f"reg {reg} {ADMINISTRATORS_KEY} /f >nul 2>nul",
             f"call try-driver.cmd {' '.join(words)} 2>&1", "exit /b %errorlevel%", ""]
    (package / "lines.cmd").write_text("\r\n".join(lines))
    code, text = wine.run("cmd", "/c", f"{package_in_wine}\\lines.cmd", limit=150)
    return code, text


def check_refusal(what, word, **options):
    code, text = attempt("results", **options)
    check(code == 1 and word in text and not (package / "results").exists(), f"{what}: {text.strip()}")


def results():
    lines = (package / "results/summary.txt").read_text().splitlines()
    texts = {path.name: path.read_text(errors="replace")
             for path in (package / "results").iterdir()}
    shutil.rmtree(package / "results")
    return lines, texts


def check_refusals():
    check_refusal("no administrator", "administrator", administrator=False)
    check_refusal("another machine", "not Arm64", machine="AMD64")
    code, text = attempt("a", "b")
    check(code != 0 and "usage" in text, f"too many words: {text.strip()}")
    (package / "driver/wperf.sys").rename(package / "lost")
    check_refusal("no driver", "wperf.sys is not beside")
    (package / "lost").rename(package / "driver/wperf.sys")
    wine.run("sc", "create", "wperf", "type=", "kernel", "binPath=", "C:\\nothing.sys")
    check_refusal("a driver is installed", "is installed")
    wine.run("sc", "delete", "wperf")


def check_success():
    code, text = attempt("results")
    lines, texts = results()
    failed = [line for line in lines if line.startswith("FAIL")]
    check(code == 0 and lines[-1] == f"{NUM_STEPS} passed, 0 failed", f"all steps pass: {failed}")
    if failed:
        print(text, *(f"{name}:\n{said}" for name, said in sorted(texts.items())), sep="\n")
    check("inst_retired" in texts["06-count.txt"] and "samples" in texts["10-kernel.txt"],
          "the driver counts and samples")
    signed, removed = (package / "log").read_text().splitlines()
    check("CodeSigningCert" in signed and "SHA256" in signed and "TrustedPublisher" in signed,
          "the certificate is for signing code, with SHA-256")
    check("Remove-Item" in removed, "and is removed")
    code, _ = wine.run("sc", "query", "wperf")
    check(code != 0, "no service is left")
    (package / "log").unlink()


def check_unsigned():
    (package / "unsigned").write_text("")
    code, _ = attempt("results")
    lines, _ = results()
    check(code == 1 and "FAIL  02-sign: exit code 1" in lines and lines[-1] == "2 passed, 1 failed",
          f"a driver that is not signed is not started, and all is cleaned: {lines}")
    (package / "unsigned").unlink()


def all_checks():
    check_refusals()
    check_success()
    check_unsigned()
    wine.run("reg", "delete", ADMINISTRATORS_KEY, "/f")


with tempfile.TemporaryDirectory(prefix="wperf", dir=place / "drive_c") as name:
    package = pathlib.Path(name)
    package_in_wine = f"C:\\{package.name}"
    (package / "try-driver.cmd").write_bytes(script.read_bytes().replace(b"\n", b"\r\n"))
    (package / "driver").mkdir()
    shutil.copy(drivers / "wperf-sim.sys", package / "driver/wperf.sys")
    shutil.copy(exe, package / "wperf.exe")
    subprocess.run(["x86_64-w64-mingw32-gcc", "-x", "c", "-", "-o", package / "powershell.exe"],
                   input=POWERSHELL, text=True, check=True)
    wine.run_parts(all_checks)
end("try-driver.cmd")
