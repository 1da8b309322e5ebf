# SPDX-License-Identifier: Apache-2.0
"""Whatever is made from a store by its server is what is made from the store itself, byte for byte; and what
goes wrong between the two is said in words.

remote_reports.py WPERF FOLDER
"""
import http.server
import os
import pathlib
import re
import sys
import threading
import time

from fleet_server import Server, clean, run
from recorder import Recorder, clock_event, run_tests

PROGRAM = """
#include <time.h>
KEEP void leaf(long part) { SPIN(part); }
static inline __attribute__((always_inline)) void inlined(long part) { leaf(part); SPIN(part); }
KEEP void first(long part) { inlined(2 * part); __asm__ volatile(""); }
KEEP void second(long part) { inlined(part); leaf(part); }
int main(void) {
	unsigned seed = 1;
	UNTIL(500) {
		first(PART(seed));
		second(PART(seed));
	}
	return 0;
}
"""
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
REPORTS = [(), ("--json",), ("--sort", "line"), ("--sort", "line", "--json"), ("--sort", "thread"),
           ("--sort", "process"), ("--sort", "dso,sym,srcline"), ("--sort", "python-line"), ("--tree", "down"),
           ("--tree", "up"), ("--python", "only"), ("--service", "shop"), ("--service", "job", "--json"),
           ("--label", "version=2", "--json"), ("--host", "web-1", "--sort", "line"), ("--since", "3h"),
           ("--service", "shop", "--label", "version=1", "--diff", "version=2"),
           ("--service", "shop", "--label", "version=1", "--diff", "version=2", "--json", "--sort", "line"),
           ("--service", "shop", "--diff", "service=job"), ("--until", "3h", "--diff", "3h")]
EXPORTS = [("collapsed", "x.txt"), ("pprof", "x.pb.gz"), ("otlp", "x.otlp"), ("firefox", "x.json"),
           ("speedscope", "y.json")]


class Fleet:
    """Two services, of which one has two versions; windows of a few hundredths of a second."""

    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)
        recorder = Recorder(wperf, folder)
        self.store = f"sqlite:{self.folder}/fleet.db"
        program = recorder.compile("prog", PROGRAM, "-O1", "-g", "-fno-omit-frame-pointer")
        script = recorder.path("job.py")
        script.write_text(SCRIPT, encoding="utf-8")
        native, python = recorder.path("native.data"), recorder.path("python.data")
        run([wperf, "record", "-q", "-g", *clock_event(2000), "-e", "page-faults:1", "-o", native, "--", program])
        run([wperf, "record", "-q", "-g", *clock_event(1000), "-o", python, "--", "/usr/bin/python3", script])
        # Not so long ago that the server would trim them.
        now = int(time.time())
        times = {"1": f"@{now - 5 * 3600}", "2": f"@{now - 3600}"}
        for version, since in times.items():
            self.put(native, "shop", "web-1", since, "--label", f"version={version}")
        self.put(python, "job", "web-2", times["1"])

    def put(self, recording, service, host, since, *words):
        run([self.wperf, "store", "put", self.store, recording, "--service", service, "--host", host, "--since",
             since, "--window", "1", *words])

    def both(self, url, *words):
        """What is printed of the store, and of the server."""
        return [run([self.wperf, *[place if word == "PLACE" else word for word in words]], code=None)
                for place in (self.store, url)]


def check_same(fleet, url, *words):
    wanted, found = fleet.both(url, *words)
    assert wanted.returncode == 0 and len(wanted.stdout) > 50, (words, wanted)
    assert (found.stdout, found.returncode) == (wanted.stdout, 0), (words, found.stderr, wanted.stdout, found.stdout)
    assert found.stderr == wanted.stderr, (words, found.stderr, wanted.stderr)
    return len(wanted.stdout)


def check_same_file(fleet, url, name, *words):
    contents = []
    for place in (fleet.store, url):
        path = fleet.folder / name
        done = run([fleet.wperf, *[{"PLACE": place, "FILE": path}.get(word, word) for word in words]])
        contents.append((path.read_bytes(), done.stdout, done.stderr))
        path.unlink()
    assert len(contents[0][0]) > 100 and contents[0] == contents[1], (words, [len(one[0]) for one in contents])


def server_of(fleet, *options):
    return Server(fleet.wperf, fleet.folder / "server", *options, store=fleet.store)


def url_of(server):
    return f"http://{server.host}:{server.port}"


def test_reports_are_the_same(fleet):
    with server_of(fleet) as server:
        sizes = [check_same(fleet, url_of(server), "report", "--from", "PLACE", *words) for words in REPORTS]
        check_same(fleet, url_of(server), "annotate", "--from", "PLACE", "--symbol", "leaf")
        check_same(fleet, url_of(server) + "/", "store", "list", "PLACE")
        check_same(fleet, url_of(server), "store", "list", "PLACE", "--json")
    return f"{len(sizes)} reports of {sum(sizes)} bytes"


