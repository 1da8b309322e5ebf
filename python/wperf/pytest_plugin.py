# SPDX-License-Identifier: Apache-2.0
"""pytest --wperf: a profile of each slow test, and limits that fail it. See docs/python-module.md."""
from __future__ import annotations

import os
import re
import time
import zlib
from typing import Any, Generator, List, Optional

import pytest

from ._library import Error
from ._profile import Hot, place_of
from ._recording import record

NUM_LINES = 3     # of each slow test, in the summary
NUM_REASONS = 10  # in the message of a test that fails


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("wperf", "wperf: profiles of slow tests")
    group.addoption("--wperf", action="store_true", help="profile each test; of slow ones keep a page")
    group.addoption("--wperf-threshold", type=float, default=1.0, metavar="SECONDS",
                    help="a test is slow if it takes longer (default: 1.0)")
    group.addoption("--wperf-folder", default="wperf-pages", metavar="FOLDER",
                    help="of the pages (default: wperf-pages)")
    group.addoption("--wperf-max", type=float, metavar="SECONDS",
                    help="a test that takes longer fails, with its hot lines; implies --wperf")
    group.addoption("--wperf-events", metavar="EVENTS", help="what is sampled (default: time on a CPU)")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "wperf(max_seconds=None, max_cpu_seconds=None): with --wperf, the test fails "
                            "if it takes longer")
    if config.getoption("--wperf") or config.getoption("--wperf-max") is not None:
        config.pluginmanager.register(TestProfiler(config), "wperf-profiler")


def lines_of(rows: List[Hot]) -> List[str]:
    return [f"{row.percent:6.2f} %  {place_of(row)}  {row.function.name if row.function else ''}".rstrip()
            for row in rows]


def page_name(nodeid: str) -> str:
    """Of the page of a test."""
    name = re.sub(r"[^\w.\-\[\]]+", "_", nodeid)[:150]
    # What two tests may have become the same by is kept apart.
    is_plain = re.fullmatch(r"[\w.\-\[\]/:]{1,150}", nodeid)
    return f"{name}.html" if is_plain else f"{name}-{zlib.crc32(nodeid.encode()):08x}.html"


class Run:
    """One test while it runs, and what was found."""

    def __init__(self, events: Optional[str]) -> None:
        self.error: Optional[Error] = None
        self.recording: Optional[record] = None
        try:
            self.recording = record(events=events).start()
        except Error as error:
            self.error = error
        self.began = time.perf_counter()
        self.cpu_began = time.process_time()

    def stop(self) -> None:
        self.seconds = time.perf_counter() - self.began
        self.cpu_seconds = time.process_time() - self.cpu_began
        if self.recording:
            try:
                self.recording.stop()
            except Error as error:
                self.error, self.recording = error, None

    def hot_lines(self, limit: int) -> List[str]:
        return lines_of(self.recording.hot_lines(limit)) if self.recording else []


class TestProfiler:
    __test__ = False

    def __init__(self, config: Any) -> None:
        self.threshold: float = config.getoption("--wperf-threshold")
        self.max_seconds: Optional[float] = config.getoption("--wperf-max")
        self.folder: str = config.getoption("--wperf-folder")
        self.events: Optional[str] = config.getoption("--wperf-events")
        self.excess: List[str] = []  # of the test that has just run: why it fails

    @pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, None]:
        run = Run(self.events)
        yield
        run.stop()
        self.excess = self.find_excess(item, run)
        if run.error:
            self.say(item, "wperf_error", str(run.error))
        if run.seconds > self.threshold or self.excess:
            self.say(item, "wperf_seconds", f"{run.seconds:.2f}")
            self.say(item, "wperf_lines", "\n".join(run.hot_lines(NUM_LINES)))
            self.write_page(item, run)

    def say(self, item: Any, name: str, value: str) -> None:
        """Goes the way of the test's report: to the summary also from pytest-xdist's processes, and to
        JUnit's XML."""
        item.user_properties.append((name, value))

    def write_page(self, item: Any, run: Run) -> None:
        if not run.recording:
            return
        path = os.path.join(self.folder, page_name(item.nodeid))
        try:
            os.makedirs(self.folder, exist_ok=True)
            run.recording.profile.export(path)
            self.say(item, "wperf_page", path)
        except (Error, OSError) as error:
            self.say(item, "wperf_error", str(error))

    def find_excess(self, item: Any, run: Run) -> List[str]:
        """Lines that say why the test fails."""
        marker = item.get_closest_marker("wperf")
        limits = dict(marker.kwargs) if marker else {}
        most = limits.pop("max_seconds", self.max_seconds)
        most_cpu = limits.pop("max_cpu_seconds", None)
        if limits:
            return [f"the marker wperf has no {', '.join(sorted(limits))}; it has max_seconds and max_cpu_seconds"]
        found = []
        if most is not None and run.seconds > most:
            found.append(f"wperf: the test took {run.seconds:.2f} s; at most {most:g} s")
        if most_cpu is not None and run.cpu_seconds > most_cpu:
            found.append(f"wperf: the test took {run.cpu_seconds:.2f} s on CPUs; at most {most_cpu:g} s")
        if found and run.recording:
            found += ["its hottest lines:", *run.hot_lines(NUM_REASONS)]
        return found

    @pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, None]:
        outcome = yield
        report = outcome.get_result()
        if call.when == "call" and self.excess and report.passed:
            report.outcome = "failed"
            report.longrepr = "\n".join(self.excess)
        if call.when == "call":
            self.excess = []

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        reports = [one for kind in terminalreporter.stats.values() for one in kind
                   if getattr(one, "when", None) == "call"]
        found = [(dict(one.user_properties), one.nodeid) for one in reports]
        slow = sorted((one for one in found if "wperf_seconds" in one[0]),
                      key=lambda one: -float(one[0]["wperf_seconds"]))
        errors = dict.fromkeys(said["wperf_error"] for said, _ in found if "wperf_error" in said)
        terminalreporter.section(f"wperf: profiles of {len(slow)} of {len(found)} tests")
        for said, nodeid in slow:
            terminalreporter.write_line(f"{said['wperf_seconds']} s  {nodeid}")
            for line in said["wperf_lines"].splitlines():
                terminalreporter.write_line(f"    {line}")
            if "wperf_page" in said:
                terminalreporter.write_line(f"    {said['wperf_page']}")
        for error in errors:
            terminalreporter.write_line(f"no profile: {error}")
