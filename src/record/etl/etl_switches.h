/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_SWITCHES_H
#define WPERF_RECORD_ETL_ETL_SWITCHES_H

/**
 * Context switches in order of time: how long threads were away, which thread runs on a CPU, and
 * what counters of the CPU counted for it.
 */

#include "record/etl/etl_payload.h"

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ETL_SWITCH_COUNTERS = 8 /* more do not fit into an event's header */ };

struct etl_switch_cpu {
	uint32_t tid; /* ETL_NO_ID: not known */
	uint32_t num_counters;
	uint64_t counters[ETL_SWITCH_COUNTERS]; /* at the last switch */
};

struct etl_switch_thread {
	uint32_t tid;
	uint64_t left_ns; /* 0: it runs, or nobody knows */
};

struct etl_switches {
	struct etl_switch_cpu *cpus;
	size_t num_cpus, cap_cpus;
	struct etl_switch_thread *threads;
	size_t num_threads, cap_threads;
	struct hash_table index;
};

#define ETL_SWITCHES_INIT \
	{                 \
	}

struct etl_switch_change {
	uint64_t away_ns; /* of the new thread; 0: not known */
	/** What the old thread added; none if it is not known since when it ran. */
	uint64_t counts[ETL_SWITCH_COUNTERS];
	uint32_t num_counts;
};

struct error *etl_switches_apply(struct etl_switches *switches, const struct etl_event *event,
				 const struct etl_switch *change, struct etl_switch_change *ret);

/** A thread begins or has ended: its number may be of another one now. */
void etl_switches_forget(struct etl_switches *switches, uint32_t tid);

/** Who runs there; ETL_NO_ID if it is not known. */
uint32_t etl_switches_on(const struct etl_switches *switches, uint32_t cpu);

void etl_switches_deinit(struct etl_switches *switches);

#endif
