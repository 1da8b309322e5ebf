# SPDX-License-Identifier: Apache-2.0
"""Names and lines of a stripped program from a debuginfod server: `debuginfod.py WPERF`.

The server is one of ours, on this machine; 77 without libdebuginfod.
"""
import ctypes.util
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "pdb"))
import secure_server

SOURCE = "int answer(int n) { return n * 42; }\nint main(int argc, char **argv) { return answer(argc); }\n"


def build(folder):
    """A stripped program, and the build-id under which its debug file is served."""
    (folder / "answer.c").write_text(SOURCE)
    program = folder / "answer"
    run = lambda *words: subprocess.run(words, check=True, cwd=folder, capture_output=True, text=True)
    run("gcc", "-g", "-O0", "-Wl,--build-id", "-o", str(program), "answer.c")
    build_id = next(line.split()[-1] for line in run("readelf", "-n", str(program)).stdout.splitlines()
                    if "Build ID" in line)
    served = folder / "served" / "buildid" / build_id
    served.mkdir(parents=True)
    run("objcopy", "--only-keep-debug", str(program), str(served / "debuginfo"))
    run("strip", str(program))
    return program


def serve(folder, pem=None, elsewhere=None):
    """With HTTPS if there is a certificate; `elsewhere`: what everything is redirected to."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *words, **rest):
            super().__init__(*words, directory=str(folder / "served"), **rest)

        def log_message(self, *_):
            pass

        def do_GET(self):
            if not elsewhere:
                return super().do_GET()
            self.send_response(302)
            self.send_header("Location", elsewhere + self.path)
            self.send_header("Content-Length", "0")
            return self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if pem:
        secure_server.secure(server, pem)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http{'s' if pem else ''}://127.0.0.1:{server.server_address[1]}"


def symbols(wperf, program, cache, urls, before=()):
    environment = dict(os.environ, DEBUGINFOD_CACHE_PATH=str(cache), DEBUGINFOD_URLS=urls)
    result = subprocess.run([*before, wperf, "symbols", str(program)], env=environment, capture_output=True,
                            text=True, check=True)
    return [line.split()[-1] for line in result.stdout.splitlines()]


def check_downgrade(wperf, program, folder):
    """A server with HTTPS may redirect to HTTPS, not to HTTP; one with HTTP may redirect anywhere."""
    trusting = secure_server.trusting(folder)
    if not trusting:
        print("not checked: redirections from HTTPS (no openssl, or no mount namespaces)")
        return
    pem, before = trusting
    plain, secure = serve(folder), serve(folder, pem)
    down, to_secure = serve(folder, pem, plain), serve(folder, pem, secure)
    for name, urls, is_found in (("plain", serve(folder, None, plain), True), ("secure", to_secure, True),
                                 ("down", down, False), ("mixed", f"{down} http://127.0.0.1:9/", False),
                                 ("both", f"{secure}/nothing {plain}", True)):
        cache = folder / f"cache-{name}"
        found = symbols(wperf, program, cache, urls, before)
        assert ("answer" in found) == is_found, (name, found)
        kept = [path for path in cache.rglob("debuginfo") if path.stat().st_size]
        assert bool(kept) == is_found, (name, kept)


def main():
    wperf = sys.argv[1]
    if not ctypes.util.find_library("debuginfod"):
        print("libdebuginfod is not installed")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = build(folder)
        nobody = "http://127.0.0.1:9"
        assert "answer" not in symbols(wperf, program, folder / "cache", "")
        assert "answer" in symbols(wperf, program, folder / "cache", serve(folder))
        assert "answer" in symbols(wperf, program, folder / "cache", nobody)  # it was kept
        assert "answer" not in symbols(wperf, program, folder / "empty", nobody)
        check_downgrade(wperf, program, folder)
    print("names came from the server")
    return 0


if __name__ == "__main__":
    sys.exit(main())
