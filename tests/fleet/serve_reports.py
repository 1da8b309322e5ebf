# SPDX-License-Identifier: Apache-2.0
"""What is posted to a server is what `wperf report --from` its store says, as of the recording.

serve_reports.py WPERF FOLDER
"""
import pathlib
import signal
import sys

from fleet_server import PROFILES, Server, clean, report, run
from recorder import Recorder, clock_event, run_tests

SCRIPT = """
import time

def squares(n):
    return sum(i * i for i in range(n))

def texts(n):
    return [str(i) for i in range(n)]

while time.process_time() < 0.5:
    squares(500)
    texts(500)
"""
VIEWS = [(), ("--sort", "line"), ("--sort", "module"), ("--sort", "address"), ("--tree", "down"),
         ("--tree", "up"), ("--sort", "python-line")]


class Recordings:
    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)
        recorder = Recorder(wperf, folder)
        script, self.data = recorder.path("job.py"), recorder.path("job.data")
        script.write_text(SCRIPT, encoding="utf-8")
        run([wperf, "record", "-q", "-g", *clock_event(1000), "-o", self.data, "--", "/usr/bin/python3", script])
        otlp = recorder.path("job.otlp")
        run([wperf, "export", "--format", "otlp", "-o", otlp, self.data])
        self.request = otlp.read_bytes()


def check_same(recordings, store, views=VIEWS):
    for view in views:
        wanted = report(recordings.wperf, "-i", recordings.data, *view)
        found = report(recordings.wperf, "--from", store, *view)
        assert len(wanted) > 3 and found == wanted, "\n".join([str(view), *sorted(set(found) ^ set(wanted))])


def test_posted_plain_and_packed(recordings):
    for is_packed in (False, True):
        with Server(recordings.wperf, clean(recordings.folder / "posted")) as server:
            status, headers, body = server.post(recordings.request, is_packed)
            assert (status, body) == (200, b""), (status, body)
            assert headers["Content-Type"] == "application/x-protobuf"
            # While the server has it open, and afterwards.
            check_same(recordings, server.store, VIEWS if is_packed else VIEWS[:1])
        check_same(recordings, server.store, VIEWS[:1])


def test_sent_again_is_stored_once(recordings):
    with Server(recordings.wperf, clean(recordings.folder / "again")) as server:
        connection = server.connect()
        for _ in range(3):
            status, _, _ = server.ask(PROFILES, recordings.request, connection=connection,
                                      Content_Type="application/x-protobuf")
            assert status == 200
        server.stop(signal.SIGINT)
    check_same(recordings, server.store, VIEWS[:1])


def test_health(recordings):
    with Server(recordings.wperf, clean(recordings.folder / "health")) as server:
        assert server.ask("/health")[::2] == (200, b"ok\n")
        status, headers, body = server.ask("/health", method="HEAD")
        assert (status, body, headers["Content-Length"]) == (200, b"", "3")


def test_usual_store(recordings):
    state = clean(recordings.folder / "state")
    environment = {"XDG_STATE_HOME": str(state), "PATH": "/usr/bin:/bin"}
    done = run(["timeout", "-s", "INT", "2", recordings.wperf, "serve", "--listen", "127.0.0.1:0"], code=None,
               env=environment)
    assert f", store sqlite:{state}/wperf/fleet.db\n" in done.stdout, done
    assert (state / "wperf/fleet.db").stat().st_mode & 0o777 == 0o600


def main():
    run_tests([test_posted_plain_and_packed, test_sent_again_is_stored_once, test_health, test_usual_store],
              Recordings(sys.argv[1], pathlib.Path(sys.argv[2])))


main()
