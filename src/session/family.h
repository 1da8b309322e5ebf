/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_FAMILY_H
#define WPERF_SESSION_FAMILY_H

/**
 * The processes that a run is about: those it was asked for, and what these start, each from its
 * beginning to its end, as numbers are used again. Times are of CLOCK_MONOTONIC, as those of
 * samples, but for births.
 */

#include "base/error.h"
#include "process/process_origin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAMILY_RUNS = 0 }; /* instead of an end */

struct family_member {
	uint32_t pid;
	uint64_t birth_ns;         /* as process_origin.birth_ns; 0: not known */
	uint64_t began_ns;         /* it was not there before; 0: since before we looked */
	uint64_t ended_ns;         /* it is not there afterwards; or FAMILY_RUNS */
	bool is_told, is_end_told; /* the owner's own */
};

struct family {
	struct family_member *members; /* by number, then in the order in which they began */
	size_t num_members, cap_members;
};

#define FAMILY_INIT \
	{           \
	}

/** One that is there already, and has not ended, is not added again. */
struct error *family_add(struct family *family, uint32_t pid, uint64_t birth_ns, uint64_t began_ns);

/** The member of this number, if there is one, has ended. */
void family_end(struct family *family, uint32_t pid, uint64_t ended_ns);

/** Was this a member's number at that time? */
bool family_has(const struct family *family, uint32_t pid, uint64_t time_ns);

/** What runs, and since when. */
struct family_sight {
	const struct process_origin *origins; /* all of them, ascending by pid */
	size_t num_origins;
	uint64_t now_ns, wall_ns; /* when they were read: CLOCK_MONOTONIC, and CLOCK_REALTIME */
};

/** Members that are not there any more have ended; what members have started joins. */
struct error *family_follow(struct family *family, const struct family_sight *sight);

/** Forget who had ended by then. */
void family_forget(struct family *family, uint64_t time_ns);

void family_deinit(struct family *family);

#endif
