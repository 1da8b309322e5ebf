// SPDX-License-Identifier: Apache-2.0
// The walk in the kernel leaves the exception behind all frames, and behind it the name of its type
// in the place of PYTHON_WALK_TYPE_NAME_FRAMES frames: the type may be gone with the program before
// wperf gets the sample. The bytes are the program's, and may be anything.

#include "interpreter/python/stack/python_raise_stack.h"

#include "base/text/utf8.h"
#include "interpreter/python/kernel/python_walk.h"

#include <ctype.h>
#include <string.h>

enum {
	MAX_NAMES = 4096,
	MAX_LENGTH = PYTHON_WALK_TYPE_NAME_FRAMES * sizeof(struct interpreted_frame),
};

/** @ret: 0: no more names are kept. */
static struct error *intern_type(struct string_table *names, const char *name, uint64_t *ret)
{
	uint32_t id = string_table_find(names, name);
	*ret = 0;
	if (id == HASH_TABLE_NONE && names->num_entries == MAX_NAMES)
		return NULL;
	struct error *err = NULL;
	if (id == HASH_TABLE_NONE)
		err = string_table_intern(names, name, &id);
	if (!err)
		*ret = id + UINT64_C(1);
	return err;
}

/** Blanks and what is not text would not be one word in reports. A name without an end is cut. */
static void copy_name(const struct interpreted_frame *frames, char name[static MAX_LENGTH + 1])
{
	static const char more[] = "...";
	char whole[MAX_LENGTH + 1] = {0};
	memcpy(whole, frames, MAX_LENGTH);
	bool is_cut = strlen(whole) == MAX_LENGTH;
	utf8_copy(whole, name, MAX_LENGTH + 1 - (is_cut ? strlen(more) : 0));
	if (is_cut)
		memcpy(name + strlen(name), more, sizeof(more));
	for (char *at = name; *at; at++)
		if (isspace((unsigned char)*at) || iscntrl((unsigned char)*at))
			*at = '?';
	if (!*name)
		memcpy(name, "?", 2);
}

/** Frame by frame: where the last one is, there may as well be the name of a task. */
static bool python_raise_stack_is_there(const struct record_sample *sample, size_t place)
{
	size_t i = 0;
	while (i < place)
		i += sample->frames[i].flags & INTERPRETED_FRAME_IS_TASK
			     ? 1 + PYTHON_WALK_NAME_FRAMES
			     : 1;
	return i == place && (sample->frames[i].flags & INTERPRETED_FRAME_IS_RAISE);
}

struct error *python_raise_stack_decode(struct python_raise_stack *stack,
					struct string_table *names, struct record_sample *sample)
{
	enum { NUM_OWN = 1 + PYTHON_WALK_TYPE_NAME_FRAMES };
	char name[MAX_LENGTH + 1];
	if (sample->num_frames < NUM_OWN)
		return NULL;
	size_t num = sample->num_frames - NUM_OWN;
	const struct interpreted_frame *raise = &sample->frames[num];
	if (!python_raise_stack_is_there(sample, num))
		return NULL;
	memcpy(&stack->frames[1], sample->frames, num * sizeof(*stack->frames));
	copy_name(raise + 1, name);
	sample->frames = num ? stack->frames : stack->frames + 1;
	sample->num_frames = num ? num + 1 : 0;
	if (!num)
		return NULL;
	stack->frames[0] = stack->frames[1];
	stack->frames[0].flags = INTERPRETED_FRAME_IS_RAISE |
				 (stack->frames[1].flags & INTERPRETED_FRAME_IS_COMPILED);
	stack->frames[0].stack = 0;
	return names ? intern_type(names, name, &stack->frames[0].stack) : NULL;
}

const char *python_raise_stack_name(const struct string_table *names,
				    const struct interpreted_frame *frame)
{
	return frame->stack && frame->stack <= names->num_entries
		       ? string_table_get(names, (uint32_t)(frame->stack - 1))
		       : NULL;
}
