// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/record_ring.h"

#include <stdlib.h>
#include <string.h>

// Places count bytes since the creation; modulo the size they are offsets. A record never wraps:
// what is left at the end of the memory and too small for the next one is skipped. `skipped_at` and
// `skipped_to` remember that gap, of which there is at most one among the records that are kept.

struct record_ring {
	size_t num_bytes;
	uint64_t begin, end;
	uint64_t skipped_at, skipped_to; /* equal: no gap */
	uint8_t *bytes;
};

struct error *record_ring_create(size_t max_bytes, struct record_ring **ret)
{
	struct record_ring *ring = calloc(1, sizeof(*ring));
	// A large piece of zeros is mapped by the system and costs nothing before it is written.
	uint8_t *bytes = ring ? calloc(max_bytes / sizeof(uint64_t), sizeof(uint64_t)) : NULL;
	if (!bytes) {
		free(ring);
		return &error_no_memory;
	}
	ring->bytes = bytes;
	ring->num_bytes = max_bytes / sizeof(uint64_t) * sizeof(uint64_t);
	*ret = ring;
	return NULL;
}

void record_ring_destroy(struct record_ring *ring)
{
	if (!ring)
		return;
	free(ring->bytes);
	free(ring);
}

/** Where a record of so many bytes, entry and all, would stand. */
static uint64_t record_ring_place_for(const struct record_ring *ring, size_t size)
{
	size_t offset = ring->end % ring->num_bytes;
	size_t left = ring->num_bytes - offset;
	return left < size ? ring->end + left : ring->end;
}

bool record_ring_has_room(const struct record_ring *ring, size_t size)
{
	size_t whole = sizeof(struct record_ring_entry) + size;
	if (ring->begin == ring->end)
		return whole <= ring->num_bytes;
	return record_ring_place_for(ring, whole) + whole - ring->begin <= ring->num_bytes;
}

void record_ring_add(struct record_ring *ring, const struct record_ring_entry *entry,
		     const void *bytes)
{
	size_t whole = sizeof(*entry) + entry->size;
	uint64_t place = record_ring_place_for(ring, whole);
	if (place != ring->end) {
		ring->skipped_at = ring->end;
		ring->skipped_to = place;
	}
	// An empty ring has no gap in front.
	if (ring->begin == ring->end)
		ring->begin = place;
	uint8_t *to = ring->bytes + place % ring->num_bytes;
	memcpy(to, entry, sizeof(*entry));
	if (entry->size)
		memcpy(to + sizeof(*entry), bytes, entry->size);
	ring->end = place + whole;
}

uint64_t record_ring_begin(const struct record_ring *ring)
{
	return ring->begin;
}

uint64_t record_ring_end(const struct record_ring *ring)
{
	return ring->end;
}

const struct record_ring_entry *record_ring_at(const struct record_ring *ring, uint64_t place)
{
	return (const struct record_ring_entry *)(ring->bytes + place % ring->num_bytes);
}

const void *record_ring_bytes(const struct record_ring_entry *entry)
{
	return entry + 1;
}

uint64_t record_ring_next(const struct record_ring *ring, uint64_t place)
{
	uint64_t next =
		place + sizeof(struct record_ring_entry) + record_ring_at(ring, place)->size;
	// Places only grow, so that no end is where an earlier gap began.
	return next == ring->skipped_at ? ring->skipped_to : next;
}

void record_ring_drop(struct record_ring *ring)
{
	if (ring->begin != ring->end)
		ring->begin = record_ring_next(ring, ring->begin);
}
