/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_BUILD_ID_CACHE_H
#define WPERF_SESSION_BUILD_ID_CACHE_H

/**
 * The user's store of objects by build id, ~/.debug, in perf's layout. perf and programs that read
 * its files search it first, so that they find an object after its recording was moved.
 */

#include "base/error.h"
#include "record/record.h"

#include <stddef.h>

struct build_id_file {
	const char *path; /* absolute: the object's name in the recording */
	struct record_build_id build_id;
	const char *bytes;
	size_t size;
};

/** Store the file; if the user has no home or cannot write there, at its path. */
struct error *build_id_cache_add(const struct build_id_file *file);

#endif
