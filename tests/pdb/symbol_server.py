# SPDX-License-Identifier: Apache-2.0
"""PDBs of a symbol server: asked for when the symbol path says so, kept if they are the right ones.
Usage: symbol_server.py WPERF [WORD ...]; the words come before WPERF (wine).
"""
import ctypes.util
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import images
import secure_server

wperf, *prefix = sys.argv[1:]
for tool in ("clang", "lld-link"):
    if not shutil.which(tool):
        print(f"skipped: no {tool}")
        sys.exit(77)
if not prefix and not ctypes.util.find_library("curl") and not ctypes.util.find_library("curl-gnutls"):
    print("skipped: no libcurl")
    sys.exit(77)
work = pathlib.Path(tempfile.mkdtemp())
NAME = "lib"  # of the image that images.build() makes, and of its PDB
built = images.build(work / "built", "x64").with_suffix(".pdb").rename(work / "right.pdb")
right = built.read_bytes()
other = images.build(work / "built2", "arm64").with_suffix(".pdb").read_bytes()
image = work / "images" / f"{NAME}.dll"
image.parent.mkdir()
shutil.copy(work / "built" / f"{NAME}.dll", image)


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers by what stands first in the path; the server remembers what it was asked."""

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", said_size=None, location=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if said_size is None else said_size))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def drip(self):
        """Next to nothing, for ever."""
        self.send_response(200)
        self.end_headers()
        while not self.server.is_over:
            self.wfile.write(b"x" * 100)
            self.wfile.flush()
            time.sleep(0.05)

    def do_GET(self):
        self.server.asked.append(f"{self.command} {self.path}")
        way, _, rest = self.path[1:].partition("/")
        last = rest.rpartition("/")[2]
        try:
            if way == "good" and last == self.server.pdb_name:
                self.send(200, right)
            elif way == "other" and last == self.server.pdb_name:
                self.send(200, other)
            elif way == "text":
                self.send(200, b"<html>sign in first</html>")
            elif way == "packed" and last.endswith(".pd_"):
                self.send(200, b"MSCF")
            elif way == "elsewhere" and last == "file.ptr":
                self.send(200, b"PATH:\\\\server\\share")
            elif way == "forbidden":
                self.send(403)
            elif way == "moved":
                self.send(302, location=f"/good/{rest}")
            elif way == "down":
                self.send(302, location=f"{self.server.plain}/good/{rest}")
            elif way == "to-file":
                self.send(302, location=f"file://{built}")
            elif way == "circle":
                self.send(302, location=self.path)
            elif way == "huge":
                self.send(200, b"", said_size=1 << 45)
            elif way == "early":
                self.send(200, right[:-100], said_size=len(right))
            elif way == "endless":
                self.drip()
            elif way == "silent":
                while not self.server.is_over:
                    time.sleep(0.05)
            else:
                self.send(404)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_HEAD = do_GET


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.asked, server.is_over, server.pdb_name = [], False, f"{NAME}.pdb"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


server, address = serve()


def homes():
    """Where the user's cache is; Wine makes that of Windows' variable anew."""
    if not prefix:
        return [work / "home"]
    drive = pathlib.Path(os.environ["WINEPREFIX"]) / "drive_c"
    return [path.parent for path in drive.glob("users/*/AppData/Local/wperf")]


def native(path):
    """As the program knows it: under Wine this machine's files are on a drive of their own."""
    return "Z:" + str(path).replace("/", "\\") if prefix else str(path)


def ask(symbol_path=None, before=(), **variables):
    """Where the names of the image come from, and what stands on standard error."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("_NT_SYMBOL_PATH", "WPERF_SYMBOL_TIMEOUT") and "proxy" not in name.lower()}
    cache = {"XDG_CACHE_HOME": str(work / "home")}
    server.asked.clear()
    words = ["--symbol-path", symbol_path] if symbol_path is not None else []
    done = subprocess.run([*before, *prefix, wperf, "symbols", native(image), "--json", *words],
                          env={**kept, **cache, **variables}, capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["origin"], done.stderr


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def expect_refused(way, words, **variables):
    """Nothing is kept, and the user is told why."""
    cache = work / way
    origin, notes = ask(f"srv*{native(cache)}*{address}/{way}", **variables)
    assert "PDB was not found" in origin, (way, origin)
    assert words in notes, (way, notes)
    assert files(cache) == [], (way, files(cache))


def check_cache():
    cache = work / "cache"
    origin, notes = ask(f"srv*{native(cache)}*{address}/good/")
    assert origin.startswith("PDB "), (origin, notes)
    assert f"note: downloaded 1 PDB ({len(right) / 1e6:.1f} MB) from {address}/good" in notes, notes
    [kept] = files(cache)
    name, key, last = kept.split("/")
    assert name == last == f"{NAME}.pdb" and server.asked == [f"GET /good/{kept}"], server.asked
    assert len(key) > 32 and key == key.upper() and (cache / kept).read_bytes() == right
    origin, notes = ask(f"srv*{native(cache)}*{address}/good")
    assert origin.startswith("PDB ") and server.asked == [] and notes == "", notes


def check_places():
    """The folder of cache*, and the user's."""
    origin, _ = ask(f"cache*{native(work / 'c1')};srv*{address}/good")
    assert origin.startswith("PDB ") and len(files(work / "c1")) == 1, origin
    origin, _ = ask(None, _NT_SYMBOL_PATH=f"symsrv*symsrv.dll*{address}/good")
    assert origin.startswith("PDB ") and len(server.asked) == 1, origin
    assert [len(files(home / "wperf" / "symbols")) for home in homes()] == [1], origin
    origin, _ = ask(f"srv*{address}/good")
    assert origin.startswith("PDB ") and server.asked == [], server.asked
    # The second server is asked for what the first one does not have.
    origin, _ = ask(f"srv*{native(work / 'c2')}*{address}/none;SRV*{native(work / 'c2')}*{address}/good")
    assert origin.startswith("PDB ") and len(server.asked) == 4, server.asked


