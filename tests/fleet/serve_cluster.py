# SPDX-License-Identifier: Apache-2.0
"""Two servers of wperf at two replicas of a cluster of ClickHouse: two shards of two replicas, and a
ZooKeeper. What they answer is compared with a store of SQLite that got each batch once.

serve_cluster.py WPERF FOLDER
"""
import concurrent.futures
import pathlib
import sys
import tempfile
import time

import clickhouse_cluster
from fleet_server import Server, clean, run, weights
from otlp_texts import Request, otlp_request
from recorder import run_tests
from waiting import wait_until

DAY = 86400 * 10**9
HOUR = 3600 * 10**9
NOW = time.time_ns()
NUM_BATCHES = 24


def batch(number):
    """Of three services and three days, two of which are trimmed later. Its weight is 2**number."""
    start = NOW - (0, 19, 20)[number % 3] * DAY - number * 61 * 10**9
    samples = [((f"leaf{number % 5}_{i}", f"middle{i % 7}", "main"), 1) for i in range(60)]
    samples.append((("hot", "main"), 2**number * 1000))
    return Request().add({"service.name": f"service{number % 4}", "host.name": f"host{number % 6}"}, samples,
                         start).bytes()


def weight(numbers):
    return sum(60 + 2**number * 1000 for number in numbers)


class Bench:
    def __init__(self, wperf, folder, cluster):
        self.wperf, self.folder, self.cluster = wperf, clean(folder), cluster
        self.place, self.other = cluster.place(0), cluster.place(3)
        self.servers, self.bodies = [], [batch(number) for number in range(NUM_BATCHES)]
        self.plain = Server(wperf, self.folder / "plain", "--keep", "30d")

    def start(self):
        self.servers = [Server(self.wperf, self.folder / name, "--keep", "30d", store=store)
                        for name, store in (("one", self.place), ("other", self.other))]

    def stop(self):
        for server in (*self.servers, self.plain):
            if server.process.poll() is None:
                server.stop()

    def wperf_run(self, *words, code=0):
        return run([self.wperf, *words], code=code)

    def answers(self, place):
        """To the byte, but for the name of the store."""
        words = [("report", "--wide"), ("report", "--json", "--service", "service1"),
                 ("report", "--host", "host2", "--sort", "process"), ("store", "list", place)]
        return [self.wperf_run(*(word if word[0] == "store" else (*word, "--from", place))).stdout for word in words]

    def check_same(self):
        wanted = self.answers(self.plain.store)
        for place in (self.place, self.other):
            for found, text in zip(self.answers(place), wanted):
                assert found == text, (place, found, text)


def refused(bench, place, message, hint, *words):
    done = bench.wperf_run(*(words or ("store", "list")), place, code=1)
    assert message in done.stderr and hint in done.stderr, done.stderr


def test_errors_before_there_are_tables(bench):
    plain = bench.place.replace("/fleet?", "/plain?")
    bench.wperf_run("serve", "--init", "--store", plain.partition("?")[0])
    refused(bench, plain, "are those of one server, and not replicated", "name another database")
    refused(bench, bench.place.replace(clickhouse_cluster.NAME, "nosuch"), "has no cluster 'nosuch'", "system.clusters")
    # It is not made by who comes first: all would make keys of their own.
    refused(bench, bench.place, "Database fleet doesn't exist", "wperf serve --init", "serve", "--store")
    made = [bench.wperf_run("serve", "--init", "--store", bench.place).stdout for _ in range(2)]
    assert made == [f"{bench.place}: made the tables (version 2)\n",
                    f"{bench.place}: the tables are there already (version 2)\n"], made
    refused(bench, bench.place.partition("?")[0], "are those of a cluster", "?cluster=NAME")
    bench.start()


def send_until_stored(server, body):
    """As an agent does."""
    return wait_until(lambda: server.post(body)[0] == 200, "the batch is stored", interval=0.1)


def test_each_batch_counts_once(bench):
    """Each is sent three times, through both servers at the same time."""
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        sent = [pool.submit(send_until_stored, bench.servers[(i + turn) % 2], body)
                for i, body in enumerate(bench.bodies[:12]) for turn in range(3)]
        for one in sent:
            one.result()
    for body in bench.bodies[:12]:
        assert bench.plain.post(body)[0] == 200
    bench.check_same()
    refusals = sum(server.metrics()['wperf_refused_total{reason="store"}'] for server in bench.servers)
    for i, body in enumerate(bench.bodies[12:16]):
        # What one server has answered, the other one knows.
        assert bench.servers[i % 2].post(body)[0] == 200
        known = bench.servers[1 - i % 2].metrics()['wperf_batches_total{result="known"}']
        assert bench.servers[1 - i % 2].post(body)[0] == 200
        assert bench.servers[1 - i % 2].metrics()['wperf_batches_total{result="known"}'] == known + 1
        assert bench.plain.post(body)[0] == 200
        assert weights(bench.wperf, bench.cluster.place((i + 2) % 4)) == weights(bench.wperf, bench.plain.store)
    rows = [bench.cluster.nodes[node].ask("SELECT count() FROM fleet.windows_local") for node in (0, 2)]
    # By chance, as identities of batches are: that all 16 are of one shard has a chance of 1 in 32,768.
    assert all(int(count) for count in rows), rows
    return f"{refusals:.0f} requests were refused and sent again; rows of the shards: {'+'.join(map(str.strip, rows))}"


