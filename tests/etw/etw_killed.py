# SPDX-License-Identifier: Apache-2.0
"""`wperf etw --clean` cleans up after a killed recorder, and leaves a running one alone.

etw_killed.py WPERF_WITH_FAKE_ETW ETW_RECORDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile


class Place:
    """A fake machine, and a folder of its user."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.state, self.log = self.folder / "machine", self.folder / "calls"
        self.num_recorders = 0
        self.trace = None
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder, WPERF_FAKE_ETW_STATE=str(self.state),
                                WPERF_FAKE_ETW_LOG=str(self.log))

    def record(self):
        self.num_recorders += 1
        self.trace = self.folder / f"wperf-{self.num_recorders}.etl"
        recorder = subprocess.Popen([RECORDER, self.trace], stdin=subprocess.PIPE, text=True,
                                    stdout=subprocess.PIPE, env=self.environment)
        assert recorder.stdout.readline() == "ready\n"
        return recorder

    def etw(self, *words, **environment):
        done = subprocess.run([WPERF, "etw", *words], capture_output=True, text=True, check=False,
                              env=self.environment | environment)
        return done.returncode, done.stdout + done.stderr

    def intervals(self):
        """Of Timer and TotalIssues."""
        rows = [line.split() for line in self.etw()[1].splitlines()]
        return [row[1] for name in ("Timer", "TotalIssues") for row in rows if row[:1] == [name]]

    def traces(self):
        return list(self.folder.glob("*.etl"))

    def journals(self):
        return list((self.folder / "wperf" / "etw").glob("*"))


def check_running_one(place):
    recorder = place.record()
    assert place.intervals() == ["1,221", "5,000"], place.intervals()
    _, text = place.etw()
    assert f"a session of process {recorder.pid}, which is running" in text, text
    assert place.etw("--clean") == (0, "nothing to clean up\n")
    assert place.intervals() == ["1,221", "5,000"] and place.trace.exists()
    recorder.communicate(timeout=60)
    assert recorder.returncode == 0
    check_nothing_is_left(place)


def check_nothing_is_left(place):
    assert place.intervals() == ["10,000", "65,536"], place.intervals()
    code, text = place.etw()
    assert code == 0 and "wperf has changed nothing" in text and "ld_spec" not in text, text
    assert not place.journals() and not place.traces()


def check_killed_one(place):
    recorder = place.record()
    recorder.kill()
    recorder.communicate(timeout=60)
    assert place.trace.exists() and place.journals()
    wanted = [f"a session of process {recorder.pid}, which has ended",
              "the sampling interval of Timer, which was 10000",
              "the sampling interval of TotalIssues, which was 65536", f"the file {place.trace}",
              f"the profile source ld_spec of process {recorder.pid}, which has ended"]
    _, text = place.etw()
    assert all(line in text for line in wanted) and "wperf etw --clean" in text, text
    code, text = place.etw("--clean", WPERF_FAKE_ETW_NO_RIGHTS="1")
    assert code == 1 and place.journals(), text
    code, text = place.etw("--clean")
    assert code == 0 and text.splitlines() == ["Cleaned up:"] + ["    " + w for w in wanted], text
    check_nothing_is_left(place)


def check_new_one_after_kill(place):
    """A recorder starts although a killed one left its session with the same GUID."""
    first = place.record()
    first.kill()
    first.communicate(timeout=60)
    second = place.record()
    _, text = place.etw()
    assert f"a session of process {second.pid}, which is running" in text, text
    assert f"a session of process {first.pid}" not in text, text
    second.communicate(timeout=60)
    assert second.returncode == 0
    place.etw("--clean")
    check_nothing_is_left(place)


def main():
    for check in (check_running_one, check_killed_one, check_new_one_after_kill):
        with tempfile.TemporaryDirectory() as folder:
            check(Place(folder))


if __name__ == "__main__":
    WPERF, RECORDER = sys.argv[1:]
    main()
