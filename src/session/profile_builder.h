/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROFILE_BUILDER_H
#define WPERF_SESSION_PROFILE_BUILDER_H

/**
 * Builds a profile from records: applies them in time order, and adds each sample to the sum of its
 * stack, thread and event. Names are looked up at the end.
 */

#include "interpreter/interpreted_frames.h"
#include "process/process_table.h"
#include "process/process_users.h"
#include "profile/named_profile.h"
#include "profile/tree/frame_table.h"
#include "record/collection_method.h"
#include "record/record.h"
#include "session/live/live_samples.h"
#include "session/process_lives.h"
#include "session/thread_times.h"
#include "stack/native_unwind.h"
#include "symbols/module_file.h"
#include "symbols/symbolizer.h"

#include <stdbool.h>
#include <stdint.h>

struct profile_builder;

/** The name of the event whose samples are of threads that leave their CPU. */
#define OFF_CPU_NAME "off-cpu"

struct profile_builder_config {
	const char *machine;    /* as uname has it */
	bool keeps_samples;     /* each with its time; else equal samples are summed up */
	bool keeps_no_samples;  /* only their chains are made: profile_builder_last_chain() */
	bool has_callers;       /* else a sample's stack is only its own address */
	bool has_call_branches; /* a sample's branches are the calls that have not returned */
	bool walks_stacks;      /* unwind samples with registers and a copy of the stack */
	struct module_file_search files; /* for unwinding */
	uint64_t max_table_bytes; /* for unwinding, see stack_walker_limit_tables(); 0: no limit */
	bool reads_stacks;        /* of interpreted code, above the copy, from the process */
	bool with_interpreted;    /* samples get the frames of interpreters */
	enum interpreted_rule interpreted_rule;
	enum collection_method collection_method; /* for these three see interpreted_frames.h */
	bool stops_threads;
	struct interpreted_extras extras; /* as well */
	bool only_with_gil; /* samples of threads that did not hold the GIL are left out */
	/** Samples of @off_cpu_event are of threads that leave their CPU; the weight is the time
	 *  until the thread is back. */
	bool has_off_cpu;
	uint32_t off_cpu_event;
	bool has_wakes; /* samples of @wake_event say who ends these absences: record/wake.h */
	uint32_t wake_event;
	bool joins_wakers;      /* ... and stand on their stacks, with who woke them, and so on */
	bool with_spe;          /* SPE statistics, and SPE's latency as an event of its own */
	bool tells_spe_threads; /* SPE statistics per thread, for filters */
	bool reads_users;       /* of processes, which run here: for file_rights */
	bool leaves_out_idle;   /* samples of idle CPUs are only counted: see idle_samples.h */
};

struct error *profile_builder_create(const struct profile_builder_config *config,
				     struct profile_builder **ret);
void profile_builder_destroy(struct profile_builder *builder);
static inline void profile_builder_destroyp(struct profile_builder **builder)
{
	profile_builder_destroy(*builder);
}

/** Before the first sample: add the events, in the order of their numbers in records (0, 1, ...).
 */
struct error *profile_builder_add_event(struct profile_builder *builder,
					const struct named_event *event);

/** For the strings of events and of the profile's metadata. */
struct named_profile *profile_builder_profile(struct profile_builder *builder);

/** Of its interpreted code, as far as is known; until profile_builder_finish(). */
const struct language *profile_builder_language(const struct profile_builder *builder);

struct error *profile_builder_add(struct profile_builder *builder, const struct record *record);

/** With keeps_no_samples: nothing older than this is asked for any more. What is known of processes
 *  that ended before then is forgotten, now and then. */
struct error *profile_builder_forget(struct profile_builder *builder, uint64_t before_ns);

/** Is the last record none for a recording: a sample that the config excludes, or one of memory
 *  that may still be freed, or its free? */
bool profile_builder_has_left_out(const struct profile_builder *builder);

/** After the last record. @time_ns: the end, on the clock of the samples; threads that are off the
 *  CPU were so until then. */
struct error *profile_builder_end(struct profile_builder *builder, uint64_t time_ns);

