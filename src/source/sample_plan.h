/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SAMPLE_PLAN_H
#define WPERF_SOURCE_SAMPLE_PLAN_H

/** What to sample, where and how; and a source's totals afterwards. */

#include "catalog/event_list.h"
#include "catalog/spe_spec.h"
#include "record/interpreted_frame.h"
#include "record/spe/spe_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct allocator_places;

/** How callers are found. */
enum sample_chain {
	SAMPLE_CHAIN_NONE,
	SAMPLE_CHAIN_FP,  /* the kernel follows frame pointers */
	SAMPLE_CHAIN_CFI, /* samples have registers and a copy of the stack, which wperf unwinds */
	SAMPLE_CHAIN_LBR, /* the CPU records calls */
};

struct sample_plan {
	/** A request's interval is its period; 0: it is sampled with @frequency_hz. */
	const struct event_list *events;
	/** Arm SPE; the number of its event is that after the last of @events. NULL: no SPE. */
	const struct spe_filters *spe;
	uint32_t frequency_hz;
	bool kernel; /* also kernel code, unless a modifier says otherwise */
	enum sample_chain chain;
	bool branches; /* those that were taken before a sample, with sample_ops.tells_branches */
	/** The copy of the stack in each sample; a multiple of 8. 0: the source chooses. */
	uint32_t stack_bytes;

	const unsigned *cores; /* with processes: only on these; none: all */
	size_t num_cores;
	const uint32_t *pids; /* none: everything on the cores */
	size_t num_pids;
	uint32_t only_thread;     /* of these, this thread alone; 0: all */
	uint32_t left_out_thread; /* of these, all but this one, which samples; 0: none */
	bool inherit;             /* also what they start */
	bool enable_on_exec;      /* begin when pids[0] execs the program */

	/** Samples have interpreted frames, of processes with walk(); only after walk_open(). */
	bool walks_frames;
	/** With sample_ops.tells_switches, one of the events is context-switches, each of which is
	 *  sampled, and RECORD_SWITCH reports when threads leave their CPU and return. If the
	 *  kernel hides these samples from this user, they have neither address nor callers. With
	 *  tells_absences, it is offcpu-time. */
	bool off_cpu;
	uint32_t off_cpu_event; /* its index */
	/** With sample_ops.check_wakers: one of the events is that of wake.h. */
	bool wakers;
	uint32_t wake_event; /* its index */
	/** Each sample ends sample_ops.wait() at once, so that the thread can be read. */
	bool wakes;
	bool raises_limits; /* of our own process: that of open files */
	bool is_live;       /* somebody looks at samples while more come */
	bool can_pause;     /* sample_ops.switch_event() is called, where there is one */

	size_t buffer_bytes; /* for each core; 0: the source chooses */

	/** With source_traits.probes_allocators: of each of @pids, in their order. */
	const struct allocator_places *allocators;
};

enum { SAMPLE_STACK_BYTES = 8192 };

/** The default, for sources where more costs memory for each sample. */
static inline uint32_t sample_plan_stack_bytes(const struct sample_plan *plan)
{
	return plan->stack_bytes ? plan->stack_bytes : SAMPLE_STACK_BYTES;
}

/** Counts of one core while SPE sampled: SPE's own four events, and cycles. */
struct sample_spe_counts {
	bool is_known;
	uint32_t core;
	uint64_t cycles;
	uint64_t population; /* sample_pop: operations that could have been sampled */
	uint64_t feed;       /* sample_feed: operations chosen for sampling */
	uint64_t filtrate;   /* sample_filtrate: samples that passed the filters */
	uint64_t collisions; /* sample_collision: chosen before the previous one was complete */
};

/** A source's totals. */
struct sample_totals {
	uint64_t num_generated; /* samples taken, including lost ones */
	uint64_t num_lost;
	bool has_blind_switches;   /* off_cpu: the kernel hides where threads leave */
	uint64_t small_buffer;     /* bytes of each core's buffer, if it is too small; else 0 */
	uint64_t small_spe_buffer; /* likewise, of SPE's packets */
	uint64_t num_throttled;    /* how often the kernel stopped sampling for a while */

	/** Events are those of processes and of all that these start, not of cores. */
	bool follows_processes;
	/** If it does, how often the first event occurred, by the kernel's count and by what
	 * samples stand for; 0: not known. */
	uint64_t num_counted, num_sampled;
	bool is_time;       /* these two are nanoseconds of CPU time */
	bool has_all_modes; /* the first event is sampled in user code and in the kernel */
	bool is_user_code;  /* ... only in user code, but clocks count the kernel's, too */

	/** With walks_frames: samples, by how their walk ended. */
	uint64_t num_walks[FRAME_WALK_NUM_ENDS];
	uint64_t num_walks_lost;     /* walks that were lost */
	uint64_t num_walks_unpaired; /* walks without a sample */
	uint64_t walks_ns;           /* CPU time that the walks took from the programs */
	uint64_t num_walks_late;     /* walks that waited for memory from the disk */

	struct sample_spe_counts spe;
	struct spe_trace_totals spe_trace; /* losses of SPE data */
};

/** A source's name for code that is not in a file. */
struct sample_symbol {
	uint64_t address, size;
	const char *name;
	const char *file; /* of source code; NULL if there is none */
	uint32_t line;
};

#endif
