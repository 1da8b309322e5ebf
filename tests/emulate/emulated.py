# SPDX-License-Identifier: Apache-2.0
"""What the tests of --source emulate share: how programs are run, and what wperf says of them."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "live"))

import recorder  # noqa: E402

TIMEOUT_SECONDS = 30
# Everything the same in each run: what is counted depends on it.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C"}


class Emulated:
    def __init__(self, wperf, folder, sysroot):
        self.wperf = pathlib.Path(wperf).resolve()
        programs = pathlib.Path(folder).resolve()
        self.folder = programs / pathlib.Path(sys.argv[0]).stem  # for what this test writes
        self.folder.mkdir(exist_ok=True)
        self.sysroot = pathlib.Path(sysroot).resolve()
        self.guest = programs / "guest"
        self.static = programs / "hosted-static"
        self.dynamic = programs / "hosted-dynamic"
        self.library = programs / "plugged.so"

    def path(self, name):
        return self.folder / name

    def words(self, verb, *words, source="emulate"):
        return [str(word) for word in (self.wperf, verb, "--source", source, "--sysroot",
                                       self.sysroot, *words)]

    def run(self, verb, *words, code=0, source="emulate", **keywords):
        """Exit code @code, or any with None. A hang ends after half a minute."""
        done = subprocess.run(self.words(verb, *words, source=source), env=ENVIRONMENT, text=True,
                              timeout=TIMEOUT_SECONDS, cwd=self.folder, errors="replace",
                              stdin=subprocess.DEVNULL, check=False,
                              **{"capture_output": True, **keywords})
        assert code is None or done.returncode == code, \
            f"{words}: exit code {done.returncode} instead of {code}\n{done.stdout}\n{done.stderr}"
        return done

    def count(self, events, *command, options=(), source="emulate"):
        """A dictionary by event for each row: one, or with --per-thread one for each thread, oldest first."""
        done = self.run("stat", "--json", "-e", ",".join(events), *options, "--", *command,
                        source=source)
        rows = json.loads(done.stdout)["processes"]
        first = rows[0]["id"]  # the process; numbers go up from there, and once in a while begin anew
        rows.sort(key=lambda row: (row["id"] - first) % (1 << 22))
        return [{counter["event_name"]: counter["counter_value"]
                 for counter in row["Performance_counter"]} for row in rows]

    def record(self, events, *command, options=(), source="emulate"):
        """The file of samples."""
        path = self.folder / "samples.data"
        path.unlink(missing_ok=True)
        self.run("record", "-q", "-e", events, "--save", path, *options, "--", *command,
                 source=source)
        return path

    def script(self, path):
        done = subprocess.run([self.wperf, "script", "--sysroot", self.sysroot, path], check=True,
                              capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        return recorder.parse_script(done.stdout)

    def samples(self, events, *command, options=(), source="emulate"):
        return self.script(self.record(events, *command, options=options, source=source))


def run_tests(tests):
    """sys.argv: WPERF FOLDER SYSROOT"""
    recorder.run_tests(tests, Emulated(*sys.argv[1:4]))
