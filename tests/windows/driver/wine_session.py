# SPDX-License-Identifier: Apache-2.0
"""A Wine prefix in which drivers are started and stopped, from the beginning of its server to its end."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1]))
import arm64_wine
import wine

LIMIT = 60  # seconds, of one program
ARM64 = "arm64"


class Wine:
    """Drivers live as long as any program does: one waits until the end."""

    def __init__(self, place, *files):
        """@place: the folder of its files, or ARM64. The test ends here, with words, where there is no Wine
        or one of the @files is not there."""
        self.prefix, self.runner = pathlib.Path(place), wine.RUNNER
        if place == ARM64:
            arm64_wine.enter(*files)
            self.prefix, self.runner = arm64_wine.PREFIX, arm64_wine.RUNNER
        wine.need(*files)
        wine.use(self.prefix)

    def __enter__(self):
        if not (self.prefix / "system.reg").exists():
            self.prefix.mkdir(parents=True, exist_ok=True)
            subprocess.run([*self.runner, "wineboot", "-i"], check=True, timeout=100, **wine.NOWHERE)
            wine.stop(self.runner)  # its services are about to end
        self.keeper = subprocess.Popen([*self.runner, "cmd"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.keeper.stdout.readline()  # two programs at the very beginning may wait for ever
        return self

    def __exit__(self, *unused):
        self.keeper.kill()
        self.keeper.wait()
        wine.stop(self.runner)

    def run_parts(self, *parts):
        """Each of the functions in a session of its own. Now and then Wine hangs: its own installer does not
        come back from the start of a service. Then the test fails, and wperf-dev retries it."""
        try:
            for part in parts:
                with self:
                    part()
        except subprocess.TimeoutExpired as late:
            sys.exit(f"Wine hangs: {late}")

    def run(self, *command, limit=LIMIT):
        """The exit code and what it wrote."""
        done = subprocess.run([*self.runner, *map(str, command)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False, timeout=limit)
        return done.returncode, done.stdout.replace("\r\n", "\n")

    def start(self, *command):
        return subprocess.Popen([*self.runner, *map(str, command)], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def install(self, sys_file, service):
        """Make a service of a driver's file; it is not started."""
        name = f"{service}.sys"
        shutil.copy(sys_file, self.prefix / "drive_c/windows/system32/drivers" / name)
        self.run("sc", "delete", service)
        code, text = self.run("sc", "create", service, "type=", "kernel", "start=", "demand",
                              "binPath=", f"C:\\windows\\system32\\drivers\\{name}")
        assert code == 0, text
