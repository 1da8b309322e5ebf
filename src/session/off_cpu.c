// SPDX-License-Identifier: Apache-2.0

#include "session/off_cpu.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// One entry per thread id, which goes through: sampled (off_cpu_sample()), away (off_cpu_leave()),
// back (off_cpu_return()). On Linux the sample is PERF_COUNT_SW_CONTEXT_SWITCHES and the other two
// are PERF_RECORD_SWITCH. A switch without a sample makes an absence without a stack, so that the
// time is not missing. A thread that ends leaves its CPU for the last time after its exit record:
// `is_over` makes that switch, and its sample, not count, until a new thread has the id.
//
// An example of thread 7:
//
//	sample      100 ns  main;work;read   waits for its weight
//	switch out  101 ns                   the absence begins
//	switch in   350 ns                   main;work;read gets 249 ns
//
// Of two samples without a switch between them the later one counts.
//
// A wake-up (off_cpu_wake()) belongs to the absence that it ends. Each thread keeps its last ones
// after it is back: if it then wakes another thread that left before that, the other one has waited
// for both, and gets the links of the waker's longest wait since then behind the waker. Of thread
// 8, which waits for 7, which waits for 9:
//
//	8 away 100   7 away 200   9 wakes 7 at 300   7 wakes 8 at 350:   8 was woken by 7, by 9
//	7 away 200   9 wakes 7 at 300   8 away 320   7 wakes 8 at 350:   8 was woken by 7
//
// The last wait of the waker would often be another one: a thread of Python waits for the GIL after
// each call that blocks. Only waits are kept that are longer than all later ones: the others are
// never the longest since any time.

enum { KEPT_WAKES = 4 };

struct off_cpu_thread {
	uint32_t tid;
	bool is_sampled; /* and did not leave yet */
	bool is_away;
	bool is_over;
	struct off_cpu_absence absence;
	struct off_cpu_wake wakes[KEPT_WAKES]; /* the oldest and longest first */
	size_t num_wakes;
};

void off_cpu_deinit(struct off_cpu *off_cpu)
{
	free(off_cpu->threads);
	hash_table_deinit(&off_cpu->index);
	*off_cpu = (struct off_cpu)OFF_CPU_INIT;
}

static bool off_cpu_has_tid(const void *owner, uint32_t index, const void *key)
{
	const struct off_cpu *off_cpu = owner;
	return off_cpu->threads[index].tid == *(const uint32_t *)key;
}

static struct off_cpu_thread *off_cpu_find(const struct off_cpu *off_cpu, uint32_t tid)
{
	uint32_t index = hash_table_find(&off_cpu->index, hash_bytes(&tid, sizeof(tid)),
					 off_cpu_has_tid, off_cpu, &tid);
	return index == HASH_TABLE_NONE ? NULL : &off_cpu->threads[index];
}

static struct error *off_cpu_find_or_add(struct off_cpu *off_cpu, uint32_t tid,
					 struct off_cpu_thread **ret)
{
	*ret = off_cpu_find(off_cpu, tid);
	if (*ret)
		return NULL;
	size_t index = off_cpu->num_threads;
	struct error *err = array_reserve(&off_cpu->threads, &off_cpu->cap_threads, index + 1);
	if (!err)
		err = hash_table_insert(&off_cpu->index, hash_bytes(&tid, sizeof(tid)),
					(uint32_t)index);
	if (err)
		return err;
	off_cpu->num_threads++;
	off_cpu->threads[index] = (struct off_cpu_thread){.tid = tid};
	*ret = &off_cpu->threads[index];
	return NULL;
}

struct error *off_cpu_sample(struct off_cpu *off_cpu, uint32_t tid,
			     const struct off_cpu_absence *absence)
{
	struct off_cpu_thread *thread;
	struct error *err = off_cpu_find_or_add(off_cpu, tid, &thread);
	if (err)
		return err;
	if (thread->is_over)
		return NULL;
	thread->is_sampled = true;
	thread->is_away = false;
	thread->absence = *absence;
	return NULL;
}

struct error *off_cpu_leave(struct off_cpu *off_cpu, uint32_t tid,
			    const struct off_cpu_absence *absence)
{
	struct off_cpu_thread *thread;
	struct error *err = off_cpu_find_or_add(off_cpu, tid, &thread);
	if (err)
		return err;
	if (thread->is_over)
		return NULL;
	if (!thread->is_sampled)
		thread->absence = *absence;
	// The sample comes a little earlier, when the thread still runs.
	thread->absence.sample.time_ns = absence->sample.time_ns;
	thread->absence.is_preempted = absence->is_preempted;
	thread->absence.wake.num_links = 0;
	thread->is_sampled = false;
	thread->is_away = true;
	return NULL;
}

