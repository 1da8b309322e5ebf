# SPDX-License-Identifier: Apache-2.0
"""Names for stripped programs in a store: what debug files add is what a report of the recording says
where the debug file is at hand, row by row; and what a server takes as debug files, and for whom.

debug_files.py WPERF FOLDER
"""
import contextlib
import ctypes.util
import http.server
import os
import pathlib
import re
import shutil
import sys
import threading
import time

from fleet_server import Server, clean, report, run
from recorder import Recorder, clock_event, run_tests

PROGRAM = """
#include <algorithm>
#include <ctime>
#include <vector>
static inline unsigned long mix(unsigned long x) { x ^= x >> 33; x *= 0xff51afd7ed558ccdUL; return x ^ x >> 29; }
namespace shop {
template <class T> KEEP unsigned long price(const std::vector<T> &items, unsigned long sum) {
	for (auto item : items)
		sum = mix(sum + item);
	return sum;
}
struct basket {
	std::vector<unsigned long> items;
	KEEP unsigned long total(unsigned long sum) { return price(items, sum) + 1; }
};
}
int main() {
	shop::basket basket;
	unsigned long sum = 0;
	for (unsigned long i = 0; i < 1000; i++)
		basket.items.push_back(i * 7);
	UNTIL(700) {
		sum = basket.total(sum);
		std::sort(basket.items.begin(), basket.items.end(),
			  [&](unsigned long a, unsigned long b) { return mix(a ^ sum) < mix(b ^ sum); });
	}
	return sum == 42;
}
"""
VIEWS = [(), ("--sort", "line"), ("--sort", "module"), ("--sort", "address"), ("--sort", "dso,sym"),
         ("--sort", "srcline"), ("--children",), ("--tree", "down"), ("--tree", "up")]
PATH = "/api/v1/debug-files"


class Stripped:
    """A program without symbols, its debug file elsewhere, and a recording and a store of it."""

    def __init__(self, wperf, folder):
        self.wperf, self.folder = wperf, clean(folder)
        recorder = Recorder(wperf, folder)
        self.program = recorder.compile("app", PROGRAM, "-O2", "-g", "-Wl,--build-id", compiler="g++")
        self.debug, self.beside = self.folder / "kept.debug", self.folder / "app.debug"
        self.build_id = next(line.split()[-1] for line in run(["readelf", "-n", self.program]).stdout.splitlines()
                             if "Build ID" in line)
        run(["objcopy", "--only-keep-debug", self.program, self.debug])
        shutil.copy(self.debug, self.beside)
        run(["strip", self.program])
        run(["objcopy", f"--add-gnu-debuglink={self.beside}", self.program])
        self.beside.unlink()
        self.data, self.store = recorder.path("app.data"), recorder.path("app.db")
        run([wperf, "record", "-q", "-g", *clock_event(2000), "-o", self.data, "--", self.program])
        run([wperf, "store", "put", self.store, self.data, "--service", "shop", "-q"])
        self.otlp = recorder.path("app.otlp")
        run([wperf, "export", "--format", "otlp", "-o", self.otlp, self.data])

    def upload(self, server, *files, code=0):
        return run([self.wperf, "debug-upload", "--server", url(server), *files], code)

    def wanted(self, view):
        """Of the recording, with the debug file beside the program."""
        shutil.copy(self.debug, self.beside)
        lines = report(self.wperf, "-i", self.data, *view)
        self.beside.unlink()
        return lines


def differences(wanted, found):
    return "\n".join(["", *(f"- {line}" for line in wanted if line not in found),
                      *(f"+ {line}" for line in found if line not in wanted)])


def url(server):
    return f"http://{server.host}:{server.port}"


def check_named(stripped, *source):
    for view in VIEWS:
        wanted = stripped.wanted(view)
        found = report(stripped.wperf, "--from", *source, *view)
        assert len(wanted) > 3 and found == wanted, str(view) + differences(wanted, found)


def test_names_are_those_of_the_recording(stripped):
    before = "\n".join(report(stripped.wperf, "--from", stripped.store, "--sort", "line"))
    assert "[app+0x" in before and "shop::price" not in before, before
    for below in ("", ".build-id"):
        folder = clean(stripped.folder / "by-id")
        place = folder / below / stripped.build_id[:2]
        place.mkdir(parents=True)
        shutil.copy(stripped.debug, place / f"{stripped.build_id[2:]}.debug")
        check_named(stripped, stripped.store, "--debug-dir", folder)
    lines = "\n".join(report(stripped.wperf, "--from", stripped.store, "--debug-dir", folder, "--sort", "line"))
    assert "shop::price<unsigned long>" in lines and " mix " in lines and "app.cpp:" in lines, lines


