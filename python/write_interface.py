# SPDX-License-Identifier: Apache-2.0
"""Writes wperf/_interface.py, what ctypes needs to know of libwperf, from wperf.h: its structs, enums and
functions. Usage: write_interface.py wperf.h OUTPUT"""
import pathlib
import re
import sys

HEAD = '''\
# Written by python/write_interface.py from wperf.h: not to be edited.
from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, Optional, Tuple
'''

FUNCTIONS_END = '''
    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        """Called once for each function, as it is an attribute from then on."""
        if name not in PROTOTYPES:
            raise AttributeError(name)
        function = getattr(self._library, name)
        function.restype, function.argtypes = PROTOTYPES[name]
        setattr(self, name, function)
        return function


PROTOTYPES: Dict[str, Tuple[Any, List[Any]]] = {'''

# Types of members: of ctypes, and as annotations.
SCALARS = {
    "size_t": ("ctypes.c_size_t", "int"),
    "uint32_t": ("ctypes.c_uint32", "int"),
    "uint64_t": ("ctypes.c_uint64", "int"),
    "int": ("ctypes.c_int", "int"),
    "unsigned": ("ctypes.c_uint", "int"),
    "bool": ("ctypes.c_bool", "bool"),
    "double": ("ctypes.c_double", "float"),
    "const char *": ("ctypes.c_char_p", "Optional[bytes]"),
    # Not c_char_p, of which ctypes makes bytes: the pointer itself is needed to free it.
    "char *": ("ctypes.c_void_p", "Optional[int]"),
    "char **": ("ctypes.POINTER(ctypes.c_void_p)", "Any"),
    "char *const *": ("ctypes.POINTER(ctypes.c_char_p)", "Any"),
    "void *": ("ctypes.c_void_p", "Optional[int]"),
    "const void *": ("ctypes.c_void_p", "Optional[int]"),
}


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


class Header:
    def __init__(self, text):
        text = without_comments(text)
        # Lines of the preprocessor, with those that continue them.
        text = re.sub(r"^[ \t]*#(.*\\\n)*.*$", "", text, flags=re.M)
        text = re.sub(r"\s+", " ", text)
        self.enums = {name: body for name, body in re.findall(r"enum (\w+) \{([^}]*)\};", text)}
        self.structs = dict(re.findall(r"struct (\w+) \{([^}]*)\};", text))
        self.functions = re.findall(r"WPERF_API ([^;{}]*?)(\w+)\(([^;]*)\);", text)

    def type_of(self, words):
        """@words: as in C, "const char *"."""
        words = words.strip()
        words = re.sub(r"\s*\*", " *", words).replace("* *", "**").strip()
        if words in SCALARS:
            return SCALARS[words]
        pointed = re.fullmatch(r"(\w+) \*", words)
        if pointed and pointed[1] in SCALARS:
            return f"ctypes.POINTER({SCALARS[pointed[1]][0]})", "Any"
        enum = re.fullmatch(r"enum (\w+)", words)
        if enum and enum[1] in self.enums:
            return "ctypes.c_int", "int"
        struct = re.fullmatch(r"(?:const )?struct (\w+)( \*+)?", words)
        if not struct:
            raise SystemExit(f"wperf.h: no type of ctypes is known for '{words}'")
        name, stars = struct[1], (struct[2] or "").strip()
        if name in self.structs:
            kind = name if not stars else f"ctypes.POINTER({name})"
            return kind, name if not stars else "Any"
        return ("ctypes.c_void_p", "Optional[int]") if stars == "*" else \
            ("ctypes.POINTER(ctypes.c_void_p)", "Any")

    def members_of(self, body):
        """Names, types of ctypes and annotations."""
        for statement in filter(None, map(str.strip, body.split(";"))):
            callback = re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", statement)
            if callback:
                kinds = [self.type_of(callback[1])[0], *self.parameters(callback[3])]
                yield callback[2], f"ctypes.CFUNCTYPE({', '.join(kinds)})", "Any"
                continue
            first, *others = statement.split(",")
            words, stars, name = re.fullmatch(r"(.*?)((?:\*(?:const )?\s*)*)(\w+)", first.strip()).groups()
            yield name, *self.type_of(words + stars)
            for other in others:
                stars, name = re.fullmatch(r"\s*((?:\*\s*)*)(\w+)", other).groups()
                yield name, *self.type_of(words + stars)

    def parameters(self, text):
        if text.strip() == "void":
            return []
        return [self.type_of(re.sub(r"\w+$", "", one.strip())) [0] for one in text.split(",")]

    def results(self, words):
        return ("None", "None") if words.strip() == "void" else self.type_of(words)


def write(header):
    yield HEAD
    yield "WPERF_NONE = 0xFFFFFFFF"
    for body in header.enums.values():
        yield ""
        for value, word in enumerate(filter(None, map(str.strip, body.split(",")))):
            if "=" in word:
                raise SystemExit(f"wperf.h: {word}: enums are expected to count from 0")
            yield f"{word} = {value}"
    for name, body in header.structs.items():
        members = list(header.members_of(body))
        yield f"\n\nclass {name}(ctypes.Structure):"
        yield from (f"    {member}: {annotation}" for member, _, annotation in members)
        yield "    _fields_ = ["
        yield from (f'        ("{member}", {kind}),' for member, kind, _ in members)
        yield "    ]"
    yield "\n\nclass Functions:"
    yield '    """Those of the library, ready to be called."""'
    for result, name, _ in header.functions:
        yield f"    {name}: Callable[..., {header.results(result)[1]}]"
    yield FUNCTIONS_END
    for result, name, parameters in header.functions:
        yield f'    "{name}": ({header.results(result)[0]}, [{", ".join(header.parameters(parameters))}]),'
    yield "}"


if __name__ == "__main__":
    source, target = map(pathlib.Path, sys.argv[1:])
    target.write_text("\n".join(write(Header(source.read_text(encoding="utf-8")))) + "\n", encoding="utf-8")
