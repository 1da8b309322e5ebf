# SPDX-License-Identifier: Apache-2.0
"""wperf_dump_json(): a Python program sees its own stack, and that of another as `wperf dump` does.

dump.py WPERF LIBRARY
"""
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

WPERF, LIBRARY = sys.argv[1:3]
SLEEPER = """import sys, threading
def inner(secret):
    print("ready", flush=True)
    sys.stdin.read()
def outer():
    inner(4711)
outer()
"""


class Wperf:
    def __init__(self):
        self.library = ctypes.CDLL(LIBRARY)
        self.library.wperf_dump_json.restype = ctypes.c_void_p
        self.library.wperf_dump_json.argtypes = [
            ctypes.c_uint32, ctypes.c_bool, ctypes.POINTER(ctypes.c_void_p)]
        self.library.wperf_text_free.argtypes = [ctypes.c_void_p]
        self.library.wperf_error_message.argtypes = [ctypes.c_void_p]
        self.library.wperf_error_message.restype = ctypes.c_char_p
        self.library.wperf_error_free.argtypes = [ctypes.c_void_p]

    def dump(self, pid=0, with_locals=False):
        text = ctypes.c_void_p()
        error = self.library.wperf_dump_json(pid, with_locals, ctypes.byref(text))
        if error:
            message = self.library.wperf_error_message(error).decode()
            self.library.wperf_error_free(error)
            raise OSError(message)
        value = ctypes.string_at(text.value)
        self.library.wperf_text_free(text)
        return json.loads(value)


def names(thread):
    return [frame["function"].rpartition(".")[2] for frame in thread["frames"]]


def check_own(wperf):
    started, end = threading.Event(), threading.Event()

    def waits_in_a_thread():
        started.set()
        end.wait()

    def asks_for_the_dump():
        return wperf.dump()

    thread = threading.Thread(target=waits_in_a_thread, daemon=True)
    thread.start()
    started.wait()
    for _ in range(100):
        found = asks_for_the_dump()
        assert found["pid"] == os.getpid(), found
        main, *others = found["threads"]
        stack = names(main)
        assert stack[:4] == ["dump", "asks_for_the_dump", "check_own", "main"], main
        assert any("waits_in_a_thread" in name for other in others for name in names(other)), others
    end.set()
    thread.join()


def check_other(wperf):
    with subprocess.Popen(["/usr/bin/python3", "-c", SLEEPER], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        # From here on it waits in line 4 for its input.
        while wperf.dump(child.pid)["threads"][0]["frames"][0]["line"] != 4:
            time.sleep(0.01)
        done = subprocess.run([WPERF, "dump", "--json", "--locals", "-p", str(child.pid)],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        wanted, found = json.loads(done.stdout), wperf.dump(child.pid, with_locals=True)
        assert "4711" in json.dumps(found), found
        assert wanted["threads"][0]["frames"] == found["threads"][0]["frames"]
        assert wanted.keys() == found.keys()
        child.stdin.close()


def check_errors(wperf):
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
        for pid in (child.pid, 2 ** 31 - 2):
            try:
                wperf.dump(pid)
            except OSError as error:
                assert str(pid) in str(error), error
            else:
                raise AssertionError(f"a dump of {pid}")
        child.stdin.close()


def main():
    if b"__asan_init" in pathlib.Path(LIBRARY).read_bytes():
        print("SKIPPED: Python cannot load a library with AddressSanitizer")
        sys.exit(77)
    wperf = Wperf()
    check_own(wperf)
    check_other(wperf)
    check_errors(wperf)


main()