def test_files_are_the_same(fleet):
    with server_of(fleet) as server:
        url = url_of(server)
        for name, file in EXPORTS:
            check_same_file(fleet, url, file, "export", "--from", "PLACE", "--format", name, "-o", "FILE")
        for more in ((), ("--service", "shop"), ("--service", "job", "--since", "1d")):
            check_same_file(fleet, url, "flame.html", "flamegraph", "--from", "PLACE", "-o", "FILE", *more)
            check_same_file(fleet, url, "page.html", "report", "--from", "PLACE", "--html", "FILE", *more)
        check_same_file(fleet, url, "page.html", "report", "--from", "PLACE", "--html", "FILE", "--service", "shop",
                        "--label", "version=1", "--diff", "version=2")


def check_error(fleet, place, *wanted, options=(), env=None):
    done = run([fleet.wperf, "report", "--from", place, *options], code=None, env=env)
    assert done.returncode in (1, 2) and not done.stdout, done
    for text in wanted:
        assert text in done.stderr, (text, done.stderr)
    return done.stderr


def test_absent_service(fleet):
    with server_of(fleet) as server:
        check_error(fleet, url_of(server), "the store has no samples of service 'nosuch'",
                    f"wperf store list {url_of(server)}", options=("--service", "nosuch"))
        # Bytes that an address cannot have arrive as they are.
        check_error(fleet, url_of(server), "of service 'a&b=c/é%41'", options=("--service", "a&b=c/é%41"))
    check_error(fleet, url_of(server), "cannot reach", "is 'wperf serve' running there?")


class Answers(http.server.BaseHTTPRequestHandler):
    """Not wperf: what the path of the address says."""
    seen = []

    def do_GET(self):
        Answers.seen.append(self.headers.get("Authorization"))
        status, body = {"html": (200, b"<html>"), "busy": (429, b""), "auth": (401, b""), "other": (403, b""),
                        "none": (404, b""), "broken": (500, b"disk \x1b[31mfull\nmore"), "moved": (302, b""),
                        "large": (200, b""), "bomb": (200, b"\x1f\x8b\x08\x00")}[self.path.split("/")[1]]
        self.send_response(status)
        self.send_header("Content-Length", str(2 << 30 if "/large/" in self.path else len(body)))
        if status == 429:
            self.send_header("Retry-After", "17")
        if status == 302:
            self.send_header("Location", "/html/api/v1/list")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_errors_in_words(fleet):
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{other.server_port}"
    check_error(fleet, url + "/html", "cannot read the answer", "is it 'wperf serve'")
    check_error(fleet, url + "/bomb", "cannot read the answer")
    check_error(fleet, url + "/large", "is larger than 1024 MB", "ask for less: --service")
    check_error(fleet, url + "/busy", "has too much to do", "try again in 17 s")
    check_error(fleet, url + "/none", "no wperf server answers at", "http://HOST:PORT")
    check_error(fleet, url + "/auth", "wants a token", "--token-file")
    check_error(fleet, url + "/moved", "answers with status 302")
    check_error(fleet, url + "/broken", "answers with status 500: disk ?[31mfull\n")
    assert set(Answers.seen) == {None}
    # The token is sent, from a file or the environment, and is in no message.
    token = fleet.folder / "token"
    token.write_text("s3cret\nmore\n", encoding="utf-8")
    for options, env in ((("--token-file", token), None), ((), dict(os.environ, WPERF_TOKEN="s3cret"))):
        Answers.seen.clear()
        text = check_error(fleet, url + "/other", "does not take this token", options=options, env=env)
        assert Answers.seen == ["Bearer s3cret"] and "s3cret" not in text
    token.write_text("né\n", encoding="utf-8")
    check_error(fleet, url + "/other", "has no token", options=("--token-file", token))
    other.shutdown()


def test_tokens(fleet):
    tokens, paths = fleet.folder / "tokens", {}
    lines = []
    for words in ("default:read", "default:write", "mail:read"):
        found = re.fullmatch(r"token: (\S+)\nline for the file of --tokens:\n(.+)\n",
                             run([fleet.wperf, "serve", "--new-token", words]).stdout)
        paths[words] = fleet.folder / words.replace(":", "_")
        paths[words].write_text(found[1] + "\r\n", encoding="utf-8")
        lines.append(found[2] + "\n")
    tokens.write_text("".join(lines), encoding="utf-8")
    with server_of(fleet, "--tokens", tokens) as server:
        url = url_of(server)
        check_error(fleet, url, "wants a token", "--token-file")
        check_error(fleet, url, "does not take this token", options=("--token-file", paths["default:write"]))
        wanted = run([fleet.wperf, "report", "--from", fleet.store, "--json"]).stdout
        for words, env in ((["--token-file", paths["default:read"]], None),
                           ([], dict(os.environ, WPERF_TOKEN=paths["default:read"].read_text().strip()))):
            assert run([fleet.wperf, "report", "--from", url, "--json", *words], env=env).stdout == wanted
        # Another tenant has a store of its own, with nothing in it.
        done = run([fleet.wperf, "report", "--from", url, "--token-file", paths["mail:read"]], code=None)
        assert done.returncode == 1 and not done.stdout and done.stderr, done


def main():
    run_tests([test_reports_are_the_same, test_files_are_the_same, test_absent_service, test_errors_in_words,
               test_tokens],
              Fleet(sys.argv[1], pathlib.Path(sys.argv[2])))


main()
