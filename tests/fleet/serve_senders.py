# SPDX-License-Identifier: Apache-2.0
"""Requests as other agents write them: stored, and reported under a service.

serve_senders.py WPERF FOLDER
"""
import sys
import time

from fleet_server import Server, clean, run, weights
from otlp_texts import Request, otlp_request
from recorder import run_tests

NOW = time.time_ns()


class Bench:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)


def listed(wperf, store):
    """{service: events} of `wperf store list`."""
    lines = run([wperf, "store", "list", store]).stdout.split("\n\n")[1].splitlines()
    rows = [line.split() for line in lines if "=" not in line and line.strip()][1:]
    return {row[0]: row[1:3] for row in rows}


def test_ebpf_profiler(bench):
    """Resources are containers, or nothing; samples have times and no values, and name their program."""
    times = [NOW + i * 50000000 for i in range(5)]
    host = {"process.executable.name": "sshd", "process.pid": 7, "thread.name": "sshd", "thread.id": 7}
    both = {**host, "process.executable.name": "cron", "process.pid": 8}
    requests = [
        Request().add({"container.id": "0123456789abcdef"}, [(("poll", "main"), times, {"process.pid": 4})], NOW),
        Request().add({}, [(("accept", "main"), times[:3], host)], NOW),
        Request().add({}, [(("read", "main"), times[:2], host), (("sleep", "main"), times[:1], both)], NOW),
        Request().add({"process.executable.name": "nginx"}, [(("recv", "main"), times[:4])], NOW),
        Request().add({}, [(("f", "main"), times[:1])], NOW),
        Request().add({"service.name": "named", "container.id": "9"}, [(("g", "main"), times[:1])], NOW),
    ]
    with Server(bench.wperf, clean(bench.folder / "ebpf")) as server:
        for one in requests:
            assert server.post(one.bytes())[0] == 200
        found = listed(bench.wperf, server.store)
        assert found == {name: ["samples", "events"] for name in
                         ("0123456789abcdef", "named", "nginx", "sshd", "unknown")}, found
        assert weights(bench.wperf, server.store) == {"samples": 5 + 3 + 3 + 4 + 1 + 1}
        report = run([bench.wperf, "report", "--from", server.store, "--service", "0123456789abcdef"]).stdout
        assert "poll" in report and "accept" not in report, report


def test_async_profiler(bench):
    """One resource, a profile of each event with one value for each stack, and the service."""
    with Server(bench.wperf, clean(bench.folder / "java")) as server:
        cpu = Request("cpu", "nanoseconds", ("cpu", "nanoseconds", 10000000))
        cpu.add({"service.name": "java", "telemetry.sdk.name": "async-profiler"},
                [(("java/util/HashMap.get", "Main.main"), 30000000, {"thread.name": "main"}),
                 (("java/util/HashMap.put", "Main.main"), 10000000)], NOW)
        alloc = Request("alloc", "bytes", ("alloc", "bytes", 524288))
        alloc.add({"service.name": "java"}, [(("java/lang/String.<init>", "Main.main"), 1048576)], NOW)
        assert server.post(cpu.bytes(), is_packed=True)[0] == 200
        assert server.post(alloc.bytes())[0] == 200
        assert weights(bench.wperf, server.store) == {"cpu": 40000000, "alloc": 1048576}
        report = run([bench.wperf, "report", "--from", server.store, "--event", "cpu"]).stdout
        assert "75.00" in report and "java/util/HashMap.get" in report, report


def test_collector(bench):
    """It joins requests of several agents: resources of many services, one dictionary."""
    joined = Request()
    for i in range(20):
        joined.add({"service.name": f"s{i}", "host.name": f"h{i % 3}"}, [((f"f{i}", "main"), 2**i)], NOW + i)
    body = joined.bytes()
    with Server(bench.wperf, clean(bench.folder / "collector")) as server:
        for _ in range(2): # a collector sends again what it has no answer to
            assert server.post(body, is_packed=True)[0] == 200
        assert weights(bench.wperf, server.store) == {"samples": 2**20 - 1}
        assert set(listed(bench.wperf, server.store)) == {f"s{i}" for i in range(20)}
        report = run([bench.wperf, "report", "--from", server.store, "--service", "s9"]).stdout
        assert "f9" in report and "f8" not in report


def main():
    if not otlp_request.is_there():
        return 77
    run_tests([test_ebpf_profiler, test_async_profiler, test_collector], Bench(*sys.argv[1:3]))
    return 0


sys.exit(main())
