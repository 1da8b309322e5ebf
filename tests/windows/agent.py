# SPDX-License-Identifier: Apache-2.0
"""`wperf agent` of Windows under Wine: it samples a program with known shares by the source timer, and
sends to a `wperf serve` of Linux; what cannot be sent waits on the disk.
Usage: agent.py WPERF WPERF_EXE PREFIX"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import wine

wperf, exe, prefix = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "live"), str(HERE.parent / "fleet")]
import fleet_server  # noqa: E402
import waiting  # noqa: E402

SERVICE = "program_of_the_agent.exe"  # longer than names of processes of Linux
SHARES = {"seventy": 0.7, "twenty": 0.2, "ten": 0.1}
RATE, WINDOW = 99, 3
NOBODY = "http://127.0.0.1:1"
SKEW = 0.02  # of threads that are looked at while Wine holds them


def agent(url, spool, *words, code=0):
    """One window of the words."""
    done = subprocess.run([wine.PROGRAM, exe, "agent", "--source", "timer", "-F", str(RATE), "--once",
                           "--window", str(WINDOW), "--server", url, "--spool", spool, *words],
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stderr


def ask(*words):
    return subprocess.run([wperf, *words], capture_output=True, text=True, check=True).stdout


def batches_of(server, service):
    listed = json.loads(ask("store", "list", server.store, "--json"))
    return sum(each["batches"] for each in listed["services"] if each["service"] == service)


def check_shares(server):
    """By the time in which each function, or what it called, was running."""
    ran = dict.fromkeys(SHARES, 0)
    for line in ask("export", "--from", server.store, "--service", SERVICE, "--format", "collapsed").splitlines():
        stack, weight = line.rsplit(" ", 1)
        for name in set(SHARES) & set(stack.split(";")):
            ran[name] += int(weight)
    work = sum(ran.values())
    num = work * RATE / 1e9
    assert num > RATE, (ran, num)
    for name, share in SHARES.items():
        off = abs(ran[name] / work - share)
        assert off < 5 * math.sqrt(share * (1 - share) / num) + SKEW, (name, ran, num)
    print(f"{num:.0f} samples:", ", ".join(f"{name} {100 * ran[name] / work:.1f} %" for name in SHARES))


def windows_arrive(folder, pid):
    spool = folder / "spool"
    agent(NOBODY, spool, "-p", pid, code=1)
    with fleet_server.Server(wperf, folder / "server") as server:
        assert batches_of(server, SERVICE) == 0
        agent(f"http://{server.host}:{server.port}", spool, "-p", pid)
        # That of before, which waited on the disk, and that of now.
        assert batches_of(server, SERVICE) == 2, ask("store", "list", server.store)
        assert batches_of(server, "wperf-agent") == 2, ask("store", "list", server.store)
        check_shares(server)


wine.need(exe)
wine.use(prefix)
with tempfile.TemporaryDirectory() as top:
    folder_of_test = pathlib.Path(top)
    the_program = folder_of_test / SERVICE
    wine.compile_program(HERE / "timer_program.c", the_program)
    output = folder_of_test / "number"
    with open(output, "w", encoding="ascii") as file:
        target = subprocess.Popen([wine.PROGRAM, the_program, "told", "60"], stdout=file, stdin=subprocess.DEVNULL)
    try:
        waiting.wait_until(lambda: "\n" in output.read_text(), "its number")
        said = agent(NOBODY, folder_of_test / "none", code=2)
        assert "source 'timer' samples processes only" in said, said
        windows_arrive(folder_of_test, output.read_text().strip())
    finally:
        target.kill()
        target.wait()
