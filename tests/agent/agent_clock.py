# SPDX-License-Identifier: Apache-2.0
"""Clocks that jump, and a server that is away for an hour, by libfaketime, so that it takes seconds: each
window arrives once, with the time that its clock had and the length that it really had.

agent_clock.py WPERF
"""
import os
import pathlib
import signal
import sys
import tempfile
import time

from agents import Agent, Program, find_faketime, run_agent, skip_without_sampling, wait_until, waiting_files
from receiver import Receiver

FAKETIME = find_faketime()
HOUR, SECOND = 3600, 10**9
SPEED, WINDOW_S = 360, 180


def check_windows(batches, num):
    """All of them, none dropped; by their ids each counts once. Returns {sequence: batch}."""
    windows = {batch.sequence: batch for batch in batches}
    assert sorted(windows) == list(range(1, len(windows) + 1)) and len(windows) >= num, sorted(windows)
    assert not any(batch.num_dropped for batch in batches)
    return windows


def check_jumps(wperf, folder, program):
    """By hours in both directions, and by steps of NTP."""
    offsets = [5 * HOUR, -7 * HOUR, 2, -3, 4 * 365 * 24 * HOUR]
    offset_file = folder / "offset"
    offset_file.write_text("+0", encoding="utf-8")
    environment = {"LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(offset_file),
                   "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1"}
    words = ["--window", "1", "-F", 99, "-p", program.pid, "--spool", folder / "jumps"]
    with Receiver() as receiver:
        with Agent(wperf, folder, *words, "--server", receiver.url, environment=environment) as agent:
            for offset in offsets:
                offset_file.write_text(f"{offset:+}", encoding="utf-8")
                count = len(receiver.stored)
                # The first of them may have begun before.
                wait_until(lambda: len(receiver.stored) >= count + 2, f"windows with a clock {offset} s off")
            agent.stop(signal.SIGTERM)
            assert "warning" not in agent.notes(), agent.notes()
        batches, now = receiver.batches(), time.time()
    windows = check_windows(batches, 2 * len(offsets))
    assert all(window.length < 5 * SECOND for window in windows.values()), [one.length for one in windows.values()]
    found = {min(offsets, key=lambda offset: abs(window.start / SECOND - now - offset + 10)) for window in windows.values()}
    assert {5 * HOUR, -7 * HOUR, 4 * 365 * 24 * HOUR} <= found, found
    # Each window has the time of its clock: off by one of the offsets, and never more than the test takes.
    for window in windows.values():
        off = min(abs(window.start / SECOND - now - offset) for offset in offsets)
        assert off < 120, (window.start, off)
    print(f"jumps: {len(windows)} windows")


def check_server_away(wperf, folder, program):
    """An hour in which nobody answers, at a clock that runs faster; the pauses between tries have a
    limit, and the next agent sends all that waited."""
    environment = {"LD_PRELOAD": str(FAKETIME), "FAKETIME": f"+0 x{SPEED}"}
    spool = folder / "away"
    words = ["--window", WINDOW_S, "-F", 99, "-p", program.pid, "--spool", spool]
    with Receiver([503]) as receiver:
        begin = time.monotonic()
        with Agent(wperf, folder, *words, "--server", receiver.url, environment=environment) as agent:
            wait_until(lambda: len(waiting_files(spool)) >= HOUR // WINDOW_S, "an hour")
            hours = (time.monotonic() - begin) * SPEED / HOUR
            tries = [when for when, *_ in receiver.requests]
            agent.stop(signal.SIGTERM)
            notes = agent.notes()
        # At the usual speed: else a request has a quarter of a second.
        receiver.answers[:] = [200]
        num = len(waiting_files(spool))
        run_agent(wperf, "--once", "--window", "1", "-p", program.pid, "--spool", spool, "--server", receiver.url)
        assert not waiting_files(spool)
        batches = receiver.batches()
    windows = check_windows(batches, num + 1)
    assert len(windows) == num + 1, (len(windows), num)
    gaps = [(later - earlier) * SPEED for earlier, later in zip(tries, tries[1:])]
    # Pauses double up to 300 s: ten in the first minutes, then one in 150 to 300 s, and what a crowded machine adds.
    assert 8 <= len(tries) <= 12 + hours * HOUR / 150, (len(tries), hours)
    assert max(gaps) < 300 + SPEED * 2, gaps
    # Once while it goes on, once at the end.
    assert notes.count("cannot send to") == 2, notes
    assert all(window.length < 5 * WINDOW_S * SECOND for window in windows.values())
    print(f"away: {len(windows)} windows, {len(tries)} tries in {hours:.1f} h, pauses of at most {max(gaps):.0f} s")


def main():
    wperf = sys.argv[1]
    if not FAKETIME:
        print("skipped: no libfaketime")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        skip_without_sampling(wperf, folder)
        with Program(folder) as program:
            check_jumps(wperf, folder, program)
            check_server_away(wperf, folder, program)
    return 0


if __name__ == "__main__":
    sys.exit(main())
