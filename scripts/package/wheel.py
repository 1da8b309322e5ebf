# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of wperf for Python, the same bytes from the same files: the package of python/wperf, libwperf and
the static program. Usage: wheel.py FOLDER x86_64|aarch64 BUILD [ROOT]

BUILD is the build folder of that architecture, ROOT where packages of another architecture are unpacked. The tag
manylinux_2_17 promises that it runs with glibc 2.17 and later: tests/python_module/glibc.py checks that."""
import base64
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

import contents

METADATA = """\
Metadata-Version: 2.1
Name: wperf
Version: {version}
Summary: Profiler: samples and counts Python and the native code that it calls
License: Apache-2.0
Requires-Python: >=3.8
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Debuggers
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

"""

WHEEL = """\
Wheel-Version: 1.0
Generator: wperf-dev package
Root-Is-Purelib: false
Tag: py3-none-manylinux_2_17_{machine}
"""

ENTRY_POINTS = """\
[console_scripts]
wperf = wperf.__main__:main

[pytest11]
wperf = wperf.pytest_plugin
"""


def stripped(binary, machine):
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder, "stripped")
        contents.stripped(binary, target, machine)
        return target.read_bytes()


def interface():
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder, "_interface.py")
        subprocess.run([sys.executable, "-B", contents.SOURCE / "python/write_interface.py",
                        contents.SOURCE / "src/library/wperf.h", target], check=True)
        return target.read_bytes()


def package_files(machine, build):
    """Names, contents and modes of what is imported."""
    for path in sorted((contents.SOURCE / "python/wperf").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"wperf/{path.name}", path.read_bytes(), 0o644
    yield "wperf/_interface.py", interface(), 0o644
    yield "wperf/libwperf.so", stripped(build / "src/library/any_glibc/libwperf.so", machine), 0o755
    yield "wperf/bin/wperf", stripped(build / "src/cli/wperf-static", machine), 0o755


def metadata_files(folder, name, machine, root):
    parts = contents.STATIC_X86 if machine == "x86_64" else contents.STATIC
    about = (contents.SOURCE / "python/README.md").read_text(encoding="utf-8")
    yield f"{folder}/METADATA", (METADATA.format(version=contents.VERSION) + about).encode(), 0o644
    yield f"{folder}/WHEEL", WHEEL.format(machine=machine).encode(), 0o644
    yield f"{folder}/entry_points.txt", ENTRY_POINTS.encode(), 0o644
    yield f"{folder}/LICENSE.txt", (contents.SOURCE / "LICENSE").read_bytes(), 0o644
    yield f"{folder}/THIRD-PARTY.txt", contents.licences(parts, root).encode(), 0o644
    yield f"{folder}/wperf.spdx.json", contents.spdx(name, parts, root).encode(), 0o644


def record_of(files, folder):
    """The sums that installers check."""
    lines = []
    for path, content, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join(lines) + f"{folder}/RECORD,,\n"


def write(target, machine, build, root):
    name = f"wperf-{contents.VERSION}-py3-none-manylinux_2_17_{machine}"
    folder = f"wperf-{contents.VERSION}.dist-info"
    files = [*package_files(machine, build), *metadata_files(folder, name, machine, root)]
    files.append((f"{folder}/RECORD", record_of(files, folder).encode(), 0o644))
    date = time.gmtime(contents.time_of_sources())[:6]
    with zipfile.ZipFile(target / f"{name}.whl", "w") as wheel:
        for path, content, mode in files:
            info = zipfile.ZipInfo(path, date)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100000 | mode) << 16
            wheel.writestr(info, content)


destination, cpu, *folders = sys.argv[1:]
write(pathlib.Path(destination), cpu, *map(pathlib.Path, folders + ["/"] * (2 - len(folders))))
