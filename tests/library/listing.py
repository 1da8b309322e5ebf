# SPDX-License-Identifier: Apache-2.0
"""The events and metrics of a session: those of `wperf list -v`, in its order.

listing.py WPERF LIBRARY
"""
import ctypes
import json
import pathlib
import subprocess
import sys

WPERF, LIBRARY = sys.argv[1:3]
TEXT, POINTER = ctypes.c_char_p, ctypes.c_void_p
NOTHING = "---"


def structure(**fields):
    return type("Struct", (ctypes.Structure,), {"_fields_": list(fields.items())})


Config = structure(size=ctypes.c_size_t, source=TEXT, core=ctypes.c_uint32, extra_events=TEXT,
                   metric_file=TEXT, events_folder=TEXT, forces_lock=ctypes.c_bool)
Event = structure(name=TEXT, unit=TEXT, title=TEXT, description=TEXT, code=ctypes.c_uint64)
Metric = structure(name=TEXT, events=TEXT, formula=TEXT, unit=TEXT, title=TEXT, description=TEXT)


def text(value):
    return value.decode() if value is not None else NOTHING


def library():
    loaded = ctypes.CDLL(LIBRARY)
    loaded.wperf_session_open.restype = POINTER
    loaded.wperf_session_open.argtypes = [ctypes.POINTER(Config), ctypes.POINTER(POINTER)]
    loaded.wperf_session_close.argtypes = [POINTER]
    for name, kind in ("event", Event), ("metric", Metric):
        number = getattr(loaded, f"wperf_session_num_{name}s")
        number.restype, number.argtypes = ctypes.c_size_t, [POINTER]
        at = getattr(loaded, f"wperf_session_{name}_at")
        at.restype = ctypes.c_bool
        at.argtypes = [POINTER, ctypes.c_size_t, ctypes.POINTER(kind)]
    return loaded


def listed(loaded, config):
    """Both lists, as tuples of their members."""
    config.size = ctypes.sizeof(Config)
    session = POINTER()
    assert not loaded.wperf_session_open(ctypes.byref(config), ctypes.byref(session))
    lists = []
    for name, kind in ("event", Event), ("metric", Metric):
        item, items = kind(), []
        while getattr(loaded, f"wperf_session_{name}_at")(session, len(items), ctypes.byref(item)):
            items.append(tuple(getattr(item, field) for field, _ in kind._fields_))
        assert len(items) == getattr(loaded, f"wperf_session_num_{name}s")(session)
        lists.append(items)
    loaded.wperf_session_close(session)
    return lists


def check(loaded, words, **config):
    done = subprocess.run([WPERF, "list", "-v", "--json", *words], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, done.stderr
    wanted = json.loads(done.stdout)
    events, metrics = listed(loaded, Config(**config))
    rows = wanted["Predefined_Events"]
    assert [row["Alias_Name"] for row in rows] == [text(event[0]) for event in events], words
    for row, (_, unit, title, description, code) in zip(rows, events):
        if row["Raw_Index"]:
            assert int(row["Raw_Index"], 16) == code, row
        assert unit and description is not None, row
        if row["Description"] != "<extra event>":
            assert row["Description"] == text(title), (row, title)
    rows = [tuple(row.values()) for row in wanted["Predefined_Metrics"]]
    assert rows == [tuple(map(text, metric[:5])) for metric in metrics], words
    print(f"{' '.join(words)}: {len(events)} events, {len(metrics)} metrics")
    return len(events), len(metrics)


def main():
    if b"__asan_init" in pathlib.Path(LIBRARY).read_bytes():
        print("SKIPPED: Python cannot load a library with AddressSanitizer")
        sys.exit(77)
    loaded = library()
    num_events, num_metrics = check(loaded, [])
    assert num_events
    num_events, num_metrics = check(loaded, ["--source", "sim"], source=b"sim")
    assert num_events > 100 and num_metrics > 20
    spe = "sim,cpu=neoverse-v1,spe=1"
    check(loaded, ["--source", spe], source=spe.encode())
    assert check(loaded, ["--source", "sim", "-E", "mine:1abc"], source=b"sim",
                 extra_events=b"mine:1abc")[0] == num_events + 1


main()
