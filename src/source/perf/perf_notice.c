// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_notice.h"

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
static void perf_notice_copy(const struct perf_ring *ring, uint64_t position, void *bytes,
			     size_t size)
{
	for (size_t done = 0; done < size; done += sizeof(uint64_t))
		memcpy((uint8_t *)bytes + done, ring->data + ((position + done) & (ring->size - 1)),
		       sizeof(uint64_t));
}

/** That of the thread's last time, which is over; else a new one, if need be that of another. */
static struct sample_notice *perf_notice_place_of(struct perf_notice *notice, uint32_t tid)
{
	for (size_t i = 0; i < notice->num_leaving; i++)
		if (notice->leaving[i].tid == tid)
			return &notice->leaving[i];
	if (notice->num_leaving == PERF_NOTICE_MAX_LEAVING)
		return &notice->leaving[tid % PERF_NOTICE_MAX_LEAVING];
	return &notice->leaving[notice->num_leaving++];
}

static void take_leaving(struct perf_notice *notice, const struct perf_ring *ring,
			 const struct perf_event_header *header)
{
	struct leaving leaving;
	if (!(header->misc & PERF_RECORD_MISC_SWITCH_OUT) || header->size < sizeof(leaving))
		return;
	perf_notice_copy(ring, notice->position, &leaving, sizeof(leaving));
	*perf_notice_place_of(notice, leaving.tid) = (struct sample_notice){
		.pid = leaving.pid,
		.tid = leaving.tid,
		.time_ns = leaving.time_ns,
		.is_leaving = true,
	};
}

static void take_sample(struct perf_notice *notice, const struct perf_ring *ring,
			const struct perf_event_header *header)
{
	struct beginning beginning;
	if (header->size < sizeof(beginning))
		return;
	perf_notice_copy(ring, notice->position, &beginning, sizeof(beginning));
	notice->is_new = true;
	notice->sample = (struct sample_notice){
		.pid = beginning.pid,
		.tid = beginning.tid,
		.time_ns = beginning.time_ns,
	};
}

void perf_notice_look(struct perf_notice *notice, const struct perf_ring *ring, bool switches)
{
	notice->is_new = false;
	notice->num_leaving = 0;
	// What was decoded meanwhile is not there any more.
	if (ring->head - notice->position > ring->head - ring->tail)
		notice->position = ring->tail;
	while (ring->head - notice->position >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;
		perf_notice_copy(ring, notice->position, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size % sizeof(uint64_t) ||
		    header.size > ring->head - notice->position)
			return; // damage, which is dropped when it is its turn
		if (header.type == PERF_RECORD_SWITCH && switches)
			take_leaving(notice, ring, &header);
		if (header.type == PERF_RECORD_SAMPLE)
			take_sample(notice, ring, &header);
		notice->position += header.size;
	}
}