def test_two_builds_of_one_path(stripped):
    """Each is named by its own file, and functions of both are one, as they are without debug files."""
    folder = clean(stripped.folder / "builds")
    recorder = Recorder(stripped.wperf, folder / "work")
    store, by_id, recordings = folder / "two.db", folder / "by-id", []
    with Server(stripped.wperf, folder) as server:
        for version in range(2):
            # More code: other addresses, in the same lines.
            more = "__attribute__((aligned(512))) KEEP long more(long x) { return x * 3 + x / 7; }\n" * version
            program = recorder.compile("app", PROGRAM + more, "-O2", "-g", "-Wl,--build-id", compiler="g++")
            build_id = next(line.split()[-1] for line in run(["readelf", "-n", program]).stdout.splitlines()
                            if "Build ID" in line)
            place = by_id / build_id[:2] / f"{build_id[2:]}.debug"
            place.parent.mkdir(parents=True, exist_ok=True)
            run(["objcopy", "--only-keep-debug", program, place])
            run(["strip", program])
            data, otlp = folder / f"{version}.data", folder / f"{version}.otlp"
            run([stripped.wperf, "record", "-q", "-g", *clock_event(1000), "-o", data, "--", program])
            run([stripped.wperf, "store", "put", store, data, "--service", "shop", "-q"])
            run([stripped.wperf, "export", "--format", "otlp", "-o", otlp, data])
            assert server.post(otlp.read_bytes())[0] == 200
        assert len(list(by_id.glob("*/*.debug"))) == 2
        assert stripped.upload(server, by_id).stdout.count(": stored\n") == 2
        for words in ([store, "--debug-dir", by_id], [url(server)]):
            rows = [line.split(None, 4) for line in report(stripped.wperf, "--from", *words, "--module", "app")]
            names = [row[4] for row in rows if len(row) > 4 and row[3] == "app"]
            # Others may be several of one name: lambdas and templates.
            for name in ("mix", "shop::price<unsigned long>", "shop::basket::total", "main"):
                assert names.count(name) == 1, (name, names)
            assert not any(name.startswith("[app+0x") for name in names), names


def test_another_build_names_nothing(stripped):
    folder = clean(stripped.folder / "another")
    place = folder / stripped.build_id[:2]
    place.mkdir()
    shutil.copy(stripped.wperf, place / f"{stripped.build_id[2:]}.debug")
    assert report(stripped.wperf, "--from", stripped.store, "--debug-dir", folder) == \
        report(stripped.wperf, "--from", stripped.store)
    (place / f"{stripped.build_id[2:]}.debug").write_bytes(stripped.debug.read_bytes()[:5000])
    assert report(stripped.wperf, "--from", stripped.store, "--debug-dir", folder) == \
        report(stripped.wperf, "--from", stripped.store)


def test_words(stripped):
    done = run([stripped.wperf, "report", "--from", stripped.store, "--debug-dir", "/nonexistent"], 1)
    assert "cannot open '/nonexistent'" in done.stderr, done.stderr
    done = run([stripped.wperf, "report", "-i", stripped.data, "--debug-dir", "."], 2)
    assert "--debug-dir is about stores" in done.stderr, done.stderr
    for words, said in [(["--server", "http://127.0.0.1:1"], "missing file"), ([stripped.debug], "missing server"),
                        (["--server", "profiles", stripped.debug], "not an address of a server: 'profiles'")]:
        done = run([stripped.wperf, "debug-upload", *words], 2)
        assert said in done.stderr, done.stderr


def test_upload(stripped):
    with Server(stripped.wperf, clean(stripped.folder / "server")) as server:
        assert server.post(stripped.otlp.read_bytes())[0] == 200
        assert "[app+0x" in "\n".join(report(stripped.wperf, "--from", url(server)))
        folder = server.folder / "debug" / "default"
        assert server.ask(f"{PATH}?build_id={stripped.build_id}")[0] == 404
        done = stripped.upload(server, stripped.debug)
        assert done.stdout == f"{stripped.debug}: stored\n", done
        assert server.ask(f"{PATH}?build_id={stripped.build_id}&lines=1")[::2] == (200, b"already there\n")
        kept = folder / stripped.build_id[:2] / f"{stripped.build_id[2:]}.debug"
        assert kept.read_bytes() == stripped.debug.read_bytes()
        assert "already there" in stripped.upload(server, stripped.debug).stdout
        assert server.ask(PATH, stripped.debug.read_bytes())[::2] == (200, b"already there\n")
        check_named(stripped, server.store, "--debug-dir", folder)
        # The server names them for everybody.
        check_named(stripped, url(server))


