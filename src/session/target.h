/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_TARGET_H
#define WPERF_SESSION_TARGET_H

/**
 * What a run profiles: a command that wperf starts, running processes, or whole cores; and whether
 * the run is over: the target has ended, the time is up, or the user has pressed Ctrl-C.
 *
 * A command next to running processes or cores is a clock: it is not profiled, and the run lasts
 * as long as it does. If the processes end before their clock, the run ends with them.
 */

#include "session/program/child.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

/** Why a run ended. */
enum target_end {
	TARGET_TIME_UP,
	TARGET_ENDED,       /* the command, or all watched processes */
	TARGET_INTERRUPTED, /* Ctrl-C, the event of `stop`, or a command of --control */
	TARGET_COMMANDED,   /* it goes on, but a command of `control` waits to be read */
};

struct wake_event;
struct control_channel;

struct target {
	struct child child;
	bool has_command, is_released;
	bool is_clock; /* the command is not profiled: it only sets the duration */
	int fd; /* for a wait: readable when the command, or else the only process, has ended;
		   -1: there is neither */
	const struct wake_event *stop;         /* a request to stop, besides Ctrl-C; or NULL */
	const struct control_channel *control; /* without `stop`; or NULL */
	/* private */
	int *watches; /* of the running processes: see process/process_watch.h */
	size_t num_watches;
};

#define TARGET_INIT                            \
	{                                      \
		.child = CHILD_INIT, .fd = -1, \
	}

/** A command, and where it runs. */
struct target_command {
	char *const *words;    /* ends with NULL */
	const char *sysroot;   /* for programs of another machine; or NULL */
	struct source *source; /* may run it in an emulator */
	const unsigned *cores; /* that it is bound to; none: the same as wperf */
	size_t num_cores;
	enum child_output output;
	bool is_clock;
};

/**
 * Watch running processes; none: only time and Ctrl-C end the run. An error if one of them does not
 * exist. Before target_spawn(), so that no clock is started for a target that cannot be profiled.
 */
struct error *target_watch(struct target *target, const uint32_t *pids, size_t num_pids);

/** Start the command; it waits before its first instruction until target_release(). */
struct error *target_spawn(struct target *target, const struct target_command *command);

/** Let the command run; does nothing without a command, or the second time. */
struct error *target_release(struct target *target);

/** Why the run is over; TARGET_TIME_UP: it is not. Does not wait. */
struct error *target_poll(const struct target *target, enum target_end *ret);

/** The same, but waits for an end until @timeout_ns have passed. */
struct error *target_wait(const struct target *target, uint64_t timeout_ns, enum target_end *ret);

/** How the command ended. */
struct target_command_end {
	bool has_ended;
	int exit_code; /* 128 + signal if it was killed */
	uint64_t user_ns, system_ns;
};

/** Collect the exit code and the times of a command that has ended; does nothing while it runs. */
struct error *target_collect(struct target *target);
struct target_command_end target_command_end(const struct target *target);

/** Ends a command that still runs. */
void target_deinit(struct target *target);

#endif
