// SPDX-License-Identifier: Apache-2.0

#include "session/sample_chain.h"

#include <string.h>

// What our files have for callers that nobody knows: other readers show a caller without a name.
// Not 0, with which the kernel may end a chain that it followed into the void.
static const uint64_t unknown_caller = 1;

static void add_raw(struct sample_chain *chain, uint64_t word)
{
	if (chain->num_raw < SAMPLE_CHAIN_MAX_WORDS)
		chain->raw[chain->num_raw++] = word;
}

static void add_word(struct sample_chain *chain, uint64_t word)
{
	if (chain->num_words < SAMPLE_CHAIN_MAX_WORDS)
		chain->words[chain->num_words++] = word;
}

static uint64_t context_of(const struct record *record)
{
	return record->mode == RECORD_MODE_KERNEL || record->mode == RECORD_MODE_HYPERVISOR
		       ? RECORD_CONTEXT_KERNEL
		       : RECORD_CONTEXT_USER;
}

static void add_own_address(struct sample_chain *chain, const struct record *record)
{
	uint64_t context = context_of(record);
	add_raw(chain, context);
	add_raw(chain, record->sample.ip);
	add_word(chain, context);
	add_word(chain, record->sample.ip);
}

/**
 * The first address behind a context is where that code was interrupted; the others are return
 * addresses, which belong to the instruction before.
 */
static void add_chain(struct sample_chain *chain, const struct record *record)
{
	const uint64_t *taken = record->sample.chain;
	size_t length = record->sample.chain_length;
	if (length && !sample_chain_is_context(taken[0])) {
		add_raw(chain, context_of(record));
		add_word(chain, context_of(record));
	}
	size_t num_taken = length < SAMPLE_CHAIN_MAX
				   ? length
				   : SAMPLE_CHAIN_MAX; // there is room for twice that
	uint64_t *words = chain->words + chain->num_words;
	bool is_first = true;
	for (size_t i = 0; i < num_taken; i++) {
		bool is_return = !is_first & !sample_chain_is_context(taken[i]) & (taken[i] != 0);
		words[i] = taken[i] - is_return;
		is_first = sample_chain_is_context(taken[i]);
	}
	if (num_taken > 1 && taken[num_taken - 1] == unknown_caller)
		words[num_taken - 1] = SAMPLE_CHAIN_TRUNCATED;
	chain->num_words += num_taken;
	if (num_taken)
		memcpy(chain->raw + chain->num_raw, taken, num_taken * sizeof(*taken));
	chain->num_raw += num_taken;
	if (length > SAMPLE_CHAIN_MAX)
		add_word(chain, SAMPLE_CHAIN_TRUNCATED);
}

/**
 * Stacks that end within the copied piece are whole, others are said to be cut.
 * @leaf: where it happened. Registers may be those of an instruction nearby, with the same callers.
 */
static void add_walked(struct sample_chain *chain, const struct walked_stack *stack, uint64_t leaf)
{
	add_raw(chain, RECORD_CONTEXT_USER);
	add_word(chain, RECORD_CONTEXT_USER);
	add_raw(chain, leaf);
	add_word(chain, leaf);
	for (size_t i = 1; i < stack->num_frames; i++) {
		add_raw(chain, stack->frames[i]);
		add_word(chain, stack->frames[i] - stack->is_return_address[i]);
	}
	if (stack->end == UNWIND_END_OUTERMOST)
		return;
	add_raw(chain, unknown_caller);
	add_word(chain, SAMPLE_CHAIN_TRUNCATED);
}

/** The CPU's record of the calls that have not returned, newest first: from where they went. */
static void add_calls(struct sample_chain *chain, const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	add_raw(chain, RECORD_CONTEXT_USER);
	add_word(chain, RECORD_CONTEXT_USER);
	if (context_of(record) == RECORD_CONTEXT_USER) {
		add_raw(chain, sample->ip);
		add_word(chain, sample->ip);
	}
	for (size_t i = 0; i < sample->num_branches && i < SAMPLE_CHAIN_MAX; i++) {
		add_raw(chain, sample->branches[i].from);
		add_word(chain, sample->branches[i].from);
	}
}

static void walk_stack(struct sample_chain *chain, const struct sample_chain_rules *rules,
		       const struct module_table *modules, const struct process *process,
		       const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	struct walked_stack stack;
	chain->was_walked =
		rules->walker && stack_walker_walk(rules->walker, modules, process, sample, &stack);
	if (!chain->was_walked)
		return;
	chain->end = stack.end;
	bool is_in_kernel = context_of(record) == RECORD_CONTEXT_KERNEL;
	add_walked(chain, &stack, is_in_kernel ? stack.frames[0] : sample->ip);
}

static bool has_chain(const struct record_sample *sample)
{
	// A context alone says nothing.
	return sample->chain_length > 1 ||
	       (sample->chain_length == 1 && !sample_chain_is_context(sample->chain[0]));
}

void sample_chain_set(struct sample_chain *chain, const struct sample_chain_rules *rules,
		      const struct module_table *modules, const struct process *process,
		      const struct record *record, uint64_t *words)
{
	chain->num_raw = 0;
	chain->words = words;
	chain->num_words = 0;
	chain->was_walked = false;
	add_word(chain, process->generation);
	if (!rules->has_callers) {
		add_own_address(chain, record);
		return;
	}
	if (has_chain(&record->sample))
		add_chain(chain, record);
	if (record->sample.regs_abi)
		walk_stack(chain, rules, modules, process, record);
	else if (rules->has_call_branches && record->sample.num_branches)
		add_calls(chain, record);
	if (chain->num_raw == 0)
		add_own_address(chain, record);
}