def test_lines_replace_symbols(stripped):
    symbols = stripped.folder / "symbols.debug"
    run(["objcopy", "--strip-debug", stripped.debug, symbols])
    with Server(stripped.wperf, clean(stripped.folder / "lines")) as server:
        assert "stored" in stripped.upload(server, symbols).stdout
        assert "stored in place of a file without lines" in stripped.upload(server, stripped.debug).stdout
        assert "already there" in stripped.upload(server, symbols).stdout


def test_large_file_in_pieces(stripped):
    folder = clean(stripped.folder / "large")
    padding, large = folder / "padding", folder / "large.debug"
    padding.write_bytes(bytes(range(256)) * (20 << 12))
    run(["objcopy", "--add-section", f".comment.more={padding}", stripped.debug, large])
    with Server(stripped.wperf, folder) as server:
        assert "stored" in stripped.upload(server, large).stdout
        kept = folder / "debug" / "default" / stripped.build_id[:2] / f"{stripped.build_id[2:]}.debug"
        assert kept.read_bytes() == large.read_bytes()
        assert not list((folder / "debug" / "default" / ".parts").iterdir())


def test_pieces_that_do_not_fit(stripped):
    data, part = stripped.debug.read_bytes(), f"{PATH}?build_id={stripped.build_id}&size="
    with Server(stripped.wperf, clean(stripped.folder / "pieces")) as server:
        half = len(data) // 2
        ask = lambda at, piece: server.ask(f"{part}{len(data)}&at={at}", piece)[0]
        assert ask(half, data[half:]) == 409
        assert ask(0, data[:half]) == 202
        assert ask(half - 1, data[half:]) == 409
        assert ask(half, data[half:] + b"more") == 409
        assert ask(0, data[:half]) == 202
        assert ask(half, data[half:]) == 200
        # The file's own build id counts, whatever its sender says.
        other = "00" * 20
        assert server.ask(f"{PATH}?build_id={other}&size={len(data)}&at=0", data)[::2] == (200, b"already there\n")
        assert server.ask(f"{PATH}?build_id={other}")[0] == 404
        for words in ("build_id=x&size=9&at=0", "build_id=0123&size=x&at=0", "build_id=0123&size=9"):
            assert server.ask(f"{PATH}?{words}", b"bytes")[0] == 400, words
        assert server.ask(f"{PATH}?build_id={other}&size={1 << 40}&at=0", b"bytes")[0] == 413
        for number in range(8):
            assert server.ask(f"{PATH}?build_id=ab{number:02}&size=9&at=0", b"byte")[0] == 202
        status, headers, _ = server.ask(f"{PATH}?build_id=abff&size=9&at=0", b"byte")
        assert status == 429 and headers["Retry-After"], (status, headers)


