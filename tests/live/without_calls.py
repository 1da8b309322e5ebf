# SPDX-License-Identifier: Apache-2.0
"""Become a program that gets EPERM for some calls of the system, as in a container.

without_calls.py NUMBER[,NUMBER ...] PROGRAM [ARGUMENTS]
"""
import ctypes
import errno
import os
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_void_p)]


def instruction(code, value, if_true=0):
    return struct.pack("HBBI", code, if_true, 0, value)


def refuse(numbers):
    program = instruction(LOAD, 0)  # the call's number
    for i, number in enumerate(numbers):
        program += instruction(JUMP_IF_EQUAL, number, len(numbers) - i)
    program += instruction(RETURN, ALLOW) + instruction(RETURN, REFUSE)
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(program)
    wanted = Filter(len(program) // 8, ctypes.addressof(code))
    if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(wanted), 0, 0)):
        sys.exit(f"no filter: {os.strerror(ctypes.get_errno())}")


refuse([int(number) for number in sys.argv[1].split(",")])
os.execv(sys.argv[2], sys.argv[2:])
