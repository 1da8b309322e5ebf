# SPDX-License-Identifier: Apache-2.0
"""Commands that only read files have given up their rights before they read the first byte.

confinement.py WPERF FOLDER
"""
import http.server
import platform
import re
import struct
import subprocess
import sys
import threading

import waiting
from recorder import Recorder, run, run_tests

BURN = """
#include <stdlib.h>
#include <time.h>
KEEP void burn(void) { SPIN(100000); }
int main(int argc, char **argv) { UNTIL(atoi(argv[1])) burn(); return 0; }
"""
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
MODE_FILTER = "2"
HEADER_ATTR = 64  # a record of pipes: an event and its ids

# In a mount namespace of its own: as where no library of LLVM is installed.
WITHOUT_LLVM = """
for file in $(ldconfig -p | sed -n 's/.*=> \\(.*libLLVM.*\\)/\\1/p'); do mount --bind /dev/null "$file"; done
exec "$@"
"""


def as_pipe(recording):
    """The bytes of a perf.data file as perf passes them through a pipe."""
    whole = recording.read_bytes()
    section = lambda at: slice(at[0], at[0] + at[1])
    entry_size, *sections = struct.unpack_from("<5Q", whole, 16)
    attributes, records = whole[section(sections[0:2])], whole[section(sections[2:4])]
    stream = b"PERFILE2" + struct.pack("<Q", 16)
    for start in range(0, len(attributes), entry_size):
        entry = attributes[start:start + entry_size]
        event = entry[:-16] + whole[section(struct.unpack("<2Q", entry[-16:]))]
        stream += struct.pack("<IHH", HEADER_ATTR, 0, 8 + len(event)) + event
    return stream + records


def status_of(pid, name):
    found = re.search(rf"^{name}:\s*(\d+)$", waiting.read_proc(pid, "status"), re.M)
    return found and found[1]


def read_confined(recorder, recording, *words):
    """The command waits for its recording: what the kernel says of it meanwhile. Returns its output."""
    process = subprocess.Popen([recorder.wperf, *map(str, words), "-i", "-"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=recorder.folder)
    try:
        waiting.wait_until(lambda: status_of(process.pid, "Seccomp") == MODE_FILTER, f"filter of {words}")
        assert status_of(process.pid, "NoNewPrivs") == "1", words
        out, err = process.communicate(as_pipe(recording), timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, (words, out, err)
    return out.decode(errors="replace")


def readers_are_confined(recorder):
    """Also those that write files, and that take machine code apart."""
    page, listing = recorder.path("page.html"), recorder.path("script.txt")
    for path in (page, listing):
        path.unlink(missing_ok=True)
    for words in (("report",), ("report", "-q", "--html", page), ("script",), ("script", "-o", listing),
                  ("export", "--format", "collapsed"), ("annotate", "--symbol", "burn", "--disassemble")):
        out = read_confined(recorder, recorder.recording, *words)
        assert "burn" in out or any(str(path) in map(str, words) for path in (page, listing)), (words, out)
    for path in (page, listing):
        assert "burn" in path.read_text(encoding="utf-8", errors="replace"), path
    assert "cpu-clock" in read_confined(recorder, recorder.recording, "evlist")
    picture = recorder.path("flames.html")
    read_confined(recorder, recorder.recording, "flamegraph", "-o", picture)
    assert picture.exists()


def without_llvm_it_says_what_to_install(recorder):
    alone = ["unshare", "-m", "sh", "-c", WITHOUT_LLVM, "sh"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        return "skipped: no mounts of one's own here"
    done = run([*alone, recorder.wperf, "annotate", "--symbol", "burn", "--disassemble", recorder.recording])
    assert re.search("no disassembler for .* is installed; install the package libllvm19", done.stdout), done.stdout
    return None


def a_kernel_without_filters(recorder):
    """The command works as before; -v says that it keeps its rights."""
    without = ["/usr/bin/python3", f"{sys.path[0]}/without_calls.py", SECCOMP_CALL[platform.machine()]]
    note = "note: wperf keeps all its rights: no seccomp filter"
    done = run([*without, recorder.wperf, "report", "-v", recorder.recording])
    assert "burn" in done.stdout and note in done.stderr, (done.stdout, done.stderr)
    done = run([*without, recorder.wperf, "report", recorder.recording])
    assert "burn" in done.stdout and note not in done.stderr, (done.stdout, done.stderr)
    done = run([recorder.wperf, "report", "-v", recorder.recording])
    assert note not in done.stderr, done.stderr


def programs_are_not_confined(recorder):
    """What `record` runs has all its rights."""
    done = run([recorder.wperf, "record", "-q", "-o", recorder.path("other.data"), "--",
                "grep", "-E", "^(Seccomp|NoNewPrivs):", "/proc/self/status"])
    ours = [line for line in waiting.read_proc("self", "status").splitlines()
            if line.startswith(("Seccomp:", "NoNewPrivs:"))]
    assert done.stdout.splitlines() == ours, (done.stdout, ours)


class Refusing(http.server.BaseHTTPRequestHandler):
    """A server of ClickHouse that knows no user."""

    def do_POST(self):  # pylint: disable=invalid-name
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b"Code: 516, e.displayText() = DB::Exception: default: Authentication failed"
        self.send_response(403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def stores_are_reached(recorder):
    """A store behind the network is asked, although a report gives up the network otherwise."""
    with http.server.HTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"clickhouse://127.0.0.1:{server.server_port}/fleet"
        for words in (("report", "--from", place), ("store", "list", place)):
            done = subprocess.run([recorder.wperf, *words], capture_output=True, text=True, check=False, timeout=60)
            assert done.returncode == 1 and "Code: 516" in done.stderr, (words, done.stderr)
            assert "hint: give user and password" in done.stderr, done.stderr
        server.shutdown()


def main():
    if platform.machine() not in SECCOMP_CALL:
        print("no filter for this machine")
        return 77
    recorder = Recorder(sys.argv[1], sys.argv[2])
    program = recorder.compile("burn", BURN, "-O2", "-g")
    recorder.recording = recorder.record([program, 300], "-g", rate=2000)
    run_tests((readers_are_confined, without_llvm_it_says_what_to_install, a_kernel_without_filters, programs_are_not_confined,
               stores_are_reached), recorder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
