/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDER_PART_NAMES_H
#define WPERF_SESSION_RECORDER_PART_NAMES_H

/**
 * The names of the files of one run: FILE.YYYYMMDDHHMMSSnn, by the time (UTC) at which they are
 * written, nn being hundredths of a second. perf names its files so, in local time. If only the
 * newest ones are kept, the oldest of this run are removed.
 */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct part_names {
	const char *path;   /* FILE */
	uint32_t max_files; /* 0: all are kept */
	/* private */
	char **kept; /* oldest first */
	size_t num_kept, cap_kept;
};

/** A name that no file has. @wall_ns: since 1970. @ret: to be freed. */
struct error *part_names_choose(const struct part_names *names, uint64_t wall_ns, char **ret);

/** A file of this name is complete. */
struct error *part_names_keep(struct part_names *names, const char *path);

void part_names_deinit(struct part_names *names);

#endif
