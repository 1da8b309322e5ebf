// SPDX-License-Identifier: Apache-2.0

#include "profile/values/value_sums.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// Samples that are equal but for the stack are many: each finds its row by a hash of the code and,
// of a string, of the text. The code of a stack is looked up for each sample anew, as the way from
// the leaf to it is short.

/** What makes a row. */
struct value_key {
	uint32_t file_or_function, line; /* UINT32_MAX: any */
	uint32_t text;                   /* UINT32_MAX: it is a number */
};

struct value_adding {
	const struct named_profile *profile;
	enum value_row row;
	enum value_code code;
	struct value_sums *sums;
};

size_t value_sums_num_values(const struct named_profile *profile, uint32_t event)
{
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (sample->event == event && sample->values &&
		    sample->values < profile->values.num_items)
			return profile->values.items[sample->values].num;
	}
	return 0;
}

/** The first frame of code that an interpreter runs; NAMED_NONE: none. */
static uint32_t value_sums_find_interpreted(const struct named_profile *profile, uint32_t stack)
{
	for (; stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent) {
		uint32_t frame = profile->stacks.nodes[stack].frame;
		if (profile->functions[profile->frames[frame].function].kind == FRAME_INTERPRETED)
			return frame;
	}
	return NAMED_NONE;
}

static uint32_t value_sums_find_code(const struct named_profile *profile, enum value_code code,
				     uint32_t stack)
{
	if (stack == STACK_NONE)
		return NAMED_NONE;
	uint32_t frame = value_sums_find_interpreted(profile, stack);
	if (frame != NAMED_NONE)
		return frame;
	uint32_t leaf = profile->stacks.nodes[stack].frame;
	if (code == VALUE_CODE_LEAF)
		return leaf;
	uint32_t caller = profile->stacks.nodes[stack].parent;
	uint32_t probed = profile->frames[leaf].function;
	for (uint32_t node = caller; node != STACK_NONE;
	     node = profile->stacks.nodes[node].parent) {
		frame = profile->stacks.nodes[node].frame;
		if (profile->frames[frame].line && profile->frames[frame].function != probed)
			return frame;
	}
	return caller == STACK_NONE ? leaf : profile->stacks.nodes[caller].frame;
}

static struct value_key value_sums_key(const struct value_adding *adding, uint32_t frame,
				       uint32_t text)
{
	struct value_key key = {UINT32_MAX, UINT32_MAX, text};
	if (adding->row == VALUE_ROW_ALL || frame == NAMED_NONE)
		return key;
	const struct named_frame *code = &adding->profile->frames[frame];
	bool has_line = adding->row == VALUE_ROW_LINE && code->line;
	key.file_or_function = has_line ? code->file : code->function;
	key.line = has_line ? code->line : 0;
	return key;
}

static uint32_t row_frame(const struct value_sums *sums, uint32_t index)
{
	return sums->is_string ? sums->texts[index].frame : sums->numbers[index].frame;
}

static bool value_row_is_like(const void *owner, uint32_t index, const void *key)
{
	const struct value_adding *adding = owner;
	const struct value_sums *sums = adding->sums;
	uint32_t text = sums->is_string ? sums->texts[index].text : UINT32_MAX;
	struct value_key own = value_sums_key(adding, row_frame(sums, index), text);
	return memcmp(&own, key, sizeof(own)) == 0;
}

static struct error *value_sums_find_row(const struct value_adding *adding, uint32_t frame,
					 uint32_t text, uint32_t *ret)
{
	struct value_sums *sums = adding->sums;
	const struct value_key key = value_sums_key(adding, frame, text);
	uint64_t hash = hash_bytes(&key, sizeof(key));
	*ret = hash_table_find(&sums->index, hash, value_row_is_like, adding, &key);
	if (*ret != HASH_TABLE_NONE)
		return NULL;
	*ret = (uint32_t)(sums->is_string ? sums->num_texts : sums->num_numbers);
	struct error *err =
		sums->is_string
			? array_reserve(&sums->texts, &sums->cap_texts, sums->num_texts + 1)
			: array_reserve(&sums->numbers, &sums->cap_numbers, sums->num_numbers + 1);
	if (err)
		return err;
	if (sums->is_string)
		sums->texts[sums->num_texts++] = (struct value_text){frame, text, 0};
	else
		sums->numbers[sums->num_numbers++] = (struct value_number){.frame = frame};
	return hash_table_insert(&sums->index, hash, *ret);
}

static struct error *value_sums_add(const struct value_adding *adding,
				    const struct named_sample *sample,
				    const struct value_tuple *tuple, size_t value)
{
	struct value_sums *sums = adding->sums;
	uint32_t frame =
		adding->row == VALUE_ROW_ALL
			? NAMED_NONE
			: value_sums_find_code(adding->profile, adding->code, sample->stack);
	uint32_t text = sums->is_string ? (uint32_t)tuple->numbers[value] : UINT32_MAX;
	uint32_t row;
	if (tuple->unread >> value & 1) {
		sums->num_unread += sample->weight;
		return NULL;
	}
	struct error *err = value_sums_find_row(adding, frame, text, &row);
	if (err)
		return err;
	if (sums->is_string)
		sums->texts[row].count += sample->weight;
	else
		number_sum_add(&sums->numbers[row].sum, tuple->numbers[value],
			       tuple->is_unsigned >> value & 1, sample->weight);
	return NULL;
}

// Equal ones in the order in which they came first: frames are numbered so.
static int value_sums_compare_texts(const void *a, const void *b)
{
	const struct value_text *left = a, *right = b;
	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	if (left->text != right->text)
		return left->text < right->text ? -1 : 1;
	return (left->frame > right->frame) - (left->frame < right->frame);
}

static int value_sums_compare_numbers(const void *a, const void *b)
{
	const struct value_number *left = a, *right = b;
	if (left->sum.count != right->sum.count)
		return left->sum.count < right->sum.count ? 1 : -1;
	return (left->frame > right->frame) - (left->frame < right->frame);
}

struct error *value_sums_create(const struct named_profile *profile, uint32_t event, size_t value,
				enum value_row row, enum value_code code,
				const struct profile_filter *filter, struct value_sums *ret)
{
	struct value_sums sums = VALUE_SUMS_INIT;
	const struct value_adding adding = {profile, row, code, &sums};
	struct error *err = NULL;
	bool is_first = true;
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (sample->event != event || !profile_filter_takes(filter, sample))
			continue;
		const struct value_tuple *tuple =
			sample->values && sample->values < profile->values.num_items
				? &profile->values.items[sample->values]
				: NULL;
		if (!tuple || value >= tuple->num) {
			sums.num_left_out += sample->weight;
			continue;
		}
		if (is_first)
			sums.is_string = tuple->strings >> value & 1;
		is_first = false;
		// All of an event are of one kind, but a file may say otherwise.
		if (sums.is_string == (tuple->strings >> value & 1))
			err = value_sums_add(&adding, sample, tuple, value);
	}
	if (err) {
		value_sums_deinit(&sums);
		return err;
	}
	if (sums.num_texts)
		qsort(sums.texts, sums.num_texts, sizeof(*sums.texts), value_sums_compare_texts);
	if (sums.num_numbers)
		qsort(sums.numbers, sums.num_numbers, sizeof(*sums.numbers),
		      value_sums_compare_numbers);
	*ret = sums;
	return NULL;
}

void value_sums_deinit(struct value_sums *sums)
{
	free(sums->numbers);
	free(sums->texts);
	hash_table_deinit(&sums->index);
	*sums = (struct value_sums)VALUE_SUMS_INIT;
}
