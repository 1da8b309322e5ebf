# SPDX-License-Identifier: Apache-2.0
"""What is in a window: Python lines, services, labels, the cost of the agent; rules and signals.

agent_windows.py WPERF
"""
import functools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from agents import (HOT_LINES, Agent, Program, run_agent, run_checks, skip_without_sampling, wait_until,
                    waiting_files)
from receiver import Receiver, batches_of


def check_python_lines(wperf, folder):
    """The whole system, into a file that `report` reads."""
    spool = folder / "lines"
    with Program(folder) as program:
        notes = run_agent(wperf, "--once", "--window", "3", "-F", 99, "--spool", spool)
    assert not notes, notes
    (path,) = waiting_files(spool)
    done = subprocess.run([wperf, "report", "-i", path], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done
    lines = re.findall(r"spinning\.py:(\d+) +spin", done.stdout)
    assert lines and set(lines[:2]) <= HOT_LINES, done.stdout
    batches = {batch.service: batch for batch in batches_of(path.read_bytes())}
    assert path.name == f"000000000001-{len(batches)}.otlp.gz", (path, len(batches))
    # As its process calls itself, or as the unit of this test.
    (own,) = [batch for name, batch in batches.items() if name.startswith("python3")] or [None]
    assert own is None or own.counts["cpu-clock"] > 0
    assert "kernel" not in batches or batches["kernel"].events
    assert int(program.pid) > 0


def check_labels_and_cost(wperf, folder):
    spool = folder / "labels"
    with Program(folder) as program:
        run_agent(wperf, "--once", "--window", "2", "-F", 99, "-p", program.pid, "--spool", spool,
                  "--host", "web-1", "--label", "zone=b", "--service-rule", "*spinning.py*=shop")
    (path,) = waiting_files(spool)
    batches = {batch.service: batch for batch in batches_of(path.read_bytes())}
    assert set(batches) == {"shop", "wperf-agent"}, batches
    for batch in batches.values():
        assert batch.labels["host.name"] == "web-1" and batch.labels["zone"] == "b", batch.labels
        assert batch.labels["host.arch"] == os.uname().machine, batch.labels
        assert 2e9 <= batch.length < 4e9, batch.length
    # The clock of a program that is always busy.
    assert 0.2e9 < batches["shop"].events["cpu-clock"] < 4e9, batches["shop"].events
    own = batches["wperf-agent"]
    assert 1e6 < own.events["agent-cpu"] < 3e9, own.events
    assert 1e6 < own.events["agent-memory"] < 1e9, own.events


def check_some_windows_are_sampled(wperf, folder):
    """Pauses between them leave no mark in those that are: all of a program that is always busy."""
    spool = folder / "some"
    with Program(folder) as program:
        with Agent(wperf, folder, "--window", "1", "-F", 99, "-p", program.pid, "--spool", spool,
                   "--probability", "0.4", "--service-rule", "*spinning.py*=shop") as agent:
            wait_until(lambda: len(waiting_files(spool)) > 3, "windows that are sampled")
            agent.stop(signal.SIGTERM)
    # The last one may be of a few samples, and its share any.
    batches = [batch for path in waiting_files(spool) for batch in batches_of(path.read_bytes())
               if batch.service == "shop" and batch.length > 0.5e9]
    shares = [batch.events["cpu-clock"] * 0.4 / batch.length for batch in batches]
    assert len(batches) > 2 and all(0.1 < share < 1.5 for share in shares), shares


def check_rules_are_read_again(wperf, folder):
    rules = folder / "rules"
    rules.write_text("*spinning.py*=before\n", encoding="utf-8")
    with Program(folder) as program, Receiver() as receiver:
        with Agent(wperf, folder, "--window", "1", "-F", 99, "-p", program.pid, "--spool",
                   folder / "rules_spool", "--server", receiver.url, "--service-rules", rules) as agent:
            def seen(name):
                return any(batch.service == name for batch in receiver.batches())
            wait_until(lambda: seen("before"), "first rule")
            rules.write_text("*spinning.py*=after\n", encoding="utf-8")
            agent.child.send_signal(signal.SIGHUP)
            wait_until(lambda: seen("after"), "second rule")
            rules.write_text("nonsense\n", encoding="utf-8")
            agent.child.send_signal(signal.SIGHUP)
            wait_until(lambda: "not a service rule: 'nonsense'" in agent.notes(), "warning")
            agent.stop(signal.SIGTERM)


def check_the_last_window_is_sent(wperf, folder):
    """SIGTERM ends a window early."""
    spool = folder / "last"
    with Program(folder) as program, Receiver() as receiver:
        with Agent(wperf, folder, "--window", "600", "-F", 99, "-p", program.pid, "--spool", spool,
                   "--server", receiver.url) as agent:
            from waiting import wait_for_counters, wait_for_cpu
            wait_for_counters(agent.child.pid)
            wait_for_cpu(program.child.pid, 0.5)
            agent.stop(signal.SIGTERM)
        (shop, own) = sorted(receiver.batches(), key=lambda batch: batch.service == "wperf-agent")
    assert shop.events["cpu-clock"] > 0.3e9 and own.service == "wperf-agent"
    assert shop.length < 60e9 and not waiting_files(spool)


def check_budget(wperf, folder):
    """Fewer samples, the same weight."""
    spool = folder / "budget"
    with Program(folder) as program:
        run_agent(wperf, "--once", "--window", "3", "-F", 999, "-p", program.pid, "--spool", spool,
                  "--service-rule", "*spinning.py*=shop", "--budget", 120000, "-v")
    (path,) = waiting_files(spool)
    shop = next(batch for batch in batches_of(path.read_bytes()) if batch.service == "shop")
    assert shop.counts["cpu-clock"] <= 150, shop.counts
    assert 0.5e9 < shop.events["cpu-clock"] < 6e9, shop.events


def check_words(wperf, folder):
    rows = [
        ([], "missing server"),
        (["--server", "ftp://x"], "not a server: 'ftp://x'"),
        (["--server", "http://"], "not a server: 'http://'"),
        (["--spool", folder, "--spool-size", "8Q"], "--spool-size: not a size: '8Q'"),
        (["--spool", folder, "--probability", "0"], "--probability: not a probability: '0'"),
        (["--spool", folder, "--label", "a"], "--label: not a label: 'a'"),
        (["--spool", folder, "--service-rule", "a"], "not a service rule: 'a'"),
        (["--spool", folder, "--token-file", "a"], "--token-file is about a server"),
        (["--spool", folder, "-e", "cyles"], "cyles"),
    ]
    for words, expected in rows:
        notes = run_agent(wperf, *words, code=2)
        assert expected in notes, (words, notes)


def main():
    wperf = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        skip_without_sampling(wperf, folder)
        checks = [check_words, check_python_lines, check_labels_and_cost, check_some_windows_are_sampled,
                  check_rules_are_read_again, check_the_last_window_is_sent, check_budget]
        return run_checks([functools.partial(check, wperf, folder) for check in checks])


if __name__ == "__main__":
    sys.exit(main())
