# SPDX-License-Identifier: Apache-2.0
"""Is in the drivers' files what Windows wants? FOLDER (with arm64/ and x64/) SOURCES (with *.def)"""
import pathlib
import struct
import sys

folder, sources = map(pathlib.Path, sys.argv[1:])
MACHINES = {"arm64": 0xAA64, "x64": 0x8664}
NATIVE, WDM_DRIVER, NX, DYNAMIC_BASE = 1, 0x2000, 0x100, 0x40
EXCEPTIONS, IMPORTS, DEBUG = 3, 1, 6
WRITE, EXECUTE = 0x80000000, 0x20000000


class Image:
    """What the loader looks at, read by the rules of the format."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        self.pe = self.u32(0x3C)
        assert self.bytes[self.pe:self.pe + 4] == b"PE\0\0"
        self.machine = self.u16(self.pe + 4)
        self.optional = self.pe + 24
        sections = self.optional + self.u16(self.pe + 20)
        self.sections = [struct.unpack_from("<8sIIII12xI", self.bytes, sections + 40 * i)
                         for i in range(self.u16(self.pe + 6))]

    def u16(self, at):
        return struct.unpack_from("<H", self.bytes, at)[0]

    def u32(self, at):
        return struct.unpack_from("<I", self.bytes, at)[0]

    def directory(self, number):
        return self.u32(self.optional + 112 + 8 * number), self.u32(self.optional + 116 + 8 * number)

    def offset(self, address):
        for _, size, start, raw_size, raw, _ in self.sections:
            if start <= address < start + max(size, raw_size):
                return raw + address - start
        raise ValueError(f"no section has {address:#x}")

    def text(self, address):
        start = self.offset(address)
        return self.bytes[start:self.bytes.index(b"\0", start)].decode()

    def imports(self):
        """{"ntoskrnl.exe": {"IoCreateDevice", ...}}"""
        libraries = {}
        at = self.offset(self.directory(IMPORTS)[0])
        while self.u32(at + 12):
            names, thunk = set(), self.offset(self.u32(at))
            while entry := struct.unpack_from("<Q", self.bytes, thunk)[0]:
                names.add(self.text(entry + 2))
                thunk += 8
            libraries[self.text(self.u32(at + 12))] = names
            at += 20
        return libraries

    def checksum(self):
        """All 16-bit words, the field of the sum as zero, carries added, and the length."""
        field = self.optional + 64
        padded = self.bytes[:field] + bytes(4) + self.bytes[field + 4:] + b"\0" * (len(self.bytes) % 2)
        total = sum(struct.unpack(f"<{len(padded) // 2}H", padded))
        while total > 0xFFFF:
            total = (total & 0xFFFF) + (total >> 16)
        return total + len(self.bytes)


def names_of(definition):
    lines = (sources / definition).read_text().splitlines()
    return {line.split()[0] for line in lines[lines.index("EXPORTS") + 1:] if line.strip()}


def check(path, machine):
    image = Image(path)
    flags = image.u16(image.optional + 70)
    assert image.machine == MACHINES[machine], hex(image.machine)
    assert image.u16(image.optional + 68) == NATIVE
    assert flags & WDM_DRIVER and flags & NX and flags & DYNAMIC_BASE, hex(flags)
    assert image.u32(image.optional + 64) == image.checksum(), "checksum"
    assert image.directory(EXCEPTIONS)[1], "no unwind data: dumps would have no stacks"
    assert image.directory(DEBUG)[1] and path.with_suffix(".pdb").exists(), "no PDB"
    for name, _, _, _, _, kind in image.sections:
        assert not (kind & WRITE and kind & EXECUTE), f"{name} can be written and executed"
    imports = image.imports()
    known = {"ntoskrnl.exe": names_of("ntoskrnl.def"), "hal.dll": names_of("hal.def")}
    for library, names in imports.items():
        assert names <= known[library], (library, names - known[library])
    total = sum(map(len, imports.values()))
    print(f"{machine}/{path.name}: {len(image.bytes)} bytes, {total} imports of {sorted(imports)}")
    return imports


used = {"ntoskrnl.exe": set(), "hal.dll": set()}
for machine in MACHINES:
    for name in ("wperf.sys", "wperf-sim.sys"):
        for library, names in check(folder / machine / name, machine).items():
            used[library] |= names
assert used["ntoskrnl.exe"] == names_of("ntoskrnl.def"), names_of("ntoskrnl.def") - used["ntoskrnl.exe"]
assert used["hal.dll"] == names_of("hal.def")
