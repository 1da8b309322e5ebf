# SPDX-License-Identifier: Apache-2.0
"""An emulated AArch64 Linux that runs a list of commands and gives back what came of them.

QEMU emulates the PMU with its driver's registers and interrupts. With -icount each instruction takes
one nanosecond of the machine's time, so counts are the same in each run. (Several cores share that
time, and then a core's counts of instructions and cycles have those of the others in them.)
"""
import base64
import binascii
import collections
import io
import os
import shlex
import shutil
import subprocess
import tarfile
import tempfile

from initramfs import PROGRAM, Initramfs

MACHINE = ("-M virt -cpu neoverse-n1 -m 256 -icount shift=0,sleep=off -nographic -nodefaults "
           "-serial stdio -no-reboot").split()
KERNEL_WORDS = "console=ttyAMA0 quiet panic=-1"
USERS = b"root:x:0:0::/:/bin/sh\nordinary:x:1000:1000::/:/bin/sh\n"
TIMEOUT_SECONDS = 150

Command = collections.namedtuple("Command", "user words")
Result = collections.namedtuple("Result", "exit out err")


class Failure(Exception):
    pass


def command_script(commands):
    return "".join(f"run {number} {command.user} {shlex.quote(shlex.join(command.words))}\n"
                   for number, command in enumerate(commands))


def make_initramfs(packages, programs, files, commands):
    content = Initramfs()
    here = os.path.dirname(os.path.abspath(__file__))
    content.add_program("init", os.path.join(here, "init.sh"))
    content.add_program("bin/busybox", os.path.join(packages, "root/bin/busybox"))
    for name, path in programs.items():
        content.add_program(f"bin/{name}", path)
    for name, path in files.items():
        content.add_program(name, path)
    content.add("etc/passwd", USERS)
    content.add("commands", command_script(commands).encode(), PROGRAM)
    return content.finish()


def compile_device_tree(path, folder):
    """What QEMU's options say of it."""
    if not shutil.which("dtc"):
        raise Failure("no dtc: install device-tree-compiler (./wperf-dev test does)")
    blob = os.path.join(folder, "tree")
    done = subprocess.run(["dtc", "-q", "-O", "dtb", "-o", blob, path], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise Failure(f"{path}: {done.stderr}")
    return ["-machine", "gic-version=3", "-dtb", blob]


def run_qemu(kernel, initramfs, num_cores, device_tree):
    """What the machine wrote to its console."""
    qemu = shutil.which("qemu-system-aarch64")
    if not qemu:
        raise Failure("no qemu-system-aarch64: install qemu-system-arm (./wperf-dev test does)")
    with tempfile.TemporaryDirectory() as folder:
        initrd = os.path.join(folder, "initrd")
        with open(initrd, "wb") as file:
            file.write(initramfs)
        tree_words = compile_device_tree(device_tree, folder) if device_tree else []
        try:
            done = subprocess.run([qemu, *MACHINE, *tree_words, "-smp", str(num_cores), "-kernel",
                                   kernel, "-initrd", initrd, "-append", KERNEL_WORDS],
                                  stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=TIMEOUT_SECONDS, check=False)
        except subprocess.TimeoutExpired as late:
            console = (late.stdout or b"").decode(errors="replace")
            raise Failure(f"not done after {TIMEOUT_SECONDS} s; console:\n{console}") from late
    if done.returncode:
        raise Failure(f"qemu ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode(errors="replace")


def unpack_results(console, num_commands):
    """The machine writes an archive between two lines (init.sh)."""
    _, begin, rest = console.partition("== results")
    archive, end, _ = rest.partition("== end")
    if not begin or not end:
        raise Failure(f"the machine did not come to its end; console:\n{console}")
    try:
        tar = tarfile.open(fileobj=io.BytesIO(base64.b64decode(archive)))
        return [Result(int(tar.extractfile(f"./{number}.exit").read()),
                       tar.extractfile(f"./{number}.out").read().decode(),
                       tar.extractfile(f"./{number}.err").read().decode())
                for number in range(num_commands)]
    except (binascii.Error, tarfile.TarError, OSError, KeyError) as broken:
        raise Failure(f"results cannot be read: {broken}; console:\n{console}") from broken


def run_commands(packages, programs, commands, num_cores=1, files=None, device_tree=None):
    """@packages: what fetch_packages.sh made. @programs, @files: path by name, and by path in the
    machine. @device_tree: its source, in place of QEMU's own. A Result per command."""
    files = files or {}
    for path in [os.path.join(packages, "kernel"), *programs.values(), *files.values()]:
        if not os.path.exists(path):
            raise Failure(f"no {path}: run ./wperf-dev build aarch64")
    initramfs = make_initramfs(packages, programs, files, commands)
    console = run_qemu(os.path.join(packages, "kernel"), initramfs, num_cores,
                       device_tree)
    return unpack_results(console, len(commands))
