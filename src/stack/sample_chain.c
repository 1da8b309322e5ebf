// SPDX-License-Identifier: Apache-2.0

#include "stack/sample_chain.h"

#include <string.h>

// sample_chain_set() writes two forms of a chain. `words` is the key of the stack cache: the
// process's generation, then contexts and addresses, where return addresses are reduced by one so
// that they lie in the calling instruction. `raw` is the chain as perf.data has it
// (PERF_SAMPLE_CALLCHAIN of linux/perf_event.h), with return addresses unchanged.
//
// add_native() chooses the source of the callers: the kernel's chain, the unwound copy of the stack
// (add_walk()), the branch records of the CPU (add_calls()), or only the address. Interpreted
// frames then replace the C frames that ran them. add_walk() goes outward through the native
// frames. Where a frame is the eval loop of the next interpreted frames (runs_interpreted()), it
// writes these instead, up to the frame that native code called (INTERPRETED_FRAME_IS_ENTRY), and
// goes on. Since 3.10 the frame that native code called knows an address in the C frame of its eval
// loop; before, every C frame in the eval loop's code runs exactly one.
//
// Chains of frame pointers have no stack addresses to match, so that put_behind_leaf() keeps only
// the innermost native frame and the interpreted frames. Outer frames that were read after the
// sample are used only if their eval loops match the interpreted frames of the sample
// (fits_interpreted()).

// What our files have for callers that nobody knows: other readers show a caller without a name.
// Not 0, with which the kernel may end a chain that it followed into the void.
static const uint64_t unknown_caller = 1;

static void add_raw(struct sample_chain *chain, uint64_t word)
{
	if (chain->num_raw < SAMPLE_CHAIN_MAX_WORDS)
		chain->raw[chain->num_raw++] = word;
}

static void sample_chain_add_word(struct sample_chain *chain, uint64_t word)
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
	sample_chain_add_word(chain, context);
	sample_chain_add_word(chain, record->sample.ip);
}

/**
 * The first address behind a context is where that code was interrupted; the others are return
 * addresses, which belong to the instruction before.
 */
