/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_MEMORY_EVENTS_H
#define WPERF_SOURCE_MEMORY_MEMORY_EVENTS_H

/** What events of allocations have in common, whoever samples them. */

#include "base/error.h"
#include "catalog/event_list.h"
#include "record/record.h"
#include "source/sample_plan.h"

enum {
	MEMORY_DEFAULT_PERIOD = 512 << 10,
	MEMORY_LEAST_PERIOD = 64 << 10, /* of one that follows the program; it begins there */
	/** A block is temporary if the thread that allocated it frees it before it has allocated so
	 *  much more. */
	MEMORY_TEMPORARY_BYTES = 16384,
};

/** What the samples of an event weigh. */
enum memory_measure {
	MEMORY_BYTES,
	MEMORY_COUNT,
	MEMORY_LIVE,      /* bytes, of blocks that are not freed until the end */
	MEMORY_PEAK,      /* ... that are in use when most is */
	MEMORY_LEAKED,    /* ... that nothing points to any more */
	MEMORY_TEMPORARY, /* bytes, of blocks that are freed at once */
	MEMORY_MOMENT,    /* bytes, of blocks that are in use at a moment that the user chooses */
	MEMORY_BLOCKS,    /* blocks that are not freed until the end, by their number */
	MEMORY_TOUCHED,   /* bytes of page faults, which the kernel samples */
	MEMORY_NUM_MEASURES,
};

/** Do samples count only by what becomes of their blocks? */
bool memory_measure_follows_blocks(enum memory_measure measure);

/** Do samples weigh allocations or blocks? Else bytes. */
static inline bool memory_measure_is_number(enum memory_measure measure)
{
	return measure == MEMORY_COUNT || measure == MEMORY_BLOCKS;
}

/** record_sample.block of such a measure. @number: of a sampled block in its process. */
uint64_t memory_block_of(uint32_t pid, uint64_t number, enum memory_measure measure);

/** A block was freed. @since: what its thread has allocated since; UINT64_MAX: not known, or
 * another thread freed it. */
struct record_free memory_free_of(uint32_t pid, uint64_t number, enum memory_measure measure,
				  uint64_t since);

/** The names of all events of memory, whether a source can sample them or says why not; ends with
 *  NULL. */
extern const char *const memory_own_events[];

/** Fields of a struct system_event. @event_unit: one of SYSTEM_EVENT_..., or NULL. */
#define MEMORY_EVENT(event_name, event_title, text, event_unit, event_type, event_code) \
	.event = {.name = (event_name),                                                 \
		  .title = (event_title),                                               \
		  .description = (text),                                                \
		  .event_class = EVENT_PERF,                                            \
		  .code = (event_code)},                                                \
	.type = (event_type), .kind = "Memory event", .unit = (event_unit), .scale = 1, \
	.by_bytes = true

/** All but @apart (or NULL) are of the same samples: their periods must be the same. No event may
 * be twice. */
struct error *memory_events_check(const struct event_list *events, const char *apart);

/** @source: its name. Callers are found by unwind tables only. */
struct error *memory_events_check_chain(enum sample_chain chain, const char *source);

/** From the return address back into the call. @has_link: calls leave it in a register, and
 *  instructions have four bytes. */
static inline uint64_t memory_call_of(bool has_link, uint64_t return_address)
{
	unsigned step = has_link ? 4 : 1;
	return return_address > step ? return_address - step : 0;
}

#endif
