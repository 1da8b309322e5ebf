# SPDX-License-Identifier: Apache-2.0
"""Clients that send what no server wants: each attack is a function of (address, chance, messages)."""
import gzip
import random
import socket
import struct
import threading
import time
import zlib

from fleet_server import PROFILES, PROTOBUF

PATHS = (PROFILES, "/", "/compare", "/api/v1/debug-files", "/health", "/api/v1/list", "/api/v1/heat",
         "/api/v1/profile", "/metrics", "/nothing")
METHODS = ("GET", "POST", "HEAD", "PUT", "OPTIONS", "get", "")
WORDS = ("service=alive", "since=1h", "since=-1", "until=9999999999999999999", "step=0", "step=1", "event=%00",
         "label=a%3Db", "diff=%FF", "token=x", "build=../../etc", "build=00112233", "focus=" + "(" * 200, "top=-1",
         "a", "=", "&&&", "%zz")
VALUES = ("", "0", "-1", "18446744073709551616", "x" * 3000, "gzip", "identity, gzip;q=0", "chunked", "\xff\xfe",
          "Bearer " + "y" * 5000, "wperf_token=" + "z" * 300 + "; ;;=", "application/json", PROTOBUF, "127.0.0.1",
          "100-continue", "bytes=0-", "close", "keep-alive", "Upgrade")
NAMES = ("Content-Length", "Transfer-Encoding", "Content-Encoding", "Content-Type", "Authorization", "Cookie", "Host",
         "Accept-Encoding", "Expect", "Connection", "Range", "X-Any")


