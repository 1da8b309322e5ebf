// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/task/python_coroutine.h"

#include "base/container/hash_table.h"
#include "interpreter/python/value/python_type.h"

// Follows PyGenObject (Include/internal/pycore_genobject.h) and enum _framestate (pycore_frame.h).
// The frame of a coroutine is part of the object (gi_iframe). While it waits in `await` or `yield
// from`, its state is FRAME_SUSPENDED_YIELD_FROM, and the awaited object is on the value stack of
// the frame, near its top. python_coroutine_look() follows these objects inward, through the
// wrappers of async generators (Objects/genobject.c), until one is not written in Python.
//
// The states' numbers and the place on the stack differ between versions: a row of `versions` for
// each. Any read may meet a coroutine that was resumed: python_coroutine_read() repeats until two
// looks in a row give the same frames. It compares hashes, so that the second look can use the room
// of the first.

/** What the byte gi_frame_state may be, by version; the frame is gone if it is higher. */
static const struct states {
	uint32_t since;              /* minor version */
	int8_t waits_from, waits_to; /* for another one, */
	uint32_t waited_for;         /* which is so many words below the top of its stack */
	int8_t runs;
} versions[] = {{15, 2, 3, 2, 4}, {14, -1, -1, 1, 0}};

static const struct states *states_of(const struct python_layout *layout)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (layout->minor >= versions[i].since)
			return &versions[i];
	return NULL;
}

bool python_coroutine_set_walk(const struct python_layout *layout, struct python_walk *walk)
{
	const struct states *states = states_of(layout);
	if (!states || !layout->generator_frame)
		return false;
	walk->generator_frame = layout->generator_frame;
	walk->generator_state = layout->generator_state;
	walk->waits_from = states->waits_from;
	walk->waits_to = states->waits_to;
	walk->waited_for = (uint8_t)states->waited_for;
	walk->frame_stack = layout->frame_stack;
	walk->object_type = layout->object_type;
	return true;
}

static bool is_one_of(const struct python_type *type, const char *const *names, size_t num)
{
	for (size_t i = 0; i < num; i++)
		if (python_type_is(type, names[i]))
			return true;
	return false;
}

static bool is_generator(const struct python_type *type)
{
	static const char *const names[] = {"coroutine", "generator", "async_generator"};
	return is_one_of(type, names, sizeof(names) / sizeof(*names));
}

/** What is between two of them, and begins with a pointer to the inner one. */
static bool is_wrapper(const struct python_type *type)
{
	static const char *const names[] = {"async_generator_asend", "async_generator_athrow",
					    "anext_awaitable", "coroutine_wrapper"};
	return is_one_of(type, names, sizeof(names) / sizeof(*names));
}

/** The object, or what it wraps, if it is one with a frame; 0 if not. */
static uint64_t generator_of(const struct python_runtime *runtime, uint64_t object)
{
	enum { MAX_WRAPPERS = 4 };
	for (int i = 0; i < MAX_WRAPPERS; i++) {
		struct python_type type;
		if (!python_type_read(runtime, object, &type))
			return 0;
		if (is_generator(&type))
			return object;
		if (!is_wrapper(&type) ||
		    !process_memory_read_pointer(
			    &runtime->memory,
			    object + runtime->layout.object_type + sizeof(uint64_t), &object))
			return 0;
	}
	return 0;
}

bool python_coroutine_frame(const struct python_runtime *runtime, uint64_t object, uint64_t *ret)
{
	uint64_t generator = runtime->layout.generator_frame ? generator_of(runtime, object) : 0;
	if (generator)
		*ret = generator + runtime->layout.generator_frame;
	return generator != 0;
}

/** One of them, as it was at one moment. */
struct level {
	int8_t state;
	uint64_t code, instruction, stack;
	uint16_t tlbc;
};

