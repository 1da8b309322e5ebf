/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDER_RECORD_RING_H
#define WPERF_SESSION_RECORDER_RECORD_RING_H

/**
 * The last records of a recording, in a memory of fixed size: nothing is allocated after the
 * creation, and pages are touched as the ring fills for the first time. Each record is one piece,
 * aligned to 8 bytes. Who adds one drops the oldest ones first, until there is room.
 */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record_ring;

/** What is known of a record without its bytes. */
struct record_ring_entry {
	uint64_t time_ns;
	uint32_t size; /* of its bytes, a multiple of 8; 0: RECORD_OTHER, places were mapped */
	uint32_t pid;
	uint32_t tid;
	uint32_t kind; /* enum record_kind */
};

enum {
	/** The largest record must have room, whatever else is kept. */
	RECORD_RING_MIN_BYTES = 256 << 10,
};

/** @max_bytes: a multiple of 8, at least RECORD_RING_MIN_BYTES. */
struct error *record_ring_create(size_t max_bytes, struct record_ring **ret);
void record_ring_destroy(struct record_ring *ring);

/** Is there room for one of this size, without dropping any? */
bool record_ring_has_room(const struct record_ring *ring, size_t size);

/** There is room. @bytes: entry->size of them. */
void record_ring_add(struct record_ring *ring, const struct record_ring_entry *entry,
		     const void *bytes);

/**
 * A place in the ring; places grow, and stay the same until their record is dropped.
 *
 * for (uint64_t i = record_ring_begin(ring); i != record_ring_end(ring);
 *      i = record_ring_next(ring, i))
 */
uint64_t record_ring_begin(const struct record_ring *ring);
uint64_t record_ring_end(const struct record_ring *ring);
uint64_t record_ring_next(const struct record_ring *ring, uint64_t place);

const struct record_ring_entry *record_ring_at(const struct record_ring *ring, uint64_t place);
const void *record_ring_bytes(const struct record_ring_entry *entry);

/** The oldest one, if there is any. */
void record_ring_drop(struct record_ring *ring);

#endif
