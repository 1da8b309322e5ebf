// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_slots.h"

#include "base/file/close_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The other side is preload/region_slot.c, which says what the states mean. Here, a slot that is
// READY or LEFT becomes READING, its head and stack are copied, and when the sample has been used
// it becomes FREE with the next number; the thread that waits for the number wakes up. A state that
// changes in between (the thread has gone on, or the program plays with us) does no harm: the copy
// stays what it is.
//
// A process that is killed between claiming and filling a slot keeps it in the state FILLING. After
// a second of that, the slot is freed if there is no such process any more.

enum { STUCK_NS = 1000000000, NS_PER_S = 1000000000 };

static uint32_t memory_slots_turn(uint32_t state)
{
	return state & ~(uint32_t)MEMORY_PHASE_MASK;
}

static struct error *memory_slots_map(struct memory_slots *slots)
{
	const size_t size = sizeof(*slots->region);
	slots->fd = memfd_create("wperf-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	// A program that made it smaller would take wperf's memory away.
	if (slots->fd < 0 || ftruncate(slots->fd, (off_t)size) ||
	    fcntl(slots->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return error_create_errno(errno, "cannot share memory with the program");
	void *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, slots->fd, 0);
	if (memory == MAP_FAILED)
		return error_create_errno(errno, "cannot share memory with the program");
	slots->region = memory;
	return NULL;
}

struct error *memory_slots_create(struct memory_slots *ret)
{
	*ret = (struct memory_slots)MEMORY_SLOTS_INIT;
	ret->stack = malloc(MEMORY_MAX_STACK);
	struct error *err = ret->stack ? memory_slots_map(ret) : &error_no_memory;
	if (err) {
		memory_slots_destroy(ret);
		return err;
	}
	ret->region->version = MEMORY_VERSION;
	ret->region->reader = getpid();
	return NULL;
}

void memory_slots_configure(struct memory_slots *slots, const struct memory_slots_config *config)
{
	uint32_t stack_bytes = config->stack_bytes / sizeof(uint64_t) * sizeof(uint64_t);
	slots->stack_bytes = stack_bytes < MEMORY_MAX_STACK ? stack_bytes : MEMORY_MAX_STACK;
	slots->region->period = slots->least_period = config->period;
	slots->region->stack_bytes = slots->stack_bytes;
	slots->region->holds = config->holds;
	slots->region->sees_frees = config->sees_frees;
	slots->region->seeks_leaks = config->seeks_leaks;
}

void memory_slots_destroy(struct memory_slots *slots)
{
	if (slots->region) {
		memory_slots_close(slots);
		munmap(slots->region, sizeof(*slots->region));
	}
	close_fd(&slots->fd);
	free(slots->stack);
	*slots = (struct memory_slots)MEMORY_SLOTS_INIT;
}

void memory_slots_path(const struct memory_slots *slots, char *ret, size_t size)
{
	snprintf(ret, size, "/proc/%d/fd/%d", (int)getpid(), slots->fd);
}

void memory_slots_set_period(struct memory_slots *slots, uint64_t period)
{
	slots->region->period = period;
}

void memory_slots_enable(struct memory_slots *slots)
{
	slots->region->is_enabled = 1;
}

static void memory_slots_wake(_Atomic uint32_t *word, int num_threads)
{
	syscall(SYS_futex, word, FUTEX_WAKE, num_threads, NULL, NULL, 0);
}

void memory_slots_close(struct memory_slots *slots)
{
	slots->region->is_closed = 1;
	memory_slots_wake(&slots->region->num_freed, INT32_MAX);
	for (unsigned i = 0; i < MEMORY_NUM_SLOTS; i++)
		memory_slots_wake(&slots->region->slots[i].state, INT32_MAX);
}

static void memory_slots_free(struct memory_slots *slots, struct memory_slot *slot)
{
	slot->state = memory_slots_turn(slot->state) + (1U << MEMORY_PHASE_BITS) + MEMORY_FREE;
	memory_slots_wake(&slot->state, 1);
	slots->region->num_freed++;
	// One slot, one thread: of a thousand that wait, all others would wake up for nothing.
	memory_slots_wake(&slots->region->num_freed, 1);
}

static void memory_slots_add_ready(struct memory_slots *slots, unsigned index, uint64_t time_ns)
{
	size_t place = slots->num_ready++;
	for (; place > 0 && slots->ready[place - 1].time_ns > time_ns; place--)
		slots->ready[place] = slots->ready[place - 1];
	slots->ready[place] = (struct memory_slots_ready){time_ns, index};
}

/** Of a process that was killed while it had the slot. */
static void memory_slots_check_stuck(struct memory_slots *slots, unsigned index,
				     struct memory_slot *slot, uint64_t now_ns)
{
	uint64_t *since_ns = &slots->stuck_since_ns[index];
	if (!*since_ns)
		*since_ns = now_ns;
	if (now_ns - *since_ns < STUCK_NS)
		return;
	*since_ns = 0;
	// The number is the program's word: at worst it frees a slot of its own.
	if (kill((pid_t)slot->owner, 0) < 0 && errno == ESRCH)
		memory_slots_free(slots, slot);
}

size_t memory_slots_look(struct memory_slots *slots, uint64_t now_ns)
{
	slots->num_ready = slots->next_ready = 0;
	slots->num_seen = slots->region->num_written;
	slots->region->num_seen = slots->num_seen;
	for (unsigned i = 0; i < MEMORY_NUM_SLOTS; i++) {
		struct memory_slot *slot = &slots->region->slots[i];
		uint32_t phase = slot->state & MEMORY_PHASE_MASK;
		if (phase == MEMORY_FILLING) {
			memory_slots_check_stuck(slots, i, slot, now_ns);
			continue;
		}
		slots->stuck_since_ns[i] = 0;
		if (phase == MEMORY_READY || phase == MEMORY_LEFT)
			memory_slots_add_ready(slots, i, slot->head.time_ns);
	}
	return slots->num_ready;
}

/** Nothing is read twice from the slot. */
static bool memory_slots_copy(struct memory_slots *slots, const struct memory_slot *slot,
			      struct memory_sample *ret)
{
	memcpy(&ret->head, (const void *)&slot->head, sizeof(ret->head));
	// The compiler must not read the slot again instead of the copy.
	atomic_signal_fence(memory_order_seq_cst);
	const struct memory_head *head = &ret->head;
	if (head->kind >= MEMORY_NUM_KINDS || head->stack_size > slots->stack_bytes ||
	    head->stack_size % sizeof(uint64_t) || !head->pid || head->pid > INT32_MAX ||
	    !head->tid || head->tid > INT32_MAX || head->parent > INT32_MAX ||
	    (head->kind == MEMORY_ALLOCATION && head->period < slots->least_period))
		return false;
	memcpy(slots->stack, slots->region->stacks[slot - slots->region->slots], head->stack_size);
	ret->stack = slots->stack;
	return true;
}

bool memory_slots_take(struct memory_slots *slots, struct memory_sample *ret)
{
	memory_slots_release(slots);
	while (slots->next_ready < slots->num_ready) {
		unsigned index = slots->ready[slots->next_ready++].index;
		struct memory_slot *slot = &slots->region->slots[index];
		uint32_t state = slot->state, phase = state & MEMORY_PHASE_MASK;
		if ((phase != MEMORY_READY && phase != MEMORY_LEFT))
			continue;
		// The thread may leave at this very moment: then it is tried again.
		if (!atomic_compare_exchange_strong(&slot->state, &state,
						    memory_slots_turn(state) | MEMORY_READING)) {
			slots->next_ready--;
			continue;
		}
		slots->taken = slot;
		ret->is_held = phase == MEMORY_READY;
		if (memory_slots_copy(slots, slot, ret))
			return true;
		slots->num_invalid++;
		memory_slots_release(slots);
	}
	return false;
}

void memory_slots_release(struct memory_slots *slots)
{
	if (slots->taken)
		memory_slots_free(slots, slots->taken);
	slots->taken = NULL;
}

void memory_slots_sleep(struct memory_slots *slots, uint64_t ns)
{
	struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				.tv_nsec = (long)(ns % NS_PER_S)};
	syscall(SYS_futex, &slots->region->num_written, FUTEX_WAIT, slots->num_seen, &time, NULL,
		0);
}
