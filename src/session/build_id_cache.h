/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_BUILD_ID_CACHE_H
#define WPERF_SESSION_BUILD_ID_CACHE_H

/**
 * The user's store of objects by build id, ~/.debug, where perf and the programs that read its
 * files look first, wherever the recording is by then. Its layout is perf's.
 */

#include "base/error.h"
#include "record/record.h"

#include <stddef.h>

struct build_id_file {
	const char *path; /* absolute: what it is known by */
	struct record_build_id build_id;
	const char *bytes;
	size_t size;
};

/** What cannot be stored there, as the user has no home or may not write to it, goes to its path.
 */
struct error *build_id_cache_add(const struct build_id_file *file);

#endif
