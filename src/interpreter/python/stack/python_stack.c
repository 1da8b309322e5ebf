// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_stack.h"

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "interpreter/python/stack/python_snapshot.h"

#include <string.h>

// python_stack_read_places() begins a snapshot, then tries up to MAX_TRIES times: take a copy,
// follow frames by their pointer to the caller (python_stack_walk_frames()), check that nothing
// changed. A walk is accepted only if its last frame can be outermost (is_root()): a list that ends
// elsewhere was read while the thread was linking it.
//
// The walk also finds where native code called Python, so that Python and native frames can be
// interleaved. Up to 3.10 each frame has a C frame of its own. In 3.11 a frame has `is_entry`.
// Since 3.12 the eval loop pushes a shim, a frame whose owner is FRAME_OWNED_BY_CSTACK or higher,
// below the first frame that it runs (Include/internal/pycore_frame.h). The address of the CFrame
// (3.10, 3.11) or of the shim lies in the C frame of the eval loop, which sample_chain.c uses.
//
// Versions of code objects are read at the end, in batches: they are needed only for the stack that
// is used.

enum {
	MAX_TRIES = 20,
	MAX_PASSED = 1 << 16, // that are no frames of a call: lists that run in circles end
};

struct python_stack_reader {
	const struct python_runtime *runtime;
	struct python_snapshot *snapshot;
	uint64_t num_reads, num_tries;
};

/** A walk that goes on. */
struct walk {
	const struct python_walk *rules;
	struct python_snapshot *snapshot;
	struct interpreted_frame *frames;
	uint64_t *addresses; /* of the frames; NULL: not asked for */
	size_t max, num;
	uint64_t cframe; /* of the innermost C frame that has none of our frames yet; 0: none */
};

void python_stack_reader_destroy(struct python_stack_reader *reader)
{
	if (!reader)
		return;
	python_snapshot_destroy(reader->snapshot);
	free(reader);
}

struct error *python_stack_reader_create(const struct python_runtime *runtime,
					 struct python_stack_reader **ret)
{
	_cleanup_(python_stack_reader_destroyp) struct python_stack_reader *reader =
		calloc(1, sizeof(*reader));
	if (!reader)
		return &error_no_memory;
	reader->runtime = runtime;
	struct error *err = python_snapshot_create(runtime, &reader->snapshot);
	if (err)
		return err;
	*ret = take_ptr(reader);
	return NULL;
}

struct python_stack_counts python_stack_reader_counts(const struct python_stack_reader *reader)
{
	return (struct python_stack_counts){
		.num_reads = reader->num_reads,
		.num_tries = reader->num_tries,
		.num_calls = python_snapshot_num_calls(reader->snapshot),
	};
}

/** The C frame that runs an entry has a CFrame in 3.10 and 3.11; they are linked. */
static uint64_t next_cframe(struct walk *walk)
{
	uint64_t cframe = walk->cframe;
	if (cframe && !python_snapshot_read(walk->snapshot, cframe + walk->rules->cframe_previous,
					    &walk->cframe, sizeof(walk->cframe)))
		walk->cframe = 0;
	return cframe;
}

static bool is_shim(const struct python_walk *rules, const uint8_t *bytes)
{
	return rules->kind == PYTHON_WALK_OWNER && bytes[rules->frame_mark] >= rules->shim_owner;
}

static bool is_entry(const struct python_walk *rules, const uint8_t *bytes)
{
	return rules->kind == PYTHON_WALK_INDEX ||
	       (rules->kind == PYTHON_WALK_ENTRY && bytes[rules->frame_mark]);
}

static void mark_entry(struct interpreted_frame *frame, uint64_t stack)
{
	frame->flags |= INTERPRETED_FRAME_IS_ENTRY;
	frame->stack = stack;
}

/** Of a frame that is no shim. */
static void python_stack_add_frame(struct walk *walk, const uint8_t *bytes, uint64_t address)
{
	const struct python_walk *rules = walk->rules;
	if (walk->addresses)
		walk->addresses[walk->num] = address;
	struct interpreted_frame *frame = &walk->frames[walk->num++];
	*frame = (struct interpreted_frame){
		.code = byte_order_load64(bytes + rules->frame_code, false) & rules->code_mask,
		.instruction = rules->kind == PYTHON_WALK_INDEX
				       ? byte_order_load32(bytes + rules->frame_instruction, false)
				       : byte_order_load64(bytes + rules->frame_instruction, false),
	};
	if (rules->frame_tlbc)
		frame->tlbc = byte_order_load16(bytes + rules->frame_tlbc, false);
	if (is_entry(rules, bytes))
		mark_entry(frame, next_cframe(walk));
}

/** Can it be the outermost? Behind a generator that has stopped meanwhile there is nothing, too. */
static bool is_root(const struct python_walk *rules, const uint8_t *bytes)
{
	enum { OWNER_GENERATOR = 1 };
	if (rules->kind == PYTHON_WALK_ENTRY && bytes[rules->frame_mark + 1] == OWNER_GENERATOR)
		return false;
	return is_shim(rules, bytes) || is_entry(rules, bytes);
}

