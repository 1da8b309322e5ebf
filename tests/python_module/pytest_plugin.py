# SPDX-License-Identifier: Apache-2.0
"""pytest --wperf, as a team uses it: pages of slow tests, limits, JUnit's XML, pytest-xdist.
Usage: pytest_plugin.py VENV"""
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = """\
import time
import pytest

def work(seconds):
    end = time.process_time() + seconds
    total = 0
    while time.process_time() < end:
        for i in range(20000):
            total += i * i % 7  # line
    return total

def test_quick():
    pass

@pytest.mark.parametrize("kind", ["a b/c"])
def test_slow(kind):
    work(0.6)

def test_fails():
    work(0.6)
    assert False, "on its own"

@pytest.mark.wperf(max_cpu_seconds=0.2)
def test_limited():
    work(0.5)

@pytest.mark.wperf(max_seconds=100)
def test_within():
    work(0.4)
"""
LINE = TESTS.splitlines().index("            total += i * i % 7  # line") + 1
HOT = rf"[ \d]\d\.\d\d %  test_it\.py:{LINE}  work"


class Folder:
    def __init__(self, python, path):
        self.python, self.path = python, path
        (path / "test_it.py").write_text(TESTS)

    def pytest(self, *words):
        result = subprocess.run([self.python, "-B", "-m", "pytest", "-p", "no:cacheprovider", *words], cwd=self.path,
                                check=False, capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr

    def pages(self):
        return sorted(path.name for path in self.path.glob("wperf-pages/*"))


def check_summary(folder):
    status, output = folder.pytest("--wperf", "--wperf-threshold=0.3", "--junit-xml=junit.xml")
    assert status == 1 and "2 failed, 3 passed" in output, output
    summary = output[output.index("wperf: profiles of 4 of 5 tests"):]
    assert len(re.findall(HOT, summary)) == 4 and "test_quick" not in summary, summary
    pages = folder.pages()
    assert len(pages) == 4 and all(f"wperf-pages/{page}" in summary for page in pages), (pages, summary)
    assert "test_it.py" in (folder.path / "wperf-pages" / pages[0]).read_text(encoding="utf-8")
    # The one that is over its limit, with the reason; the other keeps its own.
    assert re.search(r"wperf: the test took 0\.[5-9]\d s on CPUs; at most 0\.2 s\nits hottest lines:\n *" + HOT, output), output
    assert "on its own" in output, output
    junit = (folder.path / "junit.xml").read_text()
    assert '<property name="wperf_page"' in junit and "hottest lines" in junit, junit


def check_max(folder):
    status, output = folder.pytest("--wperf-max=0.3", "-k", "slow or quick or within")
    assert status == 1 and "1 failed, 2 passed" in output, output
    assert re.search(r"wperf: the test took [\d.]+ s; at most 0\.3 s\nits hottest lines:\n *" + HOT, output), output


def check_processes(folder):
    """Of pytest-xdist: what the tests' processes found is in the summary."""
    status, output = folder.pytest("-n2", "--wperf", "--wperf-threshold=0.3", "-k", "slow or quick or within")
    assert status == 0 and "wperf: profiles of 2 of 3 tests" in output and len(re.findall(HOT, output)) == 2, output


def check_absent(folder):
    """Without its options nothing is different; the marker is known."""
    status, output = folder.pytest("--strict-markers", "-k", "limited or quick")
    assert status == 0 and "wperf:" not in output and not folder.pages(), output
    status, output = folder.pytest("--wperf", "--wperf-events=cpu-clokc", "-k", "quick")
    assert status == 0 and "no profile: " in output and "cpu-clokc" in output, output


venv = pathlib.Path(sys.argv[1]).absolute()
for check in (check_summary, check_max, check_processes, check_absent):
    with tempfile.TemporaryDirectory() as temporary:
        check(Folder(venv / "bin/python", pathlib.Path(temporary)))
