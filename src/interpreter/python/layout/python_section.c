// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_section.h"

#include <stdio.h>

struct object_bytes python_section_find(struct object *object, const char *name)
{
	enum { MAX_NAME = 64, MOST_OF_WINDOWS = 8 };
	char whole[MAX_NAME];
	// CPython names the section ".PyRuntime" for ELF and "PyRuntime" for PE, whose section
	// headers have room for 8 bytes: "PyRuntim".
	if (object_is_windows(object))
		snprintf(whole, sizeof(whole), "%.*s", MOST_OF_WINDOWS, name);
	else
		snprintf(whole, sizeof(whole), ".%s", name);
	return object_section(object, whole);
}
