# SPDX-License-Identifier: Apache-2.0
"""Unpacks the archives for any Linux in other systems, and profiles there a program of that system, as root and as
an ordinary user. Usage: archive.py PACKAGES ROOTS WORK_FOLDER OLD_KERNEL"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from foreign_root import ORDINARY, ForeignRoot

CLIENT = pathlib.Path(__file__).parents[1] / "library/client.c"
LOOP = "int main(void) { for (volatile unsigned i = 0; i < 400000000u; i++) {} return 0; }\n"

OLDEST_KERNEL = 4, 18

PROGRAM = "def hot(n):\n    total = 0\n    for i in range(n):\n        total += i * i % 7\n" \
          "    return total\nhot(6_000_000)\n"


def check_python(root, python, user):
    report = root.sh(f"/opt/wperf/wperf record -o /tmp/{user}.data -- {python} /tmp/x.py && "
                     f"/opt/wperf/wperf report -i /tmp/{user}.data", user)
    assert re.search(r"x\.py:4 +hot ", report), report


def check_native(root, user):
    report = root.sh(f"/opt/wperf/wperf record -o /tmp/{user}.data -- /tmp/loop && "
                     f"/opt/wperf/wperf report -i /tmp/{user}.data", user)
    assert re.search(r" loop +(main|\[loop)", report), report


def check_kernel_reader(root):
    """Where the kernel lets root load programs, the one inside this wperf can be loaded."""
    detect = json.loads(root.sh("/opt/wperf/wperf detect -v --json"))
    text = json.dumps(detect)
    assert "libbpf.so.1 is missing" not in text, text


def check_root(source, folder, unpacked, check):
    with ForeignRoot(source, folder) as root:
        root.put(unpacked, "opt/wperf")
        root.put(folder / "x.py", "tmp/x.py")
        root.put(folder / "loop", "tmp/loop")
        for user in (0, ORDINARY):
            assert "wperf" in root.sh("/opt/wperf/wperf --version", user)
            check(root, user)
        check_kernel_reader(root)


def unpack(packages, folder, machine):
    subprocess.run(["tar", "-C", folder, "-xf", next(packages.glob(f"wperf-*-linux-{machine}.tar.xz"))], check=True)
    unpacked = next(folder.glob(f"wperf-*-linux-{machine}"))
    text = (unpacked / "THIRD-PARTY.txt").read_text()
    document = json.loads((unpacked / "wperf.spdx.json").read_text())
    names = {package["name"] for package in document["packages"]}
    assert {"wperf", "libbpf-dev", "libelf-dev", "zlib1g-dev", "libc6-dev"} <= names and "zlib" in text, names
    assert all(package["versionInfo"] for package in document["packages"])
    return unpacked


def check_no_library(unpacked, folder):
    """What needs a library of the system says that this program cannot have it."""
    data = folder / "loop.data"
    subprocess.run([unpacked / "wperf", "record", "-q", "-o", data, "--", folder / "loop"], check=True,
                   capture_output=True)
    result = subprocess.run([unpacked / "wperf", "annotate", "--disassemble", "--symbol", "main", "-i", data],
                            check=False, capture_output=True, text=True)
    assert "wperf-static" in result.stdout + result.stderr, result.stdout + result.stderr


def check_any_kernel(unpacked):
    """No loader and no library, and a start-up code that asks for no newer kernel than we do."""
    told = subprocess.run(["readelf", "--notes", "--program-headers", "--dynamic", unpacked / "wperf"], check=True,
                          capture_output=True, text=True).stdout
    kernel = re.search(r"OS: Linux, ABI: (\d+)\.(\d+)", told)
    assert "INTERP" not in told and "NEEDED" not in told, told
    assert kernel and (int(kernel[1]), int(kernel[2])) <= OLDEST_KERNEL, told


def check_old_kernel(unpacked, folder):
    """With the answers of Linux 4.18 (tests/live/old_kernel.c)."""
    data = folder / "old.data"
    for words in (["list"], ["stat", "--", folder / "loop"], ["record", "-q", "-o", data, "--", folder / "loop"]):
        subprocess.run([old_kernel, unpacked / "wperf", *words], check=True, capture_output=True)
    report = subprocess.run([old_kernel, unpacked / "wperf", "report", "-i", data], check=True, capture_output=True,
                            text=True).stdout
    assert re.search(r" loop +(main|\[loop)", report), report


def check_library(unpacked, folder):
    """A client of the library in the archive is built and runs here; the C library of an older system can load it."""
    place = unpacked / "lib"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libwperf"], check=True, capture_output=True, text=True,
                           env=os.environ | {"PKG_CONFIG_PATH": str(place / "pkgconfig")}).stdout.split()
    subprocess.run(["gcc", "-o", folder / "client", CLIENT, *flags, f"-Wl,-rpath,{place}"], check=True)
    said = subprocess.run([folder / "client"], check=True, capture_output=True, text=True).stdout
    assert re.match(r"libwperf \S+: neoverse-v1, \d+ cores\n\d+ events, loads: yes\nld_spec [1-9]\d+\n", said), said
    with ForeignRoot(roots / "bullseye", folder) as root:
        root.put(place / "libwperf.so.0", "tmp/libwperf.so.0")
        seen = "print(open('/proc/self/maps').read().count('libwperf.so.0') > 1)"
        assert root.sh(f'LD_BIND_NOW=1 LD_PRELOAD=/tmp/libwperf.so.0 /usr/bin/python3.9 -c "{seen}"', ORDINARY) == "True\n"


made, roots, work, old_kernel = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory(dir=work) as temporary:
    place = pathlib.Path(temporary)
    (place / "x.py").write_text(PROGRAM)
    (place / "loop.c").write_text(LOOP)
    subprocess.run(["musl-gcc", "-g", "-O1", "-o", place / "loop", place / "loop.c"], check=True)
    ours = unpack(made, place, "x86_64")
    check_root(roots / "bullseye", place, ours, lambda root, user: check_python(root, "/usr/bin/python3.9", user))
    check_root(roots / "bookworm", place, ours, lambda root, user: check_python(root, "/usr/bin/python3", user))
    check_root(roots / "sid", place, ours, lambda root, user: check_python(root, "/usr/bin/python3.14", user))
    check_root(roots / "musl", place, ours, check_native)
    check_no_library(ours, place)
    check_library(ours, place)
    check_any_kernel(ours)
    check_old_kernel(ours, place)
    other = unpack(made, place, "aarch64")
    check_any_kernel(other)
    said = subprocess.run(["qemu-aarch64", other / "wperf", "list"], check=True, capture_output=True, text=True).stdout
    assert "cpu-clock" in said or "ld_spec" in said.lower(), said
