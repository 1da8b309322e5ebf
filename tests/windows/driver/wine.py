# SPDX-License-Identifier: Apache-2.0
"""A Wine prefix in which services are started and stopped."""
import os
import pathlib
import shutil
import subprocess

LIMIT = 60  # seconds, of one program


class Wine:
    """Drivers live as long as any program does: one waits until the end."""

    def __init__(self, prefix):
        self.prefix = pathlib.Path(prefix)
        os.environ.update(WINEPREFIX=str(prefix), WINEDEBUG="-all",
                          WINEDLLOVERRIDES="mscoree,mshtml=")

    def __enter__(self):
        if not (self.prefix / "system.reg").exists():
            subprocess.run(["wineboot", "-i"], check=True, capture_output=True, timeout=100)
        self.keeper = subprocess.Popen(["wine", "cmd"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.keeper.stdout.readline()  # two programs at the very beginning may wait for ever
        return self

    def __exit__(self, *unused):
        self.keeper.kill()
        self.keeper.wait()
        # The next one must not meet a server that is going away.
        for option in ("-k", "-w"):
            subprocess.run(["wineserver", option], check=False, capture_output=True, timeout=LIMIT)

    def run(self, *command, limit=LIMIT):
        """The exit code and what it wrote."""
        done = subprocess.run(["wine", *map(str, command)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=limit)
        return done.returncode, done.stdout.replace("\r\n", "\n")

    def start(self, *command):
        return subprocess.Popen(["wine", *map(str, command)], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def install(self, sys_file, service):
        """Make a service of a driver's file; it is not started."""
        name = f"{service}.sys"
        shutil.copy(sys_file, self.prefix / "drive_c/windows/system32/drivers" / name)
        self.run("sc", "delete", service)
        code, text = self.run("sc", "create", service, "type=", "kernel", "start=", "demand",
                              "binPath=", f"C:\\windows\\system32\\drivers\\{name}")
        assert code == 0, text
