/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDING_H
#define WPERF_SESSION_RECORDING_H

/**
 * What records become: they are applied in order of time, and each sample is added up under its
 * stack, thread and event. No name is looked up before the end.
 */

#include "process/process_table.h"
#include "profile/frame_table.h"
#include "profile/named_profile.h"
#include "record/python_rung.h"
#include "record/record.h"
#include "session/python_frames.h"
#include "session/thread_times.h"
#include "symbols/module_file.h"
#include "symbols/symbolizer.h"
#include "unwind/native_unwind.h"

#include <stdbool.h>
#include <stdint.h>

struct recording;

/** What the event is called whose samples are of threads that leave their core. */
#define OFF_CPU_NAME "off-cpu"

struct recording_config {
	const char *machine;    /* as uname has it */
	bool keeps_samples;     /* each with its time; else equal ones are one */
	bool has_callers;       /* else a sample's stack is its own address */
	bool has_call_branches; /* a sample's branches are the calls that have not returned */
	bool walks_stacks;      /* those of samples with registers and a piece of stack */
	struct module_file_search files; /* for these walks */
	bool reads_stacks; /* of threads that run Python, what is above the piece, from the process
			    */
	bool with_python;  /* samples' frames of Python are wanted */
	enum python_rule python_rule;
	enum python_rung python_rung; /* python_frames.h says what these two are */
	bool stops_python;
	bool only_with_gil; /* samples of threads that did not hold the GIL are left out */
	/** Samples of @off_cpu_event are of threads that leave their core: each weighs the time
	 *  until its thread is back. */
	bool has_off_cpu;
	uint32_t off_cpu_event;
	bool with_spe;          /* sums of what SPE told, and its latency as an event of its own */
	bool tells_spe_threads; /* these sums are those of each thread, for filters */
	bool leaves_out_idle;   /* samples of idle CPUs are only summed up, see idle_samples.h */
};

struct error *recording_create(const struct recording_config *config, struct recording **ret);
void recording_destroy(struct recording *recording);
static inline void recording_destroyp(struct recording **recording)
{
	recording_destroy(*recording);
}

/** Before the first sample: the events by whose number (0, 1, ...) records speak of them. */
struct error *recording_add_event(struct recording *recording, const struct named_event *event);

/** Strings of events and of what is said about the recording go in here. */
struct named_profile *recording_profile(struct recording *recording);

struct error *recording_add(struct recording *recording, const struct record *record);

/** Was the last record a sample that the config leaves out? */
bool recording_has_left_out(const struct recording *recording);

/** Nothing comes any more; @time_ns: when it ended, on the clock of the samples. Threads that are
 *  off their core have been until then. */
struct error *recording_end(struct recording *recording, uint64_t time_ns);

/** NULL if Python is not wanted. */
struct python_frames *recording_python(const struct recording *recording);

/** What threads had of the GIL; threads and events are those of recording_profile(). */
const struct thread_times *recording_thread_times(const struct recording *recording);

/** The last sample's chain, with return addresses as they were: what perf.data wants to have. */
struct recording_chain {
	const uint64_t *words; /* as record_sample.chain */
	size_t length;
	bool is_in_python; /* its first address is that of a place in Python */
};
struct recording_chain recording_last_chain(const struct recording *recording);

struct recording_totals {
	uint64_t num_samples;
	uint64_t num_lost;
	uint64_t num_walks[UNWIND_NUM_ENDS]; /* how the walks of stacks ended */
	uint64_t num_completed; /* stacks whose outer part was read from the process's memory */
	/** Calls from native code into Python, and those that were found on native stacks. */
	uint64_t num_entries, num_placed;
	uint64_t num_left_out;    /* samples: see only_with_gil */
	uint64_t num_gil_unknown; /* of these: it is not known, or there is no GIL */
	uint64_t preempted_ns;    /* of off-CPU time: threads would have gone on */
	uint64_t num_unsampled;   /* absences whose sample did not come */
	uint64_t num_too_short;   /* absences that were over before the stack had been read */
	uint64_t first_time_ns, last_time_ns; /* of samples; 0: there were none with a time */
};
struct recording_totals recording_totals(const struct recording *recording);

const struct process_table *recording_processes(const struct recording *recording);

/** Is code of this module in any stack so far? By number of the module; valid until the next add.
 */
struct error *recording_used_modules(struct recording *recording, bool **ret);

/** Looks up what is new, and leaves the profile's samples as they are: for who wants names before
 *  the end (symbolizer_encode_names()). */
struct error *recording_name(struct recording *recording, struct symbolizer *symbolizer);

/**
 * What came since the last call, with names, while recording goes on: the profile has only those
 * samples; functions and all else keep their numbers from call to call.
 * @ret: its samples are valid until the next record is added, all else as long as the recording.
 */
struct error *recording_take(struct recording *recording, struct symbolizer *symbolizer,
			     const struct named_profile **ret);

/** Names for everything. The profile is handed over; nothing can be added any more.
 *  Not behind recording_take(). */
struct error *recording_finish(struct recording *recording, struct symbolizer *symbolizer,
			       struct named_profile *ret);

#endif
