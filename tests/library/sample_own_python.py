# SPDX-License-Identifier: Apache-2.0
"""A Python program samples itself through the library, and prints its own lines; sampling.py starts it.

sample_own_python.py LIBRARY SOURCE
"""
import ctypes
import json
import sys
import threading
import time

LIBRARY, SOURCE = sys.argv[1:3]
WORK = 0.5  # seconds of CPU time of each of the two threads
SCOPE_PROCESS, HOT_PYTHON_LINE = 1, 7


class SessionConfig(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("source", ctypes.c_char_p)]


class SamplingConfig(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("events", ctypes.c_char_p), ("frequency", ctypes.c_uint32),
                ("cores", ctypes.c_char_p), ("pids", ctypes.c_char_p), ("command", ctypes.c_void_p),
                ("scope", ctypes.c_int), ("with_kernel", ctypes.c_bool), ("with_callers", ctypes.c_bool)]


class HotRow(ctypes.Structure):
    _fields_ = [("label", ctypes.c_char_p), ("numbers", ctypes.c_uint32 * 5),
                ("self_count", ctypes.c_uint64), ("rest", ctypes.c_uint64 * 7)]


library = ctypes.CDLL(LIBRARY)
library.wperf_error_message.restype = library.wperf_error_hint.restype = ctypes.c_char_p
library.wperf_profile_notes.restype = ctypes.c_char_p
library.wperf_hot_row_at.restype = ctypes.c_bool


def call(function, *arguments):
    function.restype = ctypes.c_void_p
    error = ctypes.c_void_p(function(*arguments))
    if error:
        sys.exit(f"{function.__name__}: {library.wperf_error_message(error).decode()}; hint: "
                 f"{library.wperf_error_hint(error)}")


def spend(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        total = 0
        for i in range(5000):
            total += i * i % 7  # the hot line


def main():
    session, sampling, profile, hot = (ctypes.c_void_p() for _ in range(4))
    config = SessionConfig(ctypes.sizeof(SessionConfig), SOURCE.encode())
    call(library.wperf_session_open, ctypes.byref(config), ctypes.byref(session))
    wanted = SamplingConfig(size=ctypes.sizeof(SamplingConfig), events=b"cpu-clock",
                            scope=SCOPE_PROCESS, with_callers=True)
    call(library.wperf_sampling_open, session, ctypes.byref(wanted), ctypes.byref(sampling))
    call(library.wperf_sampling_start, sampling)
    thread = threading.Thread(target=spend, args=(WORK,))
    thread.start()
    spend(WORK)
    thread.join()
    call(library.wperf_sampling_stop, sampling, ctypes.byref(profile))
    library.wperf_sampling_close(sampling)
    library.wperf_session_close(session)
    call(library.wperf_profile_hot, profile, HOT_PYTHON_LINE, None, False, ctypes.byref(hot))
    rows, row = {}, HotRow()
    while library.wperf_hot_row_at(hot, ctypes.c_size_t(len(rows)), ctypes.byref(row)):
        rows[row.label.decode()] = row.self_count
    print(json.dumps({"rows": rows, "notes": library.wperf_profile_notes(profile).decode()}))
    library.wperf_hot_free(hot)
    library.wperf_profile_close(profile)


main()
