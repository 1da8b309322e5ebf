/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_COUNTING_H
#define WPERF_SESSION_COUNTING_H

/**
 * The loop of `stat`: a source counts for a duration, while a command runs, or until Ctrl-C. The
 * count of a command begins with its first instruction.
 *
 * Who has no loop, but counts lines of code of its own, calls counting_begin() without an end, then
 * counting_stop() and counting_read(). These make no system call that the source does not need, and
 * from the second time on they allocate nothing.
 */

#include "session/target.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

struct counting;

enum { COUNTING_FOREVER = 0 }; /* as a duration: until something else ends it */

#define COUNTING_DISABLED UINT64_MAX /* as a delay: nothing is counted until `control` says so */

struct control_channel;
struct control_command;

struct counting_config {
	struct count_plan plan; /* with a command, its pid is filled in */
	char *const *command;   /* NULL-terminated words, or NULL */
	enum child_output command_output;
	bool is_clock;       /* the command is not counted; it only sets the duration */
	const char *sysroot; /* of the command's system; or NULL */
	uint64_t delay_ns;   /* before anything is counted; COUNTING_DISABLED: until a command */
	struct control_channel *control; /* open: another program switches counting on and off; or
					    NULL */
	/** Prints the events of `control` that asks for them; false: not this way. */
	bool (*list_events)(void *context, const struct control_command *command);
	void *list_context;
	bool counts_cores; /* the source cannot count processes: cores stay in the plan */
	bool counts_on;    /* no gap between two counts, if the source can */
	bool is_endless;   /* only Ctrl-C ends it: simulated time passes as real time does */
	const struct wake_event *stop; /* ends a wait, as Ctrl-C does; or NULL */
};

struct counting_result {
	struct source_counts counts;
	uint64_t started_ns; /* since 1970; 0 in simulated time, unless that is real time */
	uint64_t began_ns;   /* on the clock of elapsed_ns: how far counts are from each other */
	uint64_t elapsed_ns;
	enum target_end end;
};

#define COUNTING_RESULT_INIT \
	{                    \
	}

void counting_result_deinit(struct counting_result *result);

/** Prepare everything. The source and the arrays of the plan must outlive it. */
struct error *counting_create(struct source *source, const struct counting_config *config,
			      struct counting **ret);

/** Ends a command that still runs. Accepts NULL. */
void counting_destroy(struct counting *counting);

static inline void counting_destroyp(struct counting **counting)
{
	counting_destroy(*counting);
}

/** Start a count from zero. The first one also starts the command. */
struct error *counting_begin(struct counting *counting, uint64_t duration_ns);

/**
 * Wait until the count is over, but at most @at_most_ns.
 * @ret_over: call counting_finish() next. Simulated time does not wait, unless the run is endless.
 */
struct error *counting_wait(struct counting *counting, uint64_t at_most_ns, bool *ret_over);

/**
 * Stop and read.
 * @ret: ended by counting_result_deinit(), also after a failure.
 */
struct error *counting_finish(struct counting *counting, struct counting_result *ret);

/**
 * How long the next wait lasts, whatever the count was begun with; the count goes on after it.
 * COUNTING_FOREVER: simulated time passes as real time does.
 */
void counting_limit(struct counting *counting, uint64_t duration_ns);

/** What ended the last wait; TARGET_TIME_UP: the time, or nothing. */
enum target_end counting_end(const struct counting *counting);

/** The two steps of counting_finish(). A stop does nothing if the count is stopped. */
struct error *counting_stop(struct counting *counting);

/** @ret: empty, or an earlier result, whose memory is used again. May be called while it counts. */
struct error *counting_read(struct counting *counting, struct counting_result *ret);

/** From the start to the stop, or to the last read. */
uint64_t counting_elapsed_ns(const struct counting *counting);

/** After a stop: count on, without a reset. */
struct error *counting_resume(struct counting *counting);

/** Wait between two counts. @ret: what ended the wait. */
struct error *counting_pause(struct counting *counting, uint64_t duration_ns, enum target_end *ret);

/** Collect the exit code of a command that has ended; does nothing while it runs. */
struct error *counting_collect(struct counting *counting);
struct target_command_end counting_command_end(const struct counting *counting);

#endif
