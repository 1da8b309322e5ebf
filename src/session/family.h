/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_FAMILY_H
#define WPERF_SESSION_FAMILY_H

/**
 * The target's processes: those that the user named, and their descendants. Each has a begin and an
 * end, because the system reuses process IDs. Times are CLOCK_MONOTONIC, as those of samples,
 * except for births.
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
	uint64_t began_ns;         /* 0: before wperf looked */
	uint64_t ended_ns;         /* or FAMILY_RUNS */
	bool is_told, is_end_told; /* for the owner */
};

struct family {
	struct family_member *members; /* by pid, then by begin */
	size_t num_members, cap_members;
};

#define FAMILY_INIT \
	{           \
	}

/** Does nothing if there is a member of this pid that has not ended. */
struct error *family_add(struct family *family, uint32_t pid, uint64_t birth_ns, uint64_t began_ns);

/** The member of this pid, if there is one, has ended. */
void family_end(struct family *family, uint32_t pid, uint64_t ended_ns);

/** Was this the pid of a member at that time? */
bool family_has(const struct family *family, uint32_t pid, uint64_t time_ns);

/** A list of all running processes. */
struct family_sight {
	const struct process_origin *origins; /* all of them, ascending by pid */
	size_t num_origins;
	uint64_t now_ns, wall_ns; /* when they were read: CLOCK_MONOTONIC, and CLOCK_REALTIME */
};

/** Missing members have ended; children of members are added. */
struct error *family_follow(struct family *family, const struct family_sight *sight);

/** Remove the members that had ended by then. */
void family_forget(struct family *family, uint64_t time_ns);

void family_deinit(struct family *family);

#endif
