// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Follows struct perf_event_mmap_page of linux/perf_event.h. data_head and data_tail count bytes
// for ever; the position is their remainder by the size, a power of two. data_head is read with
// acquire semantics, so that the records before it are complete, and data_tail is written with
// release semantics after they were read. A record that goes over the end of the ring is copied to
// `unfolded` in one piece; all others are used in place. The size in a header is checked, as the
// memory is shared with the kernel.

enum { MAX_RECORD = 1 << 16 }; // header.size has 16 bits

int perf_ring_map(struct perf_ring *ring, int fd, size_t bytes)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	void *unfolded = malloc(MAX_RECORD);
	if (!unfolded)
		return ENOMEM;
	void *page = mmap(NULL, page_size + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		int errnum = errno;
		free(unfolded);
		return errnum;
	}
	*ring = (struct perf_ring){
		.page = page,
		.data = (const uint8_t *)page + page_size,
		.size = bytes,
		.unfolded = unfolded,
	};
	return 0;
}

void perf_ring_unmap(struct perf_ring *ring)
{
	if (ring->page)
		munmap(ring->page, (size_t)(ring->data - (const uint8_t *)ring->page) + ring->size);
	free(ring->unfolded);
	*ring = (struct perf_ring)PERF_RING_INIT;
}

void perf_ring_look(struct perf_ring *ring)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

static void publish_tail(struct perf_ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}

bool perf_ring_peek(struct perf_ring *ring, const uint8_t **ret, size_t *ret_size)
{
	uint64_t available = ring->head - ring->tail;
	size_t place = ring->tail & (ring->size - 1);
	// Records are multiples of 8 bytes, so a header never goes over the end.
	const struct perf_event_header *header =
		(const struct perf_event_header *)(ring->data + place);
	if (available < sizeof(*header))
		return false;
	size_t size = header->size;
	if (size < sizeof(*header) || size % 8 || size > available) {
		// Damage: where the next record begins is not known, so all is dropped.
		ring->tail = ring->head;
		publish_tail(ring);
		return false;
	}
	size_t before_end = ring->size - place;
	*ret = ring->data + place;
	*ret_size = size;
	if (size <= before_end)
		return true;
	memcpy(ring->unfolded, ring->data + place, before_end);
	memcpy(ring->unfolded + before_end, ring->data, size - before_end);
	*ret = ring->unfolded;
	return true;
}

void perf_ring_drop(struct perf_ring *ring, size_t size)
{
	ring->tail += size;
	publish_tail(ring);
}
