/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_SCRATCH_FOLDER_H
#define WPERF_TESTS_UNIT_SCRATCH_FOLDER_H

/** An empty folder that a test runs in: setup and teardown of cmocka, and files in it. */

#include "base/file/file_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int scratch_folder_enter(void **state)
{
	char *folder = strdup("/tmp/wperf_unit.XXXXXX");
	*state = folder;
	return folder && mkdtemp(folder) ? chdir(folder) : -1;
}

static inline int scratch_folder_leave(void **state)
{
	char command[100];
	snprintf(command, sizeof(command), "cd / && rm -r %s", (char *)*state);
	free(*state);
	return chdir("/") || system(command);
}

static inline void scratch_folder_write(const char *path, const char *text)
{
	FILE *stream = file_path_open(path, "w");
	assert_non_null(stream);
	fputs(text, stream);
	fclose(stream);
}

#endif
