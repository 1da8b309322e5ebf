/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_AUX_H
#define WPERF_SOURCE_PERF_PERF_AUX_H

/**
 * An AUX area: the ring buffer into which hardware writes its trace, read in place. A piece ends at
 * the end of the memory. Data that arrives after perf_aux_look() is seen by the next one.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_aux {
	struct perf_event_mmap_page *page; /* of the ring, not owned */
	const uint8_t *data;
	size_t size;   /* of data; a power of two */
	uint64_t head; /* end of the data at the last look */
	uint64_t tail; /* of the next piece; positions count all bytes ever written */
};

#define PERF_AUX_INIT \
	{             \
	}

/**
 * @fd:   of the event that has the ring.
 * @page: of the ring, which is mapped before; @ring_bytes: the size of that mapping.
 * @bytes: a power of two, at least a page. 0, or the errno.
 */
int perf_aux_map(struct perf_aux *aux, int fd, struct perf_event_mmap_page *page, size_t ring_bytes,
		 size_t bytes);

/** Call it before the ring is unmapped. */
void perf_aux_unmap(struct perf_aux *aux);

void perf_aux_look(struct perf_aux *aux);

/** The next piece, valid until it is dropped; false: there are no more since the last look. */
bool perf_aux_peek(const struct perf_aux *aux, const uint8_t **ret, size_t *ret_size);

/** Release @size bytes for the hardware. */
void perf_aux_drop(struct perf_aux *aux, size_t size);

#endif
