/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SAMPLING_RING_H
#define WPERF_DRIVER_CORE_SAMPLING_RING_H

/**
 * The ring of one core: samples of different sizes, oldest first. The core's interrupt puts them
 * in, one request at a time takes them out; neither waits for the other, and no lock is taken. What
 * finds no room is not put in: what is in the ring stays as it is.
 */

#include "driver/include/wperf_driver.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DRIVER_RING_MIN_SIZE = 4096,
	DRIVER_RING_MAX_SIZE = 16 * 1024 * 1024,
};

/** Positions are counts of bytes since the beginning; they never go back. */
struct driver_ring {
	uint8_t *memory;       /* NULL: there is no ring, and no function below may be called */
	size_t size;           /* a power of two */
	_Atomic uint64_t head; /* behind the newest sample; the interrupt's */
	_Atomic uint64_t tail; /* the oldest; the reader's */
};

/** @memory: outlives the ring. */
void driver_ring_init(struct driver_ring *ring, void *memory, size_t size);

/** While nobody puts anything in. */
void driver_ring_clear(struct driver_ring *ring);

/**
 * In the interrupt.
 * @sample: its size is set here, from num_callers.
 * Returns false if there is no room.
 */
bool driver_ring_put(struct driver_ring *ring, struct wperf_ring_sample *sample,
		     const uint64_t *callers);

/** Move whole samples out, as many as have room. Returns their bytes. */
size_t driver_ring_take(struct driver_ring *ring, uint8_t *out, size_t out_size);

/** Bytes of the samples in it. */
size_t driver_ring_fill(const struct driver_ring *ring);

/** Is it worth while to take them out: is it full to a quarter? */
bool driver_ring_has_enough(const struct driver_ring *ring);

#endif
