// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_program.h"

#include "base/file/file_name.h"

#include <string.h>

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

bool python_program_runs_script(const char *first_line)
{
	return strstr(first_line, "python") || strstr(first_line, "pypy");
}
