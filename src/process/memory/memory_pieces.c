// SPDX-License-Identifier: Apache-2.0

#include "process/memory/memory_pieces.h"

#include <string.h>

// Memory from pieces that were read before: tests have a process of made-up bytes, and readers of
// images take the header of a file for memory. There are few pieces, so that a search from the
// first one is enough.

static const struct memory_piece *memory_pieces_find_piece(const struct memory_pieces *pieces,
							   uint64_t address)
{
	for (size_t i = 0; i < pieces->num_items; i++)
		if (address >= pieces->items[i].address &&
		    address - pieces->items[i].address < pieces->items[i].size)
			return &pieces->items[i];
	return NULL;
}

static size_t read_pieces(void *context, uint64_t address, void *bytes, size_t size)
{
	size_t done = 0;
	while (done < size) {
		const struct memory_piece *piece =
			memory_pieces_find_piece(context, address + done);
		if (!piece)
			break;
		size_t offset = (size_t)(address + done - piece->address);
		size_t left = piece->size - offset;
		size_t count = size - done < left ? size - done : left;
		memcpy((char *)bytes + done, (const char *)piece->bytes + offset, count);
		done += count;
	}
	return done;
}

static bool memory_pieces_read_parts(void *context, const struct process_memory_part *parts,
				     size_t num)
{
	for (size_t i = 0; i < num; i++)
		if (read_pieces(context, parts[i].address, parts[i].bytes, parts[i].size) !=
		    parts[i].size)
			return false;
	return true;
}

struct process_memory memory_pieces_memory(struct memory_pieces *pieces)
{
	return (struct process_memory){
		.read = read_pieces,
		.read_parts = memory_pieces_read_parts,
		.context = pieces,
	};
}
