# SPDX-License-Identifier: Apache-2.0
"""Servers that fail in all ways, full disks and killed agents: what was sealed arrives once, in order,
or is counted.

agent_delivery.py WPERF [CHECK ...]

WPERF_KILL_ROUNDS: how often an agent is killed (4). The checks wait most of the time, so all of them run
at the same time.
"""
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from agents import Agent, Program, run_agent, skip_without_sampling, wait_until, waiting_files
from receiver import SERVED, Receiver, batches_of

# The program's batch and that of the agent.
PER_WINDOW = 2
ROUNDS = int(os.environ.get("WPERF_KILL_ROUNDS", "4"))


def words_of(program, spool, *more):
    return ["--window", "1", "-F", 99, "-p", program.pid, "--spool", spool, *more]


def check_once(wperf, folder, program):
    """The exit status says whether it was sent; what was not is sent next time."""
    spool = folder / "once"
    with Receiver() as gone:
        url = gone.url
    notes = run_agent(wperf, "--once", *words_of(program, spool, "--server", url), code=1)
    assert f"cannot send to {url}{SERVED}" in notes and "1 requests wait" in notes, notes
    with Receiver() as receiver:
        notes = run_agent(wperf, "--once", *words_of(program, spool, "--server", receiver.url))
        assert not notes, notes
        windows = [batches_of(body)[0] for body in receiver.stored]
        (_, _, path, headers) = receiver.requests[0]
    assert [window.sequence for window in windows] == [1, 2] and not waiting_files(spool)
    assert windows[0].run != windows[1].run and windows[0].start < windows[1].start
    assert path == SERVED and headers["Content-Encoding"] == "gzip", (path, headers)
    assert headers["Content-Type"] == "application/x-protobuf" and "Authorization" not in headers


def check_token(wperf, folder, program):
    token = folder / "token"
    token.write_text("secret-7\n", encoding="utf-8")
    with Receiver([401, 200]) as receiver:
        words = words_of(program, folder / "token_spool", "--server", receiver.url + "/in?a=b",
                         "--token-file", token)
        notes = run_agent(wperf, "--once", *words, code=1)
        assert "the server answers 401: it wants a token" in notes, notes
        run_agent(wperf, "--once", *words)
        assert {request[3]["Authorization"] for request in receiver.requests} == {"Bearer secret-7"}
        assert {request[2] for request in receiver.requests} == {"/in?a=b"}
        assert len(receiver.stored) == 2
        by_variable = words_of(program, folder / "variable_spool", "--server", receiver.url)
        run_agent(wperf, "--once", *by_variable, environment={"WPERF_TOKEN": "secret-8"})
        assert receiver.requests[-1][3]["Authorization"] == "Bearer secret-8"
    token.write_text("two words\n", encoding="utf-8")
    notes = run_agent(wperf, "--once", *words, code=1)
    assert f"'{token}' has no token" in notes, notes


def check_each_once_in_order(batches):
    """By id; what was stored before a connection broke may come again."""
    ids = list(dict.fromkeys(batch.id for batch in batches))
    keys = [tuple(map(int, batch_id.split("-")[2:])) for batch_id in ids]
    assert keys == sorted(keys), ids
    return keys


def check_failing_server(wperf, folder, program):
    """Nothing is lost, and sampling does not wait."""
    # What arrives in between makes pauses short again.
    answers = [500, (429, {"Retry-After": "3"}), 200, "die", "store and die", 200, "hang", 503, 200]
    with Receiver(answers) as receiver:
        spool = folder / "failing"
        with Agent(wperf, folder, *words_of(program, spool, "--server", receiver.url)) as agent:
            wait_until(lambda: len(receiver.stored) >= 12 and len(receiver.requests) > 9, "12 windows", limit=120)
            agent.stop(signal.SIGTERM)
            assert agent.notes().count("cannot send to") == 3, agent.notes()
            assert "sending to" in agent.notes() and not waiting_files(spool)
        batches = receiver.batches()
        times = [when for when, *_ in receiver.requests]
    keys = check_each_once_in_order(batches)
    sequences = sorted({sequence for sequence, _ in keys})
    assert sequences == list(range(1, sequences[-1] + 1)), sequences
    assert len(keys) == PER_WINDOW * len(sequences) and not any(batch.num_dropped for batch in batches)
    assert times[2] - times[1] >= 3, times
    # The same request is sent again until it has arrived, and windows follow each other.
    windows = {batch.sequence: batch for batch in batches}
    for number in sequences[1:]:
        gap = windows[number].start - windows[number - 1].start - windows[number - 1].length
        assert abs(gap) < 0.05e9, (number, gap)


