// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/etl_mutation.h"

#include "tests/fuzz/mutation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUFFER_HEADER = 72,
	AT_SEQUENCE = 24,
	AT_FLAGS = 52,
	FLAG_PACKED = 0x40,
	EVENT_ALIGNMENT = 8,
	MAX_CHANGES = 6,
	MAX_BUFFER = 1 << 20,
	MAX_REPEATED = 8,
};

static size_t buffer_size(const struct mutation *state, size_t at)
{
	size_t size = (size_t)mutation_get(state, at, 4);
	return size >= BUFFER_HEADER && size <= state->size - at ? size : 0;
}

/** One of the buffers, each as likely as the others; a zip is one, as it has none. */
static struct mutation_range pick_buffer(struct mutation *state)
{
	struct mutation_range picked = {0, state->size};
	size_t num = 0, size;
	for (size_t at = 0; at < state->size; at += size) {
		size = buffer_size(state, at);
		if (!size)
			break;
		if (mutation_below(state, ++num) == 0)
			picked = (struct mutation_range){at, size};
	}
	return picked;
}

/** Events of the kernel have their size behind the type and marks, others in front of them. */
static size_t event_size_at(const struct mutation *state, size_t event)
{
	uint64_t type = mutation_get(state, event + 2, 1);
	return event + (type <= 4 || type == 16 || type == 17 ? 4 : 0);
}

/** The size with its padding; 0: there is none at @at. */
static size_t event_size(const struct mutation *state, size_t at, size_t end)
{
	size_t size = (size_t)mutation_get(state, event_size_at(state, at), 2);
	size = (size + EVENT_ALIGNMENT - 1) & ~(size_t)(EVENT_ALIGNMENT - 1);
	bool is_one = at + EVENT_ALIGNMENT <= end && mutation_get(state, at + 3, 1) & 0x80;
	return is_one && size && size <= end - at ? size : 0;
}

/** One of the events of a buffer; of a packed one, some of its bytes. */
static struct mutation_range pick_event(struct mutation *state)
{
	struct mutation_range buffer = pick_buffer(state);
	struct mutation_range picked = mutation_clip(state, buffer.at + BUFFER_HEADER, 32);
	size_t used = (size_t)mutation_get(state, buffer.at + 4, 4), num = 0, size;
	size_t end = buffer.at + (used < buffer.size ? used : buffer.size);
	if (mutation_get(state, buffer.at + AT_FLAGS, 1) & FLAG_PACKED)
		return mutation_clip(state, buffer.at + BUFFER_HEADER, buffer.size - BUFFER_HEADER);
	for (size_t at = buffer.at + BUFFER_HEADER; at < end; at += size) {
		size = event_size(state, at, end);
		if (!size)
			break;
		if (mutation_below(state, ++num) == 0)
			picked = (struct mutation_range){at, size};
	}
	return picked;
}

static void change_event_word(struct mutation *state)
{
	mutation_change_word(state, pick_event(state));
}

static void change_buffer_word(struct mutation *state)
{
	mutation_change_word(state, mutation_clip(state, pick_buffer(state).at, BUFFER_HEADER));
}

/** What the file says of itself. */
static void change_first_event(struct mutation *state)
{
	mutation_change_word(state, mutation_clip(state, BUFFER_HEADER, 400));
}

static void change_event_kind(struct mutation *state)
{
	static const uint8_t groups[] = {0, 3, 5, 11, 15, 20, 24};
	struct mutation_range event = pick_event(state);
	switch (mutation_below(state, 3)) {
	case 0:
		mutation_set(state, event.at + 2, 1, mutation_below(state, 24));
		break;
	case 1:
		mutation_set(state, event.at + 6, 1, mutation_below(state, 80));
		break;
	default:
		mutation_set(state, event.at + 7, 1, groups[mutation_below(state, sizeof(groups))]);
	}
}

static void change_event_size(struct mutation *state)
{
	struct mutation_range event = pick_event(state);
	mutation_set(state, event_size_at(state, event.at), 2, mutation_word(state, event.size));
}

static void flip_bits(struct mutation *state)
{
	struct mutation_range range = pick_event(state);
	for (size_t num = 1 + mutation_below(state, 8); range.size && num; num--)
		state->bytes[range.at + mutation_below(state, range.size)] ^=
			1u << mutation_below(state, 8);
}

static void swap_buffers(struct mutation *state)
{
	struct mutation_range a = pick_buffer(state), b = pick_buffer(state);
	for (size_t i = 0; i < a.size && i < b.size; i++) {
		uint8_t byte = state->bytes[a.at + i];
		state->bytes[a.at + i] = state->bytes[b.at + i];
		state->bytes[b.at + i] = byte;
	}
}

static void change_sequence(struct mutation *state)
{
	size_t at = pick_buffer(state).at + AT_SEQUENCE;
	mutation_set(state, at, 8, mutation_word(state, mutation_get(state, at, 8)));
}

static void remove_buffer(struct mutation *state)
{
	struct mutation_range buffer = pick_buffer(state);
	size_t end = buffer.at + buffer.size;
	if (buffer.size == state->size)
		return;
	memmove(state->bytes + buffer.at, state->bytes + end, state->size - end);
	state->size -= buffer.size;
}

static void repeat_buffer(struct mutation *state)
{
	struct mutation_range buffer = pick_buffer(state);
	size_t num = 1 + mutation_below(state, MAX_REPEATED);
	for (; num && buffer.size <= MAX_BUFFER && buffer.size <= state->capacity - state->size;
	     num--) {
		memcpy(state->bytes + state->size, state->bytes + buffer.at, buffer.size);
		state->size += buffer.size;
	}
}

static void copy_event(struct mutation *state)
{
	struct mutation_range from = pick_event(state), to = pick_event(state);
	memmove(state->bytes + to.at, state->bytes + from.at,
		from.size < to.size ? from.size : to.size);
}

/** Strings without an end, and what ends early. */
static void fill_event(struct mutation *state)
{
	struct mutation_range event = pick_event(state);
	size_t skipped = mutation_below(state, event.size + 1);
	memset(state->bytes + event.at + skipped, (int)mutation_word(state, 0),
	       event.size - skipped);
}

static void cut(struct mutation *state)
{
	struct mutation_range buffer = pick_buffer(state);
	state->size = buffer.at + mutation_below(state, buffer.size + 1);
}

static void change_once(struct mutation *state)
{
	static void (*const changes[])(struct mutation * state) = {
		change_event_word,  change_event_word, change_event_word, change_event_word,
		change_buffer_word, change_event_kind, change_event_size, flip_bits,
		swap_buffers,       change_sequence,   remove_buffer,     repeat_buffer,
		copy_event,         fill_event,        change_first_event};
	enum { NUM_CHANGES = sizeof(changes) / sizeof(changes[0]), CUT_ONE_IN = 24 };
	if (mutation_below(state, CUT_ONE_IN) == 0)
		cut(state);
	else
		changes[mutation_below(state, NUM_CHANGES)](state);
}

struct recording_mutation etl_mutation_create(const uint8_t *original, size_t size, uint64_t seed)
{
	struct mutation state = mutation_begin(original, size, size + (size_t)4 * MAX_BUFFER, seed);
	for (size_t num = 1 + mutation_below(&state, MAX_CHANGES); num; num--)
		change_once(&state);
	return (struct recording_mutation){state.bytes, state.size};
}
