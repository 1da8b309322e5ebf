# SPDX-License-Identifier: Apache-2.0
"""Our table of offsets beside what a compiler makes of the headers of each interpreter here, for Linux
and, as far as there are compilers for it, for Windows."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pythons

PRINT = sys.argv[1]
OLDEST, NEWEST = 6, 12  # with a table; newer ones publish theirs
OLDEST_OF_WINDOWS = 8
FOLDER = "import sysconfig; print(sysconfig.get_paths()['include'])"

HEAD = """
#define Py_BUILD_CORE 1
#include <stddef.h>
#include <stdio.h>
#include <Python.h>
#include <frameobject.h>
"""
# What matters here of the configuration that CPython has for Windows (its PC/pyconfig.h, which no package
# of Debian has).
WINDOWS = """
#define MS_WIN32
#define MS_WINDOWS
#define MS_WIN64
#define NT_THREADS
#define WITH_THREAD
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_FPOS_T 8
#define SIZEOF_OFF_T 4
#define HAVE_STDARG_PROTOTYPES
#define HAVE_STDDEF_H
#define HAVE_SYS_TYPES_H
#define HAVE_SYS_STAT_H
#define HAVE_WCHAR_H
#define DOUBLE_IS_LITTLE_ENDIAN_IEEE754
#define PLATLIBDIR "lib"
"""
COMPILERS_OF_WINDOWS = [
    ["x86_64-w64-mingw32-gcc"],
    ["clang-19", "--target=aarch64-w64-windows-gnu", "-isystem", "/usr/share/mingw-w64/include"]]
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
    ("interpreter_modules", 6, 11, "PyInterpreterState", "modules"),
    ("interpreter_modules", 12, 12, "PyInterpreterState", "imports.modules"),
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
    ("type_cached_keys", 11, 12, "PyHeapTypeObject", "ht_cached_keys"),
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


def print_table(*words):
    return dict(line.split() for line in subprocess.run(
        [PRINT, *words], check=True, capture_output=True, text=True).stdout.splitlines())


def check_windows(include, minor, folder):
    """What our table says is asserted at compile time, as nothing is run. How many compilers said yes."""
    ours = print_table(str(minor), "windows")
    headers = pathlib.Path(folder, f"include{minor}")
    if not headers.exists():
        shutil.copytree(include, headers)
    (headers / "pyconfig.h").write_text(WINDOWS, encoding="ascii")
    text = source(minor).split("int main(void)")[0]
    text += "".join(f'_Static_assert(offsetof({struct}, {member}) == {ours[name]}, "{name}");\n'
                    for name, first, last, struct, member in MEMBERS if first <= minor <= last)
    text += "".join(f'_Static_assert(sizeof({struct}) == {ours[name]}, "{name}");\n'
                    for name, struct in SIZES)
    num = 0
    for compiler in filter(lambda words: shutil.which(words[0]), COMPILERS_OF_WINDOWS):
        subprocess.run([*compiler, "-w", f"-I{headers}", f"-I{headers}/internal", "-fsyntax-only", "-x", "c",
                        "-"], check=True, input=text, text=True)
        num += 1
    return num


def main():
    num = 0
    with tempfile.TemporaryDirectory() as folder:
        for python, minor in pythons.find_all():
            include = subprocess.run([python, "-c", FOLDER], capture_output=True, text=True,
                                     check=True).stdout.strip()
            if not OLDEST <= minor <= NEWEST or not os.path.exists(f"{include}/Python.h"):
                print(f"{python}: no headers, or no table")
                continue
            ours = print_table(str(minor))
            theirs = dict(line.split() for line in
                          compile_offsets(include, minor, folder).splitlines())
            wrong = {name: (ours[name], value) for name, value in theirs.items()
                     if ours[name] != value}
            assert not wrong, (python, wrong)
            compilers = check_windows(include, minor, folder) if minor >= OLDEST_OF_WINDOWS else 0
            print(f"{python}: {len(theirs)} offsets alike, and by {compilers} compilers for Windows")
            num += 1
    sys.exit(0 if num else 77)


if __name__ == "__main__":
    main()
