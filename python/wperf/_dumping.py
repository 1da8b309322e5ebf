# SPDX-License-Identifier: Apache-2.0
"""What the threads of a process do at this moment."""
from __future__ import annotations

import ctypes
import json
import os
import threading
from typing import Any, Dict, List, NamedTuple, Optional

from ._library import FOLDER, check, library


class DumpedFrame(NamedTuple):
    function: str
    file: str
    line: int
    locals: Dict[str, str]  # names and values of variables, if they were asked for


class DumpedThread(NamedTuple):
    tid: Optional[int]  # of the system
    id: int  # what threading.get_ident() gives
    name: str
    state: str  # "runs", "sleeps" ..., "": not known
    holds_gil: bool
    frames: List[DumpedFrame]  # innermost call first


class Dump(NamedTuple):
    """`print()` shows it as text."""
    pid: int
    python: str  # the interpreter's version
    threads: List[DumpedThread]

    def __str__(self) -> str:
        return f"process {self.pid}, Python {self.python}\n" + "".join(map(_text_of_thread, self.threads))


def _text_of_thread(thread: DumpedThread) -> str:
    facts = [f'"{thread.name}"' if thread.name else "", thread.state, "holds the GIL" if thread.holds_gil else ""]
    head = f"thread {thread.tid or thread.id}: {', '.join(filter(None, facts))}\n"
    return head + "".join(f"  {one.function} ({one.file}:{one.line})\n" +
                          "".join(f"    {name} = {value}\n" for name, value in one.locals.items())
                          for one in thread.frames)


def _frames_of(thread: Dict[str, Any], is_own: bool) -> List[DumpedFrame]:
    frames = [DumpedFrame(one.get("function", "[unknown]"), one.get("file", ""), one.get("line", 0), 
                          {name["name"]: name["value"] for name in one.get("locals", [])})
              for one in thread["frames"]]
    while is_own and frames and (os.path.dirname(frames[0].file) == FOLDER or
                                 frames[0].file.endswith("/ctypes/__init__.py")):
        frames.pop(0)  # that of dump() itself
    return frames


def dump(pid: Optional[int] = None, *, locals: bool = False) -> Dump:
    """The stacks of all threads of a process that runs Python; None: of this one.
    @locals: with the variables of each frame."""
    ret = ctypes.c_void_p()
    check(library.wperf_dump_json(pid or 0, locals, ctypes.byref(ret)))
    try:
        found = json.loads(ctypes.string_at(ret.value or 0).decode(errors="replace"))
    finally:
        library.wperf_text_free(ret)
    is_own = found["pid"] == os.getpid()
    # From outside, older versions have no names for threads but that of the program.
    names = {one.ident: one.name for one in threading.enumerate()} if is_own else {}
    return Dump(found["pid"], found["python"], [
        DumpedThread(one.get("tid"), one["id"], names.get(one["id"]) or one.get("name", ""), one.get("state", ""),
                     one["holds_gil"], _frames_of(one, is_own))
        for one in found["threads"]])
