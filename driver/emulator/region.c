// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/region.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A thread's numbers are two arrays: how often each vector of a block was executed, which generated
// code increments, and totals of events that need a call. region_thread_totals() multiplies counts
// by vectors. When a thread ends, its sum is added to its totals and the pages of its counts go
// back to the system (region_thread_end()). When all places are taken, ended threads of the same
// process are merged, then those of processes that are gone.
//
// Locks are robust and shared between processes (PTHREAD_MUTEX_ROBUST), because an emulator can be
// killed at any time while it holds one.

static bool init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;
	if (pthread_mutexattr_init(&attributes))
		return false;
	bool is_good = !pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) &&
		       !pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) &&
		       !pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return is_good;
}

bool region_init(struct region *region)
{
	if (!init_lock(&region->lock) || !init_lock(&region->ring_lock))
		return false;
	// The first vectors are units, one for each measure: blocks that come when the table is
	// full are added up in them (region_unit_vector()).
	for (unsigned measure = 0; measure < NUM_BLOCK_MEASURES; measure++) {
		struct region_vector unit = {.counts = {0}};
		unit.counts[measure] = 1;
		region_find_vector(region, &unit);
	}
	return true;
}

void region_lock(pthread_mutex_t *lock)
{
	// Whoever was killed under the lock left nothing that others could stumble over: what is
	// new becomes visible with the last store.
	if (pthread_mutex_lock(lock) == EOWNERDEAD)
		pthread_mutex_consistent(lock);
}

void region_unlock(pthread_mutex_t *lock)
{
	pthread_mutex_unlock(lock);
}