def check_refused(wperf, folder, program):
    with Receiver([400, 413, 415, 200]) as receiver:
        spool = folder / "refused"
        with Agent(wperf, folder, *words_of(program, spool, "--server", receiver.url)) as agent:
            wait_until(lambda: any(batch.num_dropped for batch in receiver.batches()), "a count")
            agent.stop(signal.SIGTERM)
            notes = agent.notes()
        dropped = sum(batch.num_dropped for batch in receiver.batches())
        stored = {batch.sequence for batch in receiver.batches()}
    assert notes.count("refused a request: the server answers 400") == 1, notes
    aside = sorted(path.name for path in (spool / "refused").iterdir())
    assert len(aside) == 3 and dropped == 3 * PER_WINDOW, (aside, dropped)
    assert stored == set(range(4, max(stored) + 1)), stored
    assert b"".join(path.read_bytes() for path in (spool / "refused").iterdir())


def check_damaged_file(wperf, folder, program):
    spool = folder / "damaged"
    run_agent(wperf, "--once", *words_of(program, spool))
    (path,) = waiting_files(spool)
    path.write_bytes(path.read_bytes()[:-20])
    with Receiver() as receiver:
        notes = run_agent(wperf, "--once", *words_of(program, spool, "--server", receiver.url))
        assert f"damaged file in the spool: '{path.name}'" in notes, notes
        assert sum(batch.num_dropped for batch in receiver.batches()) == PER_WINDOW
    assert (spool / "refused" / path.name).exists()


def check_lock(wperf, folder, program):
    spool = folder / "locked"
    with Agent(wperf, folder, *words_of(program, spool)) as agent:
        wait_until((spool / "agent-id").exists, "the first agent")
        notes = run_agent(wperf, "--once", *words_of(program, spool), code=1)
        assert f"another agent has locked '{spool}/lock'" in notes, notes
        agent.stop(signal.SIGINT)


def check_limit_of_the_spool(wperf, folder, program):
    """The newest are kept, and the next batch says how many are missing."""
    spool, limit = folder / "small", 16384
    with Agent(wperf, folder, *words_of(program, spool, "--spool-size", "16K")) as agent:
        wait_until(lambda: list(spool.glob("*.dropped*")), "a dropped request")
        wait_until(lambda: int(waiting_files(spool)[-1].name[:12]) >= 5, "five windows")
        agent.stop(signal.SIGTERM)
    files = waiting_files(spool)
    assert sum(path.stat().st_size for path in files) <= limit
    counted = sum(batch.num_dropped for path in files for batch in batches_of(path.read_bytes()))
    marked = sum(int(path.name.split("-")[1].split(".")[0]) for path in spool.glob("*.dropped"))
    newest = int(files[-1].name[:12])
    assert counted + marked + PER_WINDOW * len(files) == PER_WINDOW * newest, (counted, marked, newest)


def kill_agent(wperf, folder, words, dice):
    # A window ends within two seconds at the latest.
    with Agent(wperf, folder, *words) as agent:
        # Not on anything that it does: at any point.
        time.sleep(2 + dice.random() * 2)
        agent.child.kill()
        agent.child.wait()


