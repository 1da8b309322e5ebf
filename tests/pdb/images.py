# SPDX-License-Identifier: Apache-2.0
"""Builds images for Windows on this machine, and asks wperf and LLVM's tools about them."""
import json
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(__file__).parent / "program.cpp"
FLAGS = ["-ffreestanding", "-fno-stack-protector", "-fms-extensions", "-fno-exceptions",
         "-fno-rtti", "-fno-threadsafe-statics", "-fasynchronous-unwind-tables"]
MACHINES = {"x64": "x86_64", "arm64": "aarch64"}


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, timeout=120, **options)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def build(folder, machine, optimize="-O2", link=()):
    """lib.dll with its lib.pdb, as Microsoft's tools would make them, and dwarf.dll, the same code
    with DWARF. The path of the first."""
    folder.mkdir(parents=True, exist_ok=True)
    run(["clang", f"--target={MACHINES[machine]}-pc-windows-msvc", optimize, "-g", "-gcodeview",
         "-gdwarf-4", *FLAGS, "-c", SOURCE, "-o", folder / "lib.obj"])
    command = ["lld-link", "/nologo", "/dll", f"/machine:{machine}", "/nodefaultlib",
               "/entry:entry", *link]
    run([*command, "/debug:dwarf", "/out:dwarf.dll", "lib.obj"], cwd=folder)
    run([*command, "/debug:full", "/out:lib.dll", "/pdb:lib.pdb", "lib.obj"], cwd=folder)
    return folder / "lib.dll"


def build_mingw(folder, machine, link=()):
    """lib.dll with DWARF and no PDB, as mingw's tools make them."""
    folder.mkdir(parents=True, exist_ok=True)
    run(["clang", f"--target={MACHINES[machine]}-w64-windows-gnu", "-O2", "-gdwarf-4", *FLAGS,
         "-mno-stack-arg-probe", "-c", SOURCE, "-o", folder / "lib.o"])
    run(["ld.lld", "-m", {"x64": "i386pep", "arm64": "arm64pe"}[machine], "--shared", "-e", "entry",
         "-o", "lib.dll", *link, "lib.o"], cwd=folder)
    return folder / "lib.dll"


def functions(wperf, path, *options):
    """What "wperf symbols" lists."""
    return json.loads(run([wperf, "symbols", path, "--json", "--lines", *options]))["functions"]


def addresses(wperf, path, places, *options):
    """What "wperf symbols" says of addresses."""
    words = [hex(place) for place in places]
    return json.loads(run([wperf, "symbols", path, *words, "--json", "--lines",
                           *options]))["addresses"]


def code_of(path):
    """(first address, address behind, base) of the code of an image."""
    text = run(["llvm-readobj", "--sections", "--file-headers", path])
    base = int(re.search(r"ImageBase: (0x[0-9A-F]+)", text).group(1), 16)
    part = text[text.index("Name: .text"):]
    start = int(re.search(r"VirtualAddress: (0x[0-9A-F]+)", part).group(1), 16)
    size = int(re.search(r"VirtualSize: (0x[0-9A-F]+)", part).group(1), 16)
    return start, start + size, base


def llvm_frames(path, places, base=0):
    """Of each address the frames of llvm-symbolizer: (function, file, line), innermost first.
    @base: what the addresses of the image begin with; 0 if it has a PDB."""
    given = "\n".join(hex(base + place) for place in places)
    options = ["--obj=" + str(path), "--output-style=JSON", "--inlines", "--no-demangle"]
    if not base:
        options.append("--relative-address")
    text = run(["llvm-symbolizer", *options], input=given)
    answers = [json.loads(line) for line in text.splitlines() if line]
    return [[(frame["FunctionName"], frame["FileName"], frame["Line"])
             for frame in answer["Symbol"]] for answer in answers]
