# SPDX-License-Identifier: Apache-2.0
"""Counts of this process, or of others, while a block runs."""
from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Dict, Iterable, List, NamedTuple, Optional, Type, Union

from . import _interface as c
from ._library import Error, Session, check, each, library, number_or_none, pids_of, scope_of, sized, text, word


class Value(NamedTuple):
    event: str
    value: Optional[float]  # scaled up where events took turns; None: this machine cannot count it
    raw: int  # as counted
    unit: str  # of the value: "msec", "Joules"; "": a number of events
    core: Optional[int]  # None: of all cores, or of a process
    pid: Optional[int]  # None: of all processes, or of a core
    metric: Optional[str]  # for which it is counted
    running: float  # the share of the time in which it was counted; 1.0: all


class Metric(NamedTuple):
    name: str
    value: Optional[float]  # None: its events were not counted, or 0 where they divide
    unit: str
    core: Optional[int]  # as in Value
    pid: Optional[int]


class stat:
    """Counts while a block runs:

        with wperf.stat("page-faults,task-clock") as count:
            work()
        print(count["page-faults"])

    The events are opened once, here: start() and stop(), which `with` calls, only switch them on and
    off. Each start counts from 0.
    @events: as after `wperf stat -e`; None, and no metrics: those that `wperf stat` counts.
    @metrics: as after `-m`. @scope: "process" (all threads of this one), "thread" (the calling one) or
    "machine" (the cores). @pids: count these processes instead. @cores: "0,2-3"; None: all. @kernel: CPU events also count the kernel's code. @source: "perf", "sim" ...; None: the first that works.
    """

    def __init__(self, events: Optional[str] = None, metrics: Optional[str] = None, *, scope: str = "process",
                 pids: Union[int, Iterable[int], None] = None, cores: Optional[str] = None, kernel: bool = False,
                 source: Optional[str] = None) -> None:
        self._count: Optional[int] = None
        self._session: Optional[Session] = None
        config = sized(c.wperf_count_config, events=word(events), metrics=word(metrics), scope=scope_of(scope),
                       pids=pids_of(pids), cores=word(cores), with_kernel=kernel)
        self._session = Session(source)
        ret = ctypes.c_void_p()
        check(library.wperf_count_open(self._session.handle, ctypes.byref(config), ctypes.byref(ret)))
        self._count = ret.value
        self.values: List[Value] = []
        self.metrics: List[Metric] = []
        self.elapsed = 0.0  # seconds

    def close(self) -> None:
        """Close the events now; else that is done when nothing refers to it any more."""
        count, self._count = self._count, None
        session, self._session = self._session, None
        library.wperf_count_close(count)
        if session:
            session.close()

    def __del__(self) -> None:
        if getattr(self, "_session", None):
            self.close()

    def _open_count(self) -> int:
        if not self._count:
            raise ValueError("the count is closed")
        return self._count

    @property
    def notes(self) -> str:
        """What this machine cannot count, or only in part, line after line; or ""."""
        return text(library.wperf_count_notes(self._open_count()))

    def start(self) -> stat:
        """Count from 0."""
        check(library.wperf_count_start(self._open_count()))
        return self

    def stop(self) -> stat:
        """Take the numbers, and count no more until the next start."""
        check(library.wperf_count_stop(self._open_count()))
        return self.read()

    def resume(self) -> stat:
        """Count on after a stop, without beginning at 0."""
        check(library.wperf_count_resume(self._open_count()))
        return self

    def read(self) -> stat:
        """Take the numbers since the start."""
        count = self._open_count()
        check(library.wperf_count_read(count))
        self.elapsed = library.wperf_count_elapsed_ns(count) / 1e9
        self.values = [Value(text(one.event), one.value if one.is_counted else None, one.raw,
                             text(one.unit), number_or_none(one.core), number_or_none(one.pid),
                             text(one.metric) or None,
                             one.running / one.enabled if one.enabled else 0.0)
                       for one in each(library.wperf_count_value_at, count, c.wperf_value)]
        self.metrics = [Metric(text(one.name), one.value if one.is_known else None, text(one.unit),
                               number_or_none(one.core), number_or_none(one.pid))
                        for one in each(library.wperf_count_metric_at, count, c.wperf_metric_value)]
        return self

    def wait(self, seconds: float) -> stat:
        """Wait, as for processes of others; on simulated machines time passes by this alone."""
        check(library.wperf_count_wait(self._open_count(), round(seconds * 1e9), None))
        return self

    def __getitem__(self, name: str) -> float:
        """The number of an event or metric, summed up over cores. KeyError: it was not counted."""
        ret = ctypes.c_double()
        if library.wperf_count_value(self._open_count(), name.encode(), ctypes.byref(ret)):
            return ret.value
        metric = self._metric(name)
        if metric is None:
            raise KeyError(name)
        return metric

    def _metric(self, name: str) -> Optional[float]:
        """Over all units: the last of its rows, as that of the sum comes after those of the units."""
        rows = [one for one in self.metrics if one.name == name]
        return rows[-1].value if rows else None

    def as_dict(self) -> Dict[str, float]:
        """Events and metrics that were counted, summed up over cores."""
        names = [one.event for one in self.values if one.value is not None]
        names += [one.name for one in self.metrics if self._metric(one.name) is not None]
        return {name: self[name] for name in dict.fromkeys(names)}

    def __enter__(self) -> stat:
        return self.start()

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        try:
            self.stop()
        except Error:
            if error is None:  # else the block's own error says more
                raise

    def __str__(self) -> str:
        units = {one.event: one.unit for one in self.values}
        units.update({one.name: one.unit for one in self.metrics})
        rows = [(f"{value:,.0f}" if value == round(value) else f"{value:,.3f}", units.get(name, ""), name)
                for name, value in self.as_dict().items()]
        rows.append((f"{self.elapsed:.6f}", "seconds", "elapsed"))
        wide = [max(len(row[column]) for row in rows) for column in range(2)]
        return "\n".join(f"{number:>{wide[0]}}  {unit:<{wide[1]}}  {name}" for number, unit, name in rows)
