/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_RECORDS_H
#define WPERF_RECORD_ETL_ETL_RECORDS_H

/**
 * Turns events of an ETW recording, in order of time, into records without stacks: what
 * etl_reader.h and etl_follow.h have in common.
 */

#include "record/etl/etl_events.h"
#include "record/etl/etl_rundown.h"
#include "record/etl/etl_switches.h"
#include "record/etl/etl_width.h"
#include "record/record.h"
#include "record/running_threads.h"

struct etl_record {
	struct record record; /* strings are those of the modules */
	bool has_stack;       /* one may be found by its time and thread */
};

struct etl_rate {
	uint32_t source, interval;
};

struct etl_records {
	struct etl_modules *modules; /* the caller's */
	struct etl_events events;
	struct etl_width width;
	uint64_t start_ns;
	struct running_threads threads;
	struct etl_switches switches;
	struct etl_rate rates[ETL_SOURCES_MAX];
	size_t num_rates;
	struct etl_record *items; /* of the last event */
	size_t num_items, cap_items;
	uint32_t num_process_begins;
	uint64_t process_begin_ns; /* of the last one */
	uint64_t num_idle, num_bad;
};

#define ETL_RECORDS_INIT \
	{                \
	}

/** What an event means; records->items are replaced. */
struct error *etl_records_take(struct etl_records *records, const struct etl_event *event);

/** One of those that were there at the start, or when the last process began, likewise. */
struct error *etl_records_take_presence(struct etl_records *records,
					const struct etl_presence *presence);

/** The process of a thread, now. */
uint32_t etl_records_pid(const struct etl_records *records, uint32_t tid);

void etl_records_set_rate(struct etl_records *records, uint32_t source, uint32_t interval);
/** Of samples before the event that says it, unless one is known. */
void etl_records_expect_rate(struct etl_records *records, uint32_t source, uint32_t interval);

/** Is it a sample of a CPU that had nothing to do? */
bool etl_sample_is_idle(const struct etl_event *event, const struct etl_sample *sample);

/** Mode and, where it is not known, address of a sample by its chain, which becomes the sample's.
 */
void etl_record_set_chain(struct record *record, const uint64_t *chain, size_t length);

void etl_records_deinit(struct etl_records *records);

#endif
