# SPDX-License-Identifier: Apache-2.0
"""wperf-devgen installs the driver on simulated registers in Wine, says how it is, and removes it:
FOLDER (with wperf-devgen.exe, wperf-sim.inf and .sys) CLIENT.exe PREFIX
"""
import pathlib
import re
import sys

from wine_session import Wine

folder, client = map(pathlib.Path, sys.argv[1:3])
wine = Wine(sys.argv[3], client)
INF = f"Z:{folder / 'wperf-sim.inf'}".replace("/", "\\")
GOOD, FAILED, USAGE, NOT_INSTALLED = 0, 1, 2, 3


def devgen(*words):
    code, text = wine.run(folder / "wperf-devgen.exe", *words, limit=20)
    print(f"{' '.join(map(str, words))}: {code}, {text.strip()}")
    return code, text


def begin():
    """As if it had never been installed."""
    devgen("remove")
    wine.run("sc", "delete", "wperf")
    # Wine asks what to do about a file that is there already.
    (wine.prefix / "drive_c/windows/system32/drivers/wperf-sim.sys").unlink(missing_ok=True)


def check():
    assert devgen()[0] == USAGE
    assert devgen("instal")[0] == USAGE
    assert devgen("status", "now")[0] == USAGE
    assert devgen("--help")[0] == GOOD
    code, text = devgen("--version")
    assert code == GOOD and re.fullmatch(r"wperf-devgen \d+\.\d+\.\d+", text.strip())
    assert devgen("--version", "now")[0] == USAGE
    assert devgen("status")[0] == NOT_INSTALLED
    assert devgen("remove")[0] == NOT_INSTALLED
    assert devgen("uninstall")[0] == NOT_INSTALLED
    assert devgen("install", "Z:\\no such folder\\n\u00f6.inf")[0] == FAILED
    assert devgen("install")[0] == FAILED  # there is no wperf.inf beside it
    assert devgen("status")[0] == NOT_INSTALLED
    assert devgen("install", INF)[0] == GOOD
    code, text = devgen("status")
    assert code == GOOD and "device:   running" in text and "3.8.0 (0000000-sim) +spe" in text
    code, text = wine.run(client, "lock")
    assert code == GOOD and "alice counts" in text
    assert devgen("install", INF)[0] == GOOD
    assert devgen("uninstall")[0] == GOOD
    assert devgen("status")[0] == NOT_INSTALLED


wine.run_parts(begin, check)