def test_a_replica_is_away(bench):
    node = bench.cluster.nodes[1]
    node.kill()
    answers = [bench.servers[0].post(body) for body in bench.bodies[16:18]]
    refusal = next(answer for answer in answers if answer[0] == 503)
    assert int(refusal[1]["Retry-After"]) and b"cannot use the store" in refusal[2], refusal
    # Reading goes on. Batches that were refused are there or not, but nothing between.
    sums = [weight(range(16)) + weight(some) for some in ((), (16,), (17,), (16, 17))]
    for place in (bench.place, bench.other):
        assert weights(bench.wperf, place)["samples"] in sums, (place, sums)
    node.start()
    bench.cluster.wait()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: send_until_stored(bench.servers[i % 2], bench.bodies[16 + i // 2]), range(8)))
    for body in bench.bodies[16:20]:
        assert bench.plain.post(body)[0] == 200
    bench.check_same()
    assert weights(bench.wperf, bench.cluster.place(1)) == weights(bench.wperf, bench.plain.store)
    return refusal[2].decode(errors="replace")[:100]


def test_zookeeper_is_away(bench):
    before = weights(bench.wperf, bench.place)
    bench.cluster.zookeeper.kill()
    status, headers, words = bench.servers[0].post(bench.bodies[20])
    assert status == 503 and int(headers["Retry-After"]), (status, words)
    assert b"ZooKeeper" in words, words
    # Reading needs it not.
    assert weights(bench.wperf, bench.place) == weights(bench.wperf, bench.other) == before
    bench.cluster.zookeeper.start()
    bench.cluster.wait()
    wait_until(lambda: bench.wperf_run("store", "list", bench.place, code=None).returncode == 0, "it is back")
    assert weights(bench.wperf, bench.place) == before
    for body in bench.bodies[20:]:
        send_until_stored(bench.servers[0], body)
        send_until_stored(bench.servers[1], body)
        assert bench.plain.post(body)[0] == 200
    assert weights(bench.wperf, bench.other) == weights(bench.wperf, bench.plain.store)
    return words.decode(errors="replace")[:200]


def test_a_replica_lags(bench):
    """The other shard's replicas: one has sums already, the other one not yet."""
    nodes = bench.cluster.nodes[2:]
    assert not nodes[1].ask("SYSTEM STOP FETCHES fleet.sums_local")
    wanted, num = weights(bench.wperf, bench.plain.store), 0
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        # It waits for the replica until it gives up.
        trim = pool.submit(bench.wperf_run, "store", "trim", bench.place, "--keep", "30d", code=1)
        wait_until(lambda: nodes[0].ask("SELECT count() > 0 FROM fleet.sums_local") == "1\n", "sums")
        while not trim.done():
            assert weights(bench.wperf, bench.place) == wanted
            num += 1
        assert "a replica did not take it in time" in trim.result().stderr, trim.result().stderr
    assert nodes[1].ask("SELECT count() FROM fleet.sums_local") == "0\n"
    assert not nodes[1].ask("SYSTEM START FETCHES fleet.sums_local")
    return f"{num} answers meanwhile"


def test_trimming(bench):
    """Hours are summed up, and days dropped, on all servers, and by two at the same time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for one in [pool.submit(bench.wperf_run, "store", "trim", place, "--keep", "10d")
                    for place in (bench.place, bench.other)]:
            one.result()
    bench.wperf_run("store", "trim", bench.plain.store, "--keep", "10d")
    bench.check_same()
    for node in bench.cluster.nodes:
        days = node.ask("SELECT DISTINCT day FROM fleet.windows_local ORDER BY day").split()
        assert min(map(int, days)) > (NOW - 2 * DAY) // DAY, days
    assert bench.servers[1].post(bench.bodies[1])[0] == 200
    assert bench.servers[1].metrics()['wperf_batches_total{result="too_old"}'] == 1
    bench.check_same()


def main():
    if not otlp_request.is_there():
        return 77
    if not clickhouse_cluster.is_possible():
        print("skipped: clickhouse-server or zookeeper is not installed")
        return 77
    # Not in the build folder: ClickHouse wants short names of files.
    with tempfile.TemporaryDirectory(prefix="wperf_cluster.") as folder:
        cluster = clickhouse_cluster.Cluster(pathlib.Path(folder))
        bench = Bench(sys.argv[1], sys.argv[2], cluster)
        try:
            run_tests([test_errors_before_there_are_tables, test_each_batch_counts_once, test_a_replica_is_away,
                       test_zookeeper_is_away, test_a_replica_lags, test_trimming], bench)
        finally:
            bench.stop()
            cluster.kill()
    return 0


sys.exit(main())