static bool read_level(const struct python_runtime *runtime, uint64_t generator, struct level *ret)
{
	const struct python_layout *layout = &runtime->layout;
	uint64_t frame = generator + layout->generator_frame;
	*ret = (struct level){0};
	const struct process_memory_part parts[] = {
		{generator + layout->generator_state, &ret->state, sizeof(ret->state)},
		{frame + layout->frame_code, &ret->code, sizeof(ret->code)},
		{frame + layout->frame_instruction, &ret->instruction, sizeof(ret->instruction)},
		{frame + layout->frame_stack, &ret->stack, sizeof(ret->stack)},
		{frame + layout->frame_tlbc, &ret->tlbc, sizeof(ret->tlbc)},
	};
	size_t num = sizeof(parts) / sizeof(*parts) - !layout->frame_tlbc;
	if (!process_memory_read_parts(&runtime->memory, parts, num))
		return false;
	ret->code &= runtime->walk.code_mask;
	return true;
}

static struct interpreted_frame python_coroutine_frame_of(const struct python_runtime *runtime,
							  const struct level *level)
{
	struct interpreted_frame frame = {
		.code = level->code,
		.instruction = level->instruction,
		.tlbc = level->tlbc,
	};
	uint64_t head[PYTHON_WALK_HEAD_WORDS] = {0};
	if (runtime->walk.code_version)
		process_memory_read(&runtime->memory, level->code + runtime->walk.code_version,
				    &frame.version, sizeof(frame.version));
	else if (runtime->walk.code_head &&
		 process_memory_read(&runtime->memory, level->code + runtime->walk.code_head, head,
				     sizeof(head)))
		frame.version = python_walk_mix_head(head);
	return frame;
}

/** What a level waits for, an object; 0: it cannot be read. */
static uint64_t awaited_by(const struct python_runtime *runtime, const struct level *level,
			   const struct states *states)
{
	uint64_t object;
	if (!process_memory_read_pointer(&runtime->memory,
					 level->stack - states->waited_for * sizeof(uint64_t),
					 &object))
		return 0;
	return object & runtime->walk.code_mask;
}

/** The frames, outermost first. */
static enum dump_coroutine_end python_coroutine_look(const struct python_runtime *runtime,
						     uint64_t object,
						     struct interpreted_frame *frames, size_t max,
						     size_t *ret_num)
{
	const struct states *states = states_of(&runtime->layout);
	*ret_num = 0;
	for (;;) {
		uint64_t generator = generator_of(runtime, object);
		struct level level;
		if (!generator || !read_level(runtime, generator, &level))
			return *ret_num ? DUMP_COROUTINE_WAITS : DUMP_COROUTINE_FOREIGN;
		if (level.state > states->runs)
			return *ret_num ? DUMP_COROUTINE_WAITS : DUMP_COROUTINE_OVER;
		if (*ret_num == max)
			return DUMP_COROUTINE_TOO_DEEP;
		frames[(*ret_num)++] = python_coroutine_frame_of(runtime, &level);
		if (level.state == states->runs)
			return DUMP_COROUTINE_RUNS;
		if (level.state < states->waits_from || level.state > states->waits_to)
			return DUMP_COROUTINE_WAITS;
		object = awaited_by(runtime, &level, states);
	}
}

static void python_coroutine_reverse(struct interpreted_frame *frames, size_t num)
{
	for (size_t i = 0; i < num / 2; i++) {
		struct interpreted_frame frame = frames[i];
		frames[i] = frames[num - 1 - i];
		frames[num - 1 - i] = frame;
	}
}

// Level by level it may be put together of what was never there at one time: two looks have to
// agree.
enum dump_coroutine_end python_coroutine_read(const struct python_runtime *runtime, uint64_t object,
					      struct interpreted_frame *frames, size_t max,
					      size_t *ret_num)
{
	enum { MAX_LOOKS = 10 };
	*ret_num = 0;
	if (!runtime->layout.generator_frame || !states_of(&runtime->layout))
		return DUMP_COROUTINE_FOREIGN;
	enum dump_coroutine_end end = python_coroutine_look(runtime, object, frames, max, ret_num);
	for (int i = 1; i < MAX_LOOKS; i++) {
		enum dump_coroutine_end end_before = end;
		size_t num_before = *ret_num;
		uint64_t hash = hash_bytes(frames, num_before * sizeof(*frames));
		end = python_coroutine_look(runtime, object, frames, max, ret_num);
		if (end == end_before && *ret_num == num_before &&
		    hash == hash_bytes(frames, num_before * sizeof(*frames))) {
			python_coroutine_reverse(frames, num_before);
			return end;
		}
	}
	*ret_num = 0;
	return DUMP_COROUTINE_CHANGED;
}