def test_what_is_refused(stripped):
    folder = clean(stripped.folder / "refused")
    nameless = folder / "nameless"
    run(["objcopy", "--remove-section", ".note.gnu.build-id", stripped.debug, nameless])
    data = stripped.debug.read_bytes()
    with Server(stripped.wperf, folder) as server:
        for body, said in [(b"hello, this is no program at all, whatever it is called" * 9, "not an ELF file"),
                           (b"", "too short"), (data[:len(data) // 2], "has no sections"),
                           (stripped.program.read_bytes(), "neither .symtab nor .debug_info"),
                           (nameless.read_bytes(), "has no build id"), (b"MZ" + bytes(500), "")]:
            status, _, words = server.ask(PATH, body)
            assert status == 400 and said in words.decode(), (status, words, said)
        assert not list(folder.glob("debug/**/*.debug"))
        for number, step in enumerate(range(0, len(data), 997)):
            damaged = bytearray(data[:4096] if number % 2 else data)
            damaged[step % len(damaged)] ^= 0xff
            assert server.ask(PATH, bytes(damaged))[0] in (200, 400)
        assert server.ask("/health")[0] == 200
        assert server.ask(f"{PATH}?build_id=../../etc")[0] == 400
        done = stripped.upload(server, stripped.program, nameless, folder / "serve.log")
        assert not done.stdout and done.stderr.count("skipped: ") == 3, done
    done = stripped.upload(server, stripped.debug, code=1)
    assert done.stderr, done


def test_tenants(stripped):
    """Debug files of one name nothing for another, who cannot ask for them either."""
    folder, lines, names = clean(stripped.folder / "tenants"), [], {}
    for tenant in ("shop", "mail"):
        done = run([stripped.wperf, "serve", "--new-token", f"{tenant}:both"])
        names[tenant] = folder / tenant
        names[tenant].write_text(re.search(r"token: (\S+)", done.stdout)[1] + "\n")
        lines.append(done.stdout.splitlines()[-1])
    (folder / "tokens").write_text("\n".join(lines) + "\n")
    with Server(stripped.wperf, folder, "--tokens", folder / "tokens") as server:
        rights = {tenant: {"Authorization": "Bearer " + file.read_text().strip()} for tenant, file in names.items()}
        for tenant in names:
            assert server.post(stripped.otlp.read_bytes(), **rights[tenant])[0] == 200
        done = stripped.upload(server, stripped.debug, code=1)
        assert "does not take files without a token" in done.stderr, done.stderr
        assert ": stored\n" in stripped.upload(server, "--token-file", names["shop"], stripped.debug).stdout
        ask = lambda tenant: server.ask(f"{PATH}?build_id={stripped.build_id}", **rights[tenant])[0]
        assert (ask("shop"), ask("mail"), server.ask(f"{PATH}?build_id={stripped.build_id}")[0]) == (200, 404, 401)
        found = {tenant: "\n".join(report(stripped.wperf, "--from", url(server), "--token-file", file))
                 for tenant, file in names.items()}
        assert "shop::basket::total" in found["shop"] and "shop::basket::total" not in found["mail"], found
        assert [path.parent.parent.name for path in folder.glob("debug/*/*/*.debug")] == ["shop"]


@contextlib.contextmanager
def debuginfod(folder, asked):
    """What debuginfod serves, of FOLDER/buildid/BUILD_ID/debuginfo."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *words, **rest):
            super().__init__(*words, directory=str(folder), **rest)

        def log_message(self, *_):
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    words = {"DEBUGINFOD_URLS": f"http://127.0.0.1:{server.server_address[1]}",
             "DEBUGINFOD_CACHE_PATH": str(folder / "cache")}
    os.environ.update(words)
    try:
        yield
    finally:
        for word in words:
            del os.environ[word]
        server.shutdown()


def test_debuginfod(stripped):
    """The first report has no names yet, and waits for none; later ones have."""
    if not ctypes.util.find_library("debuginfod"):
        print("no libdebuginfod: test_debuginfod was left out")
        return
    asked, folder = [], clean(stripped.folder / "debuginfod")
    place = folder / "buildid" / stripped.build_id
    place.mkdir(parents=True)
    shutil.copy(stripped.debug, place / "debuginfo")
    with debuginfod(folder, asked), Server(stripped.wperf, folder / "server") as server:
        assert server.post(stripped.otlp.read_bytes())[0] == 200
        get = lambda: server.ask("/api/v1/profile")[2]
        get()
        deadline = time.monotonic() + 60
        while b"_ZN4shop6basket5totalEm" not in get():
            assert time.monotonic() < deadline, asked
            time.sleep(0.05)
        for _ in range(5):
            get()
        assert len([path for path in asked if stripped.build_id in path]) == 1, asked
        # libdebuginfod asks twice for what is not there: for its length, and for it.
        assert all(asked.count(path) <= 2 for path in asked), asked
    # The names of system libraries may come from debug files here, which the report has as well.
    assert not (folder / "server" / "debug").exists()


def test_folder(stripped):
    tree = clean(stripped.folder / "tree")
    (tree / "deep" / "er").mkdir(parents=True)
    shutil.copy(stripped.debug, tree / "deep" / "er")
    (tree / "deep" / "loop").symlink_to(tree)
    (tree / "notes.txt").write_text("no program")
    with Server(stripped.wperf, clean(stripped.folder / "folder")) as server:
        done = stripped.upload(server, tree)
        assert done.stdout.startswith(f"{tree}/deep/") and ": stored\n" in done.stdout and not done.stderr, done


def main():
    run_tests([test_names_are_those_of_the_recording, test_two_builds_of_one_path,
               test_another_build_names_nothing, test_words, test_upload,
               test_lines_replace_symbols, test_large_file_in_pieces, test_pieces_that_do_not_fit,
               test_what_is_refused, test_tenants, test_debuginfod, test_folder], Stripped(sys.argv[1], pathlib.Path(sys.argv[2])))


main()
