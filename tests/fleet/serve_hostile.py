# SPDX-License-Identifier: Apache-2.0
"""Clients that send nonsense, are slow, leave, or are many: the server lives, answers others meanwhile,
and gives back what it took.

serve_hostile.py WPERF FOLDER
"""
import pathlib
import random
import select
import socket
import struct
import sys
import threading
import time

from fleet_server import PROFILES, PROTOBUF, Server, clean, weights
from otlp_texts import otlp_request, request
from recorder import run_tests

NOW = time.time_ns()
REQUEST_S = 30


class Bench:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)

    def serve(self, name, *options):
        return Server(self.wperf, clean(self.folder / name), *options)


def send(server, data, wait=5, is_end=True):
    """What comes back until the server closes the connection, or does not answer any more."""
    with socket.create_connection((server.host, server.port), timeout=wait) as sock:
        answer = b""
        try:
            sock.sendall(data)
            if is_end:
                sock.shutdown(socket.SHUT_WR)
            while part := sock.recv(65536):
                answer += part
        except OSError:
            pass
        return answer


def head(*lines, path=PROFILES, method="POST"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def check_alive(server, weight=1):
    assert server.ask("/health")[::2] == (200, b"ok\n")
    assert server.post(request("alive", weight, NOW))[0] == 200


def test_random_bytes(bench):
    chance = random.Random(7)
    body = request(start=NOW)
    good = head(f"Content-Type: {PROTOBUF}", f"Content-Length: {len(body)}") + body
    with bench.serve("random") as server:
        for i in range(300):
            data = bytearray(good) if i % 3 else bytearray(chance.randbytes(chance.randrange(1, 2000)))
            for _ in range(chance.randrange(1, 20)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            send(server, bytes(data), 0.5)
        # Only the bytes of the message.
        for i in range(300):
            data = bytearray(body)
            for _ in range(chance.randrange(1, 6)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            status = server.post(bytes(data))[0]
            assert status in (200, 400), status
        check_alive(server)


def test_damaged_heads(bench):
    with bench.serve("heads") as server:
        for data in (head("X: " + "x" * 100000), head(*[f"X{i}: y" for i in range(5000)]), b"GET / HTTP/9.9\r\n\r\n",
                     b"\r\n" * 1000, b"GET\r\n\r\n", b"\0" * 1000, head("Content-Length: -1"),
                     head("Content-Length: 99999999999999999999999"), head("Content-Length: x"),
                     head("Content-Length: 5", "Content-Length: 6") + b"12345", head("Transfer-Encoding: chunked") + b"zz\r\n",
                     head("Transfer-Encoding: chunked") + b"ffffffffffffffffff\r\n", head("Transfer-Encoding: chunked") + b"5\r\nab",
                     head("Expect: 100-continue", "Content-Length: 5"), head(method="GET", path="/health?" + "a&" * 5000),
                     head(method="GET", path="/health?" + "&".join(f"{i}={i}" for i in range(1000)))):
            answer = send(server, data, 2)
            assert not answer or answer[9:10] in b"45" or b"100 Continue" in answer, (data[:50], answer[:200])
        status = server.ask("/health?" + "a=b&" * 300)[0]
        assert status == 400, status
        check_alive(server)


def test_cut_requests(bench):
    body = request(start=NOW)
    good = head(f"Content-Type: {PROTOBUF}", f"Content-Length: {len(body)}") + body
    with bench.serve("cut") as server:
        for i in range(0, len(good), 7):
            answer = send(server, good[:i], 0.2)
            assert b" 200 " not in answer, (i, answer)
        # Clients that do not wait for the answer, and reset the connection.
        for _ in range(100):
            sock = socket.create_connection((server.host, server.port))
            sock.sendall(good)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()
        check_alive(server)
        # Several requests in one go are answered one after the other.
        answer = send(server, good * 2 + good.replace(b"\r\n", b"\r\nConnection: close\r\n", 1), is_end=False)
        assert answer.count(b"HTTP/1.1 200 ") == 3, answer
    assert weights(bench.wperf, server.store) == {"samples": 1 + 7}


def closed(sock):
    """Has the other side closed it?"""
    ready = select.select([sock], [], [], 0)[0]
    if not ready:
        return False
    try:
        return not sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_slow_clients(bench):
    """A byte now and then keeps no connection for longer than a request may take."""
    with bench.serve("slow") as server:
        connections = [socket.create_connection((server.host, server.port)) for _ in range(60)]
        begin = time.monotonic()
        for i, sock in enumerate(connections):
            sock.sendall(head("Content-Length: 1000")[:-2] if i % 2 else head("Content-Length: 1000"))
        num_open = len(connections)
        while num_open:
            assert time.monotonic() < begin + REQUEST_S + 20, f"{num_open} are open"
            for sock in connections:
                try:
                    sock.send(b"x" if time.monotonic() - begin < REQUEST_S else b"")
                except OSError:
                    pass
            num_open = sum(not closed(sock) for sock in connections)
            if num_open == len(connections):
                check_alive(server)
            time.sleep(0.5)
        length = time.monotonic() - begin
        for sock in connections:
            sock.close()
        assert length > 2
        check_alive(server)
        return f"after {length:.0f} s"


def resident_kb(server):
    text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return int(text.split("VmRSS:")[1].split()[0])


def test_many_connections(bench):
    """More than it takes are closed; the others go on, and it comes back."""
    with bench.serve("many") as server:
        connection = server.connect()
        assert server.ask("/health", connection=connection)[0] == 200
        sockets = []
        for _ in range(2600):
            try:
                sockets.append(socket.create_connection((server.host, server.port), timeout=5))
            except OSError:
                break
        assert server.ask("/health", connection=connection)[0] == 200
        for sock in sockets:
            sock.close()
        end = time.monotonic() + 20
        while True:
            try:
                check_alive(server)
                break
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.1)
        return f"{len(sockets)} connections, {resident_kb(server)} kB"


def test_large_bodies_at_once(bench):
    """What is in memory at once has a limit: some are told to come again, and all are stored then."""
    body = request(start=NOW) + b"\x7a" + bytes([0x80 | 15 * 2**20 & 127, 15 * 2**20 >> 7 & 127 | 128,
                                                15 * 2**20 >> 14 & 127 | 128, 15 * 2**20 >> 21]) + bytes(15 * 2**20)
    statuses = []
    with bench.serve("large") as server:
        def post():
            for _ in range(100):
                status, headers, _ = server.post(body)
                statuses.append(status)
                if status != 503:
                    return
                time.sleep(0.05 * int(headers["Retry-After"]))
        threads = [threading.Thread(target=post) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert statuses.count(200) == 12 and set(statuses) <= {200, 503}, statuses
        check_alive(server)
        return f"{statuses.count(503)} times 503, {resident_kb(server)} kB afterwards"


def test_stop_answers_what_runs(bench):
    """Each request that has come is answered, 200 or not, and what is 200 is there."""
    with bench.serve("stop") as server:
        stored, threads = [], []

        def post(number):
            connection = server.connect()
            for i in range(1000):
                weight = number * 1000 + i + 1
                try:
                    status = server.ask(PROFILES, request("s", weight, NOW), connection=connection,
                                        Content_Type=PROTOBUF)[0]
                except OSError:
                    return
                if status == 200:
                    stored.append(weight)
        threads = [threading.Thread(target=post, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 20
        while len(stored) < 30 and time.monotonic() < end:
            time.sleep(0.01)
        server.stop()
        for thread in threads:
            thread.join()
    found = weights(bench.wperf, server.store)["samples"]
    # The answer of the last request of each thread may have been lost: then it is there all the same.
    assert len(stored) >= 30 and found >= sum(stored), (found, sum(stored))
    assert found - sum(stored) <= 6 * 6000


def main():
    if not otlp_request.is_there():
        return 77
    run_tests([test_random_bytes, test_damaged_heads, test_cut_requests, test_slow_clients, test_many_connections,
               test_large_bodies_at_once, test_stop_answers_what_runs], Bench(*sys.argv[1:3]))
    return 0


sys.exit(main())
