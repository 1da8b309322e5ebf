# SPDX-License-Identifier: Apache-2.0
"""A server whose clock has jumped ahead, by libfaketime: it drops nothing, says so, and takes what agents
with the right time send; once the clock is right, it drops what is old.

serve_clock.py WPERF FOLDER
"""
import re
import sys
import time

from fleet_server import Server, clean, weights
from otlp_texts import otlp_request, request
from recorder import run_tests
from waiting import find_faketime, wait_until

FAKETIME = find_faketime()
NOW = time.time_ns()
DAY = 86400 * 10**9
AHEAD = {"LD_PRELOAD": str(FAKETIME), "FAKETIME": "+1500d", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


class Bench:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)


def test_a_clock_that_is_years_ahead(bench):
    with Server(bench.wperf, bench.folder) as server:
        for days, weight in ((0, 1), (10, 2)):
            assert server.post(request("s", weight, NOW - days * DAY))[0] == 200
        assert server.metrics()["wperf_retention_held"] == 0
    with Server(bench.wperf, bench.folder, environment=AHEAD) as server:
        wait_until(lambda: server.metrics()["wperf_retention_held"] == 1, "a clock that is not believed")
        assert server.post(request("s", 4, NOW - DAY))[0] == 200
        assert server.metrics()['wperf_batches_total{result="stored"}'] == 1
        assert weights(bench.wperf, server.store) == {"samples": 7}
    log = server.log.read_text(encoding="utf-8")
    assert re.search("the newest window is (35999|36000) h old, so the clock may be wrong: nothing is dropped", log), log
    with Server(bench.wperf, bench.folder, "--keep", "5d", "--keep-hours", "5d") as server:
        wait_until(lambda: weights(bench.wperf, server.store) == {"samples": 5}, "a trimmed store")
        assert server.metrics()["wperf_retention_held"] == 0


def main():
    if not otlp_request.is_there() or not FAKETIME:
        return 77
    run_tests([test_a_clock_that_is_years_ahead], Bench(*sys.argv[1:3]))
    return 0


sys.exit(main())
