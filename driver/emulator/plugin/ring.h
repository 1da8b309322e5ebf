/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_RING_H
#define WPERF_EMULATOR_RING_H

/**
 * Records on their way to wperf, in a ring as the kernel has it, by any number of threads of any
 * number of processes. A thread waits for room, so nothing is lost.
 */

#include "driver/emulator/region.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t size;
	struct region *region;
};

/** False if there is no such file; then the region must be closed before anybody writes. */
bool ring_open(struct ring *ring, struct region *region);

/**
 * @words: a record; word @time_word gets its time: @passed_ns after the one before.
 * Nothing happens when nobody reads any more.
 */
void ring_write(struct ring *ring, uint64_t *words, size_t num_words, size_t time_word,
		uint64_t passed_ns);

#endif
