# SPDX-License-Identifier: Apache-2.0
"""wperf-devgen installs the driver on simulated registers in Wine, says how it is, and removes it:
FOLDER (with wperf-devgen.exe, wperf-sim.inf and .sys) CLIENT.exe PREFIX
"""
import pathlib
import sys

from wine import Wine

folder, client, prefix = map(pathlib.Path, sys.argv[1:])
INSTALLED, NOT_INSTALLED, FAILED, USAGE = 0, 3, 1, 2


def devgen(*words):
    code, text = wine.run(folder / "wperf-devgen.exe", *words)
    print(f"{' '.join(map(str, words))}: {code}, {text.strip()}")
    return code, text


with Wine(prefix) as wine:
    wine.run("sc", "delete", "wperf")
    # Wine asks what to do about a file that is there already.
    (prefix / "drive_c/windows/system32/drivers/wperf-sim.sys").unlink(missing_ok=True)
    assert devgen()[0] == USAGE
    assert devgen("instal")[0] == USAGE
    assert devgen("status", "now")[0] == USAGE
    assert devgen("--help")[0] == 0
    assert devgen("status")[0] == NOT_INSTALLED
    assert devgen("remove")[0] == NOT_INSTALLED
    assert devgen("install", "Z:\\no such folder\\n\u00f6.inf")[0] == FAILED
    assert devgen("install")[0] == FAILED  # there is no wperf.inf beside it
    assert devgen("status")[0] == NOT_INSTALLED
    assert devgen("install", f"Z:{folder / 'wperf-sim.inf'}".replace("/", "\\"))[0] == INSTALLED
    code, text = devgen("status")
    assert code == INSTALLED and "runs" in text and "3.8.0 (0000000-sim) +spe" in text
    code, text = wine.run(client, "lock")
    assert code == 0 and "alice counts" in text
    assert devgen("install", f"Z:{folder / 'wperf-sim.inf'}".replace("/", "\\"))[0] == INSTALLED
    assert devgen("remove")[0] == 0
    assert devgen("status")[0] == NOT_INSTALLED
