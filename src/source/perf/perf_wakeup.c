// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_wakeup.h"

#include <string.h>

// Reads ahead in the ring with a position of its own, without moving the tail: only the fixed
// beginning of each record, which the chosen sample_type makes the same for all samples
// (PERF_NOTICE_SAMPLE_TYPE). Of each ring only the newest sample counts, as older ones have no
// stack any more that could be read. Threads that leave their core are all kept, one entry per
// thread: they sleep, and their stacks stay.

/** How a sample begins that has all of PERF_NOTICE_SAMPLE_TYPE. */
struct beginning {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time_ns;
};

/** The same of a thread that leaves its core. */
struct leaving {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time_ns;
};

/** A record may go over the end of the ring, a word of eight bytes never does. */
static void perf_wakeup_copy(const struct perf_ring *ring, uint64_t position, void *bytes,
			     size_t size)
{
	for (size_t done = 0; done < size; done += sizeof(uint64_t))
		memcpy((uint8_t *)bytes + done, ring->data + ((position + done) & (ring->size - 1)),
		       sizeof(uint64_t));
}

static void take_leaving(struct perf_wakeup *wakeup, const struct perf_ring *ring,
			 const struct perf_event_header *header)
{
	struct leaving leaving;
	if (!(header->misc & PERF_RECORD_MISC_SWITCH_OUT) || header->size < sizeof(leaving))
		return;
	perf_wakeup_copy(ring, wakeup->position, &leaving, sizeof(leaving));
	// That of the thread's last time, which is over; else a new one, if need be that of
	// another.
	size_t place = 0;
	while (place < wakeup->num_leaving && wakeup->leaving[place].tid != leaving.tid)
		place++;
	if (place == PERF_WAKEUP_MAX_LEAVING)
		place = leaving.tid % PERF_WAKEUP_MAX_LEAVING;
	else if (place == wakeup->num_leaving)
		wakeup->num_leaving++;
	wakeup->leaving[place] = (struct sample_wakeup){
		.pid = leaving.pid,
		.tid = leaving.tid,
		.time_ns = leaving.time_ns,
		.is_leaving = true,
	};
}

void perf_wakeup_look(struct perf_wakeup *wakeup, const struct perf_ring *ring, bool switches)
{
	wakeup->is_new = false;
	wakeup->num_leaving = 0;
	// What was decoded meanwhile is not there any more.
	if (ring->head - wakeup->position > ring->head - ring->tail)
		wakeup->position = ring->tail;
	while (ring->head - wakeup->position >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;
		perf_wakeup_copy(ring, wakeup->position, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size % sizeof(uint64_t) ||
		    header.size > ring->head - wakeup->position)
			return; // damage, which is dropped when it is its turn
		if (header.type == PERF_RECORD_SWITCH && switches)
			take_leaving(wakeup, ring, &header);
		struct beginning beginning;
		if (header.type == PERF_RECORD_SAMPLE && header.size >= sizeof(beginning)) {
			perf_wakeup_copy(ring, wakeup->position, &beginning, sizeof(beginning));
			wakeup->is_new = true;
			wakeup->sample = (struct sample_wakeup){
				.pid = beginning.pid,
				.tid = beginning.tid,
				.time_ns = beginning.time_ns,
			};
		}
		wakeup->position += header.size;
	}
}
