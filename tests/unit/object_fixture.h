/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_OBJECT_FIXTURE_H
#define WPERF_TESTS_UNIT_OBJECT_FIXTURE_H

/** A folder with objects that the tests compile; its path is the state of the tests. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int object_fixture_create(void **state)
{
	static char folder[] = "/tmp/wperf-object-XXXXXX";
	*state = mkdtemp(folder);
	return *state ? 0 : -1;
}

static inline int object_fixture_destroy(void **state)
{
	char command[100];
	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	return system(command);
}

/** Runs a shell command in the folder and gives what it prints, to be freed; it must work. */
__attribute__((format(printf, 2, 3))) static inline char *run_in(void **state, const char *format,
								 ...)
{
	char command[4096];
	int used = snprintf(command, sizeof(command), "cd '%s' && { ", (char *)*state);
	va_list arguments;
	va_start(arguments, format);
	used += vsnprintf(command + used, sizeof(command) - (size_t)used, format, arguments);
	va_end(arguments);
	assert_in_range(used, 0, sizeof(command) - 4);
	strcat(command, "; }");
	FILE *output = popen(command, "r");
	assert_non_null(output);
	char *text = NULL;
	size_t capacity = 0;
	ssize_t length = getdelim(&text, &capacity, 0, output);
	assert_int_equal(pclose(output), 0);
	if (length <= 0)
		text[0] = '\0';
	return text;
}

/** Writes a file into the folder. */
static inline void write_in(void **state, const char *name, const char *content)
{
	char path[200];
	snprintf(path, sizeof(path), "%s/%s", (char *)*state, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
}

/** The path of a file in the folder; valid until the next call. */
static inline const char *path_in(void **state, const char *name)
{
	static char path[200];
	snprintf(path, sizeof(path), name[0] == '/' ? "%.0s%s" : "%s/%s", (char *)*state, name);
	return path;
}

#endif
