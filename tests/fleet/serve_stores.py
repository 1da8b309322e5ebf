# SPDX-License-Identifier: Apache-2.0
"""The store behind a server: full disks, locks of others, trimming, and what /metrics and /health say.

serve_stores.py WPERF FOLDER
"""
import resource
import subprocess
import sys
import threading
import time

from fleet_server import Server, clean, run, weights
from otlp_texts import Request, otlp_request, request
from recorder import run_tests

NOW = time.time_ns()
DAY = 86400 * 10**9


class Bench:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)

    def serve(self, name, *options, **keywords):
        return Server(self.wperf, clean(self.folder / name), *options, **keywords)


def until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def large_request(number):
    """Of 500 stacks that no other has, and a weight of 2**number."""
    one = Request()
    samples = [(tuple(f"f{number}_{i}_{k}" for k in range(5)), 1) for i in range(500)]
    samples[0] = (samples[0][0], 2**number - 499)
    return one.add({"service.name": "s"}, samples, NOW).bytes()


def test_full_disk(bench):
    bodies = [large_request(number) for number in range(10, 40)]
    limit = 4000000
    with bench.serve("full", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))) \
            as server:
        answers = [server.post(body, is_packed=True) for body in bodies]
        statuses = [answer[0] for answer in answers]
        num_stored = statuses.count(200)
        assert set(statuses) == {200, 503} and num_stored >= 3, statuses
        refused = next(answer for answer in answers if answer[0] == 503)
        assert int(refused[1]["Retry-After"]) and b"cannot use the store" in refused[2], refused
        status, _, words = server.ask("/health")
        assert status == 503 and b"cannot use the store" in words, words
        assert server.metrics()['wperf_refused_total{reason="store"}'] == len(bodies) - num_stored
        stored = sum(2**number for number, status in zip(range(10, 40), statuses) if status == 200)
        assert weights(bench.wperf, server.store) == {"samples": stored}
        # There is room again, and the server need not be started anew.
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        for body in bodies:
            assert server.post(body)[0] == 200
        assert server.ask("/health")[0] == 200
        assert server.metrics()['wperf_batches_total{result="stored"}'] == len(bodies)
    log = server.log.read_text(encoding="utf-8")
    assert log.count("cannot use the store") == 1 and "the store can be written again" in log, log
    assert weights(bench.wperf, server.store) == {"samples": 2**40 - 2**10}
    assert run(["sqlite3", server.folder / "fleet.db", "PRAGMA integrity_check"]).stdout == "ok\n"
    return f"{num_stored} of {len(bodies)} fitted"


def test_readers_do_not_wait_for_a_writer(bench):
    with bench.serve("locked") as server:
        assert server.post(request("s", 1, NOW))[0] == 200
        with subprocess.Popen(["sqlite3", str(server.folder / "fleet.db")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as other:
            other.stdin.write(".timeout 20000\nBEGIN IMMEDIATE;\nSELECT 'locked';\n")
            other.stdin.flush()
            assert other.stdout.readline() == "locked\n"
            statuses = []
            threads = [threading.Thread(target=lambda i=i: statuses.append(server.post(request("s", 2**i, NOW))[0]))
                       for i in range(1, 13)]
            for thread in threads:
                thread.start()
            for _ in range(5):
                assert server.metrics()["wperf_store_bytes{tenant=\"default\"}"] > 8192
                assert server.ask("/health")[0] == 200
                assert weights(bench.wperf, server.store) == {"samples": 1}
            assert not statuses
            other.stdin.write("COMMIT;\n.quit\n")
            other.stdin.flush()
        for thread in threads:
            thread.join()
        assert statuses == [200] * 12
        metrics = server.metrics()
        # Those that waited were put together.
        assert metrics["wperf_put_seconds_count"] < 10, metrics
        assert metrics['wperf_batches_total{result="stored"}'] == 13
    assert weights(bench.wperf, server.store) == {"samples": 2**13 - 1}
    return f"{metrics['wperf_put_seconds_count']:.0f} transactions of 13 requests"


def test_metrics(bench):
    with bench.serve("metrics", "--max-services", "1") as server:
        body = request("s", 1, NOW)
        for sent, status in ((body, 200), (body, 200), (b"\xff", 400), (request("t", 1, NOW), 429)):
            assert server.post(sent)[0] == status
        server.post(body, Content_Type="text/plain")
        server.ask("/nothing")
        found = server.metrics()
    for name, wanted in (
            ('wperf_requests_total{status="200"}', 2), ('wperf_requests_total{status="400"}', 1),
            ('wperf_requests_total{status="404"}', 1), ('wperf_requests_total{status="415"}', 1),
            ('wperf_requests_total{status="429"}', 1), ('wperf_batches_total{result="stored"}', 1),
            ('wperf_batches_total{result="known"}', 1), ('wperf_batches_total{result="too_old"}', 0),
            ('wperf_refused_total{reason="damaged"}', 1), ('wperf_refused_total{reason="limit"}', 1),
            ('wperf_refused_total{reason="type"}', 1), ("wperf_received_samples_total", 2),
            ('wperf_put_seconds_bucket{le="+Inf"}', 2), ("wperf_put_seconds_count", 2),
            ('wperf_agent_dropped_batches_total{tenant="default"}', 0), ("wperf_queued_requests", 0)):
        assert found.get(name) == wanted, (name, found.get(name), wanted)
    assert found["wperf_received_bytes_total"] > 4 * len(body)
    assert found["wperf_put_seconds_sum"] > 0 and found["process_cpu_seconds_total"] > 0
    assert 2**20 < found["process_resident_memory_bytes"] < 2**30


def batches(bench, server):
    return int(run(["sqlite3", server.folder / "fleet.db", "SELECT count(*) FROM batches"]).stdout)


def test_trimming(bench):
    """What is older than --keep is dropped when the server starts; the sums of its hours are kept."""
    with bench.serve("trim", "--keep", "30d") as server:
        for days, weight in ((0, 1), (10, 2), (20, 4)):
            assert server.post(request("s", weight, NOW - days * DAY))[0] == 200
    assert batches(bench, server) == 3
    with Server(bench.wperf, server.folder, "--keep", "14d") as server:
        until(lambda: batches(bench, server) == 2)
        assert weights(bench.wperf, server.store) == {"samples": 7}
        # It would be counted twice if it was there before.
        assert server.post(request("s", 4, NOW - 20 * DAY))[0] == 200
        assert server.metrics()['wperf_batches_total{result="too_old"}'] == 1
    with Server(bench.wperf, server.folder, "--keep", "14d", "--keep-hours", "15d") as server:
        until(lambda: weights(bench.wperf, server.store) == {"samples": 3})


def main():
    if not otlp_request.is_there():
        return 77
    run_tests([test_full_disk, test_readers_do_not_wait_for_a_writer, test_metrics, test_trimming],
              Bench(*sys.argv[1:3]))
    return 0


sys.exit(main())