def check_nobody_is_asked():
    for words in (None, native(work / "none"), f"{address}/good", f"cache*{native(work / 'none')}"):
        origin, notes = ask(words)
        assert "PDB was not found" in origin and server.asked == [], (words, origin)
        assert ("in the symbol path is ignored" in notes) == (words is not None and "http" in words), notes
    origin, notes = ask(f"srv*{native(work / 'none')}*ftp://127.0.0.1/x")
    assert "a server address begins with http:// or https://" in notes, notes


def check_asked_once():
    words = f"srv*{native(work / 'once')}*{address}/none"
    ask(f"{words};{words}/", _NT_SYMBOL_PATH=words)
    assert len(server.asked) == 3, server.asked


def check_refused():
    expect_refused("other", f"sent a PDB of a different build for {NAME}.pdb")
    expect_refused("text", f"sent a file that is not a PDB: cannot read '{NAME}.pdb'")
    expect_refused("packed", "has only a compressed file")
    expect_refused("elsewhere", "has only a redirection (file.ptr)")
    expect_refused("forbidden", f"returned HTTP status 403 for {NAME}.pdb")
    expect_refused("none", "")
    assert [line.rpartition("/")[2] for line in server.asked] == [
        f"{NAME}.pdb", f"{NAME}.pd_", "file.ptr"], server.asked
    expect_refused("circle", "is not used any more in this run")
    expect_refused("huge", f"PDB is too large: {NAME}.pdb")
    expect_refused("early", "is not used any more in this run")
    expect_refused("to-file", "is not used any more in this run")
    for way in ("endless", "silent"):
        start = time.monotonic()
        expect_refused(way, "is not used any more in this run", WPERF_SYMBOL_TIMEOUT="1")
        assert time.monotonic() - start < 20


def check_interrupted():
    """Of a download that Ctrl-C ends nothing stays, where files may be without a name."""
    try:
        os.close(os.open(work, getattr(os, "O_TMPFILE", 0) | os.O_WRONLY))
    except OSError:
        return
    cache = work / "interrupted"
    server.asked.clear()
    process = subprocess.Popen([wperf, "symbols", str(image), "--symbol-path", f"srv*{cache}*{address}/endless"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not server.asked:
        assert process.poll() is None, process.returncode
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == -signal.SIGINT, process.returncode
    assert not files(cache), files(cache)


def check_redirection():
    origin, notes = ask(f"srv*{native(work / 'moved')}*{address}/moved")
    assert origin.startswith("PDB "), notes


def check_no_server():
    origin, notes = ask(f"srv*{native(work / 'nobody')}*http://127.0.0.1:9/x")
    assert "PDB was not found" in origin and "is not used any more in this run" in notes, notes
    (work / "file").write_text("")
    origin, notes = ask(f"srv*{native(work / 'file')}*{address}/good")
    assert "PDB was not found" in origin and "cannot write" in notes, notes


def check_certificate():
    """A server that says of itself who it is."""
    if prefix or not shutil.which("openssl"):
        return
    secure, _ = serve()
    secure_server.secure(secure, secure_server.certificate(work))
    words = f"srv*{work / 'tls'}*https://127.0.0.1:{secure.server_address[1]}/good"
    origin, notes = ask(words)
    assert "PDB was not found" in origin and "certificate" in notes.lower(), notes
    assert secure.asked == [], secure.asked


def check_downgrade():
    """From HTTPS no redirection leads to HTTP; one to HTTPS is followed."""
    folder = work / "downgrade"
    folder.mkdir()
    trusting = None if prefix else secure_server.trusting(folder)
    if not trusting:
        print("not checked: redirections from HTTPS (no openssl, or no mount namespaces)")
        return
    pem, words = trusting
    secure, _ = serve()
    secure_server.secure(secure, pem)
    secure.plain = address
    place = f"https://127.0.0.1:{secure.server_address[1]}"
    origin, notes = ask(f"srv*{folder / 'moved'}*{place}/moved", before=words)
    assert origin.startswith("PDB "), (origin, notes)
    origin, notes = ask(f"srv*{folder / 'down'}*{place}/down", before=words)
    assert secure.asked[-1].startswith("GET /down/"), secure.asked
    assert "PDB was not found" in origin and server.asked == [], (origin, server.asked)
    assert "is not used any more in this run" in notes, notes
    assert files(folder / "down") == []


def check_word():
    done = subprocess.run([*prefix, wperf, "symbols", native(image)], capture_output=True, text=True, check=False,
                          env={**os.environ, "WPERF_SYMBOL_TIMEOUT": "soon"}, timeout=60)
    assert done.returncode == 2 and "WPERF_SYMBOL_TIMEOUT: 'soon'" in done.stderr, done.stderr


def remove_cache():
    for home in homes():
        shutil.rmtree(home / "wperf", ignore_errors=True)


try:
    remove_cache()
    check_cache()
    check_places()
    check_nobody_is_asked()
    check_asked_once()
    check_refused()
    if not prefix:
        check_interrupted()
    check_redirection()
    check_no_server()
    check_certificate()
    check_downgrade()
    check_word()
finally:
    server.is_over = True
    remove_cache()
    shutil.rmtree(work)
print("PDBs came from a server, and only the right ones were kept")
