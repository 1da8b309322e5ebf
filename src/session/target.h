/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_TARGET_H
#define WPERF_SESSION_TARGET_H

/**
 * What a run is about: a command that we start, processes that are there already, or whole cores;
 * and whether it is over, because it ended, its time is up, or somebody wants us to stop.
 */

#include "session/child.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

/** Why a run ended. */
enum target_end {
	TARGET_TIME_UP,
	TARGET_ENDED,       /* the command, or all processes that were watched */
	TARGET_INTERRUPTED, /* Ctrl-C */
};

struct target {
	struct child child;
	bool has_command, is_released;
	bool is_clock; /* the command is not what the run is about, it only says for how long */
	const uint32_t *pids; /* the command's, or the caller's */
	size_t num_pids;
	int fd; /* of a single process: readable when it has ended; else -1 */
};

#define TARGET_INIT                            \
	{                                      \
		.child = CHILD_INIT, .fd = -1, \
	}

/** A command, and where it runs. */
struct target_command {
	char *const *words;    /* ends with NULL */
	const char *sysroot;   /* of its system, if that is not ours; or NULL */
	struct source *source; /* which may have a machine of its own to run it in */
	const unsigned *cores; /* that it is bound to; none: wherever we may */
	size_t num_cores;
	enum child_output output;
};

/** A command that waits before its first instruction. */
struct error *target_spawn(struct target *target, const struct target_command *command);

/** Processes that run; none: only time and Ctrl-C end the run. @pids must outlive the target. */
struct error *target_watch(struct target *target, const uint32_t *pids, size_t num_pids);

/** The command goes; without one nothing happens. Once. */
struct error *target_release(struct target *target);

/** Have the things it is about ended, or does somebody want to stop? Does not wait. */
struct error *target_poll(const struct target *target, enum target_end *ret);

/** The same, waiting at most so long. TARGET_TIME_UP: that time is up. */
struct error *target_wait(const struct target *target, uint64_t timeout_ns, enum target_end *ret);

/** How the command ended. */
struct target_command_end {
	bool has_ended;
	int exit_code; /* 128 + signal if it was killed */
	uint64_t user_ns, system_ns;
};

/** After TARGET_ENDED; takes what the command left. */
struct error *target_collect(struct target *target);
struct target_command_end target_command_end(const struct target *target);

/** A command that has not ended is ended. */
void target_deinit(struct target *target);

#endif
