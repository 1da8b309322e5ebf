/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_RING_H
#define WPERF_SOURCE_PERF_PERF_RING_H

/**
 * The kernel's ring buffer of records, read in place. Records that arrive after perf_ring_look()
 * are seen by the next one.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_ring {
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	size_t size;       /* of data; a power of two */
	uint64_t head;     /* end of the data at the last look */
	uint64_t tail;     /* of the next record */
	uint8_t *unfolded; /* copy of a record that wraps around the end of the data */
};

#define PERF_RING_INIT \
	{              \
	}

/** @bytes: a power of two, at least a page. 0, or the errno. */
int perf_ring_map(struct perf_ring *ring, int fd, size_t bytes);
void perf_ring_unmap(struct perf_ring *ring);

void perf_ring_look(struct perf_ring *ring);

/**
 * The next record with its header, 8-byte aligned, valid until it is dropped. False: there are no
 * more since the last look. If a size is impossible, all data is dropped.
 */
bool perf_ring_peek(struct perf_ring *ring, const uint8_t **ret, size_t *ret_size);

/** Release the last record for the kernel. */
void perf_ring_drop(struct perf_ring *ring, size_t size);

#endif
