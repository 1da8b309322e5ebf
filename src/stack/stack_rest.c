// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_rest.h"

#include "base/byte_order.h"
#include "process/memory/process_memory.h"

#include <stdlib.h>
#include <string.h>

// The unwinder asks for words above the copy (stack_rest_read()). The first such word makes
// stack_rest_read_all() copy, in one call, part of what the sample has already, and the words above
// it. stack_rest_is_same() compares the overlap with the sample, and with what an earlier call for
// this stack had read. A difference ends the stack here. Reads begin with 16 KiB and double up to 1
// MiB; the size that the last stack used is the start for the next one, as stacks of a program have
// similar depths.

enum {
	SLOT_SIZE = 8,
	FIRST_REST = 16 << 10, // most stacks end within that
	MOST_REST = 1 << 20,   // of one stack
	LEAST_COPY = 512,      // too little to be recognized by
};

void stack_rest_begin(struct stack_rest *rest, const struct process_memory *memory,
		      const struct stack_copy *copy)
{
	rest->memory = memory;
	rest->copy = *copy;
	rest->is_read = rest->has_changed = false;
	rest->size = 0;
	// Stacks are mostly about as deep as the one before.
	for (rest->wanted = FIRST_REST; rest->wanted < rest->used;)
		rest->wanted *= 2;
	rest->used = 0;
}

void stack_rest_deinit(struct stack_rest *rest)
{
	free(rest->bytes);
	*rest = (struct stack_rest)STACK_REST_INIT;
}

static uint64_t end_of_copy(const struct stack_rest *rest)
{
	return rest->copy.address + rest->copy.size;
}

/**
 * Where the comparison begins: functions near the stack pointer go on running, the others wait for
 * them. One that has returned and was called again, from elsewhere, would have other callers: the
 * more bytes are the same, the less likely is that.
 */
static uint64_t stack_rest_check_start(const struct stack_rest *rest, uint64_t frame)
{
	uint64_t middle = rest->copy.address + rest->copy.size / 2;
	return frame >= rest->copy.address && frame < middle ? frame : middle;
}

static bool stack_rest_is_same(const struct stack_rest *rest, uint64_t address,
			       const uint8_t *bytes, size_t size)
{
	const uint8_t *copied = rest->copy.bytes + (address - rest->copy.address);
	size_t num_copied = (size_t)(end_of_copy(rest) - address);
	if (size < num_copied || memcmp(copied, bytes, num_copied) != 0)
		return false;
	// Frames that were taken from what was read before have to be those of now.
	return !rest->is_read ||
	       (size >= rest->size && memcmp(rest->bytes, bytes, rest->size) == 0);
}

/** All in one go, with the bytes that are compared: what is read in pieces may be of two stacks. */
static bool stack_rest_read_all(struct stack_rest *rest, uint64_t address)
{
	size_t size = (size_t)(end_of_copy(rest) - address) + rest->wanted;
	uint8_t *bytes = malloc(size);
	if (!bytes)
		return false;
	size_t got = rest->memory->read(rest->memory->context, address, bytes, size);
	bool is_good = stack_rest_is_same(rest, address, bytes, got);
	free(rest->bytes);
	rest->bytes = bytes;
	rest->address = address;
	rest->size = got;
	rest->is_read = true;
	return is_good;
}

static bool stack_rest_holds(const struct stack_rest *rest, uint64_t address)
{
	uint64_t offset = address - rest->address;
	return rest->is_read && offset < rest->size && rest->size - offset >= SLOT_SIZE;
}

static bool stack_rest_make_room(struct stack_rest *rest, uint64_t needed)
{
	while (rest->wanted < needed && rest->wanted < MOST_REST)
		rest->wanted *= 2;
	return rest->wanted >= needed;
}

bool stack_rest_read(struct stack_rest *rest, uint64_t frame, uint64_t address, uint64_t *ret)
{
	uint64_t end = end_of_copy(rest);
	if (!rest->memory || rest->has_changed || rest->copy.size < LEAST_COPY || address < end)
		return false;
	if (!stack_rest_holds(rest, address)) {
		uint64_t start =
			rest->is_read ? rest->address : stack_rest_check_start(rest, frame);
		rest->has_changed = address - end > MOST_REST ||
				    !stack_rest_make_room(rest, address - end + SLOT_SIZE) ||
				    !stack_rest_read_all(rest, start);
		if (rest->has_changed || !stack_rest_holds(rest, address))
			return false;
	}
	if (rest->used < address - end + SLOT_SIZE)
		rest->used = address - end + SLOT_SIZE;
	*ret = byte_order_load64(rest->bytes + (address - rest->address), false);
	return true;
}