def check_sum(stored, what):
    """What was sealed is what has arrived, each once by its id, and what is counted. A request has all
    batches of its window: on a crowded machine that may be the agent's alone."""
    by_id = {batch.id: batch for batch in stored}
    windows = {batch.sequence for batch in by_id.values()}
    counted = sum(batch.num_dropped for batch in by_id.values())
    num_missing = max(windows) - len(windows)
    num_short = PER_WINDOW * len(windows) - len(by_id)
    assert num_short <= 1 + len(windows) // 20, (num_short, len(windows))
    most = PER_WINDOW * num_missing
    assert most - 1 - num_missing // 20 <= counted <= most, (num_missing, counted)
    print(f"{what}, {ROUNDS} rounds: {max(windows)} windows sealed, {len(windows)} stored, {num_missing} not, "
          f"{counted} batches counted")
    return num_missing


def check_killed_agents(wperf, folder, program):
    """kill -9 in several rounds, with a server that comes and goes: nothing is dropped."""
    spool, dice, stored = folder / "killed", random.Random(7), []
    for round_number in range(ROUNDS):
        with Receiver([[200], ["store and die", 200], [500], ["die"]][round_number % 4]) as receiver:
            kill_agent(wperf, folder, words_of(program, spool, "--server", receiver.url), dice)
            stored += receiver.batches()
    with Receiver() as receiver:
        run_agent(wperf, "--once", *words_of(program, spool, "--server", receiver.url))
        stored += receiver.batches()
    assert not waiting_files(spool) and check_sum(stored, "killed") == 0


def check_killed_agents_that_drop(wperf, folder, program):
    """The same with a spool that is too small, and no server until the end. (Where a server stored a
    request whose answer was lost, and the request is dropped later, it is both stored and counted.)"""
    spool, dice = folder / "killed_small", random.Random(8)
    for _ in range(ROUNDS):
        kill_agent(wperf, folder, words_of(program, spool, "--spool-size", "5K"), dice)
    with Receiver() as receiver:
        run_agent(wperf, "--once", *words_of(program, spool, "--server", receiver.url))
        assert not waiting_files(spool) and not list(spool.glob("*.dropped*"))
        assert check_sum(receiver.batches(), "killed with a small spool") > 0


def check_full_disk(wperf, folder, program):
    """Said and counted; sampling goes on, and so does sealing when there is room again."""
    disk = folder / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk],
                          capture_output=True, check=False) if os.geteuid() == 0 else None
    if not done or done.returncode:
        print("not checked: a full disk needs root")
        return
    try:
        with Agent(wperf, folder, *words_of(program, disk / "spool")) as agent:
            wait_until(lambda: len(waiting_files(disk / "spool")) >= 1, "a window")
            ballast = disk / "ballast"
            with open(ballast, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            wait_until(lambda: "No space left on device; 2 batches of this window are lost"
                       in agent.notes(), "a warning")
            last = waiting_files(disk / "spool")[-1]
            ballast.unlink()
            wait_until(lambda: waiting_files(disk / "spool")[-1] != last, "the next window")
            agent.stop(signal.SIGTERM)
        files = waiting_files(disk / "spool")
        counted = sum(batch.num_dropped for path in files for batch in batches_of(path.read_bytes()))
        lost = agent.notes().count("batches of this window are lost")
        assert counted == PER_WINDOW * lost, (counted, agent.notes())
    finally:
        subprocess.run(["umount", disk], check=True)
        shutil.rmtree(disk)


def run_check(check, wperf, folder, program):
    """In a folder of its own."""
    own = folder / check.__name__
    own.mkdir()
    check(wperf, own, program)
    print("ok", check.__name__, flush=True)


def main():
    wperf = sys.argv[1]
    checks = [check_killed_agents, check_killed_agents_that_drop, check_once, check_token, check_refused,
              check_damaged_file, check_lock, check_limit_of_the_spool, check_full_disk, check_failing_server]
    checks = [check for check in checks if check.__name__ in (sys.argv[2:] or check.__name__)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        skip_without_sampling(wperf, folder)
        with Program(folder) as program, concurrent.futures.ThreadPoolExecutor(len(checks)) as pool:
            running = {pool.submit(run_check, check, wperf, folder, program): check for check in checks}
            failed = [future for future in concurrent.futures.as_completed(running) if future.exception()]
            for future in failed:
                print("failed:", running[future].__name__, flush=True)
                traceback.print_exception(future.exception())
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