static enum frame_walk_end python_stack_end_of(const struct walk *walk, bool is_rooted)
{
	if (!is_rooted)
		return FRAME_WALK_TORN;
	return walk->num ? FRAME_WALK_WHOLE : FRAME_WALK_NO_FRAMES;
}

/** On the way out the innermost frame loses its code first. */
static bool is_over(const struct walk *walk, const uint8_t *bytes)
{
	return !walk->num && !(byte_order_load64(bytes + walk->rules->frame_code, false) &
			       walk->rules->code_mask);
}

static enum frame_walk_end python_stack_walk_frames(struct walk *walk)
{
	const struct python_walk *rules = walk->rules;
	int num_passed = 0;
	bool is_rooted = true;
	uint64_t frame = python_snapshot_top(walk->snapshot);
	while (frame) {
		const uint8_t *bytes = python_snapshot_find(walk->snapshot, frame);
		if (!bytes)
			return python_snapshot_has_changed(walk->snapshot) ? FRAME_WALK_TORN
									   : FRAME_WALK_NO_MEMORY;
		uint64_t back = byte_order_load64(bytes + rules->frame_back, false);
		is_rooted = is_root(rules, bytes);
		bool is_passed = is_shim(rules, bytes) || is_over(walk, bytes);
		if (is_passed && num_passed++ == MAX_PASSED)
			return FRAME_WALK_TORN;
		if (!is_passed && walk->num == walk->max)
			return FRAME_WALK_TOO_DEEP;
		if (!is_passed)
			python_stack_add_frame(walk, bytes, frame);
		else if (walk->num)
			mark_entry(&walk->frames[walk->num - 1], frame);
		frame = back;
	}
	return python_stack_end_of(walk, is_rooted);
}

static enum frame_walk_end try_once(struct walk *walk)
{
	walk->num = 0;
	if (!python_snapshot_take(walk->snapshot))
		return FRAME_WALK_TORN;
	uint32_t cframe = walk->rules->thread_cframe;
	walk->cframe = cframe ? python_snapshot_word(walk->snapshot, cframe) : 0;
	enum frame_walk_end end = python_stack_walk_frames(walk);
	if (end != FRAME_WALK_NO_MEMORY && !python_snapshot_holds(walk->snapshot))
		return FRAME_WALK_TORN;
	return end;
}

/** As it was a moment before the look, when the thread's state was read. */
static void python_stack_mark_compiled(struct walk *walk)
{
	uint32_t offset = walk->rules->thread_compiled;
	if (offset && walk->num && python_snapshot_word(walk->snapshot, offset))
		walk->frames[0].flags |= INTERPRETED_FRAME_IS_COMPILED;
}

/** Of all frames at once; one by one if a code object is gone, whose version is then 0. */
static void add_versions(struct walk *walk)
{
	enum { BATCH = 128 };
	uint64_t heads[BATCH][PYTHON_WALK_HEAD_WORDS] = {0};
	bool is_head = walk->rules->code_head;
	uint32_t offset = is_head ? walk->rules->code_head : walk->rules->code_version;
	for (size_t done = 0; offset && done < walk->num;) {
		struct process_memory_part parts[BATCH];
		size_t num = walk->num - done < BATCH ? walk->num - done : BATCH;
		for (size_t i = 0; i < num; i++)
			parts[i] = (struct process_memory_part){
				walk->frames[done + i].code + offset, heads[i],
				is_head ? sizeof(heads[i]) : sizeof(uint32_t)};
		if (!python_snapshot_read_parts(walk->snapshot, parts, num))
			for (size_t i = 0; i < num; i++)
				if (!python_snapshot_read_parts(walk->snapshot, &parts[i], 1))
					memset(heads[i], 0, sizeof(heads[i]));
		for (size_t i = 0; i < num; i++)
			walk->frames[done + i].version =
				is_head ? python_walk_mix_head(heads[i]) : (uint32_t)heads[i][0];
		done += num;
	}
}

enum frame_walk_end python_stack_read_places(struct python_stack_reader *reader, uint64_t state,
					     struct interpreted_frame *frames, uint64_t *addresses,
					     size_t max, size_t *ret_num)
{
	struct walk walk = {
		.rules = &reader->runtime->walk,
		.snapshot = reader->snapshot,
		.frames = frames,
		.addresses = addresses,
		.max = max,
	};
	*ret_num = 0;
	reader->num_reads++;
	if (!python_snapshot_begin(reader->snapshot, state))
		return FRAME_WALK_NO_MEMORY;
	enum frame_walk_end end = FRAME_WALK_TORN;
	for (int i = 0; i < MAX_TRIES; i++) {
		reader->num_tries++;
		end = try_once(&walk);
		// A frame that is not there was most likely one that ended.
		if (end != FRAME_WALK_TORN && end != FRAME_WALK_NO_MEMORY)
			break;
	}
	add_versions(&walk);
	python_stack_mark_compiled(&walk);
	*ret_num = walk.num;
	return end;
}

enum frame_walk_end python_stack_read(struct python_stack_reader *reader, uint64_t state,
				      struct interpreted_frame *frames, size_t max, size_t *ret_num)
{
	return python_stack_read_places(reader, state, frames, NULL, max, ret_num);
}
