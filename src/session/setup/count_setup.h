/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_COUNT_SETUP_H
#define WPERF_SESSION_SETUP_COUNT_SETUP_H

/** What `stat` begins with: from what the user asked for to the plan of a count. */

#include "process/system/cgroup_folder.h"
#include "session/counting.h"
#include "session/session.h"
#include "session/setup/run_request.h"

#include <stdbool.h>
#include <stdint.h>

/** What the user asked for. */
struct count_request {
	struct run_words words;
	bool only_named;  /* no events by default, if no words name any */
	bool with_caches; /* the generic events of caches, behind all others */
	bool kernel, per_thread;
	uint32_t channel;   /* of memory; or COUNT_ALL_CHANNELS */
	bool raises_limits; /* of this process, which is ours alone: that of open files */

	char *const *command; /* to start and to count, ends with NULL; or NULL */
	char *const *clock;   /* without it: only says for how long; or NULL */
	enum child_output command_output;
	const char *pids;     /* "12,34": these processes; or NULL */
	const char *cgroups;  /* "a,b": what these control groups run on the cores; or NULL */
	uint32_t only_thread; /* of the only process, this one alone; 0: all */
	const char *sysroot;  /* where the files of the command are; or NULL */
	uint64_t delay_ns;    /* before anything is counted; COUNTING_DISABLED */

	bool counts_on;  /* count after count, without a gap */
	bool is_endless; /* only Ctrl-C, or the target, ends it */
};

struct count_setup {
	const struct count_request *asked;
	struct session *session; /* open; the caller's */
	struct run_request request;
	struct counting_config config;
	char *target_name; /* "'sleep 1'", of the command; or NULL */
	struct cgroup_folders cgroups;
	/* private */
	uint32_t *pids;
	struct count_core_plan *core_plans;
	int *cgroup_fds;
};

/**
 * Find the events that are wanted, in the setup's session, whose warnings get lines for the user.
 * The session and @asked must outlive @setup, which is ended with count_setup_deinit() also
 * after a failure.
 */
struct error *count_setup_find_events(struct count_setup *setup, const struct count_request *asked);

/** Find the target, and make the plan. Nothing is started. */
struct error *count_setup_finish(struct count_setup *setup);

void count_setup_deinit(struct count_setup *setup);

#endif
