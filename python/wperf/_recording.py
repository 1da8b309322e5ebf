# SPDX-License-Identifier: Apache-2.0
"""Samples of this process, or of others, while a block runs."""
from __future__ import annotations

import ctypes
import os
from types import TracebackType
from typing import Iterable, List, Optional, Type, Union

from . import _interface as c
from ._library import Error, Session, check, library, pids_of, scope_of, sized, word
from ._profile import Hot, Path, Profile


class record:
    """Samples while a block runs:

        with wperf.record("page.html") as recording:
            work()
        print(recording.profile.table())

    @path: written at the end; a page (.html), a recording (.data), or another format that its name ends
    with: .pb.gz, .speedscope.json, .folded ...; None: no file.
    @events: as after `wperf record -e`; None: time on a CPU. @frequency: samples a second of each thread.
    @scope: "process" (all threads of this one), "thread" (the calling one) or "machine" (the cores).
    @pids: sample these processes instead. @cores: "0,2-3"; None: all.
    @callers: whole stacks. @kernel: also the kernel's code. @off_cpu: also where threads wait.
    @unwind: how native callers are found: "fp", "cfi". @python: "mixed", "only" or "native".
    @only_with_gil: leave out threads that do not hold the GIL. @keep_times: each sample with its time, which
    pages need; else equal ones are summed up, which takes less memory.
    @source: "perf", "timer", "sim" ...; None: the first that works.
    """

    def __init__(self, path: Optional[Path] = None, *, events: Optional[str] = None, frequency: int = 0,
                 scope: str = "process", pids: Union[int, Iterable[int], None] = None, cores: Optional[str] = None, callers: bool = True,
                 kernel: bool = False, off_cpu: bool = False, unwind: Optional[str] = None,
                 python: Optional[str] = None, only_with_gil: bool = False, keep_times: bool = True,
                 source: Optional[str] = None) -> None:
        self.path = None if path is None else os.fspath(path)
        self._is_recording = bool(self.path and self.path.endswith(".data"))
        self._config = sized(
            c.wperf_sampling_config, events=word(events), frequency=frequency, scope=scope_of(scope),
            pids=pids_of(pids), cores=word(cores), with_callers=callers, with_kernel=kernel, with_off_cpu=off_cpu,
            unwind=word(unwind), python=word(python), only_with_gil=only_with_gil, keeps_times=keep_times,
            recording=word(self.path) if self._is_recording else None)
        self._source = source
        self._session: Optional[Session] = None
        self._sampling: Optional[int] = None
        self._pid = 0  # of the process that has started it
        self._profile: Optional[Profile] = None

    @property
    def profile(self) -> Profile:
        """Complete when the block has ended."""
        if self._profile is None:
            raise ValueError("there is no profile before the block has ended")
        return self._profile

    def start(self) -> record:
        """What `with` does at the beginning."""
        if self._session:
            raise Error("the recording is running already", "call stop() first", "usage")
        self._profile = None
        self._pid = os.getpid()
        self._session = Session(self._source)
        try:
            ret = ctypes.c_void_p()
            check(library.wperf_sampling_open(self._session.handle, ctypes.byref(self._config), ctypes.byref(ret)))
            self._sampling = ret.value
            check(library.wperf_sampling_start(self._sampling))
        except Error:
            self._close()
            raise
        return self

    def stop(self) -> Profile:
        """What `with` does at the end: takes the profile, and writes the file."""
        if not self._sampling:
            raise Error("the recording is not running", "call start() first", "usage")
        if self._is_forked():
            raise Error("the recording is that of the parent process", "start another one in this process", "usage")
        try:
            ret = ctypes.c_void_p()
            check(library.wperf_sampling_stop(self._sampling, ctypes.byref(ret)))
            self._profile = Profile._of(ret)
        finally:
            self._close()
        if self.path is not None and not self._is_recording:
            self._profile.export(self.path)
        return self._profile

    def _is_forked(self) -> bool:
        """In a process that was forked meanwhile: it has not the thread that takes the samples."""
        return os.getpid() != self._pid

    def _close(self) -> None:
        sampling, self._sampling = self._sampling, None
        session, self._session = self._session, None
        if self._is_forked():
            return
        library.wperf_sampling_close(sampling)
        if session:
            session.close()

    def hot_lines(self, limit: Optional[int] = 10) -> List[Hot]:
        """Those of the profile."""
        return self.profile.hot_lines(limit)

    def __enter__(self) -> record:
        return self.start()

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._is_forked():
            self._close()
            return
        try:
            self.stop()
        except Error:
            if error is None:  # else the block's own error says more
                raise

    def __del__(self) -> None:
        if getattr(self, "_session", None):
            self._close()
