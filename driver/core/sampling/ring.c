// SPDX-License-Identifier: Apache-2.0

#include "driver/core/sampling/ring.h"

#include <string.h>

// One producer (the interrupt of the core) and one consumer, each with a position that only it
// writes. The producer publishes the head with release after the bytes, and the consumer the tail
// after it has copied them; each reads the other's with acquire. Positions count bytes and never
// wrap, so that a full ring differs from an empty one. A sample is put in whole or not at all, and
// a take returns whole samples.

// A client is woken when the ring is full to a quarter: the rest is for what comes until it reads.
enum { ENOUGH_SHARE = 4 };

void driver_ring_init(struct driver_ring *ring, void *memory, size_t size)
{
	ring->memory = memory;
	ring->size = size;
	driver_ring_clear(ring);
}

void driver_ring_clear(struct driver_ring *ring)
{
	atomic_store_explicit(&ring->head, 0, memory_order_relaxed);
	atomic_store_explicit(&ring->tail, 0, memory_order_relaxed);
}

static void ring_copy_in(const struct driver_ring *ring, uint64_t position, const void *bytes,
			 size_t size)
{
	size_t offset = (size_t)position & (ring->size - 1);
	size_t first = ring->size - offset < size ? ring->size - offset : size;
	memcpy(ring->memory + offset, bytes, first);
	memcpy(ring->memory, (const uint8_t *)bytes + first, size - first);
}

static void copy_out(const struct driver_ring *ring, uint64_t position, void *bytes, size_t size)
{
	size_t offset = (size_t)position & (ring->size - 1);
	size_t first = ring->size - offset < size ? ring->size - offset : size;
	memcpy(bytes, ring->memory + offset, first);
	memcpy((uint8_t *)bytes + first, ring->memory, size - first);
}

bool driver_ring_put(struct driver_ring *ring, struct wperf_ring_sample *sample,
		     const uint64_t *callers)
{
	size_t callers_size = sample->num_callers * sizeof(*callers);
	sample->size = (uint16_t)(sizeof(*sample) + callers_size);
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	if (sample->size > ring->size - (size_t)(head - tail))
		return false;
	ring_copy_in(ring, head, sample, sizeof(*sample));
	ring_copy_in(ring, head + sizeof(*sample), callers, callers_size);
	atomic_store_explicit(&ring->head, head + sample->size, memory_order_release);
	return true;
}

static size_t size_at(const struct driver_ring *ring, uint64_t position)
{
	uint16_t size;
	_Static_assert(offsetof(struct wperf_ring_sample, size) == 0, "it comes first");
	copy_out(ring, position, &size, sizeof(size));
	return size;
}

size_t driver_ring_take(struct driver_ring *ring, uint8_t *out, size_t out_size)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	uint64_t end = tail;
	// Sizes are the producer's own, in memory that no client can write.
	while (end < head && size_at(ring, end) <= out_size - (size_t)(end - tail))
		end += size_at(ring, end);
	size_t size = (size_t)(end - tail);
	copy_out(ring, tail, out, size);
	atomic_store_explicit(&ring->tail, end, memory_order_release);
	return size;
}

size_t driver_ring_fill(const struct driver_ring *ring)
{
	// The tail first: were the head older, it might be behind it.
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	return (size_t)(atomic_load_explicit(&ring->head, memory_order_acquire) - tail);
}

bool driver_ring_has_enough(const struct driver_ring *ring)
{
	return driver_ring_fill(ring) >= ring->size / ENOUGH_SHARE;
}
