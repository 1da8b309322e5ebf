# SPDX-License-Identifier: Apache-2.0
"""Profiles: where the samples of a recording are."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Type, Union

from . import _interface as c
from ._library import check, each, library, number_or_none, sized, text, text_or_none, word

Path = Union[str, "os.PathLike[str]"]

CODE_KINDS = {
    c.WPERF_CODE_NATIVE: "native",
    c.WPERF_CODE_KERNEL: "kernel",
    c.WPERF_CODE_JIT: "jit",
    c.WPERF_CODE_INTERPRETED: "python",
    c.WPERF_CODE_MARKER: "marker",
}

HOT_KEYS = {
    "function": c.WPERF_HOT_FUNCTION,
    "line": c.WPERF_HOT_LINE,
    "module": c.WPERF_HOT_MODULE,
    "address": c.WPERF_HOT_ADDRESS,
    "thread": c.WPERF_HOT_THREAD,
    "process": c.WPERF_HOT_PROCESS,
    "core": c.WPERF_HOT_CORE,
    "python line": c.WPERF_HOT_PYTHON_LINE,
    "python function": c.WPERF_HOT_PYTHON_FUNCTION,
    "python file": c.WPERF_HOT_PYTHON_FILE,
}


class Event(NamedTuple):
    name: str
    unit: str  # of a sample's weight: "events", "nanoseconds"
    period: int  # 0: by frequency
    frequency: int  # 0: by period


class Thread(NamedTuple):
    pid: int
    tid: int
    name: str
    process_name: str


class Function(NamedTuple):
    name: str
    module: str  # "": not known
    file: str  # of its definition; "": not known
    line: int  # 0: not known
    kind: str  # "native", "kernel", "jit", "python", or "marker": no code


class Frame(NamedTuple):
    function: Function
    file: str  # "": not known
    line: int  # 0: not known
    is_inlined: bool
    address: int  # in the module; 0 for Python


class Sample(NamedTuple):
    """One, or several that are equal in all but the time, which is that of the first."""
    event: Event
    thread: Optional[Thread]
    time_ns: int
    weight: int  # in the event's unit
    samples: int
    core: Optional[int]
    stack: Tuple[Frame, ...]  # innermost call first


class Hot(NamedTuple):
    """A row of a hot list. Percents are of the weight of all samples."""
    label: str  # "main", "job.py:12", "libc.so.6"
    function: Optional[Function]  # these three as far as the key tells
    file: str
    line: int
    samples: int
    weight: int
    percent: float
    low: float  # in 95 of 100 recordings like this, the truth is between these
    high: float
    total_samples: int  # with all that it calls
    total_weight: int
    total_percent: float


class Line(NamedTuple):
    file: str
    line: int
    text: Optional[str]  # of the source; None: it cannot be read here
    samples: int
    weight: int
    percent: float


class Instruction(NamedTuple):
    module: str
    address: int
    text: Optional[str]  # None: the code cannot be read here
    samples: int
    weight: int
    percent: float


class Annotation(NamedTuple):
    lines: List[Line]  # those with samples, by file and line
    instructions: List[Instruction]  # likewise, by module and address


class Profile:
    """A recording, read: `wperf.open(path)` gives one, and `wperf.record()` has one afterwards. It may
    be used by one thread at a time."""

    def __init__(self, path: Path = "wperf.data", *, keep_times: bool = True, full_names: bool = False,
                 force: bool = False, sysroots: Optional[str] = None) -> None:
        """@keep_times: each sample with its time, which pages need; else equal ones are summed up, which
        takes less memory. @full_names: with the parameters of functions. @force: also the file of another user. @sysroots: folders in which the
        recorded programs are now, ":" between them."""
        self._handle: Optional[int] = None
        ret = ctypes.c_void_p()
        config = sized(c.wperf_profile_config, path=word(path), keeps_times=keep_times,
                       with_full_names=full_names, is_forced=force, sysroots=word(sysroots))
        check(library.wperf_profile_open(ctypes.byref(config), ctypes.byref(ret)))
        self._take(ret)

    @classmethod
    def _of(cls: Type[Profile], handle: ctypes.c_void_p) -> Profile:
        """@handle: of the library, which belongs to the profile from now on."""
        made = cls.__new__(cls)
        made._take(handle)
        return made

    def _take(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle.value
        self._functions: Dict[int, Function] = {}
        self._frames: Dict[int, Frame] = {}
        self._stacks: Dict[int, Tuple[Frame, ...]] = {}
        facts = self._facts()
        self.num_samples: int = facts.num_samples
        self.num_lost: int = facts.num_lost
        self.start_ns: int = facts.start_ns
        self.duration_ns: int = facts.duration_ns
        self.command_line = text(facts.command_line)
        self.host = text(facts.host)
        self.system = text(facts.system)
        self.machine = text(facts.machine)
        self.language = text(facts.language)
        self.notes = text(library.wperf_profile_notes(self._handle))
        self.events = [Event(text(one.name), text(one.unit), one.period, one.frequency)
                       for one in each(library.wperf_profile_event_at, self._handle, c.wperf_sampled_event)]
        self.threads = [Thread(one.pid, one.tid, text(one.name), text(one.process_name))
                        for one in each(library.wperf_profile_thread_at, self._handle, c.wperf_sampled_thread)]
        self.modules = [text(one.name)
                        for one in each(library.wperf_profile_module_at, self._handle, c.wperf_module)]

    def _facts(self) -> c.wperf_profile_facts:
        facts = c.wperf_profile_facts()
        library.wperf_profile_describe(self._handle, ctypes.byref(facts))
        return facts

    def close(self) -> None:
        """Give its memory back now; else that is done when nothing refers to it any more."""
        handle, self._handle = self._handle, None
        library.wperf_profile_close(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def __enter__(self) -> Profile:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _open_handle(self) -> int:
        if not self._handle:
            raise ValueError("the profile is closed")
        return self._handle

    # What it consists of

    def _module(self, number: int) -> str:
        return self.modules[number] if number < len(self.modules) else ""

    def _function(self, number: int) -> Optional[Function]:
        if number not in self._functions:
            one = c.wperf_function()
            if not library.wperf_profile_function_at(self._open_handle(), number, ctypes.byref(one)):
                return None
            self._functions[number] = Function(text(one.name), self._module(one.module), text(one.file),
                                               one.line, CODE_KINDS.get(one.kind, "native"))
        return self._functions[number]

    def _frame(self, number: int) -> Optional[Frame]:
        if number not in self._frames:
            one = c.wperf_frame()
            if not library.wperf_profile_frame_at(self._open_handle(), number, ctypes.byref(one)):
                return None
            function = self._function(one.function) or Function("[unknown]", "", "", 0, "native")
            self._frames[number] = Frame(function, text(one.file), one.line, one.is_inlined, one.address)
        return self._frames[number]

    def _stack(self, number: int) -> Tuple[Frame, ...]:
        if number not in self._stacks:
            one = c.wperf_stack()
            frames = []
            caller = number
            while library.wperf_profile_stack_at(self._open_handle(), caller, ctypes.byref(one)):
                frame = self._frame(one.frame)
                if frame:
                    frames.append(frame)
                caller = one.caller
            self._stacks[number] = tuple(frames)
        return self._stacks[number]

    def samples(self) -> Iterator[Sample]:
        """All samples, with their stacks."""
        for one in each(library.wperf_profile_sample_at, self._open_handle(), c.wperf_sampled):
            thread = self.threads[one.thread] if one.thread < len(self.threads) else None
            yield Sample(self.events[one.event], thread, one.time_ns, one.weight, one.count,
                         number_or_none(one.core), self._stack(one.stack))

    # What is hot

    def _choice(self, event: Optional[str], thread: Union[int, str, None], module: Optional[str],
                symbol: Optional[str]) -> c.wperf_choice:
        names = [one.name for one in self.events]
        if event is not None and event not in names:
            raise ValueError(f"the recording has no event '{event}'; it has {', '.join(names)}")
        return sized(c.wperf_choice, event=names.index(event) if event else 0,
                     thread=None if thread is None else str(thread).encode(), module=word(module),
                     symbol=word(symbol))

    def hot(self, key: str = "line", limit: Optional[int] = None, *, by_total: bool = False,
            event: Optional[str] = None, thread: Union[int, str, None] = None,
            module: Optional[str] = None, symbol: Optional[str] = None) -> List[Hot]:
        """Where the samples are, hottest first. @key: "function", "line", "module", "address", "thread",
        "process", "core", "python line", "python function" or "python file"; those of Python count the
        native code that they call. @by_total: by what is spent with all that is called, and also what has
        no samples itself.
        @event: its name; None: the first. @thread: number or name. @module, @symbol: patterns with *."""
        if key not in HOT_KEYS:
            raise ValueError(f"no list is called '{key}'; there are {', '.join(HOT_KEYS)}")
        ret = ctypes.c_void_p()
        choice = self._choice(event, thread, module, symbol)
        check(library.wperf_profile_hot(self._open_handle(), HOT_KEYS[key], ctypes.byref(choice), by_total,
                                        ctypes.byref(ret)))
        try:
            found: List[Hot] = []
            for row in each(library.wperf_hot_row_at, ret, c.wperf_hot_row):
                # What only calls something hot comes last, and is no answer to what is hot itself.
                if len(found) == limit or (row.self_count == 0 and not by_total):
                    break
                found.append(self._hot(row))
            return found
        finally:
            library.wperf_hot_free(ret)

    def _hot(self, row: c.wperf_hot_row) -> Hot:
        frame = self._frame(row.frame)
        function = frame.function if frame else self._function(row.function)
        file, line = (frame.file, frame.line) if frame else (function.file, function.line) if function else ("", 0)
        return Hot(text(row.label), function, file, line, row.self_count, row.self_weight, row.self_percent,
                   row.self_low, row.self_high, row.total_count, row.total_weight, row.total_percent)

    def hot_lines(self, limit: Optional[int] = 10, **which: Any) -> List[Hot]:
        """The hottest lines: of Python if there are samples of it, else of any code. @which: see hot()."""
        return self._of_python("line", limit, which)

    def hot_functions(self, limit: Optional[int] = 10, **which: Any) -> List[Hot]:
        """The same of functions."""
        return self._of_python("function", limit, which)

    def _of_python(self, key: str, limit: Optional[int], which: Dict[str, Any]) -> List[Hot]:
        rows = self.hot(f"python {key}", limit, **which) if self.language else []
        return rows or self.hot(key, limit, **which)

    def annotate(self, function: Optional[str] = None, file: Optional[Path] = None, *,
                 event: Optional[str] = None) -> Annotation:
        """The lines and instructions of a function with samples, or the lines of a file."""
        ret = ctypes.c_void_p()
        choice = self._choice(event, None, None, None)
        check(library.wperf_profile_annotate(self._open_handle(), word(function), word(file),
                                             ctypes.byref(choice), ctypes.byref(ret)))
        try:
            return Annotation(
                [Line(text(one.file), one.line, text_or_none(one.text), one.self_count, one.self_weight,
                      one.self_percent)
                 for one in each(library.wperf_annotation_line_at, ret, c.wperf_line)],
                [Instruction(self._module(one.module), one.address, text_or_none(one.text), one.self_count,
                             one.self_weight, one.self_percent)
                 for one in each(library.wperf_annotation_instruction_at, ret, c.wperf_instruction)])
        finally:
            library.wperf_annotation_free(ret)

    # Files for people and other programs

    def export(self, path: Path, format: Optional[str] = None) -> None:
        """Write it as a page (.html) or for another program. @format: one of export_formats(); None: as
        the end of the path says."""
        check(library.wperf_profile_export(self._open_handle(), word(format), word(path)))

    def table(self, limit: int = 10) -> str:
        """The hottest lines, to be printed."""
        return table_of(self.hot_lines(limit))


def export_formats() -> List[str]:
    """The names of formats that Profile.export() takes."""
    found: List[str] = []
    while True:
        name = library.wperf_export_format_at(len(found))
        if name is None:
            return found
        found.append(text(name))


def place_of(row: Hot) -> str:
    """Where it is, as short as people write it: "job.py:12"."""
    if not row.line or not os.path.isabs(row.file):
        return row.label
    relative = os.path.relpath(row.file)
    return f"{row.file if relative.startswith(os.pardir) else relative}:{row.line}"


def table_of(rows: List[Hot]) -> str:
    """Of hot lines."""
    cells = [(f"{row.percent:.2f}", f"{row.samples:,}", place_of(row), row.function.name if row.function else "")
             for row in rows]
    heads = ("self %", "samples", "line", "function")
    wide = [max(len(one[column]) for one in [heads, *cells]) for column in range(len(heads))]

    def line(one: Tuple[str, ...]) -> str:
        return f"{one[0]:>{wide[0]}}  {one[1]:>{wide[1]}}  {one[2]:<{wide[2]}}  {one[3]}".rstrip()

    return "\n".join([line(heads), line(tuple("=" * len(head) for head in heads)), *map(line, cells)])
