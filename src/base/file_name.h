/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_NAME_H
#define WPERF_BASE_FILE_NAME_H

/** What stands behind the last slash of a path; all of it if there is none. */

#include <string.h>

static inline const char *file_name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

#endif
