# SPDX-License-Identifier: Apache-2.0
"""A recording of a Windows kernel for Arm64: images with their PDB, with exports only, and one whose
file is nowhere. The images are the reference ones of FOLDER (arm64-seh)."""
import pathlib
import shutil
import struct
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "unwind"))
from perf_data_arm64 import COMM, MMAP2, SAMPLE, attribute, perf_data, record, text

PID, KERNEL_PID = 1000, 0xFFFFFFFF
KERNEL, DRIVER, DUMP = 0xFFFFF80102000000, 0xFFFFF80103000000, 0xFFFFF80104000000
NOWHERE = 0xFFFFF80105000000  # where no image is
PROGRAM = 0x7FF600000000
CODE_ADDRESS, CODE_OFFSET, CODE_SIZE = 0x1000, 0x400, 0x7000  # of their only section with code
IN_KERNEL, IN_USER = 1, 2
CONTEXT_KERNEL, CONTEXT_USER = (1 << 64) - 128, (1 << 64) - 512
IP, TID, TIME, CALLCHAIN, PERIOD = 1, 2, 4, 1 << 5, 1 << 8
INTERVAL = 1000000

# (mode, where, what the system calls it)
MAPS = [(IN_KERNEL, KERNEL, r"C:\Windows\system32\ntoskrnl.exe"),
        (IN_KERNEL, DRIVER, r"C:\Windows\System32\drivers\exports.sys"),
        (IN_KERNEL, DUMP, r"\SystemRoot\System32\drivers\dump_disk.sys"),
        (IN_USER, PROGRAM, r"C:\Tools\app.exe")]


def place_images(folder, system):
    """Under @system, as the disk of the machine that was recorded: (kernel, driver, program)."""
    drivers, tools = system / "Windows/System32/drivers", system / "Tools"
    for one in (drivers, system / "Windows/system32", tools):
        one.mkdir(parents=True)
    kernel, driver, program = (system / "Windows/system32/ntoskrnl.exe", drivers / "exports.sys",
                               tools / "app.exe")
    for name, path in (("xcpt4.exe", kernel), ("xframe_eh_dll.dll", driver),
                       ("xframe_eh_exe.exe", program)):
        shutil.copy(folder / name, path)
    shutil.copy(folder / "xcpt4.pdb", kernel.parent)
    shutil.copy(folder / "xframe_eh_exe.pdb", tools)


def mapping(mode, start, path):
    pid = KERNEL_PID if mode == IN_KERNEL else PID
    return record(MMAP2, mode, struct.pack("<IIQQQIIQQII", pid, pid, start + CODE_ADDRESS, CODE_SIZE,
                                           CODE_OFFSET, 0, 0, 0, 0, 5, 2) + text(path))


def sample(address, caller, time):
    chain = [CONTEXT_KERNEL, address, CONTEXT_USER, caller]
    return record(SAMPLE, IN_KERNEL, struct.pack(f"<QIIQQQ{len(chain)}Q", address, PID, PID, time,
                                                 INTERVAL, len(chain), *chain))


def recording(samples):
    """The file's bytes. @samples: (address in the kernel, in the program)."""
    data = record(COMM, 0, struct.pack("<II", PID, PID) + text("app.exe")) + \
        b"".join(mapping(*row) for row in MAPS) + \
        b"".join(sample(*one, 1000 * (i + 1)) for i, one in enumerate(samples))
    return perf_data(attribute(INTERVAL, IP | TID | TIME | PERIOD | CALLCHAIN), data)
