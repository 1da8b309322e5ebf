# SPDX-License-Identifier: Apache-2.0
"""Writes the first file system of a Linux: a cpio archive in the "newc" format, without being root.

Documentation/driver-api/early-userspace/buffer-format.rst of the kernel says what it looks like.
"""
import os

FOLDER = 0o040755
PROGRAM = 0o100755
FILE = 0o100644
CONSOLE = 0o020600
CONSOLE_DEVICE = (5, 1)  # the kernel gives it to the first process


class Initramfs:
    def __init__(self):
        self.archive = bytearray()
        self.names = set()
        self._add("dev", FOLDER)
        self._add("dev/console", CONSOLE, device=CONSOLE_DEVICE)

    def _pad(self):
        self.archive.extend(bytes(-len(self.archive) % 4))

    def _add(self, name, mode, content=b"", device=(0, 0)):
        self.names.add(name)
        ended_name = name.encode() + b"\0"
        owner, links, time, checksum, at_device = (0, 0), 1, 0, 0, (0, 0)
        fields = (len(self.names), mode, *owner, links, time, len(content), *at_device, *device,
                  len(ended_name), checksum)
        self.archive.extend(b"070701" + b"".join(b"%08X" % field for field in fields))
        self.archive.extend(ended_name)
        self._pad()
        self.archive.extend(content)
        self._pad()

    def _add_parents(self, name):
        parent = os.path.dirname(name)
        if parent and parent not in self.names:
            self._add_parents(parent)
            self._add(parent, FOLDER)

    def add(self, name, content, mode=FILE):
        self._add_parents(name)
        self._add(name, mode, content)

    def add_program(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read(), PROGRAM)

    def finish(self):
        self._add("TRAILER!!!", 0)
        return bytes(self.archive)
