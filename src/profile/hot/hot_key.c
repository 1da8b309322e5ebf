// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/hot_key.h"

#include <string.h>

// A key is two words, made of numbers of the profile's tables, that are equal for what shall be one
// row. So grouping needs no strings. Each row of `infos` is a column that a user can choose, with
// the function that makes its key and the one that gives an item that stands for the row, from
// which hot_label.c makes its text. Keys of different forms must not collide: address_key() uses a
// function number that does not exist.

static uint64_t hot_key_join(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static const struct named_function *hot_key_function_of(const struct named_profile *profile,
							uint32_t frame)
{
	return &profile->functions[profile->frames[frame].function];
}

static struct hot_key_value hot_key_function(const struct named_profile *profile, uint32_t frame)
{
	return (struct hot_key_value){{profile->frames[frame].function}};
}

static struct hot_key_value hot_key_line(const struct named_profile *profile, uint32_t index)
{
	const struct named_frame *frame = &profile->frames[index];
	return (struct hot_key_value){{hot_key_join(frame->function, frame->file), frame->line}};
}

static struct hot_key_value interpreted_line_key(const struct named_profile *profile,
						 uint32_t index)
{
	const struct named_frame *frame = &profile->frames[index];
	return (struct hot_key_value){{hot_key_join(frame->file, frame->line)}};
}

static struct hot_key_value interpreted_file_key(const struct named_profile *profile,
						 uint32_t index)
{
	return (struct hot_key_value){{profile->frames[index].file}};
}

static struct hot_key_value exception_key(const struct named_profile *profile, uint32_t frame)
{
	return (struct hot_key_value){{hot_key_function_of(profile, frame)->name}};
}

static struct hot_key_value hot_key_module(const struct named_profile *profile, uint32_t frame)
{
	return (struct hot_key_value){{hot_key_function_of(profile, frame)->module}};
}

static struct hot_key_value address_key(const struct named_profile *profile, uint32_t index)
{
	const struct named_frame *frame = &profile->frames[index];
	// Frames of interpreted code have no address; their line is the most exact place there is.
	if (!frame->address)
		return hot_key_line(profile, index);
	// No line's key has this function.
	return (struct hot_key_value){
		{hot_key_join(NAMED_NONE, hot_key_function_of(profile, index)->module),
		 frame->address}};
}

// A thread and a CPU are their number.
static struct hot_key_value hot_key_number(const struct named_profile *profile, uint32_t number)
{
	return (struct hot_key_value){{number}};
}

static struct hot_key_value process_key(const struct named_profile *profile, uint32_t thread)
{
	// By name: workers that were forked from one program are one row.
	return (struct hot_key_value){{profile->threads[thread].process_name}};
}

static uint32_t hot_key_frame_function(const struct named_profile *profile, uint32_t frame)
{
	return profile->frames[frame].function;
}

static uint32_t frame_module(const struct named_profile *profile, uint32_t frame)
{
	return hot_key_function_of(profile, frame)->module;
}

static uint32_t frame_itself(const struct named_profile *profile, uint32_t frame)
{
	return frame;
}

static uint32_t hot_key_frame_file(const struct named_profile *profile, uint32_t frame)
{
	return profile->frames[frame].file;
}

static uint32_t hot_key_sample_thread(const struct named_sample *sample)
{
	return sample->thread;
}

static uint32_t sample_cpu(const struct named_sample *sample)
{
	return sample->cpu;
}

static const struct hot_key_info infos[HOT_NUM_KEYS] = {
	[HOT_FUNCTION] = {"function", hot_key_function, .frame_item = hot_key_frame_function},
	[HOT_LINE] = {"line", hot_key_line, .frame_item = frame_itself},
	[HOT_MODULE] = {"module", hot_key_module, .frame_item = frame_module},
	[HOT_ADDRESS] = {"address", address_key, .frame_item = frame_itself},
	[HOT_THREAD] = {"thread", hot_key_number, .sample_item = hot_key_sample_thread},
	[HOT_PROCESS] = {"process", process_key, .sample_item = hot_key_sample_thread},
	[HOT_CPU] = {"cpu", hot_key_number, .sample_item = sample_cpu},
	[HOT_INTERPRETED_LINE] = {"python-line", interpreted_line_key, .frame_item = frame_itself,
				  .is_interpreted = true},
	[HOT_INTERPRETED_FUNCTION] = {"python-function", hot_key_function,
				      .frame_item = hot_key_frame_function, .is_interpreted = true},
	[HOT_INTERPRETED_FILE] = {"python-file", interpreted_file_key,
				  .frame_item = hot_key_frame_file, .is_interpreted = true},
	[HOT_INTERPRETED_TASK] = {"python-task", hot_key_function,
				  .frame_item = hot_key_frame_function, .is_interpreted = true,
				  .kind = HOT_INTERPRETED_TASKS},
	[HOT_INTERPRETED_EXCEPTION] = {"python-exception", exception_key,
				       .frame_item = hot_key_frame_function, .is_interpreted = true,
				       .kind = HOT_INTERPRETED_RAISES},
	[HOT_INTERPRETED_RAISE] = {"python-raise", hot_key_function, .frame_item = frame_itself,
				   .is_interpreted = true, .kind = HOT_INTERPRETED_RAISES},
};

const struct hot_key_info *hot_key_info(enum hot_key key)
{
	return &infos[key];
}

const char *hot_key_name(enum hot_key key)
{
	return infos[key].name;
}

enum hot_key hot_key_find(const char *name)
{
	enum hot_key key = 0;
	while (key < HOT_NUM_KEYS && strcmp(infos[key].name, name) != 0)
		key++;
	return key;
}