static void sample_chain_add(struct sample_chain *chain, const struct record *record)
{
	const uint64_t *taken = record->sample.chain;
	size_t length = record->sample.chain_length;
	if (length && !sample_chain_is_context(taken[0])) {
		add_raw(chain, context_of(record));
		sample_chain_add_word(chain, context_of(record));
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
		sample_chain_add_word(chain, SAMPLE_CHAIN_TRUNCATED);
}

/** The frame behind the one that native code called to run those from @next on; behind all if a
 *  task begins there. */
static size_t behind_entry(const struct interpreted_stack *interpreted, size_t next)
{
	if (interpreted_stack_is_task(interpreted, next))
		return interpreted->num_frames;
	while (next < interpreted->num_called)
		if (interpreted->frames[next++].flags & INTERPRETED_FRAME_IS_ENTRY)
			break;
	return next;
}

/**
 * Interpreted frames up to the one that native code called, which is the next one's caller.
 * @next: the first of them. Returns the first behind them.
 */
static size_t add_interpreted_call(struct sample_chain *chain,
				   const struct interpreted_stack *interpreted, size_t next)
{
	size_t end = behind_entry(interpreted, next);
	sample_chain_add_word(chain, SAMPLE_CHAIN_INTERPRETED);
	for (; next < end; next++) {
		sample_chain_add_word(chain, interpreted->places[next]);
		add_raw(chain, interpreted->addresses[next]);
	}
	return end;
}

static void sample_chain_add_interpreted(struct sample_chain *chain,
					 const struct interpreted_stack *interpreted, size_t next)
{
	while (next < interpreted->num_frames)
		next = add_interpreted_call(chain, interpreted, next);
}

/** The address in the C frame that runs the innermost frames from @next on; 0: not known. */
static uint64_t entry_of(const struct interpreted_stack *interpreted, size_t next)
{
	for (; next < interpreted->num_called; next++)
		if (interpreted->frames[next].flags & INTERPRETED_FRAME_IS_ENTRY)
			return interpreted->frames[next].stack;
	return 0;
}

/** A native stack, and the interpreted frames that belong between its frames. */
struct mixed_stack {
	const struct walked_stack *native;
	const struct interpreted_stack *interpreted;
};

static bool is_loop(const struct mixed_stack *mixed, size_t frame)
{
	const struct walked_stack *native = mixed->native;
	return interpreted_stack_is_loop(mixed->interpreted,
					 native->frames[frame] - native->is_return_address[frame]);
}

/** Is this the C frame that runs the innermost interpreted frames from @next on? Up to 3.10 frames
 * do not say where theirs is, but each has one of its own. */
static bool runs_interpreted(const struct mixed_stack *mixed, size_t frame, size_t next)
{
	if (next == mixed->interpreted->num_called)
		return false;
	uint64_t entry = entry_of(mixed->interpreted, next);
	if (!entry)
		return is_loop(mixed, frame);
	const struct walked_stack *native = mixed->native;
	bool is_last = frame + 1 == native->num_frames;
	return entry >= native->stack_pointers[frame] &&
	       (is_last || entry < native->stack_pointers[frame + 1]);
}

/** With tail calls each instruction has a function, which the C frame of the entry calls. */
static bool is_instruction(const struct mixed_stack *mixed, size_t frame, size_t next)
{
	return frame + 1 < mixed->native->num_frames && runs_interpreted(mixed, frame + 1, next) &&
	       is_loop(mixed, frame);
}

/** Without addresses, and without symbols of the interpreter, there is no telling. */
static bool can_be_placed(const struct mixed_stack *mixed)
{
	if (!mixed->interpreted->num_frames || entry_of(mixed->interpreted, 0))
		return true;
	for (size_t i = 0; i < mixed->native->num_frames; i++)
		if (is_loop(mixed, i))
			return true;
	return false;
}

/**
 * Native frames, with interpreted frames in the place of the C function that runs them.
 * @leaf: where it happened. Registers may be those of an instruction nearby, with the same callers.
 */
static void add_walk(struct sample_chain *chain, const struct mixed_stack *mixed, uint64_t leaf)
{
	const struct walked_stack *native = mixed->native;
	const struct interpreted_stack *interpreted = mixed->interpreted;
	size_t next = 0;
	uint64_t context = 0;
	add_raw(chain, RECORD_CONTEXT_USER);
	// As good as anywhere is behind the first.
	size_t num_frames = can_be_placed(mixed) ? native->num_frames : 1;
	// What called a task is the event loop, whatever the task.
	for (size_t i = 0; i < num_frames && !interpreted_stack_is_task(interpreted, next); i++) {
		if (runs_interpreted(mixed, i, next)) {
			next = add_interpreted_call(chain, interpreted, next);
			chain->num_placed++;
			context = SAMPLE_CHAIN_INTERPRETED;
			continue;
		}
		if (is_instruction(mixed, i, next))
			continue;
		if (context != RECORD_CONTEXT_USER)
			sample_chain_add_word(chain, context = RECORD_CONTEXT_USER);
		sample_chain_add_word(chain,
				      i ? native->frames[i] - native->is_return_address[i] : leaf);
		add_raw(chain, i ? native->frames[i] : leaf);
	}
	// Stacks that end within the copied piece are whole, others are said to be cut.
	if (next < interpreted->num_frames) {
		sample_chain_add_interpreted(chain, interpreted, next);
	} else if (native->end != UNWIND_END_OUTERMOST) {
		sample_chain_add_word(chain, SAMPLE_CHAIN_TRUNCATED);
		add_raw(chain, unknown_caller);
	}
}

/** The CPU's record of the calls that have not returned, newest first: from where they went. */
static void add_calls(struct sample_chain *chain, const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	add_raw(chain, RECORD_CONTEXT_USER);
	sample_chain_add_word(chain, RECORD_CONTEXT_USER);
	if (context_of(record) == RECORD_CONTEXT_USER) {
		add_raw(chain, sample->ip);
		sample_chain_add_word(chain, sample->ip);
	}
	for (size_t i = 0; i < sample->num_branches && i < SAMPLE_CHAIN_MAX; i++) {
		add_raw(chain, sample->branches[i].from);
		sample_chain_add_word(chain, sample->branches[i].from);
	}
}

/**
 * Frames that were read later are of this sample if they are where the remaining calls of
 * interpreted code are, and all of these are among them. What only native functions call may have
 * been called in another way since.
 */
static bool fits_interpreted(const struct mixed_stack *mixed)
{
	size_t next = 0;
	bool is_needed = false;
	for (size_t i = 0; i < mixed->native->num_frames; i++) {
		if (!runs_interpreted(mixed, i, next))
			continue;
		next = behind_entry(mixed->interpreted, next);
		is_needed = i >= mixed->native->num_copied;
	}
	return is_needed && next == mixed->interpreted->num_called;
}

static void walk_stack(struct sample_chain *chain, const struct sample_chain_rules *rules,
		       const struct sample_chain_parts *parts)
{
	const struct record_sample *sample = &parts->record->sample;
	const struct interpreted_stack *interpreted = parts->interpreted;
	struct walked_stack native;
	chain->was_walked =
		rules->walker && stack_walker_walk(rules->walker, parts->modules, parts->process,
						   sample, interpreted->num_frames > 0, &native);
	if (!chain->was_walked)
		return;
	const struct mixed_stack mixed = {&native, interpreted};
	if (native.num_copied < native.num_frames && !fits_interpreted(&mixed)) {
		native.num_frames = native.num_copied;
		native.end = UNWIND_END_STACK;
	}
	chain->end = native.end;
	chain->was_completed = native.num_copied < native.num_frames;
	for (size_t i = 0; i < interpreted->num_frames; i++)
		chain->num_entries += interpreted->frames[i].flags & INTERPRETED_FRAME_IS_ENTRY;
	bool is_in_kernel = context_of(parts->record) == RECORD_CONTEXT_KERNEL;
	uint64_t leaf = is_in_kernel ? native.frames[0] : sample->ip;
	add_walk(chain, &mixed, leaf);
}

static void add_native(struct sample_chain *chain, const struct sample_chain_rules *rules,
		       const struct sample_chain_parts *parts)
{
	const struct record *record = parts->record;
	const struct record_sample *sample = &record->sample;
	if (!rules->has_callers) {
		add_own_address(chain, record);
		return;
	}
	// A context alone says nothing.
	if (sample->chain_length > 1 ||
	    (sample->chain_length == 1 && !sample_chain_is_context(sample->chain[0])))
		sample_chain_add(chain, record);
	if (sample->regs_abi)
		walk_stack(chain, rules, parts);
	else if (rules->has_call_branches && sample->num_branches)
		add_calls(chain, record);
	if (chain->num_raw == 0)
		add_own_address(chain, record);
}

/** Chains of frame pointers have no addresses on the stack: only the innermost frame is kept. */
static void put_behind_leaf(struct sample_chain *chain, const struct interpreted_stack *interpreted,
			    const struct record *record)
{
	chain->num_words = 1;
	chain->num_raw = 0;
	uint64_t context = context_of(record);
	// Without an address: a thread that sleeps, of which the kernel showed nothing.
	bool is_hidden =
		context == RECORD_CONTEXT_USER &&
		(!record->sample.ip || interpreted_stack_is_loop(interpreted, record->sample.ip));
	if (!is_hidden)
		add_own_address(chain, record);
	if (is_hidden || context != RECORD_CONTEXT_USER)
		add_raw(chain, RECORD_CONTEXT_USER);
	sample_chain_add_interpreted(chain, interpreted, 0);
}

void sample_chain_set(struct sample_chain *chain, const struct sample_chain_rules *rules,
		      const struct sample_chain_parts *parts, uint64_t *words)
{
	chain->num_raw = 0;
	chain->words = words;
	chain->num_words = 0;
	chain->was_walked = false;
	chain->was_completed = false;
	chain->num_placed = 0;
	chain->num_entries = 0;
	sample_chain_add_word(chain, parts->process->generation);
	add_native(chain, rules, parts);
	if (!parts->interpreted->num_frames)
		return;
	if (rules->interpreted_rule == INTERPRETED_ONLY) {
		chain->num_words = 1;
		chain->num_raw = 0;
		add_raw(chain, RECORD_CONTEXT_USER);
		sample_chain_add_interpreted(chain, parts->interpreted, 0);
	} else if (!chain->was_walked) {
		put_behind_leaf(chain, parts->interpreted, parts->record);
	}
}
