// SPDX-License-Identifier: Apache-2.0
// The walk in the kernel leaves a task as a frame with INTERPRETED_FRAME_IS_TASK, and behind it the
// first bytes of the name object in the place of PYTHON_WALK_NAME_FRAMES frames, since the object
// may be gone with its task when wperf gets the sample. Then come the frames of the coroutine that
// waits for the task, outermost first as the kernel has found them, and that one's task, and so on:
//
//	from the kernel   leaf  worker  TASK  name  main  group  TASK  name
//	as frames         leaf  worker  TASK        group  main  TASK
//
// All of it comes from the profiled process. What does not fit together is left out.

#include "interpreter/python/task/python_task_stack.h"

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "interpreter/python/value/python_string.h"
#include "interpreter/python/value/python_type.h"
#include "process/memory/memory_pieces.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 4096 };

struct error *python_task_stack_create(const struct python_runtime *runtime,
				       struct string_table *names, struct python_task_stack **ret)
{
	struct python_task_stack *stack = calloc(1, sizeof(*stack));
	if (!stack)
		return &error_no_memory;
	stack->runtime = runtime;
	stack->names = names;
	*ret = stack;
	return NULL;
}

void python_task_stack_destroy(struct python_task_stack *stack)
{
	free(stack);
}

static bool is_task(const struct interpreted_frame *frame)
{
	return frame->flags & INTERPRETED_FRAME_IS_TASK;
}

bool python_task_stack_is_found(const struct record_sample *sample)
{
	for (size_t i = 0; i < sample->num_frames; i++)
		if (is_task(&sample->frames[i]))
			return true;
	return false;
}

/** A task that nobody asked for its name has a number in its place. */
static bool python_task_stack_is_string(struct python_task_stack *stack, uint64_t object,
					const uint8_t *bytes)
{
	uint32_t offset = stack->runtime->layout.object_type; // the process's word
	if (offset + sizeof(uint64_t) > PYTHON_WALK_NAME_LEAST_BYTES)
		return false;
	uint64_t address = byte_order_load64(bytes + offset, false);
	if (address == stack->string_type || address == stack->other_type)
		return address == stack->string_type;
	struct python_type type;
	if (!python_type_read(stack->runtime, object, &type) || type.address != address)
		return false; // it is gone, and says nothing of the type
	bool is_string = python_type_is(&type, "str");
	*(is_string ? &stack->string_type : &stack->other_type) = address;
	return is_string;
}

/** "Task-12" is what asyncio calls a task to which nobody gave a name. */
static bool is_number(const char *name)
{
	static const char prefix[] = "Task-";
	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return false;
	for (name += sizeof(prefix) - 1; isdigit((unsigned char)*name); name++)
		;
	return !*name;
}

/** As much of it as was copied. */
static bool read_name(const struct python_task_stack *stack, uint64_t object, const uint8_t *bytes,
		      size_t num_bytes, struct string_builder *name)
{
	// As many characters as there is room for behind the head, with 1, 2 or 4 bytes each.
	static const uint32_t most[] = {56, 40, 20, 10};
	const struct memory_piece piece = {object, bytes, num_bytes};
	struct memory_pieces pieces = {&piece, 1};
	const struct process_memory memory = memory_pieces_memory(&pieces);
	for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++) {
		uint64_t length;
		if (!python_string_read(&memory, &stack->runtime->layout, object, most[i], name,
					&length))
			continue;
		if (length > most[i])
			string_builder_append(name, "...");
		return name->length > 0;
	}
	return false;
}

/** @ret: its number; 0: none. */
static struct error *python_task_stack_intern(struct python_task_stack *stack, const char *name,
					      uint64_t *ret)
{
	uint32_t id = string_table_find(stack->names, name);
	*ret = 0;
	if (id == HASH_TABLE_NONE && stack->names->num_entries == MAX_NAMES) {
		stack->has_more_names = true;
		return NULL;
	}
	struct error *err = NULL;
	if (id == HASH_TABLE_NONE)
		err = string_table_intern(stack->names, name, &id);
	if (!err)
		*ret = id + UINT64_C(1);
	return err;
}

/** @task: its frames of name follow. */
static struct error *find_name(struct python_task_stack *stack,
			       const struct interpreted_frame *task, uint64_t *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	uint8_t bytes[PYTHON_WALK_NAME_BYTES];
	size_t num_bytes = task->instruction;
	*ret = 0;
	if (num_bytes < PYTHON_WALK_NAME_LEAST_BYTES || num_bytes > sizeof(bytes))
		return NULL;
	memcpy(bytes, task + 1, sizeof(bytes));
	if (!python_task_stack_is_string(stack, task->stack, bytes) ||
	    !read_name(stack, task->stack, bytes, num_bytes, &name))
		return NULL;
	if (name.failed)
		return &error_no_memory;
	const char *text = string_builder_peek(&name);
	return is_number(text) ? NULL : python_task_stack_intern(stack, text, ret);
}

static void python_task_stack_reverse(struct interpreted_frame *frames, size_t num)
{
	for (size_t i = 0; i < num / 2; i++) {
		struct interpreted_frame frame = frames[i];
		frames[i] = frames[num - 1 - i];
		frames[num - 1 - i] = frame;
	}
}

struct error *python_task_stack_decode(struct python_task_stack *stack, bool with_names,
				       struct record_sample *sample)
{
	const struct interpreted_frame *frames = sample->frames;
	size_t num = 0, first = 0;
	bool is_of_running = true;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sample->num_frames; i++) {
		stack->frames[num++] = frames[i];
		if (!is_task(&frames[i]))
			continue;
		if (sample->num_frames - i <= PYTHON_WALK_NAME_FRAMES) {
			num--; // the walk had no room for its name
			break;
		}
		struct interpreted_frame *task = &stack->frames[num - 1];
		task->instruction = 0;
		if (with_names)
			err = find_name(stack, &frames[i], &task->instruction);
		task->stack = 0;
		task->flags = INTERPRETED_FRAME_IS_TASK;
		if (!is_of_running)
			python_task_stack_reverse(&stack->frames[first], num - 1 - first);
		is_of_running = false;
		first = num;
		i += PYTHON_WALK_NAME_FRAMES;
	}
	sample->frames = stack->frames;
	// Frames behind the last task would be those of one that is not known.
	sample->num_frames = is_of_running ? num : first;
	return err;
}

void python_task_stack_cut(struct python_task_stack *stack, size_t num,
			   struct record_sample *sample)
{
	if (num == FRAME_WALK_MAX_FRAMES)
		num--;
	memcpy(stack->frames, sample->frames, num * sizeof(*stack->frames));
	const struct interpreted_frame *outermost = &stack->frames[num - 1];
	stack->frames[num] = (struct interpreted_frame){
		.code = outermost->code,
		.version = outermost->version,
		.flags = INTERPRETED_FRAME_IS_TASK,
	};
	sample->frames = stack->frames;
	sample->num_frames = num + 1;
}

const char *python_task_stack_name(const struct string_table *names,
				   const struct interpreted_frame *frame)
{
	return frame->instruction && frame->instruction <= names->num_entries
		       ? string_table_get(names, (uint32_t)(frame->instruction - 1))
		       : NULL;
}
