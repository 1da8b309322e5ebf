/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_COUNTING_H
#define WPERF_SESSION_COUNTING_H

/**
 * The loop of `stat`: a source counts while time passes, a command runs, or until somebody stops
 * it. The command is started so that counting begins with its first instruction.
 */

#include "session/target.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

struct counting;

enum { COUNTING_FOREVER = 0 }; /* as a duration: until something else ends it */

struct counting_config {
	struct count_plan plan; /* pids are filled in if there is a command */
	char *const *command;   /* NULL-terminated words, or NULL */
	enum child_output command_output;
	bool is_clock;       /* the command is not counted, it only says for how long */
	const char *sysroot; /* of the command's system; or NULL */
	bool counts_cores;   /* the source knows no processes: cores stay in the plan */
	bool counts_on;      /* from one count to the next without a gap, if the source can */
	bool is_endless;     /* only Ctrl-C ends it: simulated time passes as real time does */
};

struct counting_result {
	struct source_counts counts;
	uint64_t started_ns; /* since 1970; 0 in simulated time, unless that is real time */
	uint64_t elapsed_ns;
	enum target_end end;
};

#define COUNTING_RESULT_INIT \
	{                    \
	}

void counting_result_deinit(struct counting_result *result);

/** Get everything ready. The source and what the plan points at must outlive it. */
struct error *counting_create(struct source *source, const struct counting_config *config,
			      struct counting **ret);

/** Ends what is still running: a command that has not ended is ended. Accepts NULL. */
void counting_destroy(struct counting *counting);

static inline void counting_destroyp(struct counting **counting)
{
	counting_destroy(*counting);
}

/** Start a count, from zero, for so long. The first one starts the command, too. */
struct error *counting_begin(struct counting *counting, uint64_t duration_ns);

/**
 * Let time pass, until the count is over or @at_most_ns are.
 * @ret_over: is it over? Then counting_finish() is next. Simulated time is over at once, unless the
 * run is endless.
 */
struct error *counting_wait(struct counting *counting, uint64_t at_most_ns, bool *ret_over);

/**
 * Stop and read.
 * @ret: ended by counting_result_deinit(), also after a failure.
 */
struct error *counting_finish(struct counting *counting, struct counting_result *ret);

/** Let time pass between two counts; what ended it is told as that of a count. */
struct error *counting_pause(struct counting *counting, uint64_t duration_ns, enum target_end *ret);

struct target_command_end counting_command_end(const struct counting *counting);

#endif
