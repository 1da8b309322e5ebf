/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_MEMORY_SAMPLING_H
#define WPERF_SOURCE_MEMORY_MEMORY_SAMPLING_H

/** Samples of allocations as records, with those of the processes that they come from. */

#include "process/thread/running.h"
#include "process/thread/thread_hold.h"
#include "record/perf_data/perf_data.h"
#include "record/perf_data/user_regs.h"
#include "record/record.h"
#include "source/memory/known_processes.h"
#include "source/memory/memory_events.h"
#include "source/memory/memory_rate.h"
#include "source/memory/memory_slots.h"
#include "source/memory/memory_weight.h"
#include "source/memory/touched_pages.h"
#include "source/sample_plan.h"

/** A block that nothing points to any more. */
struct memory_leak {
	uint32_t pid;
	uint64_t block;
};

enum memory_stage { MEMORY_STAGE_PROCESS, MEMORY_STAGE_THREAD, MEMORY_STAGE_EVENTS };

struct memory_sampling {
	struct memory_slots slots; /* no region: nothing is sampled */
	uint64_t period;
	bool adapts; /* the period follows the program */
	struct memory_rate rate;

	enum memory_measure measures[MEMORY_NUM_MEASURES]; /* by number of the event */
	struct perf_data_event events[MEMORY_NUM_MEASURES];
	uint64_t ids[MEMORY_NUM_MEASURES];
	size_t num_events;
	struct touched_pages touched;
	uint32_t touched_event; /* its number */

	struct known_processes known;
	struct running *running; /* the process that is described now; or NULL */
	const struct user_regs_layout *layout;
	uint64_t regs[USER_REGS_MAX]; /* of the last sample */
	char name[32];

	bool has_sample;
	struct memory_sample sample; /* at hand */
	struct memory_weight weight; /* of it */
	enum memory_stage stage;     /* of its records */
	size_t next_event;

	struct memory_leak *leaks; /* found, and not told yet */
	size_t num_leaks, cap_leaks, next_leak;
	struct thread_hold late; /* threads that did not stop in time to be searched */
	uint64_t num_moments;
	uint64_t num_unsearched;    /* processes that could not be searched for leaks */
	struct error *search_error; /* of the first one of these that has one; or NULL */
	uint64_t num_missed;        /* searches at a moment that failed */
	struct error *missed_error; /* of the first one of these; or NULL */

	struct memory_carry carry;
	uint64_t last_time_ns;
	uint64_t num_generated;
	uint64_t num_lost; /* of the region: those that records tell of */
};

#define MEMORY_SAMPLING_INIT                \
	{                                   \
		.slots = MEMORY_SLOTS_INIT, \
	}

/** Share memory with a program to come. */
struct error *memory_sampling_prepare(struct memory_sampling *sampling);

/** The program must not have started. @plan: its events are those of the source. @walk: of
 *  interpreted frames of page faults; NULL if the plan does not want them. @may_adapt: nobody asked
 *  for its period. */
struct error *memory_sampling_open(struct memory_sampling *sampling, const struct sample_plan *plan,
				   const struct kernel_walk_program *walk, bool may_adapt);
/** Is it one of the plan's? */
bool memory_sampling_has(const struct memory_sampling *sampling, enum memory_measure measure);

void memory_sampling_close(struct memory_sampling *sampling);

/** Processes are searched for leaks now, if leaks are wanted. */
struct error *memory_sampling_mark_moment(struct memory_sampling *sampling);

/** No more samples are taken. Processes that still run are searched for leaks. */
struct error *memory_sampling_stop(struct memory_sampling *sampling);

/** See struct sample_ops. */
struct error *memory_sampling_wait(struct memory_sampling *sampling, uint64_t timeout_ns, int fd);
struct error *memory_sampling_next(struct memory_sampling *sampling, struct record *ret,
				   bool *ret_more);
struct sample_totals memory_sampling_totals(const struct memory_sampling *sampling);

#endif
