# SPDX-License-Identifier: Apache-2.0
"""Our table of offsets beside what a compiler makes of the headers of each interpreter here."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pythons

PRINT = sys.argv[1]
OLDEST, NEWEST = 6, 12  # with a table; newer ones publish theirs
FOLDER = "import sysconfig; print(sysconfig.get_paths()['include'])"

HEAD = """
#define Py_BUILD_CORE 1
#include <stddef.h>
#include <stdio.h>
#include <Python.h>
#include <frameobject.h>
"""
# Since which minor version there is a header.
HEADERS = [(7, 7, "internal/pystate.h"), (8, 12, "internal/pycore_pystate.h"),
           (9, 12, "internal/pycore_runtime.h"), (9, 12, "internal/pycore_interp.h"),
           (11, 12, "internal/pycore_frame.h"), (12, 12, "internal/pycore_gil.h")]
# Our member, the first and the last minor version, the struct and its member.
MEMBERS = [
    ("runtime_interpreters", 7, 12, "_PyRuntimeState", "interpreters.head"),
    ("interpreter_next", 6, 12, "PyInterpreterState", "next"),
    ("interpreter_id", 7, 12, "PyInterpreterState", "id"),
    ("interpreter_threads", 6, 10, "PyInterpreterState", "tstate_head"),
    ("interpreter_threads", 11, 12, "PyInterpreterState", "threads.head"),
    ("interpreter_gil", 12, 12, "PyInterpreterState", "ceval.gil"),
    ("gil_holder", 7, 11, "_PyRuntimeState", "ceval.gil.last_holder"),
    ("gil_locked", 7, 11, "_PyRuntimeState", "ceval.gil.locked"),
    ("gil_holder", 12, 12, "struct _gil_runtime_state", "last_holder"),
    ("gil_locked", 12, 12, "struct _gil_runtime_state", "locked"),
    ("thread_next", 6, 12, "PyThreadState", "next"),
    ("thread_interpreter", 6, 12, "PyThreadState", "interp"),
    ("thread_id", 6, 12, "PyThreadState", "thread_id"),
    ("thread_native_id", 11, 12, "PyThreadState", "native_thread_id"),
    ("thread_status", 12, 12, "PyThreadState", "_status"),
    ("thread_frame", 6, 10, "PyThreadState", "frame"),
    ("thread_frame", 11, 12, "PyThreadState", "cframe"),
    ("thread_cframe", 10, 11, "PyThreadState", "cframe"),
    ("cframe_previous", 10, 10, "CFrame", "previous"),
    ("cframe_previous", 11, 11, "_PyCFrame", "previous"),
    ("thread_chunk", 11, 12, "PyThreadState", "datastack_chunk"),
    ("frame_back", 6, 10, "PyFrameObject", "f_back"),
    ("frame_code", 6, 10, "PyFrameObject", "f_code"),
    ("frame_instruction", 6, 10, "PyFrameObject", "f_lasti"),
    ("frame_mark", 6, 9, "PyFrameObject", "f_executing"),
    ("frame_mark", 10, 10, "PyFrameObject", "f_state"),
    ("frame_locals", 6, 10, "PyFrameObject", "f_localsplus"),
    ("frame_back", 11, 12, "_PyInterpreterFrame", "previous"),
    ("frame_code", 11, 12, "_PyInterpreterFrame", "f_code"),
    ("frame_instruction", 11, 12, "_PyInterpreterFrame", "prev_instr"),
    ("frame_mark", 11, 11, "_PyInterpreterFrame", "is_entry"),
    ("frame_mark", 12, 12, "_PyInterpreterFrame", "owner"),
    ("frame_locals", 11, 12, "_PyInterpreterFrame", "localsplus"),
    ("code_file", 6, 12, "PyCodeObject", "co_filename"),
    ("code_name", 6, 12, "PyCodeObject", "co_name"),
    ("code_lines", 6, 9, "PyCodeObject", "co_lnotab"),
    ("code_lines", 10, 12, "PyCodeObject", "co_linetable"),
    ("code_first_line", 6, 12, "PyCodeObject", "co_firstlineno"),
    ("code_qualified_name", 11, 12, "PyCodeObject", "co_qualname"),
    ("code_bytecode", 11, 12, "PyCodeObject", "co_code_adaptive"),
    ("code_num_locals", 6, 10, "PyCodeObject", "co_nlocals"),
    ("code_local_names", 6, 10, "PyCodeObject", "co_varnames"),
    ("code_num_locals", 11, 12, "PyCodeObject", "co_nlocalsplus"),
    ("code_local_names", 11, 12, "PyCodeObject", "co_localsplusnames"),
    ("code_local_kinds", 11, 12, "PyCodeObject", "co_localspluskinds"),
    ("object_type", 6, 12, "PyObject", "ob_type"),
    ("type_name", 6, 12, "PyTypeObject", "tp_name"),
    ("type_flags", 6, 12, "PyTypeObject", "tp_flags"),
    ("bytes_size", 6, 12, "PyBytesObject", "ob_base.ob_size"),
    ("bytes_data", 6, 12, "PyBytesObject", "ob_sval"),
    ("tuple_items", 6, 12, "PyTupleObject", "ob_item"),
    ("dict_used", 6, 12, "PyDictObject", "ma_used"),
    ("float_value", 6, 12, "PyFloatObject", "ob_fval"),
    ("long_digits", 6, 11, "PyLongObject", "ob_digit"),
    ("long_digits", 12, 12, "PyLongObject", "long_value.ob_digit"),
    ("string_length", 6, 12, "PyASCIIObject", "length"),
    ("string_state", 6, 12, "PyASCIIObject", "state"),
]
SIZES = [("string_ascii", "PyASCIIObject"), ("string_compact", "PyCompactUnicodeObject")]


def source(minor):
    lines = [HEAD]
    lines += [f"#include <{name}>" for first, last, name in HEADERS if first <= minor <= last]
    lines += ["int main(void)", "{"]
    lines += [f'\tprintf("{ours} %zu\\n", offsetof({struct}, {member}));'
              for ours, first, last, struct, member in MEMBERS if first <= minor <= last]
    lines += [f'\tprintf("{ours} %zu\\n", sizeof({struct}));' for ours, struct in SIZES]
    return "\n".join([*lines, "\treturn 0;", "}", ""])


def compile_offsets(include, minor, folder):
    program = pathlib.Path(folder, "offsets")
    subprocess.run(["gcc", "-w", f"-I{include}", "-x", "c", "-", "-o", program], check=True,
                   input=source(minor), text=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def main():
    num = 0
    with tempfile.TemporaryDirectory() as folder:
        for python, minor in pythons.find_all():
            include = subprocess.run([python, "-c", FOLDER], capture_output=True, text=True,
                                     check=True).stdout.strip()
            if not OLDEST <= minor <= NEWEST or not os.path.exists(f"{include}/Python.h"):
                print(f"{python}: no headers, or no table")
                continue
            ours = dict(line.split() for line in subprocess.run(
                [PRINT, str(minor)], check=True, capture_output=True,
                text=True).stdout.splitlines())
            theirs = dict(line.split() for line in
                          compile_offsets(include, minor, folder).splitlines())
            wrong = {name: (ours[name], value) for name, value in theirs.items()
                     if ours[name] != value}
            assert not wrong, (python, wrong)
            print(f"{python}: {len(theirs)} offsets alike")
            num += 1
    sys.exit(0 if num else 77)


if __name__ == "__main__":
    main()
