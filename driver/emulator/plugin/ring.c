// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// The ring has the layout of perf's (perf_event_mmap_page), with many writers. They take a lock in
// the region; within it the emulated time of all threads goes on, so that records are in time
// order. A writer waits while the ring is full, in contrast to the kernel, which drops records. It
// checks now and then whether the reader still lives, and closes the region if not, so that
// programs do not hang.

enum { WAIT_NS = 200000, WAITS_BETWEEN_LOOKS = 1000 };

bool ring_open(struct ring *ring, struct region *region)
{
	*ring = (struct ring){.region = region};
	int fd = open(region->config.ring_path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return false;
	size_t size = REGION_PAGE + region->config.ring_bytes;
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd); // the program must find the numbers of files as if we were not here
	if (page == MAP_FAILED)
		return false;
	*ring = (struct ring){
		.page = page,
		.data = (uint8_t *)page + REGION_PAGE,
		.size = region->config.ring_bytes,
		.region = region,
	};
	return true;
}

static uint64_t taken_up_to(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->data_tail, __ATOMIC_ACQUIRE);
}

static bool reader_is_gone(const struct ring *ring)
{
	int32_t reader = ring->region->config.reader;
	if (kill(reader, 0) < 0 && errno == ESRCH)
		return true;
	// It may be dead, and only wait for its parent to see that.
	char path[32], state = '?';
	snprintf(path, sizeof(path), "/proc/%d/stat", reader);
	FILE *file = fopen(path, "re");
	bool is_known = file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
	if (file)
		fclose(file);
	return is_known && (state == 'Z' || state == 'X');
}

/** False if nobody reads any more. */
static bool wait_for_room(const struct ring *ring, uint64_t head, size_t bytes)
{
	for (unsigned waits = 0; ring->size - (head - taken_up_to(ring)) < bytes; waits++) {
		if (waits % WAITS_BETWEEN_LOOKS == 0 && reader_is_gone(ring))
			ring->region->is_closed = true;
		if (ring->region->is_closed)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
	}
	return true;
}

/** The reader looks at our memory as long as it has the record. */
static void wait_until_taken(const struct ring *ring, uint64_t end)
{
	struct region *region = ring->region;
	region_wake(&region->num_written);
	for (unsigned waits = 1; taken_up_to(ring) < end && !region->is_closed; waits++) {
		uint32_t seen = region->num_taken;
		if (taken_up_to(ring) >= end)
			break;
		region_sleep(&region->num_taken, seen, WAIT_NS * 5);
		if (waits % WAITS_BETWEEN_LOOKS == 0 && reader_is_gone(ring))
			region->is_closed = true;
	}
}

void ring_write(struct ring *ring, uint64_t *words, size_t num_words, size_t time_word,
		uint64_t passed_ns)
{
	struct region *region = ring->region;
	size_t size = num_words * sizeof(*words);
	if (region->is_closed || size > ring->size)
		return;
	region_lock(&region->ring_lock);
	// Only who has the lock writes it.
	uint64_t head = ring->page->data_head;
	region->now_ns += passed_ns;
	words[time_word] = region->now_ns;
	if (wait_for_room(ring, head, size)) {
		// In two pieces if it goes over the end.
		uint64_t place = head & (ring->size - 1), before_end = ring->size - place;
		size_t first = size < before_end ? size : (size_t)before_end;
		memcpy(ring->data + place, words, first);
		memcpy(ring->data, (const uint8_t *)words + first, size - first);
		// Released behind the record: the reader acquires it before it reads
		// (perf_event_open(2), data_head).
		__atomic_store_n(&ring->page->data_head, head + size, __ATOMIC_RELEASE);
	}
	region_unlock(&region->ring_lock);
	if (region->config.holds_still)
		wait_until_taken(ring, head + size);
}
