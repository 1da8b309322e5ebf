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

/** The frame behind the one that native code called to run those from @place on. */
static size_t behind_entry(const struct record_sample *sample, size_t place)
{
	while (place < sample->num_frames)
		if (sample->frames[place++].flags & INTERPRETED_FRAME_IS_ENTRY)
			break;
	return place;
}

/**
 * Interpreted frames up to the one that native code called, which is the next one's caller.
 * @place: of the first; afterwards of the first behind them.
 */
static void add_interpreted_call(struct sample_chain *chain, const struct sample_chain_rules *rules,
				 const struct process *process, const struct record_sample *sample,
				 size_t *place)
{
	enum { MAX_AT_ONCE = 64 };
	size_t end = behind_entry(sample, *place);
	sample_chain_add_word(chain, SAMPLE_CHAIN_INTERPRETED);
	while (*place < end && !chain->failure) {
		uint64_t found[MAX_AT_ONCE];
		size_t num = end - *place < MAX_AT_ONCE ? end - *place : MAX_AT_ONCE;
		chain->failure = interpreted_processes_find(rules->interpreted, process->pid,
							    &sample->frames[*place], num, found);
		for (size_t i = 0; i < num && !chain->failure; i++) {
			sample_chain_add_word(chain, found[i]);
			add_raw(chain, code_places_address(
					       interpreted_processes_places(rules->interpreted),
					       found[i]));
		}
		*place += num;
	}
}

static void sample_chain_add_interpreted(struct sample_chain *chain,
					 const struct sample_chain_rules *rules,
					 const struct process *process,
					 const struct record_sample *sample, size_t place)
{
	while (place < sample->num_frames && !chain->failure)
		add_interpreted_call(chain, rules, process, sample, &place);
}

/** The address in the C frame that runs the innermost frames from @place on; 0: not known. */
static uint64_t entry_of(const struct record_sample *sample, size_t place)
{
	for (; place < sample->num_frames; place++)
		if (sample->frames[place].flags & INTERPRETED_FRAME_IS_ENTRY)
			return sample->frames[place].stack;
	return 0;
}

static bool sample_chain_holds(const struct walked_stack *stack, size_t frame, uint64_t address)
{
	bool is_last = frame + 1 == stack->num_frames;
	return address >= stack->stack_pointers[frame] &&
	       (is_last || address < stack->stack_pointers[frame + 1]);
}

/** A native stack, and the interpreted frames that belong between its frames. */
struct mixed_stack {
	const struct sample_chain_rules *rules;
	const struct process *process;
	const struct record_sample *sample;
	const struct walked_stack *native;
};

static bool is_loop(const struct mixed_stack *mixed, size_t frame)
{
	const struct walked_stack *native = mixed->native;
	return interpreted_processes_is_loop(mixed->rules->interpreted, mixed->process->pid,
					     native->frames[frame] -
						     native->is_return_address[frame]);
}

/** Is this the C frame that runs the innermost interpreted frames from @place on? Up to 3.10 frames
 * do not say where theirs is, but each has one of its own. */
static bool runs_interpreted(const struct mixed_stack *mixed, size_t frame, size_t place)
{
	if (place == mixed->sample->num_frames)
		return false;
	uint64_t entry = entry_of(mixed->sample, place);
	return entry ? sample_chain_holds(mixed->native, frame, entry) : is_loop(mixed, frame);
}

/** With tail calls each instruction has a function, which the C frame of the entry calls. */
static bool is_instruction(const struct mixed_stack *mixed, size_t frame, size_t place)
{
	return frame + 1 < mixed->native->num_frames && runs_interpreted(mixed, frame + 1, place) &&
	       is_loop(mixed, frame);
}

