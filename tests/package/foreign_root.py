# SPDX-License-Identifier: Apache-2.0
"""Runs commands in another system's root folder, on this kernel."""
import os
import shlex
import subprocess

ORDINARY = 1000  # a user and group without rights; roots need no entry for it

PREFIX = [] if os.geteuid() == 0 else ["sudo", "-n"]


class ForeignRoot:
    """A copy of a root folder, which is gone afterwards."""

    def __init__(self, source, folder):
        self.path = folder / source.name
        subprocess.run([*PREFIX, "cp", "-a", "--reflink=auto", source, self.path], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run([*PREFIX, "rm", "-rf", "--one-file-system", self.path], check=True)

    def put(self, file, place):
        """A file or a folder of ours."""
        subprocess.run([*PREFIX, "mkdir", "-p", (self.path / place).parent], check=True)
        subprocess.run([*PREFIX, "cp", "-rT", "--no-preserve=ownership", file, self.path / place], check=True)

    def sh(self, command, user=0, check=True):
        """What a shell in it prints. The mounts are of this command alone."""
        inside = ["chroot", f"--userspec={user}:{user}", "--groups=", str(self.path), "/bin/sh", "-c",
                  f"cd /tmp && {command}"]
        mounts = f"mkdir -p {self.path}/proc {self.path}/sys {self.path}/dev {self.path}/tmp && " \
                 f"mount --rbind /proc {self.path}/proc && mount --rbind /sys {self.path}/sys && " \
                 f"mount --rbind /dev {self.path}/dev && chmod 1777 {self.path}/tmp && exec {shlex.join(inside)}"
        result = subprocess.run([*PREFIX, "unshare", "--mount", "--propagation=private", "/bin/sh", "-c", mounts],
                                check=False, capture_output=True, text=True, timeout=120,
                                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
                                     "LC_ALL": "C.UTF-8"})
        output = result.stdout + result.stderr
        assert not check or result.returncode == 0, f"{command}\n{output}"
        return output

    def files(self):
        """Paths of all files but those in which the system counts what it does."""
        kept = ("./proc", "./sys", "./dev", "./tmp", "./var/lib/dpkg", "./var/lib/apt", "./var/cache", "./var/log", "./etc/ld.so.cache")
        found = subprocess.run([*PREFIX, "find", ".", "-xdev"], cwd=self.path, check=True, capture_output=True,
                               text=True).stdout.split("\n")
        return {path for path in found if not path.startswith(kept)}
