/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SAMPLE_PLAN_H
#define WPERF_SOURCE_SAMPLE_PLAN_H

/** What is to be sampled, where and how; and what a source says of it afterwards. */

#include "catalog/event_list.h"
#include "catalog/spe_spec.h"
#include "record/python_frame.h"
#include "record/spe_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How callers are found. */
enum sample_chain {
	SAMPLE_CHAIN_NONE,
	SAMPLE_CHAIN_FP,  /* by frame pointers, in the kernel */
	SAMPLE_CHAIN_CFI, /* registers and a piece of stack, unwound by us */
	SAMPLE_CHAIN_LBR, /* the CPU's own record of calls */
};

struct sample_plan {
	/** Every request's interval is its period; 0: by @frequency_hz, as often as that. */
	const struct event_list *events;
	/** Statistical profiling; its samples are of the event behind the last. NULL: none. */
	const struct spe_filters *spe;
	uint32_t frequency_hz;
	bool kernel; /* kernel code, too, where no modifier says otherwise */
	enum sample_chain chain;
	/** Of a sample's piece of stack; a multiple of 8. 0: the source's own choice. */
	uint32_t stack_bytes;

	const unsigned *cores; /* whole cores, or, with processes, only there; none: all */
	size_t num_cores;
	const uint32_t *pids; /* none: all that runs there */
	size_t num_pids;
	bool inherit;        /* what they start, too */
	bool enable_on_exec; /* it begins with the program that pids[0] is about to become */

	/** With the frames of Python, where python_walk() said how; only after python_open(). */
	bool python;
	/** The last event is context-switches, of which every one is sampled, and RECORD_SWITCH
	 *  tells when threads leave and come back. Where the kernel does not let this user see its
	 *  samples, they have neither an address nor callers. */
	bool off_cpu;
	/** Each sample wakes sample_wait(), at once, so that its thread can be looked at. */
	bool wakes;

	size_t buffer_bytes; /* for each core; 0: the source's own choice */
};

enum { SAMPLE_STACK_BYTES = 8192 };

/** Where a larger piece costs memory for each sample. */
static inline uint32_t sample_plan_stack_bytes(const struct sample_plan *plan)
{
	return plan->stack_bytes ? plan->stack_bytes : SAMPLE_STACK_BYTES;
}

/** What the four events of SPE itself counted while it sampled, and the cycles, on one core. */
struct sample_spe_counts {
	bool is_known;
	uint32_t core;
	uint64_t cycles;
	uint64_t population; /* sample_pop: operations that could have been sampled */
	uint64_t feed;       /* sample_feed: that were chosen */
	uint64_t filtrate;   /* sample_filtrate: that the filters let through */
	uint64_t collisions; /* sample_collision: chosen while the one before was not done */
};

/** What a source knows of its sampling besides the records. */
struct sample_totals {
	uint64_t num_generated; /* samples that it took, those that were lost among them */
	uint64_t num_lost;
	bool has_blind_switches; /* off_cpu: the kernel does not show where threads leave */
	uint64_t num_throttled;  /* how often the kernel stopped sampling for a while */

	/** With python: samples by the end of their walk. */
	uint64_t num_python[PYTHON_WALK_NUM_ENDS];
	uint64_t num_python_lost;     /* walks that found no room */
	uint64_t num_python_unpaired; /* walks whose sample did not come */
	uint64_t num_python_late;     /* walks that waited for memory to come from the disk */

	struct sample_spe_counts spe;
	struct spe_trace_totals spe_trace; /* what SPE's packets lack */
};

/** A name that the source itself knows, for code that is in no file. */
struct sample_symbol {
	uint64_t address, size;
	const char *name;
	const char *file; /* of source code; NULL if there is none */
	uint32_t line;
};

#endif