// FNV-1a over words instead of bytes; offset basis and prime are those of 64 bits.
static uint32_t hash_vector(const struct region_vector *vector)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (unsigned i = 0; i < NUM_BLOCK_MEASURES; i++)
		hash = (hash ^ vector->counts[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

uint32_t region_find_vector(struct region *region, const struct region_vector *vector)
{
	// At most half full, so that a search ends at an empty place.
	const uint32_t mask = 2 * REGION_MAX_VECTORS - 1;
	region_lock(&region->lock);
	uint32_t place = hash_vector(vector) & mask, number = 0;
	for (; (number = region->vector_index[place]) != 0; place = (place + 1) & mask)
		if (number <= REGION_MAX_VECTORS &&
		    memcmp(&region->vectors[number - 1], vector, sizeof(*vector)) == 0)
			break;
	if (number == 0 && region->num_vectors < REGION_MAX_VECTORS) {
		region->vectors[region->num_vectors] = *vector;
		number = ++region->num_vectors;
		region->vector_index[place] = number;
	}
	region_unlock(&region->lock);
	return number ? number - 1 : REGION_MAX_VECTORS;
}

uint64_t region_cycles(const struct region *region, uint64_t num_instructions)
{
	uint64_t rate = region->config.cycles_per_1000;
	// In two parts, or the product would overflow after some hours.
	return num_instructions / 1000 * rate + num_instructions % 1000 * rate / 1000;
}

static void add_vectors(const struct region *region, const struct region_thread *thread,
			uint64_t *totals)
{
	for (uint32_t i = 0; i < region->num_vectors && i < REGION_MAX_VECTORS; i++) {
		uint64_t times = __atomic_load_n(&thread->counts[i], __ATOMIC_RELAXED);
		if (!times)
			continue;
		for (unsigned measure = 0; measure < NUM_BLOCK_MEASURES; measure++)
			totals[measure] += times * region->vectors[i].counts[measure];
	}
}

void region_thread_totals(const struct region *region, const struct region_thread *thread,
			  uint64_t totals[static NUM_MEASURES])
{
	for (unsigned measure = 0; measure < NUM_MEASURES; measure++)
		totals[measure] = __atomic_load_n(&thread->totals[measure], __ATOMIC_RELAXED);
	add_vectors(region, thread, totals);
	totals[MEASURE_CYCLES] = region_cycles(region, totals[MEASURE_INSTRUCTIONS]);
}

void region_thread_next_window(const struct region *region, struct region_thread *thread)
{
	if (region->config.num_windows < 2)
		return;
	uint64_t totals[NUM_MEASURES];
	region_thread_totals(region, thread, totals);
	struct region_window *window = &thread->windows[thread->window];
	for (unsigned measure = 0; measure < NUM_MEASURES; measure++)
		window->totals[measure] += totals[measure] - thread->window_began[measure];
	memcpy(thread->window_began, totals, sizeof(totals));
	thread->window = (thread->window + 1) % region->config.num_windows;
}

void region_thread_end(struct region *region, struct region_thread *thread)
{
	region_thread_next_window(region, thread);
	add_vectors(region, thread, thread->totals);
	// The pages go back to the system, and read as zeros from now on.
	madvise(thread->counts, sizeof(thread->counts), MADV_REMOVE);
	thread->state = REGION_THREAD_ENDED;
}

static bool is_gone(const struct region_thread *thread)
{
	return thread->pid == 0 || (kill(thread->pid, 0) < 0 && errno == ESRCH);
}

static void region_add_totals(uint64_t *sums, const uint64_t *more)
{
	for (unsigned measure = 0; measure < NUM_MEASURES; measure++)
		sums[measure] += more[measure];
}

static void keep_numbers(struct region_thread *kept, const struct region_thread *thread)
{
	if (kept->pid != thread->pid)
		kept->pid = 0; // of several
	kept->tid = 0;
	region_add_totals(kept->totals, thread->totals);
	region_add_totals(kept->window_began, thread->window_began);
	for (unsigned window = 0; window < REGION_MAX_WINDOWS; window++)
		region_add_totals(kept->windows[window].totals, thread->windows[window].totals);
}

/** An ended thread that may keep the numbers of @thread. */
static struct region_thread *find_keeper(struct region *region, const struct region_thread *thread,
					 bool is_any_process)
{
	for (struct region_thread *kept = region->threads; kept < thread; kept++)
		if (kept->state == REGION_THREAD_ENDED &&
		    (is_any_process ? is_gone(kept) : kept->pid == thread->pid))
			return kept;
	return NULL;
}

static struct region_thread *join_ended(struct region *region, bool is_any_process)
{
	for (unsigned i = 0; i < REGION_MAX_THREADS; i++) {
		struct region_thread *thread = &region->threads[i], *kept = NULL;
		if (thread->state == REGION_THREAD_ENDED && (!is_any_process || is_gone(thread)))
			kept = find_keeper(region, thread, is_any_process);
		if (!kept)
			continue;
		keep_numbers(kept, thread);
		return thread;
	}
	return NULL;
}

/** The first thread of a program: whatever ran in its process was another program. */
static void end_programs_before(struct region *region, int32_t pid)
{
	for (unsigned i = 0; i < REGION_MAX_THREADS; i++) {
		struct region_thread *thread = &region->threads[i];
		if (thread->state == REGION_THREAD_FREE)
			break; // nor was one behind it ever taken
		if (thread->state == REGION_THREAD_RUNS && thread->pid == pid)
			region_thread_end(region, thread);
	}
}

static struct region_thread *free_place(struct region *region)
{
	for (unsigned i = 0; i < REGION_MAX_THREADS; i++)
		if (region->threads[i].state == REGION_THREAD_FREE)
			return &region->threads[i];
	// No place is free: an ended thread gives its numbers to another one of its process, or
	// else of any process that is gone, and its place to the new one. Sums stay exact; what is
	// lost is which thread it was.
	for (unsigned i = 0; i < REGION_MAX_THREADS; i++) {
		struct region_thread *thread = &region->threads[i];
		if (thread->state == REGION_THREAD_RUNS && is_gone(thread))
			region_thread_end(region, thread);
	}
	struct region_thread *place = join_ended(region, false);
	return place ? place : join_ended(region, true);
}

struct region_thread *region_add_thread(struct region *region, int32_t pid, int32_t tid)
{
	region_lock(&region->lock);
	if (pid == tid)
		end_programs_before(region, pid);
	struct region_thread *thread = free_place(region);
	if (thread) {
		memset(thread, 0, offsetof(struct region_thread, counts));
		thread->pid = pid;
		thread->tid = tid;
		thread->state = REGION_THREAD_RUNS;
	}
	region_unlock(&region->lock);
	return thread;
}

void region_sleep(_Atomic uint32_t *word, uint32_t value, uint32_t ns)
{
	struct timespec timeout = {.tv_nsec = ns};
	// Not FUTEX_PRIVATE: the word is in memory that processes share.
	syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, NULL, 0);
}

void region_wake(_Atomic uint32_t *word)
{
	(*word)++;
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