struct error *off_cpu_end(struct off_cpu *off_cpu, uint32_t tid)
{
	struct off_cpu_thread *thread;
	struct error *err = off_cpu_find_or_add(off_cpu, tid, &thread);
	if (err)
		return err;
	thread->is_away = thread->is_sampled = false;
	thread->is_over = true;
	thread->num_wakes = 0;
	return NULL;
}

void off_cpu_begin(struct off_cpu *off_cpu, uint32_t tid)
{
	struct off_cpu_thread *thread = off_cpu_find(off_cpu, tid);
	if (thread)
		thread->is_over = false;
}

static uint64_t off_cpu_overlap(const struct off_cpu_wake *wake, uint64_t since_ns)
{
	uint64_t from_ns = wake->left_ns > since_ns ? wake->left_ns : since_ns;
	return wake->time_ns > from_ns ? wake->time_ns - from_ns : 0;
}

/** The longest wait of a thread since then; NULL: it did not wait. */
static const struct off_cpu_wake *off_cpu_longest(const struct off_cpu_thread *thread,
						  uint64_t since_ns)
{
	const struct off_cpu_wake *longest = NULL;
	for (size_t i = 0; i < thread->num_wakes; i++) {
		const struct off_cpu_wake *wake = &thread->wakes[i];
		uint64_t overlap_ns = off_cpu_overlap(wake, since_ns);
		if (overlap_ns && (!longest || overlap_ns > off_cpu_overlap(longest, since_ns)))
			longest = wake;
	}
	return longest;
}

static void off_cpu_keep_wake(struct off_cpu_thread *thread, const struct off_cpu_wake *wake)
{
	uint64_t ns = wake->time_ns - wake->left_ns;
	while (thread->num_wakes && off_cpu_overlap(&thread->wakes[thread->num_wakes - 1], 0) <= ns)
		thread->num_wakes--;
	if (thread->num_wakes == KEPT_WAKES)
		memmove(thread->wakes, thread->wakes + 1,
			--thread->num_wakes * sizeof(*thread->wakes));
	thread->wakes[thread->num_wakes++] = *wake;
}

/** What woke the waker goes behind it. */
static void off_cpu_lengthen(struct off_cpu_wake *wake, const struct off_cpu_wake *before)
{
	wake->is_cut = before->is_cut;
	for (size_t i = 0; i < before->num_links; i++) {
		if (wake->num_links == OFF_CPU_MAX_LINKS) {
			wake->is_cut = true;
			return;
		}
		wake->links[wake->num_links++] = before->links[i];
	}
}

bool off_cpu_wake(struct off_cpu *off_cpu, uint32_t tid, uint32_t waker, uint64_t time_ns,
		  const struct off_cpu_link *link)
{
	struct off_cpu_thread *thread = off_cpu_find(off_cpu, tid);
	if (!thread || !thread->is_away || thread->absence.is_preempted)
		return false;
	uint64_t left_ns = thread->absence.sample.time_ns;
	if (thread->absence.wake.num_links || time_ns < left_ns)
		return true;
	struct off_cpu_wake wake = {
		.left_ns = left_ns, .time_ns = time_ns, .num_links = 1, .links = {*link}};
	const struct off_cpu_thread *other =
		link->cause == WAKE_BY_THREAD && waker != tid ? off_cpu_find(off_cpu, waker) : NULL;
	const struct off_cpu_wake *before = other ? off_cpu_longest(other, left_ns) : NULL;
	if (before)
		off_cpu_lengthen(&wake, before);
	thread->absence.wake = wake;
	off_cpu_keep_wake(thread, &wake);
	return true;
}

bool off_cpu_return(struct off_cpu *off_cpu, uint32_t tid, struct off_cpu_absence *ret)
{
	struct off_cpu_thread *thread = off_cpu_find(off_cpu, tid);
	if (!thread)
		return false;
	bool was_away = thread->is_away;
	thread->is_away = thread->is_sampled = false;
	if (was_away)
		*ret = thread->absence;
	return was_away;
}

/** Each thread is visited once; `num_taken` remembers how far the calls have come. */
bool off_cpu_take(struct off_cpu *off_cpu, struct off_cpu_absence *ret)
{
	while (off_cpu->num_taken < off_cpu->num_threads) {
		struct off_cpu_thread *thread = &off_cpu->threads[off_cpu->num_taken++];
		if (!thread->is_away)
			continue;
		thread->is_away = false;
		*ret = thread->absence;
		return true;
	}
	return false;
}
