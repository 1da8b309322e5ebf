/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_STACK_FINDER_H
#define WPERF_STACK_STACK_FINDER_H

/**
 * Finds the stack of a normalized chain (sample_chain.h). The frames of a stack are places in
 * modules, which are the same in all processes. Most chains occurred before: a cache maps them to
 * their stacks.
 */

#include "process/process_table.h"
#include "profile/tree/frame_table.h"
#include "profile/tree/stack_table.h"
#include "stack/chain_cache.h"
#include "stack/sample_chain.h"

/** A normalized chain, with the process's current maps. */
struct stack_chain {
	const uint64_t *words;
	size_t num_words;
	uint64_t hash; /* chain_cache_hash() */
	uint32_t pid;
};

struct stack_finder {
	struct process_table *processes; /* not owned */
	struct frame_table frames;
	struct stack_table stacks;
	struct chain_cache chains;
	uint32_t frame_ids[SAMPLE_CHAIN_MAX_WORDS]; /* private */
};

/** @finder: zero-initialized. @processes: must outlive it. */
static inline void stack_finder_init(struct stack_finder *finder, struct process_table *processes)
{
	finder->processes = processes;
}

void stack_finder_deinit(struct stack_finder *finder);

struct error *stack_finder_find(struct stack_finder *finder, const struct stack_chain *chain,
				uint32_t *ret);

/** The stack of a single address. */
struct error *stack_finder_address(struct stack_finder *finder, const struct process *process,
				   uint64_t address, uint32_t *ret);

/** The stack of a wait, with what ended it as its innermost frame: an enum stack_marker, or a
 * thread that woke it. */
struct error *stack_finder_add_marker(struct stack_finder *finder, uint32_t stack, uint64_t marker,
				      uint32_t *ret);
struct error *stack_finder_add_waker(struct stack_finder *finder, uint32_t stack, uint32_t thread,
				     uint32_t waker_stack, uint32_t *ret);

/** The stack of chains without any frame. */
struct error *stack_finder_unknown(struct stack_finder *finder, uint32_t *ret);

#endif
