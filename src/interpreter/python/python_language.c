// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_language.h"

#include "interpreter/python/python_roles.h"

#include <stddef.h>

enum { DWARF_PYTHON = 0x14 }; // DW_LANG_Python: DWARF 4, 7.12

// As the site module of CPython adds them to sys.path; dist-packages is Debian's.
static const char *const package_folders[] = {"/site-packages/", "/dist-packages/", NULL};

const struct language python_language = {
	.name = "Python",
	.dwarf = DWARF_PYTHON,
	.frame_type = "cpython",
	.jit_mark = "py::", // Python/perf_trampoline.c of CPython
	.package_folders = package_folders,
	.library_folder = "/lib/python",
	.nameless_prefix = "__",
	.module_function = "<module>",
	.roles = python_roles,
};
