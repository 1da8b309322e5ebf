// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/region_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A slot goes from FREE to FILLING, by who claims it, then to READY or LEFT; wperf takes it to
// READING and back to FREE, with the next number. A thread that has waited long enough goes on, and
// says so in the state: LEFT if wperf has not begun, so that it does not read what the thread
// changes meanwhile; ABANDONED if it has. A thread that had to go on looks whether wperf still
// lives; if not, it closes the region, and nobody waits again.

enum {
	NS_PER_S = 1000000000,
	ROOM_WAIT_NS = 2000000000,   // for a free slot: as long as wperf may be busy, or get no CPU
	CHECK_NS = 50000000,         // between two looks at wperf meanwhile
	READING_WAIT_NS = 200000000, // until wperf has read: it may have to learn an interpreter
};

void region_slot_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t ns)
{
	struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				.tv_nsec = (long)(ns % NS_PER_S)};
	syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

void region_slot_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static uint64_t region_slot_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/** As the kernel shows it: 'Z' if it is dead, and only waits for its parent to see that. */
static char region_slot_process_state(int32_t pid)
{
	char path[32], text[256];
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	const char *end = strrchr(text, ')');
	return end && end[1] == ' ' ? end[2] : '\0';
}

/** Closes the region if wperf is dead. False: it does not go on by itself, as it is stopped. */
static bool region_slot_check_reader(struct memory_region *region)
{
	char state = region_slot_process_state(region->reader);
	if ((kill(region->reader, 0) < 0 && errno == ESRCH) || state == 'Z' || state == 'X')
		region->is_closed = 1;
	return state != 'T' && state != 't';
}

static bool region_slot_try(struct region_slot *slot, uint32_t owner)
{
	struct memory_region *region = slot->region;
	// The first one that is free has been used before, and its stack is in the cache.
	for (uint32_t i = 0; i < MEMORY_NUM_SLOTS; i++) {
		uint32_t index = (owner + i) % MEMORY_NUM_SLOTS;
		slot->memory = &region->slots[index];
		slot->stack = region->stacks[index];
		uint32_t state = slot->memory->state;
		slot->turn = state & ~(uint32_t)MEMORY_PHASE_MASK;
		if ((state & MEMORY_PHASE_MASK) == MEMORY_FREE &&
		    atomic_compare_exchange_strong(&slot->memory->state, &state,
						   slot->turn | MEMORY_FILLING)) {
			slot->memory->owner = owner;
			return true;
		}
	}
	return false;
}

bool region_slot_claim(struct region_slot *slot, struct memory_region *region, uint32_t owner)
{
	slot->region = region;
	uint32_t last_seen = 0;
	uint64_t until_ns = 0;
	while (!region->is_closed) {
		uint32_t seen = region->num_freed;
		if (region_slot_try(slot, owner))
			return true;
		uint64_t now_ns = region_slot_now_ns();
		// As long as slots become free, others were only faster. If none does for long, or
		// wperf is stopped, nobody else waits for it until it goes on.
		if (!until_ns || seen != last_seen)
			until_ns = now_ns + ROOM_WAIT_NS;
		if (now_ns >= until_ns)
			region->stalled_at = seen + 1;
		if (region->stalled_at == seen + 1)
			break;
		last_seen = seen;
		region_slot_sleep(&region->num_freed, seen, CHECK_NS);
		if (region_slot_now_ns() - now_ns >= CHECK_NS && !region_slot_check_reader(region))
			region->stalled_at = seen + 1;
	}
	if (!region->is_closed)
		region->num_lost++;
	return false;
}

/** From one phase to another, of this turn. */
static bool region_slot_change(struct region_slot *slot, enum memory_phase from,
			       enum memory_phase to)
{
	uint32_t expected = slot->turn | from;
	return atomic_compare_exchange_strong(&slot->memory->state, &expected, slot->turn | to);
}

/** The slot is somebody else's as soon as its number changes. */
static void region_slot_wait(struct region_slot *slot, uint64_t wait_ns)
{
	uint64_t began_ns = region_slot_now_ns();
	for (;;) {
		uint32_t state = slot->memory->state, phase = state & MEMORY_PHASE_MASK;
		if ((state & ~(uint32_t)MEMORY_PHASE_MASK) != slot->turn || slot->region->is_closed)
			return;
		uint64_t passed_ns = region_slot_now_ns() - began_ns;
		uint64_t limit_ns = phase == MEMORY_READY ? wait_ns : wait_ns + READING_WAIT_NS;
		if (passed_ns < limit_ns) {
			uint64_t left_ns = limit_ns - passed_ns;
			region_slot_sleep(&slot->memory->state, state,
					  left_ns < CHECK_NS ? left_ns : CHECK_NS);
			if (passed_ns >= CHECK_NS)
				region_slot_check_reader(slot->region);
			continue;
		}
		if (region_slot_change(slot, MEMORY_READY, MEMORY_LEFT) ||
		    region_slot_change(slot, MEMORY_READING, MEMORY_ABANDONED)) {
			slot->region->num_hasty++;
			region_slot_check_reader(slot->region);
			return;
		}
	}
}

void region_slot_publish(struct region_slot *slot, uint64_t wait_ns)
{
	struct memory_region *region = slot->region;
	bool may_stay = slot->memory->head.kind == MEMORY_FREED;
	slot->memory->state = slot->turn | (wait_ns ? MEMORY_READY : MEMORY_LEFT);
	uint32_t num_unseen = ++region->num_written - region->num_seen;
	if (!may_stay || num_unseen >= MEMORY_WAKES_AT)
		region_slot_wake(&region->num_written);
	if (wait_ns)
		region_slot_wait(slot, wait_ns);
}
