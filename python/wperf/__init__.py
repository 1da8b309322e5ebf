# SPDX-License-Identifier: Apache-2.0
"""wperf: where a program spends its time, for Python and the native code that it calls.

    with wperf.record("page.html"):         # sample this process, write a page
        work()
    with wperf.stat("page-faults") as count:
        work()
    print(count["page-faults"])
    print(wperf.dump())                     # the stacks of all threads
    print(wperf.open("wperf.data").table()) # the hot lines of a recording
"""
from __future__ import annotations

from typing import Any

from ._counting import Metric, Value, stat
from ._dumping import Dump, DumpedFrame, DumpedThread, dump
from ._library import VERSION, Error
from ._profile import (Annotation, Event, Frame, Function, Hot, Instruction, Line, Profile, Sample, Thread,
                       export_formats)
from ._recording import record

__all__ = ["Annotation", "Dump", "DumpedFrame", "DumpedThread", "Error", "Event", "Frame", "Function", "Hot",
           "Instruction", "Line", "Metric", "Profile", "Sample", "Thread", "Value", "dump", "export_formats",
           "load_ipython_extension", "open", "record", "stat"]

__version__ = VERSION

open = Profile


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext wperf` calls."""
    from ._magics import load
    load(shell)