/** Without addresses, and without symbols of the interpreter, there is no telling. */
static bool can_be_placed(const struct mixed_stack *mixed)
{
	if (!mixed->sample->num_frames || entry_of(mixed->sample, 0))
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
	const struct sample_chain_rules *rules = mixed->rules;
	const struct process *process = mixed->process;
	const struct record_sample *sample = mixed->sample;
	const struct walked_stack *stack = mixed->native;
	size_t place = rules->interpreted ? 0 : sample->num_frames;
	uint64_t context = 0;
	add_raw(chain, RECORD_CONTEXT_USER);
	// As good as anywhere is behind the first.
	bool is_anywhere = rules->interpreted && !can_be_placed(mixed);
	size_t num_frames = is_anywhere ? 1 : stack->num_frames;
	for (size_t i = 0; i < num_frames; i++) {
		if (runs_interpreted(mixed, i, place)) {
			add_interpreted_call(chain, rules, process, sample, &place);
			chain->num_placed++;
			context = SAMPLE_CHAIN_INTERPRETED;
			continue;
		}
		if (is_instruction(mixed, i, place))
			continue;
		if (context != RECORD_CONTEXT_USER)
			sample_chain_add_word(chain, context = RECORD_CONTEXT_USER);
		sample_chain_add_word(chain,
				      i ? stack->frames[i] - stack->is_return_address[i] : leaf);
		add_raw(chain, i ? stack->frames[i] : leaf);
	}
	// Stacks that end within the copied piece are whole, others are said to be cut.
	if (place < sample->num_frames) {
		sample_chain_add_interpreted(chain, rules, process, sample, place);
	} else if (stack->end != UNWIND_END_OUTERMOST) {
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

static size_t count_entries(const struct record_sample *sample)
{
	size_t num = 0;
	for (size_t i = 0; i < sample->num_frames; i++)
		num += sample->frames[i].flags & INTERPRETED_FRAME_IS_ENTRY;
	return num;
}

/**
 * Frames that were read later are of this sample if they are where the remaining calls of
 * interpreted code are, and all of these are among them. What only native functions call may have
 * been called in another way since.
 */
static bool fits_interpreted(const struct mixed_stack *mixed)
{
	size_t place = 0;
	bool is_needed = false;
	for (size_t i = 0; i < mixed->native->num_frames; i++) {
		if (!runs_interpreted(mixed, i, place))
			continue;
		place = behind_entry(mixed->sample, place);
		is_needed = i >= mixed->native->num_copied;
	}
	return is_needed && place == mixed->sample->num_frames;
}

static void walk_stack(struct sample_chain *chain, const struct sample_chain_rules *rules,
		       const struct module_table *modules, const struct process *process,
		       const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	struct walked_stack stack;
	bool has_interpreted = rules->interpreted && sample->num_frames;
	chain->was_walked = rules->walker && stack_walker_walk(rules->walker, modules, process,
							       sample, has_interpreted, &stack);
	if (!chain->was_walked)
		return;
	const struct mixed_stack mixed = {rules, process, sample, &stack};
	if (stack.num_copied < stack.num_frames && !fits_interpreted(&mixed)) {
		stack.num_frames = stack.num_copied;
		stack.end = UNWIND_END_STACK;
	}
	chain->end = stack.end;
	chain->was_completed = stack.num_copied < stack.num_frames;
	chain->num_entries = rules->interpreted ? count_entries(sample) : 0;
	bool is_in_kernel = context_of(record) == RECORD_CONTEXT_KERNEL;
	uint64_t leaf = is_in_kernel ? stack.frames[0] : sample->ip;
	add_walk(chain, &mixed, leaf);
}

static bool has_chain(const struct record_sample *sample)
{
	// A context alone says nothing.
	return sample->chain_length > 1 ||
	       (sample->chain_length == 1 && !sample_chain_is_context(sample->chain[0]));
}

static void add_native(struct sample_chain *chain, const struct sample_chain_rules *rules,
		       const struct module_table *modules, const struct process *process,
		       const struct record *record)
{
	if (!rules->has_callers) {
		add_own_address(chain, record);
		return;
	}
	if (has_chain(&record->sample))
		sample_chain_add(chain, record);
	if (record->sample.regs_abi)
		walk_stack(chain, rules, modules, process, record);
	else if (rules->has_call_branches && record->sample.num_branches)
		add_calls(chain, record);
	if (chain->num_raw == 0)
		add_own_address(chain, record);
}

/** Chains of frame pointers have no addresses on the stack: only the innermost frame is kept. */
static void put_behind_leaf(struct sample_chain *chain, const struct sample_chain_rules *rules,
			    const struct process *process, const struct record *record)
{
	chain->num_words = 1;
	chain->num_raw = 0;
	uint64_t context = context_of(record);
	// Without an address: a thread that sleeps, of which the kernel showed nothing.
	bool is_hidden = context == RECORD_CONTEXT_USER &&
			 (!record->sample.ip ||
			  interpreted_processes_is_loop(rules->interpreted, process->pid,
							record->sample.ip));
	if (!is_hidden)
		add_own_address(chain, record);
	if (is_hidden || context != RECORD_CONTEXT_USER)
		add_raw(chain, RECORD_CONTEXT_USER);
	sample_chain_add_interpreted(chain, rules, process, &record->sample, 0);
}

struct error *sample_chain_set(struct sample_chain *chain, const struct sample_chain_rules *rules,
			       const struct module_table *modules, const struct process *process,
			       const struct record *record, uint64_t *words)
{
	bool has_interpreted = rules->interpreted && record->sample.num_frames;
	chain->num_raw = 0;
	chain->words = words;
	chain->num_words = 0;
	chain->was_walked = false;
	chain->was_completed = false;
	chain->num_placed = 0;
	chain->num_entries = 0;
	chain->failure = NULL;
	sample_chain_add_word(chain, process->generation);
	add_native(chain, rules, modules, process, record);
	if (!has_interpreted || chain->failure)
		return chain->failure;
	if (rules->interpreted_rule == INTERPRETED_ONLY) {
		chain->num_words = 1;
		chain->num_raw = 0;
		add_raw(chain, RECORD_CONTEXT_USER);
		sample_chain_add_interpreted(chain, rules, process, &record->sample, 0);
	} else if (!chain->was_walked) {
		put_behind_leaf(chain, rules, process, record);
	}
	return chain->failure;
}
