/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_EVENTS_H
#define WPERF_SOURCE_ETW_ETW_EVENTS_H

/**
 * The events of a plan as profile sources of Windows: the timer, the sources that Windows lists,
 * and events of the CPU's catalogue, which are registered for as long as this is open.
 */

#include "catalog/event_list.h"
#include "catalog/linux/system_event.h"
#include "record/perf_data/perf_data.h"
#include "source/etw/etw_counts.h"
#include "source/etw/etw_filter.h"
#include "source/etw/etw_session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/** system_event.type of the sources that Windows lists; their code is the source's. */
	ETW_EVENT_TYPE = 0x657477,
	/** PERF_COUNT_SW_BPF_OUTPUT, with which perf record --off-cpu writes absences. */
	ETW_ABSENCES_CODE = 10,
	ETW_UNITS_PER_S = 10000000, /* intervals of the timer are of 100 ns */
	ETW_NS_PER_UNIT = 100,
	ETW_DEFAULT_INTERVAL = 65536, /* of registered events: what Windows has for its own */
};

/** What the user should know of a run, a sentence each. */
struct etw_notes {
	char *items[2 * ETW_EVENTS_MAX + 1]; /* two of each event, and one of the run */
	size_t num_items;
};

void etw_notes_clear(struct etw_notes *notes);
struct error *etw_notes_add(struct etw_notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct etw_event {
	uint32_t source;   /* not of absences */
	uint32_t interval; /* as Windows takes it; 0: as Windows has it */
	bool is_absences;  /* time off the CPU, by context switches */
	bool is_ours;      /* registered */
};

struct etw_events {
	const struct etw_calls *calls;
	struct etw_event *items; /* in the order of the plan */
	size_t num_items;
	struct etw_filter_event *wanted;   /* ... of their samples */
	struct perf_data_event *described; /* the same for perf.data */
	uint64_t *ids;
	bool has_absences;
	struct etw_notes *notes;
};

#define ETW_EVENTS_INIT \
	{               \
	}

struct etw_events_request {
	const struct event_list *events;
	bool is_counting;        /* no samples: intervals do not matter */
	bool kernel;             /* without a modifier: also kernel code */
	uint32_t frequency_hz;   /* of the timer without an interval */
	struct etw_notes *notes; /* get one for each event that is not as one may expect */
};

/** @sources: of Windows. @ret: to be ended by etw_events_close(), also after an error. */
struct error *etw_events_open(const struct etw_calls *calls, const struct etw_sources *sources,
			      const struct etw_events_request *request, struct etw_events *ret);

/** When the session has ended: remove registered sources. What cannot be removed is a note. */
struct error *etw_events_unregister(struct etw_events *events);

/** Registered sources are removed. */
void etw_events_close(struct etw_events *events);

/** The timer's interval for so many samples a second, within its limits. */
uint32_t etw_events_timer_interval(const struct etw_source *timer, uint32_t frequency_hz);

#endif
