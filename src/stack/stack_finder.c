// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_finder.h"

#include "stack/stack_naming.h"

// stack_finder_find() asks the chain cache first: most chains have occurred before. Otherwise
// intern_stack() turns each address into a frame (module, offset in the file), because the same
// place has different addresses in processes and runs (ASLR), and interns the list of frames. The
// cache's key begins with the generation of the process, which changes with its maps, so that an
// old entry can never be found for a new map, and nothing has to be removed.

void stack_finder_deinit(struct stack_finder *finder)
{
	frame_table_deinit(&finder->frames);
	stack_table_deinit(&finder->stacks);
	chain_cache_deinit(&finder->chains);
}

static struct error *intern_module_frame(struct stack_finder *finder, const struct module *module,
					 uint64_t address, uint32_t *ret)
{
	struct frame frame = {.address = address};
	struct error *err = module_table_intern(&finder->processes->modules, module, &frame.module);
	return err ? err : frame_table_intern(&finder->frames, &frame, ret);
}

/** Files are known by offset, so that one address is one place in all processes. */
static struct error *intern_mapped_frame(struct stack_finder *finder, const struct mapping *mapping,
					 uint64_t address, uint32_t *ret)
{
	struct frame frame = {.module = mapping->module, .address = address};
	if (module_has_offsets(&finder->processes->modules.items[mapping->module]))
		frame.address = address - mapping->start + mapping->file_offset;
	return frame_table_intern(&finder->frames, &frame, ret);
}

static struct error *intern_user_frame(struct stack_finder *finder, const struct process *process,
				       uint64_t address, uint32_t *ret)
{
	const struct mapping *mapping = process_find_mapping(process, address);
	if (!mapping) {
		const struct module unmapped = {
			.kind = MODULE_UNMAPPED, .path = "", .pid = process->pid};
		return intern_module_frame(finder, &unmapped, address, ret);
	}
	return intern_mapped_frame(finder, mapping, address, ret);
}

/** Windows' kernel is images that are mapped; Linux' symbols are by address. */
static struct error *intern_kernel_frame(struct stack_finder *finder, uint64_t address,
					 uint32_t *ret)
{
	static const struct module kernel = {.kind = MODULE_KERNEL, .path = ""};
	const struct mapping *mapping = process_table_find_kernel(finder->processes, address);
	return mapping ? intern_mapped_frame(finder, mapping, address, ret)
		       : intern_module_frame(finder, &kernel, address, ret);
}

static struct error *intern_frame(struct stack_finder *finder, const struct process *process,
				  uint64_t context, uint64_t address, uint32_t *ret)
{
	if (address == SAMPLE_CHAIN_TRUNCATED) {
		const struct frame marker = {STACK_MARKER_TRUNCATED, STACK_MARKER_MODULE};
		return frame_table_intern(&finder->frames, &marker, ret);
	}
	if (context == SAMPLE_CHAIN_INTERPRETED) {
		const struct frame place = {address, STACK_INTERPRETED_MODULE};
		return frame_table_intern(&finder->frames, &place, ret);
	}
	if (context == RECORD_CONTEXT_USER)
		return intern_user_frame(finder, process, address, ret);
	return intern_kernel_frame(finder, address, ret);
}

static struct error *intern_stack(struct stack_finder *finder, const struct stack_chain *chain,
				  uint32_t *ret)
{
	struct process *process;
	struct error *err = process_table_process(finder->processes, chain->pid, &process);
	if (err)
		return err;
	// Word 0 is the number of the maps. A context applies to the addresses behind it, as in
	// PERF_SAMPLE_CALLCHAIN of perf_event_open(2).
	uint64_t context = RECORD_CONTEXT_USER;
	size_t num_frames = 0;
	for (size_t i = 1; i < chain->num_words; i++) {
		uint64_t word = chain->words[i];
		if (sample_chain_is_context(word)) {
			context = word;
			continue;
		}
		err = intern_frame(finder, process, context, word,
				   &finder->frame_ids[num_frames++]);
		if (err)
			return err;
	}
	return stack_table_intern(&finder->stacks, finder->frame_ids, num_frames, ret);
}

struct error *stack_finder_find(struct stack_finder *finder, const struct stack_chain *chain,
				uint32_t *ret)
{
	struct chain_cache *chains = &finder->chains;
	if (chain_cache_find(chains, chain->hash, chain->words, chain->num_words, ret))
		return NULL;
	struct error *err = intern_stack(finder, chain, ret);
	return err ? err
		   : chain_cache_add(chains, chain->hash, chain->words, chain->num_words, *ret);
}

struct error *stack_finder_address(struct stack_finder *finder, const struct process *process,
				   uint64_t address, uint32_t *ret)
{
	uint64_t context =
		record_is_kernel_address(address) ? RECORD_CONTEXT_KERNEL : RECORD_CONTEXT_USER;
	uint32_t frame;
	struct error *err = intern_frame(finder, process, context, address, &frame);
	return err ? err : stack_table_push(&finder->stacks, STACK_NONE, frame, ret);
}

static struct error *stack_finder_push(struct stack_finder *finder, uint32_t stack,
				       const struct frame *frame, uint32_t *ret)
{
	uint32_t id;
	struct error *err = frame_table_intern(&finder->frames, frame, &id);
	return err ? err : stack_table_push(&finder->stacks, stack, id, ret);
}

struct error *stack_finder_add_marker(struct stack_finder *finder, uint32_t stack, uint64_t marker,
				      uint32_t *ret)
{
	const struct frame frame = {marker, STACK_MARKER_MODULE};
	return stack_finder_push(finder, stack, &frame, ret);
}

struct error *stack_finder_add_waker(struct stack_finder *finder, uint32_t stack, uint32_t thread,
				     uint32_t waker_stack, uint32_t *ret)
{
	const struct frame frame = {stack_waker_address(thread, waker_stack), STACK_WAKER_MODULE};
	return stack_finder_push(finder, stack, &frame, ret);
}

struct error *stack_finder_unknown(struct stack_finder *finder, uint32_t *ret)
{
	uint32_t id;
	const struct frame marker = {STACK_MARKER_TRUNCATED, STACK_MARKER_MODULE};
	struct error *err = frame_table_intern(&finder->frames, &marker, &id);
	return err ? err : stack_table_intern(&finder->stacks, &id, 1, ret);
}
