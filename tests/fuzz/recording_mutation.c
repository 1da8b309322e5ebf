// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/recording_mutation.h"

#include "tests/fuzz/mutation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Of tools/perf/Documentation/perf.data-file-format.txt: where the header keeps its sections.
enum {
	HEADER_SIZE = 104,
	PIPE_HEADER_SIZE = 16,
	ATTRS_AT = 24,
	DATA_AT = 40,
	FLAGS_AT = 72,
	FLAGS_SIZE = 32,
	SECTION_SIZE = 16,
	RECORD_HEADER_SIZE = 8,
};

enum {
	MAX_CHANGES = 6,
	MAX_INSERTED = 1 << 16, // per change: a record is not larger
};

static struct mutation_range data_range(const struct mutation *state)
{
	if (mutation_get(state, 8, 8) == PIPE_HEADER_SIZE)
		return mutation_clip(state, PIPE_HEADER_SIZE, state->size);
	return mutation_clip(state, mutation_get(state, DATA_AT, 8),
			     mutation_get(state, DATA_AT + 8, 8));
}

static size_t num_features(const struct mutation *state)
{
	size_t num = 0;
	for (size_t i = 0; i < FLAGS_SIZE * 8; i++)
		num += mutation_get(state, FLAGS_AT + i / 8, 1) >> i % 8 & 1;
	return num;
}

/** The header, the attributes, the records, the table of features, or what is in them. */
static struct mutation_range pick_range(struct mutation *state)
{
	struct mutation_range data = data_range(state);
	size_t end = data.at + data.size;
	switch (mutation_below(state, 8)) {
	case 0:
		return mutation_clip(state, 0, HEADER_SIZE);
	case 1:
		return mutation_clip(state, mutation_get(state, ATTRS_AT, 8),
				     mutation_get(state, ATTRS_AT + 8, 8));
	case 2:
		return mutation_clip(state, end, num_features(state) * SECTION_SIZE);
	case 3:
		return mutation_clip(state, end + num_features(state) * SECTION_SIZE, state->size);
	default:
		return data;
	}
}

/** The record's size; 0: there is none at @at. */
static size_t record_size(const struct mutation *state, const struct mutation_range *data,
			  size_t at)
{
	size_t size = (size_t)mutation_get(state, at + 6, 2);
	size_t left = data->at + data->size - at;
	return size >= RECORD_HEADER_SIZE && size <= left ? size : 0;
}

/** One of the records, each as likely as the others; empty if there are none. */
static struct mutation_range pick_record(struct mutation *state)
{
	struct mutation_range data = data_range(state), picked = {data.at, 0};
	size_t num = 0, size;
	for (size_t at = data.at; at < data.at + data.size; at += size) {
		size = record_size(state, &data, at);
		if (!size)
			break;
		if (mutation_below(state, ++num) == 0)
			picked = (struct mutation_range){at, size};
	}
	return picked;
}

static void change_word(struct mutation *state)
{
	mutation_change_word(state, pick_range(state));
}

static void flip_bits(struct mutation *state)
{
	struct mutation_range range = pick_range(state);
	for (size_t num = 1 + mutation_below(state, 8); range.size && num; num--)
		state->bytes[range.at + mutation_below(state, range.size)] ^=
			1u << mutation_below(state, 8);
}

static void change_record_word(struct mutation *state)
{
	mutation_change_word(state, pick_record(state));
}

static void change_record_kind(struct mutation *state)
{
	struct mutation_range record = pick_record(state);
	mutation_set(state, record.at, 4, mutation_below(state, 96));
}

static void change_record_size(struct mutation *state)
{
	struct mutation_range record = pick_record(state);
	mutation_set(state, record.at + 6, 2, mutation_word(state, record.size));
}

