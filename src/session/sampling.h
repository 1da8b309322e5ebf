/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SAMPLING_H
#define WPERF_SESSION_SAMPLING_H

/**
 * The loop of `sample`, `record` and `top`: a source samples while a command runs, for a duration,
 * or until Ctrl-C. Its records go to a profile builder, and into a file if there is one.
 */

#include "session/profile_builder.h"
#include "session/recorder/recorder.h"
#include "session/recording_file.h"
#include "session/target.h"
#include "source/source.h"

struct sampling;

enum { SAMPLING_FOREVER = 0 }; /* as a duration */

struct sampling_config {
	struct sample_plan plan; /* with a command, its pid is filled in */
	char *const *command;    /* NULL-terminated words, or NULL */
	bool is_clock;           /* the command is not sampled; it only sets the duration */
	enum child_output command_output;
	const char *sysroot; /* of the command's system; or NULL */
	uint64_t delay_ns;   /* before the command is sampled */
	bool samples_cores;  /* the source cannot sample processes: cores stay in the plan */
	bool picks_samples;  /* ... but its samples have a pid: those of others are dropped */
};

/**
 * Prepare everything. The source, the arrays of the config and @builder must outlive it.
 * @builder has the config's events already.
 */
struct error *sampling_create(struct source *source, const struct sampling_config *config,
			      struct profile_builder *builder, struct sampling **ret);

/** Before sampling_begin(): write every record to @file, which must outlive the sampling. */
void sampling_save(struct sampling *sampling, struct recording_file *file);

/** The same for a recording in several files, or of the last samples. */
void sampling_record(struct sampling *sampling, struct recorder *recorder);

/** Of the command, which has not begun yet; 0: there is none that is sampled. */
uint32_t sampling_command_pid(const struct sampling *sampling);

/** Ends a command that still runs. Accepts NULL. */
void sampling_destroy(struct sampling *sampling);
static inline void sampling_destroyp(struct sampling **sampling)
{
	sampling_destroy(*sampling);
}

/** Begin. The profile builder first gets the processes that run already. */
struct error *sampling_begin(struct sampling *sampling, uint64_t duration_ns);

/**
 * One round: wait for records, at most @at_most_ns, and process them.
 * @ret_over: call sampling_finish() next.
 */
struct error *sampling_round(struct sampling *sampling, uint64_t at_most_ns, bool *ret_over);

/** Between two rounds: what is in use now counts, see sample_ops.mark_moment(), which the source
 *  has. */
struct error *sampling_mark_moment(struct sampling *sampling);

/** Between two rounds: no samples until the next call, or samples again; with `can_pause` in the
 *  plan. Processes, and threads off the CPU, are followed all the time. A source that cannot goes
 *  on. */
struct error *sampling_pause(struct sampling *sampling, bool is_paused);

/**
 * Between two rounds: go on with another, empty profile builder, so that what a builder keeps of
 * processes and code that are gone can be freed. It first gets the processes that run now. No
 * sample is lost; one that is still in a buffer of the kernel has no names if its process ended
 * before this call.
 * @builder: as in sampling_create(). The old one is no longer used.
 */
struct error *sampling_renew(struct sampling *sampling, struct profile_builder *builder);

/** Is sampling_renew() possible? Not where the source tells of each process once, or is asked for
 *  what has changed. */
bool sampling_is_renewable(const struct sampling *sampling);

/** Stop, and process the remaining records. */
struct error *sampling_finish(struct sampling *sampling);

#define SAMPLING_ALL_EVENTS SIZE_MAX

/**
 * Between two rounds: no samples of this event, or of all, from now on, or samples again; what
 * becomes of processes is kept. With `can_pause` in the plan a source that can switches the event
 * off; samples that others take are dropped.
 * @event: of the plan, or SAMPLING_ALL_EVENTS.
 */
struct error *sampling_switch(struct sampling *sampling, size_t event, bool is_on);

/** The events of the plan. */
const struct event_list *sampling_events(const struct sampling *sampling);

/** As perf.data has them, in the same order; NULL: this source has none. */
const struct perf_data_event *sampling_file_events(const struct sampling *sampling);

struct sampling_state {
	uint64_t elapsed_ns;
	uint64_t drain_ns; /* the time that wperf spent on records */
	struct sample_totals totals;
	enum target_end end;
	struct target_command_end command;
};
struct sampling_state sampling_state(const struct sampling *sampling);

#endif
