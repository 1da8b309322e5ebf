# SPDX-License-Identifier: Apache-2.0
"""wperf-devgen installs the driver on simulated registers in Wine, says how it is, and removes it:
FOLDER (with wperf-devgen.exe, wperf-sim.inf and .sys) CLIENT.exe PREFIX
"""
import pathlib
import subprocess
import sys

from wine_session import Wine

folder, client, prefix = map(pathlib.Path, sys.argv[1:])
INF = f"Z:{folder / 'wperf-sim.inf'}".replace("/", "\\")
GOOD, FAILED, USAGE, NOT_INSTALLED = 0, 1, 2, 3
ATTEMPTS = 3


def devgen(wine, *words):
    code, text = wine.run(folder / "wperf-devgen.exe", *words, limit=20)
    print(f"{' '.join(map(str, words))}: {code}, {text.strip()}")
    return code, text


def begin(wine):
    """As if it had never been installed."""
    devgen(wine, "remove")
    wine.run("sc", "delete", "wperf")
    # Wine asks what to do about a file that is there already.
    (prefix / "drive_c/windows/system32/drivers/wperf-sim.sys").unlink(missing_ok=True)


def check(wine):
    assert devgen(wine)[0] == USAGE
    assert devgen(wine, "instal")[0] == USAGE
    assert devgen(wine, "status", "now")[0] == USAGE
    assert devgen(wine, "--help")[0] == GOOD
    assert devgen(wine, "status")[0] == NOT_INSTALLED
    assert devgen(wine, "remove")[0] == NOT_INSTALLED
    assert devgen(wine, "install", "Z:\\no such folder\\n\u00f6.inf")[0] == FAILED
    assert devgen(wine, "install")[0] == FAILED  # there is no wperf.inf beside it
    assert devgen(wine, "status")[0] == NOT_INSTALLED
    assert devgen(wine, "install", INF)[0] == GOOD
    code, text = devgen(wine, "status")
    assert code == GOOD and "runs" in text and "3.8.0 (0000000-sim) +spe" in text
    code, text = wine.run(client, "lock")
    assert code == GOOD and "alice counts" in text
    assert devgen(wine, "install", INF)[0] == GOOD
    assert devgen(wine, "remove")[0] == GOOD
    assert devgen(wine, "status")[0] == NOT_INSTALLED


# Now and then Wine's own installer does not come back from the start of a service.
for attempt in range(ATTEMPTS):
    try:
        with Wine(prefix) as wine:
            begin(wine)
        with Wine(prefix) as wine:
            check(wine)
        sys.exit(0)
    except subprocess.TimeoutExpired as late:
        print(f"attempt {attempt + 1}: {late}")
sys.exit(1)
