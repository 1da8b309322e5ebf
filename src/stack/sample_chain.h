/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_SAMPLE_CHAIN_H
#define WPERF_STACK_SAMPLE_CHAIN_H

/**
 * Makes the normalized call chain of a sample, by which its stack is looked up, from its data: a
 * chain of the kernel, registers and a copy of the stack, or the CPU's call records.
 */

#include "interpreter/interpreted_frames.h"
#include "process/process_table.h"
#include "record/record.h"
#include "stack/stack_walker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SAMPLE_CHAIN_MAX = 2048, /* of the kernel's chain; longer ones are truncated */
	/* The kernel's part, contexts, and the unwound part. */
	SAMPLE_CHAIN_MAX_WORDS = 2 * SAMPLE_CHAIN_MAX,
};

/** A word above all contexts: the callers of the frame before it are not known. */
#define SAMPLE_CHAIN_TRUNCATED ((uint64_t)-1)

/** A context: numbers of places in interpreted code follow (see code_places.h). */
#define SAMPLE_CHAIN_INTERPRETED ((uint64_t)-3840)

struct sample_chain_rules {
	bool has_callers;            /* else only the sample's own address */
	bool has_call_branches;      /* branches are calls that have not returned */
	struct stack_walker *walker; /* NULL: stacks are not unwound */
	enum interpreted_rule interpreted_rule;
};

struct sample_chain {
	/** As in perf.data: contexts, addresses and return addresses, also of interpreted code. */
	uint64_t raw[SAMPLE_CHAIN_MAX_WORDS];
	size_t num_raw;
	/** The caller's array of SAMPLE_CHAIN_MAX_WORDS: a number for the maps that apply, then
	 *  contexts and addresses; return addresses are moved into the call instruction. */
	uint64_t *words;
	size_t num_words;
	bool was_walked;
	enum unwind_end end; /* of unwinding */
	bool was_completed;  /* see stack_walker.h */
	/** Calls into interpreted code, and how many of them were found on the native stack. */
	size_t num_entries, num_placed;
};

/** What a chain is made of. */
struct sample_chain_parts {
	const struct record *record;
	const struct process *process;
	const struct module_table *modules;
	const struct interpreted_stack *interpreted; /* of the record; empty: not wanted */
};

/** @words: SAMPLE_CHAIN_MAX_WORDS words, which the caller owns. */
void sample_chain_set(struct sample_chain *chain, const struct sample_chain_rules *rules,
		      const struct sample_chain_parts *parts, uint64_t *words);

/** Is it a context, which says whose the next addresses are? */
static inline bool sample_chain_is_context(uint64_t word)
{
	return word >= RECORD_CONTEXT_MAX && word != SAMPLE_CHAIN_TRUNCATED;
}

#endif
