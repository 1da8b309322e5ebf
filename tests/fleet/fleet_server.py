# SPDX-License-Identifier: Apache-2.0
"""A `wperf serve` for a test, and a client of it."""
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "live"))
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "exports"))

PROTOBUF = "application/x-protobuf"
PROFILES = "/v1development/profiles"


class Server:
    """Listens on a free port; its store is FOLDER/fleet.db. @before: called in the child."""

    def __init__(self, wperf, folder, *options, store=None, before=None, environment=None):
        self.wperf, self.folder = wperf, pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = store or f"sqlite:{self.folder}/fleet.db"
        self.log = self.folder / "serve.log"
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [wperf, "serve", "--store", self.store, "--listen", "127.0.0.1:0", *map(str, options)],
                stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=before,
                env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline()
        found = re.fullmatch(r"wperf serve: http://([\d.]+):(\d+), store (\S+)\n", line)
        assert found, (line, self.log.read_text(encoding="utf-8"))
        self.host, self.port = found[1], int(found[2])
        assert found[3] == self.store, line

    def connect(self, timeout=60):
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def ask(self, path, body=None, method=None, connection=None, **headers):
        """The status, the headers and the body. Names of headers: '_' is '-'."""
        own = connection or self.connect()
        own.request(method or ("POST" if body is not None else "GET"), path, body,
                    {name.replace("_", "-"): value for name, value in headers.items()})
        answer = own.getresponse()
        data = answer.read()
        if not connection:
            own.close()
        return answer.status, answer.headers, data

    def post(self, body, is_packed=False, **headers):
        if is_packed:
            body, headers["Content_Encoding"] = gzip.compress(body), "gzip"
        headers.setdefault("Content_Type", PROTOBUF)
        return self.ask(PROFILES, body, **headers)

    def metrics(self, **headers):
        """{name and labels: number}. Fails if a line is not as Prometheus has it."""
        status, answer, body = self.ask("/metrics", **headers)
        assert status == 200 and answer["Content-Type"].startswith("text/plain; version=0.0.4"), (status, answer)
        found = {}
        for line in body.decode().splitlines():
            if line.startswith("#"):
                assert re.fullmatch(r"# (HELP \w+ .+\.|TYPE \w+ (counter|gauge|histogram))", line), line
                continue
            row = re.fullmatch(r'(\w+(?:\{\w+="[^"]*"\})?) ([-+.e\d]+)', line)
            assert row and row[1] not in found, line
            found[row[1]] = float(row[2])
        return found

    def stop(self, sent=signal.SIGTERM, code=0):
        self.process.send_signal(sent)
        assert self.process.wait(60) == code, (self.process.returncode, self.log.read_text(encoding="utf-8"))
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            if kind:
                self.process.kill()
                self.process.wait()
            else:
                self.stop()


def clean(folder):
    shutil.rmtree(folder, ignore_errors=True)
    pathlib.Path(folder).mkdir(parents=True)
    return pathlib.Path(folder)


def run(words, code=0, **keywords):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120,
                          check=False, **keywords)
    assert code is None or done.returncode == code, (words, done.returncode, done.stderr)
    return done


def report(wperf, *words):
    """Of a store or a recording, without how stacks were collected, which stores do not keep."""
    lines = run([wperf, "report", "--wide", "--sample-display-row", "0", *words]).stdout.splitlines()
    return sorted(line for line in lines if not line.startswith("Python stacks: "))


def weights(wperf, store):
    """{event: sum} of all that is there."""
    done = run([wperf, "report", "--from", store, "--json"], code=None)
    if done.returncode:
        assert "has no samples" in done.stderr, done.stderr
        return {}
    return {event["event"]: event["weight"] for event in json.loads(done.stdout)["report"]["events"]}
