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


def serve(folder):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *words, **rest):
            super().__init__(*words, directory=str(folder / "served"), **rest)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def symbols(wperf, program, cache, urls):
    environment = dict(os.environ, DEBUGINFOD_CACHE_PATH=str(cache), DEBUGINFOD_URLS=urls)
    result = subprocess.run([wperf, "symbols", str(program)], env=environment, capture_output=True,
                            text=True, check=True)
    return [line.split()[-1] for line in result.stdout.splitlines()]


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
    print("names came from the server")
    return 0


if __name__ == "__main__":
    sys.exit(main())
