# SPDX-License-Identifier: Apache-2.0
"""What a server refuses, with which status and words, and that nothing of it is stored.

serve_limits.py WPERF FOLDER
"""
import gzip
import http.client
import socket
import sys
import time

from fleet_server import PROFILES, PROTOBUF, Server, clean, run, weights
from otlp_texts import START, Request, otlp_request, request
from recorder import run_tests
from waiting import wait_until

NOW = time.time_ns()


class Bench:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)

    def serve(self, name, *options):
        return Server(self.wperf, clean(self.folder / name), *options)


def words(answer, status):
    assert answer[0] == status, answer
    return answer[2].decode()


def test_types(bench):
    body = request(start=NOW)
    with bench.serve("types") as server:
        assert "JSON" in words(server.post(b"{}", Content_Type="application/json"), 415)
        assert "application/x-protobuf" in words(server.post(body, Content_Type="text/plain"), 415)
        assert "application/x-protobuf" in words(server.post(body, Content_Type=""), 415)
        assert "gzip" in words(server.post(body, Content_Encoding="br"), 415)
        assert weights(bench.wperf, server.store) == {}
        assert server.post(body, Content_Type=PROTOBUF + "; charset=utf-8")[0] == 200
        assert server.post(body, is_packed=True)[0] == 200
        assert weights(bench.wperf, server.store) == {"samples": 7}


def test_damaged(bench):
    body = request(start=NOW)
    with bench.serve("damaged") as server:
        for damaged in (b"\xff" * 100, body[:-3], body[3:], b"\x08"):
            assert words(server.post(damaged), 400)
        assert words(server.post(gzip.compress(body)[:-9], Content_Encoding="gzip"), 400)
        assert words(server.post(gzip.compress(body) + b"x", Content_Encoding="gzip"), 400)
        assert words(server.post(body, Content_Encoding="gzip"), 400)
        # Release 1.9: other numbers of the fields of a sample, 4 was that of attributes.
        text = Request().add({"service.name": "old"}, [(("f",), 1)], NOW).text()
        old = text.replace("stack_index: 1 values: 1", "link_index: 1 stack_index: 1")
        print("   1.9:", words(server.post(otlp_request.bytes_of(old.encode())), 400).strip())
        assert "time" in words(server.post(request(start=0)), 400)
        assert "2262" in words(server.post(request(start=2**63 + 1)), 400)
        assert weights(bench.wperf, server.store) == {}
        assert server.post(b"")[0] == 200, "a request of nothing"


def test_size(bench):
    body = request(start=NOW)
    with bench.serve("size", "--max-request", "4k") as server:
        assert "--max-request" in words(server.post(b"x" * 5000), 413)
        # The connection lives on; while a body of gigabytes, which is only announced, is not read.
        connection = server.connect()
        for status, sent in ((413, b"x" * 5000), (200, body)):
            assert server.ask(PROFILES, sent, connection=connection, Content_Type=PROTOBUF)[0] == status
        connection = server.connect()
        connection.putrequest("POST", PROFILES)
        connection.putheader("Content-Length", str(10**10))
        connection.endheaders()
        assert connection.getresponse().status == 413
        # In pieces, without a length.
        answer = server.ask(PROFILES, iter([b"x" * 1000] * 6), Content_Type=PROTOBUF)
        assert answer[0] == 413, answer
        # What never ends is cut off.
        try:
            status = server.ask(PROFILES, iter([b"x" * 100000] * 10000), Content_Type=PROTOBUF)[0]
        except (ConnectionError, http.client.HTTPException):
            status = 413
        assert status == 413
        assert "unpacked" in words(server.post(b"\0" * 10**6, is_packed=True), 413)
        assert server.ask(PROFILES, iter([body[:50], body[50:]]), Content_Type=PROTOBUF)[0] == 200
        assert weights(bench.wperf, server.store) == {"samples": 7}


def test_rate(bench):
    with bench.serve("rate", "--max-rate", "1") as server:
        answers = [server.post(request(start=NOW, weight=10**i)) for i in range(13)]
        accepted = [i for i, answer in enumerate(answers) if answer[0] == 200]
        refused = [answer for answer in answers if answer[0] != 200]
        assert 10 <= len(accepted) < 13 and refused, accepted
        assert "--max-rate" in words(refused[0], 429)
        assert 1 <= int(refused[0][1]["Retry-After"]) <= 2
        assert weights(bench.wperf, server.store) == {"samples": sum(10**i for i in accepted)}
        time.sleep(int(refused[-1][1]["Retry-After"]))
        assert server.post(request(start=NOW, weight=2))[0] == 200


def test_byte_rate(bench):
    body = request(start=NOW, weight=1)
    # Packed it is a hundredth of it: what counts is what is read.
    long = Request().add({"service.name": "s", "x": "y" * 20000}, [(("f",), 2)], NOW).bytes()
    with bench.serve("byte_rate", "--max-byte-rate", "1k") as server:
        assert server.post(body)[0] == 200
        assert server.post(long, is_packed=True)[0] == 200
        refused = server.post(body)
        assert "too many bytes" in words(refused, 429) and "--max-byte-rate" in words(refused, 429)
        assert 5 <= int(refused[1]["Retry-After"]) <= 12, refused[1]
        assert weights(bench.wperf, server.store) == {"samples": 3}


