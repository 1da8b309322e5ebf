# SPDX-License-Identifier: Apache-2.0
"""The driver on simulated registers, in Wine: DRIVERS CLIENT.exe CLIENT PLACE (see wine_session.py).

What the client hears from the driver through DeviceIoControl is, byte for byte, what it hears from
the same machine in its own process on Linux.
"""
import difflib
import pathlib
import subprocess
import sys

from checks import check, end
from wine_session import ARM64, LIMIT, Wine

drivers, client_exe, client, place = sys.argv[1:]
wine = Wine(place, client_exe)
MODES = ["right", "wrong", "noise", "lock", "right"]
if place == ARM64:
    MODES.remove("wrong")  # 13,000 requests, which an emulator takes long for


def compare(mode):
    wanted = subprocess.run([client, mode], check=True, capture_output=True, text=True).stdout
    code, heard = wine.run(client_exe, mode)
    lines = wanted.count("\n")
    check(code == 0 and heard == wanted and "FAULT" not in heard and lines > 0,
          f"session '{mode}': {lines} lines as on Linux")
    if heard != wanted:
        print("\n".join(difflib.unified_diff(wanted.split("\n"), heard.split("\n"), "linux",
                                             "wine", "", "", 0, "")))


def hold():
    """A client that has the lock, and what it said."""
    holder = wine.start(client_exe, "hold")
    return holder, holder.stdout.readline().strip()


def check_killed_client():
    first, said = hold()
    check(said == "error 0, status 2, start 0", f"a client holds the lock: {said}")
    second, said = hold()
    check(said == "error 0, status 1, start 22", f"another one does not get it: {said}")
    second.communicate("", timeout=LIMIT)
    first.kill()
    first.wait()
    wine.run("cmd", "/c", "exit")  # until Wine, too, knows of it
    third, said = hold()
    check(said == "error 0, status 2, start 0", f"the first was killed, its lock is free: {said}")
    third.communicate("", timeout=LIMIT)


def check_stop_with_client():
    holder, said = hold()
    check(said == "error 0, status 2, start 0", f"before the stop: {said}")
    wine.run("net", "stop", "wperf")
    check(holder.poll() is None, "stopped with a handle open, the client goes on")
    holder.communicate("", timeout=LIMIT)


WAITING = """lock: error 0
samples: error 0, error 0
by the clock: waits, then error 0, cores 2
read: error 0
read: error 0
by our word: error 258, then error 0, cores 2
read: error 0
a second one: error 170; cancelled: 1, error 995
robbed: error 0, error 22
samples: error 0, error 0
closed: ended
"""


def check_waiting():
    code, heard = wine.run(client_exe, "wait")
    check(code == 0 and heard == WAITING, f"waits, is cancelled, robbed, closed: {heard.split()}")


def restart():
    wine.run("net", "stop", "wperf")
    return wine.run("net", "start", "wperf")


def check_all():
    wine.install(pathlib.Path(drivers) / "wperf-sim.sys", "wperf")
    check(wine.run(client_exe, "lock")[0] == 1, "no driver, nothing to open")
    code, text = wine.run("net", "start", "wperf")
    check(code == 0, f"start: {text.strip().splitlines()[-1:]}")
    for mode in MODES:
        compare(mode)
    check_waiting()
    check_killed_client()
    check_stop_with_client()
    code, text = restart()
    check(code == 0, f"start again: {text.strip().splitlines()[-1:]}")
    compare("right")
    code, text = wine.run("net", "stop", "wperf")
    check(code == 0, f"stop: {text.strip().splitlines()[-1:]}")
    check(wine.run(client_exe, "lock")[0] == 1, "no driver, nothing to open")

    wine.install(pathlib.Path(drivers) / "wperf.sys", "wperf")
    code, text = wine.run("net", "start", "wperf")
    check(code != 0 and "not supported" in text,
          f"the driver does not load without an Arm PMU: {text.strip().splitlines()[-1:]}")
    wine.run("sc", "delete", "wperf")


wine.run_parts(check_all)
end(f"the driver for {pathlib.Path(drivers).name} in Wine")
