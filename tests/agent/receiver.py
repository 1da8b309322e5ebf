# SPDX-License-Identifier: Apache-2.0
"""A receiver of OTLP profiles for tests of the agent: it answers as it is told, and keeps what it took."""
import gzip
import http.server
import pathlib
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "exports"))
import otlp_request  # noqa: E402 (of tests/exports)

SERVED = "/v1development/profiles"


class Batch:
    """One of a request, as protoc reads it."""

    def __init__(self, tables, resources):
        strings, attributes = tables["string_table"], tables["attribute_table"]
        label = otlp_request.one(resources, "resource").get("attributes", [])
        self.labels = {one["key"][0]: one["value"][0]["string_value"][0] for one in label}
        self.events, self.counts = {}, {}
        for profile in otlp_request.one(resources, "scope_profiles").get("profiles", []):
            about = {strings[attributes[number]["key_strindex"][0]]: attributes[number]["value"][0]
                     for number in profile.get("attribute_indices", [])}
            self.id = about["wperf.batch.id"]["string_value"][0]
            self.num_dropped = about.get("wperf.batch.dropped", {}).get("int_value", [0])[0]
            self.start, self.length = profile["time_unix_nano"][0], profile["duration_nano"][0]
            name = strings[profile["sample_type"][0]["type_strindex"][0]]
            samples = profile.get("samples", [])
            self.events[name] = sum(sample["values"][0] for sample in samples)
            self.counts[name] = len(samples)
        self.run, self.sequence = self.id.split("-")[1], int(self.id.split("-")[2])
        self.service = self.labels["service.name"]


def batches_of(body):
    root = otlp_request.parse(otlp_request.text_of(gzip.decompress(body)))
    return [Batch(root["dictionary"][0], resources) for resources in root["resource_profiles"]]


class Receiver:
    """`with Receiver(answers) as receiver`: each answer is for one request, the last for all others.

    An answer is a status, (status, {header: value}), "hang": takes the request and says nothing;
    "die": closes the connection; "store and die": the same, but it has stored the request before.
    """

    def __init__(self, answers=(200,), port=0):
        self.answers, self.requests, self.stored = list(answers), [], []
        self.ended = threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                receiver.answer(self, self.rfile.read(int(self.headers["Content-Length"])))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def answer(self, handler, body):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.requests.append((time.monotonic(), answer, handler.path, dict(handler.headers)))
        status, headers = answer if isinstance(answer, tuple) else (answer, {})
        if status in (200, "store and die"):
            self.stored.append(body)
        if status == "hang":
            self.ended.wait()
        if isinstance(status, str):
            handler.close_connection = True
            return
        handler.send_response(status)
        for key, value in {"Content-Length": "0", **headers}.items():
            handler.send_header(key, value)
        handler.end_headers()

    def batches(self):
        """All that were stored, in the order of their arrival; one that came twice is there twice."""
        return [batch for body in list(self.stored) for batch in batches_of(body)]
