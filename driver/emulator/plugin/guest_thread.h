/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_GUEST_THREAD_H
#define WPERF_EMULATOR_GUEST_THREAD_H

/** A thread of the emulated program, as the thread of the emulator that runs it knows it. */

#include "driver/emulator/plugin/block.h"
#include "driver/emulator/region.h"

#include <stdbool.h>
#include <stdint.h>

/** What the emulator has of the program's registers, in its own layout. */
struct guest_registers {
	uint64_t x[31], sp;
};

/** One sampled event on this thread. */
struct overflow {
	int64_t left; /* until the next sample; those of cycles in thousandths */
	uint64_t period;
	uint64_t last_ns; /* the thread's own time of the last sample */
	uint64_t seen;    /* of an event of the model: how many there were when we last looked */
};

struct plugin;

struct guest_thread {
	struct plugin *plugin;
	bool is_sampling;             /* or counting: as the configuration has it */
	uint32_t core;                /* emulated: each thread has one for itself */
	struct region_thread *shared; /* NULL: there was no room, nothing is counted */
	uint64_t num_instructions;    /* with calls only */
	uint64_t passed_ns;           /* already told to the ring */
	int64_t window_left;
	struct branch last_branch;
	struct overflow overflows[REGION_MAX_SAMPLED];
	struct memory_model *model;              /* NULL: not wanted */
	const struct guest_registers *registers; /* NULL: not known */
	uint64_t *record;                        /* room to put a sample together */
};

/** QEMU's callbacks get the number of a CPU, and no pointer. So each thread keeps its own here. */
extern __thread struct guest_thread *guest_thread_current
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/** The calling thread, which is made known if it is new. Never NULL. */
struct guest_thread *guest_thread_attach(struct plugin *plugin);

static inline struct guest_thread *guest_thread_self(struct plugin *plugin)
{
	struct guest_thread *thread = guest_thread_current;
	return thread ? thread : guest_thread_attach(plugin);
}

/** The first thread of a program. False: the numbers have no place. */
bool guest_thread_init_first(struct plugin *plugin);

/** In the child of a fork: the only thread of a new process. */
void guest_thread_after_fork(struct plugin *plugin);

/** In how many parts what is left of a period is counted. */
static inline uint64_t guest_thread_scale(const struct region_sampled *event)
{
	return event->measure == MEASURE_CYCLES ? 1000 : 1;
}

/** The time since the last record of this thread. */
uint64_t guest_thread_passed_ns(struct guest_thread *thread);

/** The thread's own time. */
static inline uint64_t guest_thread_time_ns(const struct guest_thread *thread,
					    const struct region *region)
{
	return region_cycles(region, thread->num_instructions);
}

/** Its current window of multiplexed events is over. */
void guest_thread_next_window(struct guest_thread *thread);

#endif
