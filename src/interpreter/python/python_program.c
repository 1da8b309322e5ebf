// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_program.h"

#include "base/file/file_name.h"

#include <string.h>

// Names are only a first guess, which costs no look into the file: python3, python3.11d, pypy3, and
// of mapped files libpython3.11.so.1.0, which programs load that embed Python. Whether there is an
// interpreter is found in the file (layout/python_runtime.c). PyPy counts here, though wperf cannot
// read it, so that the user gets the reason and not just a profile without lines.

bool python_program_is_name(const char *path)
{
	const char *name = file_name_of(path);
	return strncmp(name, "python", strlen("python")) == 0 ||
	       strncmp(name, "pypy", strlen("pypy")) == 0;
}

bool python_program_is_mapped_as(const char *path)
{
	const char *name = file_name_of(path);
	return python_program_is_name(path) ||
	       strncmp(name, "libpython", strlen("libpython")) == 0 ||
	       strncmp(name, "libpypy", strlen("libpypy")) == 0;
}

/** As in "#!/usr/bin/python3" and "#!/usr/bin/env python3". */
bool python_program_runs_script(const char *first_line)
{
	return strstr(first_line, "python") || strstr(first_line, "pypy");
}
