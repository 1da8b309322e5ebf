// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/recording_mutation.h"

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

struct state {
	uint8_t *bytes;
	size_t size, capacity;
	uint64_t random;
};

struct range {
	size_t at, size;
};

/** splitmix64, by Sebastiano Vigna: good bits from any seed. */
static uint64_t next_random(struct state *state)
{
	uint64_t z = (state->random += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static size_t below(struct state *state, size_t limit)
{
	return limit ? (size_t)(next_random(state) % limit) : 0;
}

static uint64_t get_word(const struct state *state, size_t at, size_t size)
{
	uint64_t word = 0;
	if (at <= state->size && size <= state->size - at)
		memcpy(&word, state->bytes + at, size);
	return word;
}

static void set_word(struct state *state, size_t at, size_t size, uint64_t word)
{
	if (at <= state->size && size <= state->size - at)
		memcpy(state->bytes + at, &word, size);
}

/** What of a range is in the file. */
static struct range clipped(const struct state *state, uint64_t at, uint64_t size)
{
	if (at > state->size)
		return (struct range){state->size, 0};
	uint64_t rest = state->size - at;
	return (struct range){(size_t)at, (size_t)(size < rest ? size : rest)};
}

static struct range data_range(const struct state *state)
{
	if (get_word(state, 8, 8) == PIPE_HEADER_SIZE)
		return clipped(state, PIPE_HEADER_SIZE, state->size);
	return clipped(state, get_word(state, DATA_AT, 8), get_word(state, DATA_AT + 8, 8));
}

static size_t num_features(const struct state *state)
{
	size_t num = 0;
	for (size_t i = 0; i < FLAGS_SIZE * 8; i++)
		num += get_word(state, FLAGS_AT + i / 8, 1) >> i % 8 & 1;
	return num;
}

/** The header, the attributes, the records, the table of features, or what is in them. */
static struct range pick_range(struct state *state)
{
	struct range data = data_range(state);
	size_t end = data.at + data.size;
	switch (below(state, 8)) {
	case 0:
		return clipped(state, 0, HEADER_SIZE);
	case 1:
		return clipped(state, get_word(state, ATTRS_AT, 8),
			       get_word(state, ATTRS_AT + 8, 8));
	case 2:
		return clipped(state, end, num_features(state) * SECTION_SIZE);
	case 3:
		return clipped(state, end + num_features(state) * SECTION_SIZE, state->size);
	default:
		return data;
	}
}

/** The record's size; 0: there is none at @at. */
static size_t record_size(const struct state *state, const struct range *data, size_t at)
{
	size_t size = (size_t)get_word(state, at + 6, 2);
	size_t left = data->at + data->size - at;
	return size >= RECORD_HEADER_SIZE && size <= left ? size : 0;
}

/** One of the records, each as likely as the others; empty if there are none. */
static struct range pick_record(struct state *state)
{
	struct range data = data_range(state), picked = {data.at, 0};
	size_t num = 0, size;
	for (size_t at = data.at; at < data.at + data.size; at += size) {
		size = record_size(state, &data, at);
		if (!size)
			break;
		if (below(state, ++num) == 0)
			picked = (struct range){at, size};
	}
	return picked;
}

static uint64_t pick_word(struct state *state, uint64_t before)
{
	static const uint64_t words[] = {
		0,
		1,
		2,
		7,
		8,
		16,
		0x7f,
		0x80,
		0xff,
		0x7fff,
		0x8000,
		0xfff8,
		0xffff,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		UINT64_C(1) << 32,
		UINT64_C(1) << 40,
		UINT64_C(0x7fffffffffffffff),
		UINT64_C(0x8000000000000000),
		UINT64_MAX,
		UINT64_MAX - 7,
		UINT64_C(-128),
		UINT64_C(-512),
		UINT64_C(-2048),
	};
	enum { NUM_WORDS = sizeof(words) / sizeof(words[0]) };
	size_t which = below(state, NUM_WORDS + 8);
	switch (which) {
	case NUM_WORDS:
		return before + 1;
	case NUM_WORDS + 1:
		return before - 1;
	case NUM_WORDS + 2:
		return before * 2;
	case NUM_WORDS + 3:
		return before ^ UINT64_C(1) << below(state, 64);
	case NUM_WORDS + 4:
		return state->size - below(state, 16);
	case NUM_WORDS + 5:
		return get_word(state, below(state, state->size) & ~(size_t)7, 8);
	case NUM_WORDS + 6:
	case NUM_WORDS + 7:
		return next_random(state);
	default:
		return words[which];
	}
}

static void change_word_in(struct state *state, struct range range)
{
	size_t width = (size_t)1 << below(state, 4);
	size_t at = range.at + (below(state, range.size) & ~(width - 1));
	set_word(state, at, width, pick_word(state, get_word(state, at, width)));
}

static void change_word(struct state *state)
{
	change_word_in(state, pick_range(state));
}

static void flip_bits(struct state *state)
{
	struct range range = pick_range(state);
	for (size_t num = 1 + below(state, 8); range.size && num; num--)
		state->bytes[range.at + below(state, range.size)] ^= 1u << below(state, 8);
}

static void change_record_word(struct state *state)
{
	change_word_in(state, pick_record(state));
}

static void change_record_kind(struct state *state)
{
	struct range record = pick_record(state);
	set_word(state, record.at, 4, below(state, 96));
}

static void change_record_size(struct state *state)
{
	struct range record = pick_record(state);
	set_word(state, record.at + 6, 2, pick_word(state, record.size));
}

/** Most of the time all offsets are right again, so that a reader comes further. */
static void move_sections(struct state *state, size_t num_added, size_t num_removed)
{
	bool is_pipe = get_word(state, 8, 8) == PIPE_HEADER_SIZE;
	if (is_pipe || below(state, 4) == 0)
		return;
	uint64_t size = get_word(state, DATA_AT + 8, 8) + num_added - num_removed;
	set_word(state, DATA_AT + 8, 8, size);
	struct range data = data_range(state);
	for (size_t i = 0, num = num_features(state); i < num; i++) {
		size_t at = data.at + data.size + i * SECTION_SIZE;
		set_word(state, at, 8, get_word(state, at, 8) + num_added - num_removed);
	}
}

static void insert(struct state *state, size_t at, const uint8_t *bytes, size_t size)
{
	if (size > MAX_INSERTED || size > state->capacity - state->size)
		return;
	memmove(state->bytes + at + size, state->bytes + at, state->size - at);
	memcpy(state->bytes + at, bytes, size);
	state->size += size;
	move_sections(state, size, 0);
}

static void remove_range(struct state *state, struct range range)
{
	size_t end = range.at + range.size;
	memmove(state->bytes + range.at, state->bytes + end, state->size - end);
	state->size -= range.size;
	move_sections(state, 0, range.size);
}

static void remove_record(struct state *state)
{
	remove_range(state, pick_record(state));
}

/** @record is put before another one. */
static void insert_record(struct state *state, const uint8_t *record, size_t size)
{
	insert(state, pick_record(state).at, record, size);
}

static void repeat_record(struct state *state)
{
	static uint8_t record[MAX_INSERTED];
	struct range range = pick_record(state);
	memcpy(record, state->bytes + range.at, range.size);
	for (size_t num = 1 + below(state, 4); num; num--)
		insert_record(state, record, range.size);
}

static void move_record(struct state *state)
{
	static uint8_t record[MAX_INSERTED];
	struct range range = pick_record(state);
	memcpy(record, state->bytes + range.at, range.size);
	remove_range(state, range);
	insert_record(state, record, range.size);
}

static void copy_bytes(struct state *state)
{
	struct range from = pick_range(state), to = pick_range(state);
	size_t shorter = from.size < to.size ? from.size : to.size;
	size_t size = below(state, shorter < 256 ? shorter + 1 : 256);
	memmove(state->bytes + to.at + below(state, to.size - size + 1),
		state->bytes + from.at + below(state, from.size - size + 1), size);
}

static void insert_zeros(struct state *state)
{
	static const uint8_t zeros[64];
	struct range range = pick_range(state);
	insert(state, range.at + below(state, range.size), zeros, below(state, sizeof(zeros)));
}

static void cut(struct state *state)
{
	struct range range = pick_range(state);
	state->size = range.at + below(state, range.size);
}

static void change_once(struct state *state)
{
	static void (*const changes[])(struct state * state) = {
		change_word,        change_word,   change_record_word, change_record_word,
		flip_bits,          remove_record, move_record,        change_record_kind,
		change_record_size, repeat_record, copy_bytes,         insert_zeros};
	enum { NUM_CHANGES = sizeof(changes) / sizeof(changes[0]), CUT_ONE_IN = 24 };
	if (below(state, CUT_ONE_IN) == 0)
		cut(state);
	else
		changes[below(state, NUM_CHANGES)](state);
}

struct recording_mutation recording_mutation_create(const uint8_t *original, size_t size,
						    uint64_t seed)
{
	// Each change may insert a record up to four times.
	size_t capacity = size + (size_t)MAX_CHANGES * 4 * MAX_INSERTED;
	struct state state = {.size = size, .capacity = capacity, .random = seed};
	state.bytes = malloc(capacity);
	if (!state.bytes)
		abort();
	memcpy(state.bytes, original, size);
	for (size_t num = 1 + below(&state, MAX_CHANGES); num; num--)
		change_once(&state);
	return (struct recording_mutation){state.bytes, state.size};
}

void recording_mutation_destroy(struct recording_mutation *mutation)
{
	free(mutation->bytes);
	*mutation = (struct recording_mutation){0};
}
