/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_AUX_H
#define WPERF_SOURCE_PERF_AUX_H

/**
 * The memory beside a ring in which hardware leaves its trace (an AUX area), read in place. It goes
 * round; a piece ends where the memory does. What arrives after perf_aux_look() waits for the next
 * look.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_aux {
	struct perf_event_mmap_page *page; /* of the ring, not owned */
	const uint8_t *data;
	size_t size;   /* of data; a power of two */
	uint64_t head; /* up to here there was something at the last look */
	uint64_t tail; /* of what comes next; positions count all that was ever there */
};

#define PERF_AUX_INIT \
	{             \
	}

/**
 * @fd:   of the event that has the ring.
 * @page: of the ring, which is mapped already; @ring_bytes: of all that is mapped there.
 * @bytes: a power of two, at least a page. 0, or the errno.
 */
int perf_aux_map(struct perf_aux *aux, int fd, struct perf_event_mmap_page *page, size_t ring_bytes,
		 size_t bytes);

/** Before the ring is unmapped. */
void perf_aux_unmap(struct perf_aux *aux);

void perf_aux_look(struct perf_aux *aux);

/** The next piece; false: no more since the last look. It stays until it is dropped. */
bool perf_aux_peek(const struct perf_aux *aux, const uint8_t **ret, size_t *ret_size);

/** Done with so much of it; its room is the hardware's again. */
void perf_aux_drop(struct perf_aux *aux, size_t size);

#endif