def head(*lines, path=PROFILES, method="POST"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode("latin-1")


def exchange(address, data, wait=0.3, is_end=True, is_reset=False):
    """What comes back until the server closes the connection, or does not answer any more."""
    answer = b""
    try:
        with socket.create_connection(address, timeout=10) as sock:
            sock.settimeout(wait)
            if is_reset:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.sendall(data)
            if is_reset:
                return answer
            if is_end:
                sock.shutdown(socket.SHUT_WR)
            while len(answer) < 2**22 and (part := sock.recv(65536)):
                answer += part
    except OSError:
        pass
    return answer


def mutated(data, chance, most=20):
    data = bytearray(data)
    for _ in range(chance.randrange(1, most)):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0 and place < len(data):
            data[place] = chance.randrange(256)
        elif kind == 1:
            data[place:place] = chance.randbytes(chance.randrange(1, 9))
        elif kind == 2:
            del data[place:place + chance.randrange(1, 9)]
        else:
            data[place:place] = data[:place][-chance.randrange(1, 30):]
        data = data or bytearray(b"x")
    return bytes(data)


def target(chance):
    words = "&".join(chance.choice(WORDS) for _ in range(chance.randrange(4)))
    return chance.choice(PATHS) + ("?" + words if words else "")


def whole(chance, messages):
    """A request that is all right, to any endpoint."""
    body = chance.choice(messages)
    if chance.random() < 0.5:
        return head("Connection: close", path=target(chance), method="GET")
    path = chance.choice((PROFILES, "/api/v1/debug-files"))
    return head(f"Content-Type: {PROTOBUF}", f"Content-Length: {len(body)}", "Connection: close", path=path) + body


def random_bytes(address, chance, messages):
    exchange(address, chance.randbytes(chance.randrange(1, 5000)))


def damaged_request(address, chance, messages):
    exchange(address, mutated(whole(chance, messages), chance))


def damaged_message(address, chance, messages):
    body = mutated(chance.choice(messages), chance)
    lines = [f"Content-Type: {PROTOBUF}", "Connection: close"]
    if chance.random() < 0.5:
        body = gzip.compress(body)
        body = mutated(body, chance) if chance.random() < 0.5 else body
        lines.append("Content-Encoding: gzip")
    # The library drops a client that closes its side first.
    answer = exchange(address, head(*lines, f"Content-Length: {len(body)}") + body, 30, is_end=False)
    assert answer[9:12] in (b"200", b"400", b"401", b"413", b"429", b"503"), answer[:200]


def cut_request(address, chance, messages):
    data = whole(chance, messages)
    exchange(address, data[:chance.randrange(len(data))], is_reset=chance.random() < 0.3)


def slow_request(address, chance, messages):
    data = whole(chance, messages)
    try:
        with socket.create_connection(address, timeout=10) as sock:
            for byte in data[:chance.randrange(1, 60)]:
                sock.sendall(bytes([byte]))
                time.sleep(chance.random() * 0.05)
    except OSError:
        pass


def pipelined(address, chance, messages):
    parts = [whole(chance, messages).replace(b"Connection: close\r\n", b"") for _ in range(chance.randrange(2, 40))]
    if chance.random() < 0.5:
        parts[chance.randrange(len(parts))] = mutated(parts[0], chance)
    exchange(address, b"".join(parts), is_end=chance.random() < 0.5)


def huge_head(address, chance, messages):
    kind = chance.randrange(4)
    lines = [f"X-{i}: {chance.choice(VALUES)}" for i in range(chance.choice((1, 100, 3000)))]
    if kind == 0:
        lines = ["X: " + "x" * chance.choice((1000, 32000, 33000, 10**6))]
    path = "/health" + "?" + "a=b&" * chance.choice((255, 257, 9000)) if kind == 1 else target(chance)
    exchange(address, head(*lines, path=path, method=chance.choice(METHODS)))


def wrong_words(address, chance, messages):
    lines = [f"{chance.choice(NAMES)}: {chance.choice(VALUES)}" for _ in range(chance.randrange(8))]
    exchange(address, head(*lines, path=target(chance), method=chance.choice(METHODS)) + chance.choice(messages))


def wrong_length(address, chance, messages):
    body = chance.choice(messages)
    length = chance.choice((0, 1, len(body) - 1, len(body) + 1, 2**31, 2**32 + 5, 2**63, 2**64, -5))
    lines = [f"Content-Type: {PROTOBUF}", f"Content-Length: {length}"]
    if chance.random() < 0.3:
        lines = [f"Content-Type: {PROTOBUF}", "Transfer-Encoding: chunked"]
        size = chance.choice(("0", "5", "ffffffffffffffff", "7fffffff", "-1", "x", f"{len(body):x}"))
        body = size.encode() + b"\r\n" + body + b"\r\n0\r\n\r\n"
    exchange(address, head(*lines, path=chance.choice((PROFILES, "/api/v1/debug-files"))) + body)


def gzip_bomb(address, chance, messages):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = packer.compress(bytes(2**20) * chance.choice((1, 50, 200))) + packer.flush()
    lines = [f"Content-Type: {PROTOBUF}", "Content-Encoding: gzip", f"Content-Length: {len(body)}", "Connection: close"]
    answer = exchange(address, head(*lines, path=chance.choice((PROFILES, "/api/v1/debug-files"))) + body, 30, is_end=False)
    assert answer[9:12] in (b"400", b"401", b"413", b"503"), answer[:200]


def reader_that_leaves(address, chance, messages):
    """Asks for much, reads a little of it, or nothing."""
    try:
        with socket.create_connection(address, timeout=10) as sock:
            sock.sendall(head(path=target(chance), method="GET") * chance.randrange(1, 20))
            sock.recv(chance.randrange(1, 100))
    except OSError:
        pass


ATTACKS = (random_bytes, damaged_request, damaged_message, cut_request, slow_request, pipelined, huge_head, wrong_words,
           wrong_length, gzip_bomb, reader_that_leaves)


class Night:
    """Attacks of several threads, for so many seconds."""

    def __init__(self, addresses, messages, seconds, seed, num_threads=4):
        self.addresses, self.messages, self.failures = addresses, messages, []
        self.counts = dict.fromkeys((attack.__name__ for attack in ATTACKS), 0)
        self.end = time.monotonic() + seconds
        self.threads = [threading.Thread(target=self.run, args=(random.Random(f"{seed} {i}"),))
                        for i in range(num_threads)]
        for thread in self.threads:
            thread.start()

    def is_over(self):
        """After the time, and each attack at least once."""
        return bool(self.failures) or (time.monotonic() >= self.end and all(self.counts.values()))

    def run(self, chance):
        while not self.is_over():
            attack = chance.choice(ATTACKS)
            try:
                attack(chance.choice(self.addresses), chance, self.messages)
            except AssertionError as error:
                self.failures.append(f"{attack.__name__}: {error}")
            self.counts[attack.__name__] += 1

    def finish(self):
        for thread in self.threads:
            thread.join()
        assert not self.failures, self.failures
        assert all(self.counts.values()), self.counts
        return sum(self.counts.values())
