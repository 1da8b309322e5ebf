/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Data of others for tests, in the folder WPERF_SHARED_DIR; most machines do not have it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

/** Ends the test as skipped, and says so in one line, where @path is not there. */
static inline void skip_without(const char *path)
{
	if (access(path, R_OK) == 0)
		return;
	print_message("skipped: no %s\n", path);
	skip();
}
