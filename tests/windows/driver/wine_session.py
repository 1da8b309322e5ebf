# SPDX-License-Identifier: Apache-2.0
"""A Wine prefix in which drivers are started and stopped, from the beginning of its server to its end."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1]))
import wine

LIMIT = 60  # seconds, of one program


class Wine:
    """Drivers live as long as any program does: one waits until the end."""

    def __init__(self, prefix):
        self.prefix = pathlib.Path(prefix)
        wine.need()
        wine.use(prefix)

    def __enter__(self):
        if not (self.prefix / "system.reg").exists():
            self.prefix.mkdir(parents=True, exist_ok=True)
            subprocess.run([wine.PROGRAM, "wineboot", "-i"], check=True, timeout=100, **wine.NOWHERE)
        self.keeper = subprocess.Popen([wine.PROGRAM, "cmd"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.keeper.stdout.readline()  # two programs at the very beginning may wait for ever
        return self

    def __exit__(self, *unused):
        self.keeper.kill()
        self.keeper.wait()
        wine.server("-k")
        wine.server("-w")  # the next one must not meet a server that is going away

    def run(self, *command, limit=LIMIT):
        """The exit code and what it wrote."""
        done = subprocess.run([wine.PROGRAM, *map(str, command)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False, timeout=limit)
        return done.returncode, done.stdout.replace("\r\n", "\n")

    def start(self, *command):
        return subprocess.Popen([wine.PROGRAM, *map(str, command)], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def install(self, sys_file, service):
        """Make a service of a driver's file; it is not started."""
        name = f"{service}.sys"
        shutil.copy(sys_file, self.prefix / "drive_c/windows/system32/drivers" / name)
        self.run("sc", "delete", service)
        code, text = self.run("sc", "create", service, "type=", "kernel", "start=", "demand",
                              "binPath=", f"C:\\windows\\system32\\drivers\\{name}")
        assert code == 0, text
