# SPDX-License-Identifier: Apache-2.0
"""Tokens: who may write and read what, and that nobody gets at another tenant's profiles.

serve_tenants.py WPERF FOLDER
"""
import hashlib
import re
import signal
import sys
import time

from fleet_server import PROFILES, PROTOBUF, Server, clean, run, weights
from otlp_texts import otlp_request, request
from recorder import run_tests

NOW = time.time_ns()


class Bench:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)
        self.tokens, lines = {}, []
        for words in ("shop:write", "shop:read", "mail:both"):
            done = run([wperf, "serve", "--new-token", words])
            found = re.fullmatch(r"token: (\S+)\nline for the file of --tokens:\n(.+)\n", done.stdout)
            self.tokens[words] = found[1]
            lines.append(found[2])
            assert found[1] not in found[2]
        own = "a token of my own"
        self.tokens["own:both"] = own
        lines += ["", "# by hand", f"  own\tboth  sha256:{hashlib.sha256(own.encode()).hexdigest().upper()} "]
        self.file = self.folder / "tokens"
        self.file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def serve(self, name, *options):
        return Server(self.wperf, clean(self.folder / name), "--tokens", self.file, *options)

    def bearer(self, words):
        return {"Authorization": "Bearer " + self.tokens[words]}


def test_rights(bench):
    body = request(start=NOW)
    with bench.serve("rights") as server:
        for headers, writes, reads in (
                ({}, 401, 401), ({"Authorization": "Bearer "}, 401, 401), ({"Authorization": "Bearer x" * 40}, 401, 401),
                ({"Authorization": "Basic " + bench.tokens["mail:both"]}, 401, 401),
                ({"Authorization": "Bearer " + bench.tokens["shop:write"][:-1]}, 401, 401),
                (bench.bearer("shop:write"), 200, 403), (bench.bearer("shop:read"), 403, 200),
                (bench.bearer("mail:both"), 200, 200), (bench.bearer("own:both"), 200, 200),
                ({"Authorization": "bearer " + bench.tokens["own:both"]}, 200, 200)):
            status, answer, text = server.post(body, **headers)
            assert status == writes, (headers, status, text)
            assert (answer["WWW-Authenticate"] == "Bearer") == (status == 401)
            status, _, text = server.ask("/metrics", **headers)
            assert status == reads, (headers, status, text)
        assert server.ask("/health")[0] == 200
        # A token in the address or in a cookie may not write, even if it may.
        token = bench.tokens["mail:both"]
        assert server.ask(f"{PROFILES}?token={token}", body, Content_Type=PROTOBUF)[0] == 401
        assert server.post(body, Cookie=f"wperf_token={token}")[0] == 401


def test_browser(bench):
    token = bench.tokens["shop:read"]
    with bench.serve("browser") as server:
        status, headers, _ = server.ask(f"/metrics?a=%C3%A4%26b&token={token}&c=")
        assert (status, headers["Location"]) == (303, "/metrics?a=%C3%A4%26b&c="), (status, headers["Location"])
        cookie = headers["Set-Cookie"]
        assert cookie == f"wperf_token={token}; Path=/; HttpOnly; SameSite=Strict", cookie
        assert server.ask("/metrics", Cookie=cookie.split(";")[0])[0] == 200
        assert server.ask("/metrics", Cookie=f"a=b; wperf_token={token}; c=d")[0] == 200
        for wrong in ("wperf_token=", "wperf_token=" + "x" * 1000, "xwperf_token=" + token, ";;;", "wperf_token"):
            assert server.ask("/metrics", Cookie=wrong)[0] == 401, wrong
        status, headers, _ = server.ask("/metrics?token=wrong%0d%0aX:y")
        assert status == 401 and not headers["Set-Cookie"]


def test_stores_are_apart(bench):
    with bench.serve("apart") as server:
        for words, weight in (("shop:write", 1), ("mail:both", 2), ("own:both", 4)):
            assert server.post(request(words, weight, NOW), **bench.bearer(words))[0] == 200
        # What a sender says of its tenant counts for nothing.
        assert server.post(request("x", 8, NOW, tenant="mail"), Tenant="mail", X_Scope_OrgID="mail",
                           **bench.bearer("shop:write"))[0] == 200
        metrics = server.ask("/metrics", **bench.bearer("shop:read"))[2].decode()
        assert 'tenant="shop"' in metrics and "mail" not in metrics, metrics
        refused = server.ask("/metrics?tenant=mail", **bench.bearer("shop:read"))[2].decode()
        assert "mail" not in refused
    sums = {name: weights(bench.wperf, f"{server.folder}/{name}.db") for name in ("shop", "mail", "own")}
    assert sums == {"shop": {"samples": 9}, "mail": {"samples": 2}, "own": {"samples": 4}}, sums
    assert not (server.folder / "fleet.db").exists()


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_tokens_are_read_again(bench):
    before = bench.file.read_text(encoding="utf-8")
    log = bench.folder / "again" / "serve.log"
    try:
        with bench.serve("again") as server:
            connection = server.connect()

            def status(words):
                return server.ask("/metrics", connection=connection, **bench.bearer(words))[0]
            assert status("own:both") == 200
            bench.file.write_text("".join(line for line in before.splitlines(True) if "own" not in line)
                                  .replace("shop read", "late read"), encoding="utf-8")
            server.process.send_signal(signal.SIGHUP)
            until(lambda: status("own:both") == 401)
            assert status("mail:both") == 200 and status("shop:read") == 200
            assert 'tenant="late"' in server.ask("/metrics", **bench.bearer("shop:read"))[2].decode()
            # A mistake in the file locks nobody out.
            bench.file.write_text("shop reads sha256:12\n", encoding="utf-8")
            server.process.send_signal(signal.SIGHUP)
            until(lambda: "tokens:1: the second word is read, write or both" in log.read_text(encoding="utf-8"))
            assert status("mail:both") == 200
    finally:
        bench.file.write_text(before, encoding="utf-8")


def test_files_of_tokens(bench):
    digits = "0" * 64
    for text, message in (
            ("shop read", "not three words"), (f"shop read sha256:{digits} x", "not three words"),
            (f"Shop read sha256:{digits}", "a tenant is"), (f"../x read sha256:{digits}", "a tenant is"),
            (f"shop admin sha256:{digits}", "read, write or both"), ("shop read secret", "sha256:"),
            (f"shop read sha256:{digits[1:]}g", "sha256:"), ("# none\n", "has no tokens"),
            (f"fleet read sha256:{digits}", "would be that of the tenant"), ("x" * 300, "too long")):
        path = bench.folder / "wrong"
        path.write_text(text, encoding="utf-8")
        done = run(["timeout", "20", bench.wperf, "serve", "--store", f"sqlite:{bench.folder}/fleet.db",
                    "--listen", "127.0.0.1:0", "--tokens", path], code=None)
        assert done.returncode in (1, 2) and message in done.stderr, (text, done.stderr)


def main():
    if not otlp_request.is_there():
        return 77
    run_tests([test_rights, test_browser, test_stores_are_apart, test_tokens_are_read_again, test_files_of_tokens],
              Bench(*sys.argv[1:3]))
    return 0


sys.exit(main())