def test_query_time(bench):
    with bench.serve("query_time") as server:
        assert server.post(request("s", 1, NOW))[0] == 200
    run(["sqlite3", server.folder / "fleet.db",
         "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) INSERT INTO"
         " windows(series, start, length, count, weight, pairs) SELECT series, start, length, count, weight, pairs"
         " FROM windows, n"])
    with Server(bench.wperf, server.folder, "--query-time", "10ms") as server:
        refused = words(server.ask("/api/v1/profile"), 504)
        assert "longer than" in refused and "shorter range" in refused, refused
        # Others are answered.
        assert server.ask("/api/v1/profile?service=none")[0] == 200
    with Server(bench.wperf, server.folder) as server:
        for path in ("/api/v1/profile", "/"):
            with socket.create_connection((server.host, server.port)) as client:
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.host}:{server.port}\r\n\r\n".encode())
        wait_until(lambda: b'wperf_requests_total{status="499"} 2' in server.ask("/metrics")[2], "queries that end", 30)
        assert "nobody waits" not in server.log.read_text(encoding="utf-8")
        assert server.ask("/api/v1/profile")[0] == 200


def test_names(bench):
    with bench.serve("names", "--max-services", "2", "--max-labels", "3") as server:
        assert server.post(request("a", 1, NOW))[0] == 200
        assert server.post(request("b", 2, NOW))[0] == 200
        refused = server.post(request("c", 4, NOW))
        assert "--max-services" in words(refused, 429) and "'c'" in words(refused, 429)
        assert int(refused[1]["Retry-After"])
        for pod in range(5):
            status = server.post(request("a", 8, NOW, pod=str(pod)))[0]
            assert status == (200 if pod < 3 else 429), (pod, status)
        # What is known goes on, also for a server that starts again.
        assert server.post(request("a", 16, NOW, pod="1"))[0] == 200
    server = Server(bench.wperf, server.folder, "--max-services", "2", "--max-labels", "3")
    with server:
        assert server.post(request("b", 32, NOW))[0] == 200
        assert server.post(request("c", 64, NOW))[0] == 429
        assert server.post(request("b", 64, NOW, pod="1"))[0] == 429
        assert weights(bench.wperf, server.store) == {"samples": 1 + 2 + 3 * 8 + 16 + 32}


def test_methods_and_paths(bench):
    with bench.serve("paths") as server:
        status, headers, _ = server.ask(PROFILES)
        assert (status, headers["Allow"]) == (405, "POST")
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"):
            status, headers, _ = server.ask("/health", b"", method=method)
            assert (status, headers["Allow"]) == (405, "GET, HEAD"), (method, status)
        for path in ("/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//health", "/health/",
                     "/v1/profiles", "/" + "x" * 2000, "/health/../metrics"):
            status, _, body = server.ask(path)
            assert status == 404 and b"root:" not in body, (path, status)
        assert server.ask("/health", Host="evil.example")[0] == 403
        for host in ("localhost", "localhost:4318", "127.0.0.1:1", "[::1]:4318", "10.1.2.3"):
            assert server.ask("/health", Host=host)[0] == 200, host


def test_words_of_the_command(bench):
    for options, message in (
            (["--listen", "0.0.0.0:0"], "without tokens"), (["--listen", "[::]:0"], "without tokens"),
            (["--listen", "example.org:1"], "not an address"), (["--listen", "127.0.0.1"], "not an address"),
            (["--max-request", "0"], "not a size"), (["--max-request", "1G"], "not a size"),
            (["--query-time", "0"], "too short"), (["--query-time", "61m"], "an hour at most"),
            (["--max-request-time", "999ms"], "too short"), (["--max-request-time", "2h"], "an hour at most"),
            (["--store", "mysql:x"], "not a store"), (["--store", "sqlite:/nowhere/x.db"], "/nowhere/x.db"),
            (["--new-token", "Shop:read"], "TENANT:read"), (["--new-token", "shop:admin"], "TENANT:read")):
        usual = ["--store", f"sqlite:{bench.folder}/words.db"] if "--store" not in options else []
        listen = ["--listen", "127.0.0.1:0"] if "--listen" not in options else []
        done = run(["timeout", "20", bench.wperf, "serve", *usual, *listen, *options], code=None)
        assert done.returncode in (1, 2) and message in done.stderr and not done.stdout, (options, done)
    with bench.serve("words") as server:
        done = run([bench.wperf, "serve", "--store", f"sqlite:{bench.folder}/other.db", "--listen",
                    f"127.0.0.1:{server.port}"], code=1)
        assert "another program listens there" in done.stderr, done.stderr
    with Server(bench.wperf, clean(bench.folder / "insecure"), "--insecure") as server:
        assert server.ask("/health")[0] == 200


def main():
    assert START
    if not otlp_request.is_there():
        return 77
    run_tests([test_types, test_damaged, test_size, test_rate, test_byte_rate, test_query_time, test_names, test_methods_and_paths,
               test_words_of_the_command], Bench(*sys.argv[1:3]))
    return 0


sys.exit(main())
