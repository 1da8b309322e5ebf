# SPDX-License-Identifier: Apache-2.0
"""What ctypes takes for libwperf's structs, enums and functions is what a C compiler makes of wperf.h, and what the
library has. Usage: interface.py VENV"""
import ctypes
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

from installed import package_of

LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "src/library"


def load(path):
    spec = importlib.util.spec_from_file_location("_interface", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def figures(interface):
    """Expressions in C, and their values as ctypes has them."""
    structs = [one for one in vars(interface).values() if isinstance(one, type) and issubclass(one, ctypes.Structure)]
    for struct in structs:
        name = f"struct {struct.__name__}"
        yield f"sizeof({name})", ctypes.sizeof(struct)
        for member, *_ in struct._fields_:
            yield f"offsetof({name}, {member})", getattr(struct, member).offset
            yield f"sizeof((({name} *)0)->{member})", getattr(struct, member).size
    for name, value in vars(interface).items():
        if name.startswith("WPERF_"):
            yield name, value


def compiled(expressions):
    """Their values."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "print")
        lines = "".join(f'printf("%llu\\n", (unsigned long long)({one}));\n' for one in expressions)
        subprocess.run(["gcc", "-x", "c", "-I", LIBRARY, "-o", program, "-"], check=True, text=True,
                       input=f'#include "wperf.h"\n#include <stdio.h>\nint main(void)\n{{\n{lines}}}\n')
        return list(map(int, subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()))


package = package_of(sys.argv[1])
module = load(package / "_interface.py")
expected = dict(figures(module))
assert len(expected) > 200, len(expected)
wrong = [(one, ours, real) for (one, ours), real in zip(expected.items(), compiled(expected)) if ours != real]
assert not wrong, wrong
declared = set(re.findall(r"WPERF_API [^;{}]*?(wperf_\w+)\(", (LIBRARY / "wperf.h").read_text()))
assert set(module.PROTOTYPES) == declared, set(module.PROTOTYPES) ^ declared
symbols = subprocess.run(["nm", "-D", "--defined-only", package / "libwperf.so"], check=True, capture_output=True,
                         text=True).stdout
exported = set(re.findall(r" T (wperf_\w+)", symbols))
assert exported == declared, exported ^ declared
print(f"{len(expected)} figures, {len(declared)} functions")