/** Most of the time all offsets are right again, so that a reader comes further. */
static void move_sections(struct mutation *state, size_t num_added, size_t num_removed)
{
	bool is_pipe = mutation_get(state, 8, 8) == PIPE_HEADER_SIZE;
	if (is_pipe || mutation_below(state, 4) == 0)
		return;
	uint64_t size = mutation_get(state, DATA_AT + 8, 8) + num_added - num_removed;
	mutation_set(state, DATA_AT + 8, 8, size);
	struct mutation_range data = data_range(state);
	for (size_t i = 0, num = num_features(state); i < num; i++) {
		size_t at = data.at + data.size + i * SECTION_SIZE;
		mutation_set(state, at, 8, mutation_get(state, at, 8) + num_added - num_removed);
	}
}

static void insert(struct mutation *state, size_t at, const uint8_t *bytes, size_t size)
{
	if (size > MAX_INSERTED || size > state->capacity - state->size)
		return;
	memmove(state->bytes + at + size, state->bytes + at, state->size - at);
	memcpy(state->bytes + at, bytes, size);
	state->size += size;
	move_sections(state, size, 0);
}

static void remove_range(struct mutation *state, struct mutation_range range)
{
	size_t end = range.at + range.size;
	memmove(state->bytes + range.at, state->bytes + end, state->size - end);
	state->size -= range.size;
	move_sections(state, 0, range.size);
}

static void remove_record(struct mutation *state)
{
	remove_range(state, pick_record(state));
}

/** @record is put before another one. */
static void insert_record(struct mutation *state, const uint8_t *record, size_t size)
{
	insert(state, pick_record(state).at, record, size);
}

static void repeat_record(struct mutation *state)
{
	static uint8_t record[MAX_INSERTED];
	struct mutation_range range = pick_record(state);
	memcpy(record, state->bytes + range.at, range.size);
	for (size_t num = 1 + mutation_below(state, 4); num; num--)
		insert_record(state, record, range.size);
}

static void move_record(struct mutation *state)
{
	static uint8_t record[MAX_INSERTED];
	struct mutation_range range = pick_record(state);
	memcpy(record, state->bytes + range.at, range.size);
	remove_range(state, range);
	insert_record(state, record, range.size);
}

static void copy_bytes(struct mutation *state)
{
	struct mutation_range from = pick_range(state), to = pick_range(state);
	size_t shorter = from.size < to.size ? from.size : to.size;
	size_t size = mutation_below(state, shorter < 256 ? shorter + 1 : 256);
	memmove(state->bytes + to.at + mutation_below(state, to.size - size + 1),
		state->bytes + from.at + mutation_below(state, from.size - size + 1), size);
}

static void insert_zeros(struct mutation *state)
{
	static const uint8_t zeros[64];
	struct mutation_range range = pick_range(state);
	insert(state, range.at + mutation_below(state, range.size), zeros,
	       mutation_below(state, sizeof(zeros)));
}

static void cut(struct mutation *state)
{
	struct mutation_range range = pick_range(state);
	state->size = range.at + mutation_below(state, range.size);
}

static void change_once(struct mutation *state)
{
	static void (*const changes[])(struct mutation * state) = {
		change_word,        change_word,   change_record_word, change_record_word,
		flip_bits,          remove_record, move_record,        change_record_kind,
		change_record_size, repeat_record, copy_bytes,         insert_zeros};
	enum { NUM_CHANGES = sizeof(changes) / sizeof(changes[0]), CUT_ONE_IN = 24 };
	if (mutation_below(state, CUT_ONE_IN) == 0)
		cut(state);
	else
		changes[mutation_below(state, NUM_CHANGES)](state);
}

struct recording_mutation recording_mutation_create(const uint8_t *original, size_t size,
						    uint64_t seed)
{
	// Each change may insert a record up to four times.
	size_t capacity = size + (size_t)MAX_CHANGES * 4 * MAX_INSERTED;
	struct mutation state = mutation_begin(original, size, capacity, seed);
	for (size_t num = 1 + mutation_below(&state, MAX_CHANGES); num; num--)
		change_once(&state);
	return (struct recording_mutation){state.bytes, state.size};
}

void recording_mutation_destroy(struct recording_mutation *mutation)
{
	free(mutation->bytes);
	*mutation = (struct recording_mutation){0};
}
