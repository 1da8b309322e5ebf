# SPDX-License-Identifier: Apache-2.0
"""Writes a PE image as it is in memory: `flatten.py IMAGE OUT`. The first 8 bytes of OUT, where the
image has its signature, become a branch to its entry: so QEMU can begin at the first byte."""
import pathlib
import struct
import sys

BRANCH = 0x14000000


def flatten(image):
    header = struct.unpack_from("<I", image, 0x3C)[0]
    num_sections, = struct.unpack_from("<H", image, header + 6)
    optional_size, = struct.unpack_from("<H", image, header + 20)
    entry, = struct.unpack_from("<I", image, header + 40)
    size, = struct.unpack_from("<I", image, header + 80)
    memory = bytearray(size)
    for i in range(num_sections):
        at = header + 24 + optional_size + 40 * i
        virtual_size, address, file_size, offset = struct.unpack_from("<4I", image, at + 8)
        length = min(virtual_size, file_size)
        memory[address:address + length] = image[offset:offset + length]
    struct.pack_into("<I", memory, 0, BRANCH | entry // 4)
    return memory


def main():
    image, out = map(pathlib.Path, sys.argv[1:])
    out.write_bytes(flatten(image.read_bytes()))


if __name__ == "__main__":
    main()
