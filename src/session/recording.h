/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDING_H
#define WPERF_SESSION_RECORDING_H

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
#include "session/process_lives.h"
#include "session/thread_times.h"
#include "stack/native_unwind.h"
#include "symbols/module_file.h"
#include "symbols/symbolizer.h"

#include <stdbool.h>
#include <stdint.h>

struct recording;

/** The name of the event whose samples are of threads that leave their CPU. */
#define OFF_CPU_NAME "off-cpu"

struct recording_config {
	const char *machine;    /* as uname has it */
	bool keeps_samples;     /* each with its time; else equal samples are summed up */
	bool has_callers;       /* else a sample's stack is only its own address */
	bool has_call_branches; /* a sample's branches are the calls that have not returned */
	bool walks_stacks;      /* unwind samples with registers and a copy of the stack */
	struct module_file_search files; /* for unwinding */
	bool reads_stacks;               /* of interpreted code, above the copy, from the process */
	bool with_interpreted;           /* samples get the frames of interpreters */
	enum interpreted_rule interpreted_rule;
	enum collection_method collection_method; /* for these two see interpreted_frames.h */
	bool stops_threads;
	bool only_with_gil; /* samples of threads that did not hold the GIL are left out */
	/** Samples of @off_cpu_event are of threads that leave their CPU; the weight is the time
	 *  until the thread is back. */
	bool has_off_cpu;
	uint32_t off_cpu_event;
	bool with_spe;          /* SPE statistics, and SPE's latency as an event of its own */
	bool tells_spe_threads; /* SPE statistics per thread, for filters */
	bool reads_users;       /* of processes, which run here: for file_rights */
	bool leaves_out_idle;   /* samples of idle CPUs are only counted: see idle_samples.h */
};

struct error *recording_create(const struct recording_config *config, struct recording **ret);
void recording_destroy(struct recording *recording);
static inline void recording_destroyp(struct recording **recording)
{
	recording_destroy(*recording);
}

/** Before the first sample: add the events, in the order of their numbers in records (0, 1, ...).
 */
struct error *recording_add_event(struct recording *recording, const struct named_event *event);

/** For the strings of events and of the recording's metadata. */
struct named_profile *recording_profile(struct recording *recording);

struct error *recording_add(struct recording *recording, const struct record *record);

/** Was the last record a sample that the config excludes? */
bool recording_has_left_out(const struct recording *recording);

/** After the last record. @time_ns: the end, on the clock of the samples; threads that are off the
 *  CPU were so until then. */
struct error *recording_end(struct recording *recording, uint64_t time_ns);

/** Of its interpreted code. */
const struct language *recording_language(const struct recording *recording);

/** NULL if they are not wanted. */
struct interpreted_frames *recording_interpreted(const struct recording *recording);

/** The GIL states of threads; threads and events are those of recording_profile(). */
const struct thread_times *recording_thread_times(const struct recording *recording);

/** The last sample's chain with unchanged return addresses, as perf.data has it. */
struct recording_chain {
	const uint64_t *words; /* as record_sample.chain */
	size_t length;
	bool is_interpreted; /* its first address is a place in interpreted code */
};
struct recording_chain recording_last_chain(const struct recording *recording);

struct recording_totals {
	uint64_t num_samples;
	uint64_t num_lost;
	uint64_t num_walks[UNWIND_NUM_ENDS]; /* how unwinding ended */
	uint64_t num_completed; /* stacks whose outer part was read from the process's memory */
	/** Calls from native code into interpreted code, and those of them that were found on
	 * native stacks.
	 */
	uint64_t num_entries, num_placed;
	uint64_t num_left_out;     /* samples: see only_with_gil */
	uint64_t num_gil_unknown;  /* of these: the state is not known, or there is no GIL */
	uint64_t preempted_ns;     /* of the off-CPU time: the thread was preempted */
	uint64_t num_unsampled;    /* absences without a sample */
	uint64_t num_too_short;    /* absences that ended before the stack was read */
	uint64_t num_cut_mappings; /* that are not known, as there were too many */
	uint64_t first_time_ns, last_time_ns; /* of samples; 0: none has a time */
	struct process_lives lives;
};
struct recording_totals recording_totals(const struct recording *recording);

/** Who the processes belong to; what is known from elsewhere may be added. */
struct process_users *recording_users(struct recording *recording);

const struct process_table *recording_processes(const struct recording *recording);

/** @ret: by number of the module: is its code in any stack so far? The caller frees the array; it
 * has an entry for each module until the next add. */
struct error *recording_used_modules(struct recording *recording, bool **ret);

/** Look up the names of new places, for callers that need them before the end
 *  (symbolizer_encode_names()). The profile's samples are unchanged. */
struct error *recording_name(struct recording *recording, struct symbolizer *symbolizer);

/**
 * While recording: the profile of the samples since the last call, with names. Functions and all
 * else keep their numbers from call to call.
 * @ret: its samples are valid until the next record is added, all else as long as the recording.
 */
struct error *recording_take(struct recording *recording, struct symbolizer *symbolizer,
			     const struct named_profile **ret);

/** Look up all names, and transfer the profile to the caller. Nothing can be added after that. Not
 *  after recording_take(). */
struct error *recording_finish(struct recording *recording, struct symbolizer *symbolizer,
			       struct named_profile *ret);

#endif
