# SPDX-License-Identifier: Apache-2.0
"""libwperf, which is in this folder, and how its errors and texts become those of Python."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Iterator, Optional, TypeVar, Union

from . import _interface as c

FOLDER = os.path.dirname(os.path.abspath(__file__))
KINDS = {
    c.WPERF_ERROR_FAILED: "failed",
    c.WPERF_ERROR_USAGE: "usage",
    c.WPERF_ERROR_ABSENT: "absent",
    c.WPERF_ERROR_NO_MEMORY: "no memory",
    c.WPERF_ERROR_CANCELLED: "cancelled",
}

_Item = TypeVar("_Item", bound=ctypes.Structure)


class Error(Exception):
    """What failed: `message`, and what to do: `hint`, which may be None. `kind` is "failed", "usage"
    (what was asked for makes no sense), "absent" (nothing has that name), "no memory" or "cancelled"."""

    def __init__(self, message: str, hint: Optional[str] = None, kind: str = "failed") -> None:
        super().__init__(message, hint, kind)
        self.message = message
        self.hint = hint
        self.kind = kind

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


def _load() -> c.Functions:
    beside = os.path.join(FOLDER, "libwperf.so")
    return c.Functions(ctypes.CDLL(beside if os.path.exists(beside) else "libwperf.so.0"))


library = _load()


def text(given: Optional[bytes]) -> str:
    return given.decode(errors="replace") if given else ""


def text_or_none(given: Optional[bytes]) -> Optional[str]:
    return None if given is None else given.decode(errors="replace")


def word(given: Union[str, "os.PathLike[str]", None]) -> Optional[bytes]:
    """As the library takes it."""
    return None if given is None else os.fsencode(given)


VERSION = text(library.wperf_library_version())


def check(error: Optional[int]) -> None:
    """Raises what a call gave back."""
    if not error:
        return
    try:
        raise Error(text(library.wperf_error_message(error)), text_or_none(library.wperf_error_hint(error)),
                    KINDS.get(library.wperf_error_kind_of(error), "failed"))
    finally:
        library.wperf_error_free(error)


def sized(kind: type[_Item], **members: Any) -> _Item:
    """A configuration of the library."""
    return kind(size=ctypes.sizeof(kind), **members)


def each(function: Any, owner: Any, kind: type[_Item]) -> Iterator[_Item]:
    """The items that a function of the library gives by their number. Each is valid until the next."""
    item = kind()
    number = 0
    while function(owner, number, ctypes.byref(item)):
        yield item
        number += 1


def number_or_none(number: int) -> Optional[int]:
    return None if number == c.WPERF_NONE else number


class Session:
    """Where numbers come from; each count and each sampling has one of its own."""

    def __init__(self, source: Optional[str] = None) -> None:
        self.handle: Optional[int] = None
        ret = ctypes.c_void_p()
        config = sized(c.wperf_session_config, source=word(source))
        check(library.wperf_session_open(ctypes.byref(config), ctypes.byref(ret)))
        self.handle = ret.value

    def close(self) -> None:
        library.wperf_session_close(self.handle)
        self.handle = None


SCOPES = {"process": c.WPERF_SCOPE_PROCESS, "thread": c.WPERF_SCOPE_THREAD, "machine": c.WPERF_SCOPE_MACHINE}


def scope_of(scope: str) -> int:
    if scope not in SCOPES:
        raise Error(f"unknown scope '{scope}'", f"there are {', '.join(SCOPES)}", "usage")
    return SCOPES[scope]


def pids_of(pids: Any) -> Optional[bytes]:
    """@pids: a number, several, or None."""
    if pids is None:
        return None
    return ",".join(map(str, [pids] if isinstance(pids, int) else pids)).encode()
