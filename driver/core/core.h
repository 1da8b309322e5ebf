/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_CORE_H
#define WPERF_DRIVER_CORE_CORE_H

/**
 * The portable part of the driver: everything but the operating system and the registers. Its
 * user embeds a struct driver_core, and sends it one call at a time: the core takes no locks.
 * Only ticks and overflows may come at any time, see struct driver_register_ops. Nothing here
 * allocates, and nothing needs to be undone.
 *
 * The core has no timers, its user has. After each request and each close, for every CPU:
 * driver_core_timer_period_ms() says how often it wants driver_core_tick() on that CPU now.
 */

#include "driver/core/call.h"
#include "driver/core/counting.h"
#include "driver/core/lock.h"
#include "driver/core/registers.h"
#include "driver/core/sampling/sampling.h"
#include "driver/core/spe/spe.h"
#include "driver/core/uncore/dmc_counting.h"

#include <stdbool.h>
#include <stdint.h>

enum { DRIVER_NO_CPU = WPERF_MAX_CORES };

/** What the core cannot read from registers. */
struct driver_config {
	unsigned num_cores;    /* 1 to WPERF_MAX_CORES */
	unsigned dsu_clusters; /* 0: no DSU */
	/* Cores of each cluster: core c is in cluster c / size; cores behind the last are in none.
	 */
	unsigned dsu_cluster_size;
	unsigned dmc_channels; /* below WPERF_ALL_DMCS; 0: no memory controller that we can count */
	bool spe;              /* statistical profiling is wanted, of CPUs that have it */
	/* A buffer for it of each core, one behind the other; the user keeps them as long as the
	   core. NULL: it is there, but nothing can be profiled. */
	void *spe_buffers;
	size_t spe_buffer_size; /* of one */
	/* A ring of samples of each core, likewise. NULL: there are none. The size is a power of
	   two from DRIVER_RING_MIN_SIZE to DRIVER_RING_MAX_SIZE. */
	void *ring_memory;
	size_t ring_size;       /* of one */
	uint32_t free_counters; /* bit n: counter n is ours; others belong to somebody else */
	bool no_interrupts;     /* nobody tells of overflows: cores can count, but not sample */

	uint8_t version[3]; /* major, minor, patch */
	/* ASCII; not copied, the user keeps them as long as the core */
	const char *git_version;
	const char *features; /* "+spe+etw-drv" */
};

/** Some 1.4 MiB, so not for a stack. Points into itself: it must not be moved. */
struct driver_core {
	struct driver_config config;
	struct driver_registers registers;
	struct driver_lock lock;

	/* Read once. CPUs need not be of one kind: a counter counts only if every CPU has it. */
	unsigned num_counters;
	uint32_t free_counters;
	uint16_t max_event; /* highest event number of a core */
	unsigned spe_cpu;   /* the first that has SPE; DRIVER_NO_CPU: none */

	/* What is counted. Each is touched only on its own CPU while ticks may come. */
	struct driver_counting cores[WPERF_MAX_CORES];
	struct driver_sampling samplings[WPERF_MAX_CORES]; /* with the same counters */
	struct driver_spe spes[WPERF_MAX_CORES];
	struct driver_counting clusters[WPERF_MAX_CORES];
	struct driver_dmc_counting channels[WPERF_ALL_DMCS];
	/* The cycle counter, which is an event to clients, has a place of its own. */
	struct driver_counted_event core_events[WPERF_MAX_CORES][WPERF_MAX_CORE_EVENTS - 1];
	struct driver_counted_event cluster_events[WPERF_MAX_CORES][WPERF_MAX_DSU_EVENTS - 1];
};

/**
 * @registers: copied; its context must outlive the core.
 * Fails with DRIVER_INVALID_PARAMETER if @config is out of range, with DRIVER_NOT_SUPPORTED if a
 * CPU has no PMU that we know. The core is usable only after DRIVER_OK.
 */
enum driver_status driver_core_init(struct driver_core *core, const struct driver_config *config,
				    const struct driver_registers *registers);

/** The client closed its handle, or died: what it held is free again, and counts no more. */
void driver_core_close(struct driver_core *core, driver_client client);

/** Stop counting everywhere and forget what was assigned. */
void driver_core_forget_work(struct driver_core *core);

/**
 * The computer is going to sleep, and has woken: what counts, samples and profiles pauses
 * meanwhile. Requests may come in between. A sleep that nobody told of is found by the ticks.
 */
void driver_core_suspend(struct driver_core *core);
void driver_core_resume(struct driver_core *core);

/**
 * The shortest period that something counted by this CPU wants; 0: nothing, no timer is needed.
 * The first CPU of a cluster looks after the cluster, CPU 0 after the memory controllers.
 */
unsigned driver_core_timer_period_ms(const struct driver_core *core, unsigned cpu);

/** A period is over. On @cpu; a tick too many, or late, does no harm. */
void driver_core_tick(struct driver_core *core, unsigned cpu);

/**
 * A counter of @cpu has overflowed. On @cpu, in its interrupt.
 * Returns false if it was none that we sample: the interrupt was somebody else's.
 */
bool driver_core_overflow(struct driver_core *core, unsigned cpu,
			  const struct driver_interrupted *interrupted);

/**
 * Is the ring of @cpu so full that who waits for it should be told? From anywhere, also in the
 * interrupt behind driver_core_overflow(): then a request that is DRIVER_PENDING is asked again.
 */
bool driver_core_has_enough(const struct driver_core *core, unsigned cpu);

/** Bits that are set in a register of every CPU. */
uint64_t driver_core_common_bits(const struct driver_core *core, enum driver_register reg);

/** The same over the first CPU of every cluster; there must be a DSU. */
uint64_t driver_core_common_cluster_bits(const struct driver_core *core, enum driver_register reg);

#endif
