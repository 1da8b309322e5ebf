# SPDX-License-Identifier: Apache-2.0
"""Prints the ten hottest lines of a recording:  python3 hot_lines.py [perf.data]

No package is needed: this is libwperf by ctypes. See hot_lines.c, which does the same.
"""
import ctypes
import sys

HOT_LINE = 1  # WPERF_HOT_LINE
NUM_ROWS = 10


class Watch(ctypes.Structure):
    _fields_ = [("progress", ctypes.c_void_p), ("data", ctypes.c_void_p)]


class ProfileConfig(ctypes.Structure):  # struct wperf_profile_config
    _fields_ = [("size", ctypes.c_size_t), ("path", ctypes.c_char_p),
                ("sysroots", ctypes.c_char_p), ("is_forced", ctypes.c_bool),
                ("keeps_times", ctypes.c_bool), ("with_full_names", ctypes.c_bool),
                ("with_idle", ctypes.c_bool), ("python", ctypes.c_char_p), ("watch", Watch)]


class HotRow(ctypes.Structure):  # struct wperf_hot_row
    _fields_ = [("label", ctypes.c_char_p)] + [
        (name, ctypes.c_uint32) for name in ("function", "frame", "module", "thread", "core")] + [
        (name, ctypes.c_uint64)
        for name in ("self_count", "self_weight", "total_count", "total_weight")] + [
        (name, ctypes.c_double)
        for name in ("self_percent", "total_percent", "self_low", "self_high")]


def load():
    library = ctypes.CDLL("libwperf.so.0")
    pointer, out = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    library.wperf_profile_open.argtypes = [ctypes.POINTER(ProfileConfig), out]
    library.wperf_profile_open.restype = pointer
    library.wperf_profile_close.argtypes = [pointer]
    library.wperf_profile_notes.argtypes = [pointer]
    library.wperf_profile_notes.restype = ctypes.c_char_p
    library.wperf_profile_hot.argtypes = [pointer, ctypes.c_int, pointer, ctypes.c_bool, out]
    library.wperf_profile_hot.restype = pointer
    library.wperf_hot_row_at.argtypes = [pointer, ctypes.c_size_t, ctypes.POINTER(HotRow)]
    library.wperf_hot_row_at.restype = ctypes.c_bool
    library.wperf_hot_free.argtypes = [pointer]
    library.wperf_error_message.argtypes = [pointer]
    library.wperf_error_message.restype = ctypes.c_char_p
    return library


def check(library, error):
    if error:
        sys.exit(library.wperf_error_message(error).decode(errors="replace"))


def print_lines(library, profile):
    hot, row = ctypes.c_void_p(), HotRow()
    check(library, library.wperf_profile_hot(profile, HOT_LINE, None, False, ctypes.byref(hot)))
    for i in range(NUM_ROWS):
        if not library.wperf_hot_row_at(hot, i, ctypes.byref(row)):
            break
        label = row.label.decode(errors="replace")
        print(f"{row.self_percent:6.2f} % {row.self_count:8}  {label}")
    library.wperf_hot_free(hot)


def main():
    library = load()
    path = sys.argv[1].encode() if len(sys.argv) > 1 else None  # None: wperf.data
    config = ProfileConfig(size=ctypes.sizeof(ProfileConfig), path=path)
    profile = ctypes.c_void_p()
    check(library, library.wperf_profile_open(ctypes.byref(config), ctypes.byref(profile)))
    print(library.wperf_profile_notes(profile).decode(errors="replace"), end="", file=sys.stderr)
    print_lines(library, profile)
    library.wperf_profile_close(profile)


main()
