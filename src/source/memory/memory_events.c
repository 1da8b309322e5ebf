// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_events.h"

#include <string.h>

const char *const memory_own_events[] = {"alloc",      "alloc-count", "alloc-temporary", "heap",
					 "heap-count", "heap-at",     "heap-peak",       "leak",
					 "touched",    NULL};

/** When blocks count, for the measures that ask for it. */
static const struct {
	bool is_asked;
	enum record_block_rule rule;
} memory_rules[MEMORY_NUM_MEASURES] = {
	[MEMORY_LIVE] = {true, RECORD_BLOCK_AT_END},
	[MEMORY_PEAK] = {true, RECORD_BLOCK_AT_PEAK},
	[MEMORY_LEAKED] = {true, RECORD_BLOCK_LEAKED},
	[MEMORY_TEMPORARY] = {true, RECORD_BLOCK_TEMPORARY},
	[MEMORY_MOMENT] = {true, RECORD_BLOCK_AT_MOMENT},
	[MEMORY_BLOCKS] = {true, RECORD_BLOCK_NUMBER},
};

bool memory_measure_follows_blocks(enum memory_measure measure)
{
	return memory_rules[measure].is_asked;
}

/** Unique among all processes: pids have 22 bits (PID_MAX_LIMIT of Linux). */
uint64_t memory_block_of(uint32_t pid, uint64_t number, enum memory_measure measure)
{
	enum { PID_SHIFT = 39 };
	uint64_t block = (uint64_t)pid << PID_SHIFT ^ number;
	block &= (UINT64_C(1) << RECORD_BLOCK_RULE_SHIFT) - 1;
	return block | (uint64_t)memory_rules[measure].rule << RECORD_BLOCK_RULE_SHIFT;
}

struct record_free memory_free_of(uint32_t pid, uint64_t number, enum memory_measure measure,
				  uint64_t since)
{
	return (struct record_free){
		.block = memory_block_of(pid, number, measure),
		.counts = measure == MEMORY_TEMPORARY && since < MEMORY_TEMPORARY_BYTES,
	};
}

struct error *memory_events_check(const struct event_list *events, const char *apart)
{
	const struct event_request *first = NULL;
	for (size_t i = 0; i < events->num_items; i++) {
		const struct event_request *request = &events->items[i];
		const char *name = request->event->name;
		bool is_apart = apart && strcmp(name, apart) == 0;
		if (first && !is_apart && request->interval != first->interval)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "'%s' and '%s' are of the same samples, and need the "
					     "same period",
					     first->event->name, name),
				"write the same number behind both names");
		first = !first && !is_apart ? request : first;
		for (size_t j = 0; j < i; j++)
			if (strcmp(events->items[j].event->name, name) == 0)
				return error_create(ERROR_USAGE, "event '%s' was given twice",
						    name);
	}
	return NULL;
}

struct error *memory_events_check_chain(enum sample_chain chain, const char *source)
{
	if (chain != SAMPLE_CHAIN_FP && chain != SAMPLE_CHAIN_LBR)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "source '%s' finds callers by unwind tables only",
					    source),
			       "leave out --call-graph");
}
