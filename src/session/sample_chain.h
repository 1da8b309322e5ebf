/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SAMPLE_CHAIN_H
#define WPERF_SESSION_SAMPLE_CHAIN_H

/**
 * Where one sample was, and who called: from what the sample carries - a chain, registers and a
 * piece of stack, the CPU's record of calls - to words that stacks are found by.
 */

#include "process/process_table.h"
#include "record/record.h"
#include "session/python_places.h"
#include "session/stack_walker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SAMPLE_CHAIN_MAX = 2048, /* of the kernel's; the rest is cut */
	/* A chain of the kernel's part, contexts, and the walked part. */
	SAMPLE_CHAIN_MAX_WORDS = 2 * SAMPLE_CHAIN_MAX,
};

/** A word above all contexts: the callers of what comes before are not known. */
#define SAMPLE_CHAIN_TRUNCATED ((uint64_t)-1)

/** A context: what follows are numbers of places in Python (see python_places.h). */
#define SAMPLE_CHAIN_PYTHON ((uint64_t)-3840)

struct sample_chain_rules {
	bool has_callers;             /* else it is the sample's own address */
	bool has_call_branches;       /* branches are calls that have not returned */
	struct stack_walker *walker;  /* NULL: stacks are not walked */
	struct python_places *python; /* NULL: without Python */
	enum python_rule python_rule;
};

struct sample_chain {
	/** As perf.data has it: contexts, addresses, return addresses, with the addresses of
	 *  places in Python among them. */
	uint64_t raw[SAMPLE_CHAIN_MAX_WORDS];
	size_t num_raw;
	/** The caller's room for SAMPLE_CHAIN_MAX_WORDS: a number that says whose maps hold, then
	 *  contexts and addresses, every one inside of its instruction. */
	uint64_t *words;
	size_t num_words;
	bool was_walked;
	enum unwind_end end; /* of the walk */
	bool was_completed;  /* see stack_walker.h */
	/** Entries of Python, and how many of them were found on the native stack. */
	size_t num_entries, num_placed;
};

/** @words: room for the words, which stays the caller's. */
void sample_chain_set(struct sample_chain *chain, const struct sample_chain_rules *rules,
		      const struct module_table *modules, const struct process *process,
		      const struct record *record, uint64_t *words);

/** Is it no address, but says whose the next ones are? */
static inline bool sample_chain_is_context(uint64_t word)
{
	return word >= RECORD_CONTEXT_MAX && word != SAMPLE_CHAIN_TRUNCATED;
}

#endif
