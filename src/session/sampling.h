/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SAMPLING_H
#define WPERF_SESSION_SAMPLING_H

/**
 * The loop of `sample`, `record` and `top`: a source samples while a command runs, time passes, or
 * until somebody stops it; its records go into a recording, and into a file if there is one.
 */

#include "session/recording.h"
#include "session/recording_file.h"
#include "session/target.h"
#include "source/source.h"

struct sampling;

enum { SAMPLING_FOREVER = 0 }; /* as a duration */

struct sampling_config {
	struct sample_plan plan; /* pids are filled in if there is a command */
	char *const *command;    /* NULL-terminated words, or NULL */
	bool is_clock;           /* the command is not sampled, it only says for how long */
	enum child_output command_output;
	const char *sysroot; /* of the command's system; or NULL */
	uint64_t delay_ns;   /* that the command runs before it is sampled */
	bool samples_cores;  /* the source knows no processes: cores stay in the plan */
	bool picks_samples;  /* ... but its samples do: those of others are left out */
};

/**
 * Get everything ready. The source, what the config points at and @recording must outlive it.
 * @recording has the config's events already.
 */
struct error *sampling_create(struct source *source, const struct sampling_config *config,
			      struct recording *recording, struct sampling **ret);

/** Before it begins: @file gets every record. It must outlive the sampling. */
void sampling_save(struct sampling *sampling, struct recording_file *file);

/** What still runs is ended: a command, too. Accepts NULL. */
void sampling_destroy(struct sampling *sampling);
static inline void sampling_destroyp(struct sampling **sampling)
{
	sampling_destroy(*sampling);
}

/** Begin, for so long. What runs already is told to the recording first. */
struct error *sampling_begin(struct sampling *sampling, uint64_t duration_ns);

/**
 * One round: wait for records, at most so long, and take them in.
 * @ret_over: is it over? Then sampling_finish() is next.
 */
struct error *sampling_round(struct sampling *sampling, uint64_t at_most_ns, bool *ret_over);

/** Stop, and take in what is left. */
struct error *sampling_finish(struct sampling *sampling);

struct sampling_state {
	uint64_t elapsed_ns;
	uint64_t drain_ns; /* of our own time spent on records */
	struct sample_totals totals;
	enum target_end end;
	struct target_command_end command;
};
struct sampling_state sampling_state(const struct sampling *sampling);

#endif
