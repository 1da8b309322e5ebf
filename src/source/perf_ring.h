/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_RING_H
#define WPERF_SOURCE_PERF_RING_H

/**
 * The memory in which the kernel leaves records for us, read in place: a record lives until the
 * next one is taken. What arrives after perf_ring_look() waits for the next look.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_ring {
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	size_t size;       /* of data; a power of two */
	uint64_t head;     /* up to here the kernel had written at the last look */
	uint64_t tail;     /* of the next record */
	uint8_t *unfolded; /* a record that goes over the end of the data */
};

#define PERF_RING_INIT \
	{              \
	}

/** @bytes: a power of two, at least a page. 0, or the errno. */
int perf_ring_map(struct perf_ring *ring, int fd, size_t bytes);
void perf_ring_unmap(struct perf_ring *ring);

void perf_ring_look(struct perf_ring *ring);

/**
 * The next record, header and all, 8-byte aligned. False: no more since the last look.
 * Damage (a size that cannot be) drops all that there is.
 */
bool perf_ring_peek(struct perf_ring *ring, const uint8_t **ret, size_t *ret_size);

/** Done with the record that was peeked at last; its room is the kernel's again. */
void perf_ring_drop(struct perf_ring *ring, size_t size);

#endif