/** Samples of memory that was not freed, which profile_builder_end() adds: for a recording. See
 *  live_samples_next(). */
const struct live_sample *profile_builder_next_live(const struct profile_builder *builder,
						    size_t *index);

/**
 * While recording, beside the records: the next thread whose interpreter knows a name that the
 * builder does not know yet, as a record to be added.
 * @ret: valid until it was added. @ret_more: false: there is none now.
 */
struct error *profile_builder_next_name(struct profile_builder *builder, uint64_t time_ns,
					struct record *ret, bool *ret_more);

/** NULL if they are not wanted. */
struct interpreted_frames *profile_builder_interpreted(const struct profile_builder *builder);

/** The GIL states of threads; threads and events are those of profile_builder_profile(). */
const struct thread_times *profile_builder_thread_times(const struct profile_builder *builder);

/** What a recording has of the last sample that its record did not bring: its chain, with unchanged
 *  return addresses as perf.data has it, and the state of the GIL. */
struct profile_builder_chain {
	const uint64_t *words; /* as record_sample.chain */
	size_t length;
	bool is_interpreted; /* its first address is a place in interpreted code */
	enum gil_state gil;
};
struct profile_builder_chain profile_builder_last_chain(const struct profile_builder *builder);

struct profile_builder_totals {
	uint64_t num_samples;
	uint64_t num_lost;
	uint64_t num_walks[UNWIND_NUM_ENDS]; /* how unwinding ended */
	uint64_t num_completed; /* stacks whose outer part was read from the process's memory */
	/** Calls from native code into interpreted code, and those of them that were found on
	 * native stacks.
	 */
	uint64_t num_entries, num_placed;
	uint64_t num_left_out;    /* samples: see only_with_gil */
	uint64_t num_gil_unknown; /* of these: the state is not known, or there is no GIL */
	uint64_t preempted_ns;    /* of the off-CPU time: the thread was preempted */
	uint64_t num_unsampled;   /* absences without a sample */
	uint64_t num_too_short;   /* absences that ended before the stack was read */
	uint64_t num_waits_ended[WAIT_NUM_ENDS]; /* absences, by their end */
	uint64_t num_cut_wakes;   /* ... whose wakers go on behind the last one that is kept */
	uint64_t num_bad_wakes;   /* wake-ups that are damaged */
	uint64_t num_unpredicted; /* branches of which it is not said whether they were predicted */
	uint64_t num_cut_mappings;            /* that are not known, as there were too many */
	uint64_t first_time_ns, last_time_ns; /* of samples; 0: none has a time */
	struct process_lives lives;
};
struct profile_builder_totals profile_builder_totals(const struct profile_builder *builder);

/** Who the processes belong to; what is known from elsewhere may be added. */
struct process_users *profile_builder_users(struct profile_builder *builder);

const struct process_table *profile_builder_processes(const struct profile_builder *builder);

/** @ret: by number of the module: is its code in any stack so far? The caller frees the array; it
 * has an entry for each module until the next add. */
struct error *profile_builder_used_modules(struct profile_builder *builder, bool **ret);

/** Look up the names of new places, for callers that need them before the end
 *  (symbolizer_encode_names()). The profile's samples are unchanged. */
struct error *profile_builder_name(struct profile_builder *builder, struct symbolizer *symbolizer);

/**
 * While recording: the profile of the samples since the last call, with names, and of events with
 * `is_state` what counts now. Functions and all else keep their numbers from call to call.
 * @ret: its samples are valid until the next record is added, all else as long as the builder.
 */
struct error *profile_builder_take(struct profile_builder *builder, struct symbolizer *symbolizer,
				   const struct named_profile **ret);

/** While recording: forget the samples since the last profile_builder_take(), unnamed. */
struct error *profile_builder_drop(struct profile_builder *builder);

/** Look up all names, and transfer the profile to the caller. Nothing can be added after that. Not
 *  after profile_builder_take(). */
struct error *profile_builder_finish(struct profile_builder *builder, struct symbolizer *symbolizer,
				     struct named_profile *ret);

#endif
