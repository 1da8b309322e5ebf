# SPDX-License-Identifier: Apache-2.0
"""A server that is killed while requests come has everything that it answered with 200, and once only
after all is sent again.

serve_killed.py WPERF FOLDER

WPERF_KILL_ROUNDS: how often it is killed (10).
"""
import os
import random
import signal
import sys
import threading
import time

from fleet_server import PROFILES, PROTOBUF, Server, clean, run, weights
from otlp_texts import otlp_request, request
from recorder import run_tests

NOW = time.time_ns()
ROUNDS, THREADS = int(os.environ.get("WPERF_KILL_ROUNDS", "10")), 4


class Agents:
    """Each batch has a weight of its own, a power of two of 32 services: what is there is in the sums."""

    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)
        self.bodies = [request("s", 2**i, NOW + i) for i in range(60)]
        self.answered = [False] * len(self.bodies)
        self.num_answers = 0  # once all are answered, they are sent again

    def send_some(self, server, numbers):
        connection = server.connect(5)
        for i in numbers:
            try:
                status = server.ask(PROFILES, self.bodies[i], connection=connection, Content_Type=PROTOBUF)[0]
            except OSError:
                return
            assert status == 200, status
            self.answered[i] = True
            self.num_answers += 1

    def run_threads(self, server):
        left = [i for i, is_done in enumerate(self.answered) if not is_done] or list(range(len(self.bodies)))
        threads = [threading.Thread(target=self.send_some, args=(server, left[k::THREADS])) for k in range(THREADS)]
        for thread in threads:
            thread.start()
        return threads

    def there(self):
        """The numbers of all batches that the store has; a sum of other bits would be one that is there twice."""
        total = weights(self.wperf, f"sqlite:{self.folder}/fleet.db").get("samples", 0)
        assert total < 2 ** len(self.bodies)
        return [bool(total >> i & 1) for i in range(len(self.bodies))]


def test_killed(agents):
    chance = random.Random(3)
    num_kept = 0
    for number in range(ROUNDS):
        server = Server(agents.wperf, agents.folder)
        threads = agents.run_threads(server)
        before = agents.num_answers
        end = time.monotonic() + 20
        while agents.num_answers - before < 1 + number % 3 and time.monotonic() < end:
            time.sleep(0.0005)
        time.sleep(chance.random() * 0.004)
        server.stop(signal.SIGKILL, -signal.SIGKILL)
        for thread in threads:
            thread.join()
        there = agents.there()
        lost = [i for i, is_answered in enumerate(agents.answered) if is_answered and not there[i]]
        assert not lost, (number, lost)
        num_kept = sum(agents.answered)
    with Server(agents.wperf, agents.folder) as server:
        agents.answered = [False] * len(agents.bodies)
        for thread in agents.run_threads(server):
            thread.join()
        assert all(agents.answered)
    assert all(agents.there())
    done = run(["sqlite3", agents.folder / "fleet.db", "PRAGMA integrity_check; SELECT count(*) FROM batches"])
    assert done.stdout == f"ok\n{len(agents.bodies)}\n", done.stdout
    return f"{ROUNDS} rounds, {agents.num_answers} answers, {num_kept} of {len(agents.bodies)} batches before the last kill"


def main():
    if not otlp_request.is_there():
        return 77
    run_tests([test_killed], Agents(*sys.argv[1:3]))
    return 0


sys.exit(main())
