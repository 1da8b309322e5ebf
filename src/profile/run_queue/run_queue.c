// SPDX-License-Identifier: Apache-2.0

#include "profile/run_queue/run_queue.h"

#include "base/container/array.h"
#include "base/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows of threads that have ended come first in `threads`, as they are added while the run goes on;
// those that were put together are among them, and have no number.
//
// In a file: a version; times; late samples and losses; then the numbers of threads, CPUs and
// runners, and these themselves. Of a histogram only the buckets that have waits are written.
// Numbers have 64 bits, or 32 where the structs have.

enum {
	RUN_QUEUE_VERSION = 1,
	MAX_ENDED = 4096,   // threads that ended and have a row of their own
	MAX_MERGED = 512,   // names of others
	MAX_ROWS = 1 << 20, // of a file
	TASK_BYTES = 2 * 4 + RUN_QUEUE_NAME_BYTES,
	CORE_BYTES = 4 + 3 * 8,
	RUNNER_BYTES = TASK_BYTES + 2 * 8,
	THREAD_BYTES = 2 * TASK_BYTES + 3 * 4 + 5 * 8,
};

static const char others_name[] = "(others)";

void run_queue_deinit(struct run_queue *queue)
{
	free(queue->threads);
	free(queue->cores);
	free(queue->runners);
	*queue = (struct run_queue)RUN_QUEUE_INIT;
}

struct error *run_queue_add_thread(struct run_queue *queue, const struct run_queue_thread *thread)
{
	struct error *err =
		array_reserve(&queue->threads, &queue->cap_threads, queue->num_threads + 1);
	if (!err)
		queue->threads[queue->num_threads++] = *thread;
	return err;
}

static void run_queue_merge(struct run_queue_thread *into, const struct run_queue_thread *thread)
{
	into->num_threads += thread->num_threads;
	into->num += thread->num;
	into->total_ns += thread->total_ns;
	for (uint32_t i = 0; i < RUN_QUEUE_BUCKETS; i++)
		into->histogram[i] += thread->histogram[i];
	if (thread->max_ns < into->max_ns)
		return;
	into->max_ns = thread->max_ns;
	into->max_at_ns = thread->max_at_ns;
	into->max_core = thread->max_core;
	into->runner = thread->runner;
	into->runner_ns = thread->runner_ns;
}

static struct run_queue_thread *run_queue_find_merged(const struct run_queue *queue,
						      const char *name)
{
	for (size_t i = 0; i < queue->num_threads; i++) {
		struct run_queue_thread *thread = &queue->threads[i];
		if (!thread->task.tid &&
		    strncmp(thread->task.name, name, RUN_QUEUE_NAME_BYTES) == 0)
			return thread;
	}
	return NULL;
}

struct error *run_queue_add_ended(struct run_queue *queue, const struct run_queue_thread *thread)
{
	if (queue->num_threads < MAX_ENDED)
		return run_queue_add_thread(queue, thread);
	struct run_queue_thread *merged = run_queue_find_merged(queue, thread->task.name);
	const char *name = thread->task.name;
	if (!merged && queue->num_merged >= MAX_MERGED) {
		name = others_name;
		merged = run_queue_find_merged(queue, name);
	}
	if (merged) {
		run_queue_merge(merged, thread);
		return NULL;
	}
	struct run_queue_thread first = *thread;
	first.task = (struct run_queue_task){0};
	memcpy(first.task.name, name, strnlen(name, RUN_QUEUE_NAME_BYTES - 1));
	queue->num_merged++;
	return run_queue_add_thread(queue, &first);
}

struct error *run_queue_add_core(struct run_queue *queue, const struct run_queue_core *core)
{
	struct error *err = array_reserve(&queue->cores, &queue->cap_cores, queue->num_cores + 1);
	if (!err)
		queue->cores[queue->num_cores++] = *core;
	return err;
}

struct error *run_queue_add_runner(struct run_queue *queue, const struct run_queue_runner *runner)
{
	struct error *err =
		array_reserve(&queue->runners, &queue->cap_runners, queue->num_runners + 1);
	if (!err)
		queue->runners[queue->num_runners++] = *runner;
	return err;
}

static int run_queue_compare_threads(const void *left, const void *right)
{
	const struct run_queue_thread *a = left, *b = right;
	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return (a->task.tid > b->task.tid) - (a->task.tid < b->task.tid);
}

static int run_queue_compare_runners(const void *left, const void *right)
{
	const struct run_queue_runner *a = left, *b = right;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->task.tid > b->task.tid) - (a->task.tid < b->task.tid);
}

void run_queue_sort(struct run_queue *queue)
{
	if (queue->num_threads)
		qsort(queue->threads, queue->num_threads, sizeof(*queue->threads),
		      run_queue_compare_threads);
	if (queue->num_runners)
		qsort(queue->runners, queue->num_runners, sizeof(*queue->runners),
		      run_queue_compare_runners);
}

void run_queue_sum(const struct run_queue *queue, struct run_queue_thread *ret)
{
	*ret = (struct run_queue_thread){0};
	for (size_t i = 0; i < queue->num_threads; i++)
		run_queue_merge(ret, &queue->threads[i]);
}

uint64_t run_queue_percentile(const struct run_queue_thread *thread, double percent)
{
	uint64_t sum = 0;
	double wanted = ceil((double)thread->num * percent / 100);
	for (uint32_t i = 0; i < RUN_QUEUE_BUCKETS; i++) {
		sum += thread->histogram[i];
		if (!sum || (double)sum < wanted)
			continue;
		uint64_t low = run_queue_bucket_low(i);
		uint64_t middle = i < RUN_QUEUE_LAST_BUCKET
					  ? low + (run_queue_bucket_low(i + 1) - low) / 2
					  : thread->max_ns;
		// The longest is known better than by its bucket.
		return middle < thread->max_ns ? middle : thread->max_ns;
	}
	return thread->num ? thread->max_ns : 0;
}

uint64_t run_queue_doubling(const struct run_queue_thread *thread, uint32_t bit)
{
	uint64_t sum = 0;
	if (bit < RUN_QUEUE_FIRST_BIT)
		return bit + 1 == RUN_QUEUE_FIRST_BIT ? thread->histogram[0] : 0;
	if (bit >= RUN_QUEUE_LAST_BIT)
		return bit == RUN_QUEUE_LAST_BIT ? thread->histogram[RUN_QUEUE_LAST_BUCKET] : 0;
	uint32_t first = 1 + (bit - RUN_QUEUE_FIRST_BIT) * RUN_QUEUE_PARTS;
	for (uint32_t i = 0; i < RUN_QUEUE_PARTS; i++)
		sum += thread->histogram[first + i];
	return sum;
}

static void run_queue_put32(struct string_builder *bytes, uint32_t value)
{
	string_builder_append_n(bytes, (const char *)&value, sizeof(value));
}

static void run_queue_put64(struct string_builder *bytes, uint64_t value)
{
	string_builder_append_n(bytes, (const char *)&value, sizeof(value));
}

static void run_queue_put_task(struct string_builder *bytes, const struct run_queue_task *task)
{
	run_queue_put32(bytes, task->pid);
	run_queue_put32(bytes, task->tid);
	string_builder_append_n(bytes, task->name, RUN_QUEUE_NAME_BYTES);
}

static void run_queue_put_thread(struct string_builder *bytes,
				 const struct run_queue_thread *thread)
{
	uint32_t num_buckets = 0;
	for (uint32_t i = 0; i < RUN_QUEUE_BUCKETS; i++)
		num_buckets += thread->histogram[i] != 0;
	run_queue_put_task(bytes, &thread->task);
	run_queue_put_task(bytes, &thread->runner);
	run_queue_put32(bytes, thread->num_threads);
	run_queue_put32(bytes, thread->max_core);
	run_queue_put32(bytes, num_buckets);
	run_queue_put64(bytes, thread->num);
	run_queue_put64(bytes, thread->total_ns);
	run_queue_put64(bytes, thread->max_ns);
	run_queue_put64(bytes, thread->max_at_ns);
	run_queue_put64(bytes, thread->runner_ns);
	for (uint32_t i = 0; i < RUN_QUEUE_BUCKETS; i++) {
		if (!thread->histogram[i])
			continue;
		run_queue_put32(bytes, i);
		run_queue_put64(bytes, thread->histogram[i]);
	}
}

void run_queue_encode(const struct run_queue *queue, struct string_builder *ret)
{
	if (!queue->is_known)
		return;
	run_queue_put32(ret, RUN_QUEUE_VERSION);
	run_queue_put64(ret, queue->began_ns);
	run_queue_put64(ret, queue->ended_ns);
	run_queue_put64(ret, queue->num_late);
	run_queue_put64(ret, queue->losses.waits);
	run_queue_put64(ret, queue->losses.runners);
	run_queue_put64(ret, queue->losses.threads);
	run_queue_put32(ret, (uint32_t)queue->num_threads);
	run_queue_put32(ret, (uint32_t)queue->num_cores);
	run_queue_put32(ret, (uint32_t)queue->num_runners);
	for (size_t i = 0; i < queue->num_threads; i++)
		run_queue_put_thread(ret, &queue->threads[i]);
	for (size_t i = 0; i < queue->num_cores; i++) {
		run_queue_put32(ret, queue->cores[i].core);
		run_queue_put64(ret, queue->cores[i].num);
		run_queue_put64(ret, queue->cores[i].total_ns);
		run_queue_put64(ret, queue->cores[i].max_ns);
	}
	for (size_t i = 0; i < queue->num_runners; i++) {
		run_queue_put_task(ret, &queue->runners[i].task);
		run_queue_put64(ret, queue->runners[i].num);
		run_queue_put64(ret, queue->runners[i].ns);
	}
}

static struct run_queue_task run_queue_take_task(struct reader *bytes)
{
	struct run_queue_task task = {.pid = reader_u32(bytes)};
	task.tid = reader_u32(bytes);
	const char *name = reader_bytes(bytes, RUN_QUEUE_NAME_BYTES);
	// The last byte stays the end.
	if (name)
		memcpy(task.name, name, RUN_QUEUE_NAME_BYTES - 1);
	return task;
}

static struct run_queue_thread run_queue_take_thread(struct reader *bytes)
{
	struct run_queue_thread thread = {.task = run_queue_take_task(bytes)};
	thread.runner = run_queue_take_task(bytes);
	thread.num_threads = reader_u32(bytes);
	thread.max_core = reader_u32(bytes);
	uint32_t num_buckets = reader_u32(bytes);
	thread.num = reader_u64(bytes);
	thread.total_ns = reader_u64(bytes);
	thread.max_ns = reader_u64(bytes);
	thread.max_at_ns = reader_u64(bytes);
	thread.runner_ns = reader_u64(bytes);
	for (uint32_t i = 0; i < num_buckets && !bytes->failed; i++) {
		uint32_t bucket = reader_u32(bytes);
		uint64_t num = reader_u64(bytes);
		if (bucket < RUN_QUEUE_BUCKETS)
			thread.histogram[bucket] = num;
	}
	return thread;
}

static struct error *run_queue_take_rows(struct reader *bytes, struct run_queue *queue,
					 size_t num_threads, size_t num_cores, size_t num_runners)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && !bytes->failed && i < num_threads; i++) {
		const struct run_queue_thread thread = run_queue_take_thread(bytes);
		err = run_queue_add_thread(queue, &thread);
	}
	for (size_t i = 0; !err && !bytes->failed && i < num_cores; i++) {
		struct run_queue_core core = {.core = reader_u32(bytes)};
		core.num = reader_u64(bytes);
		core.total_ns = reader_u64(bytes);
		core.max_ns = reader_u64(bytes);
		err = run_queue_add_core(queue, &core);
	}
	for (size_t i = 0; !err && !bytes->failed && i < num_runners; i++) {
		struct run_queue_runner runner = {.task = run_queue_take_task(bytes)};
		runner.num = reader_u64(bytes);
		runner.ns = reader_u64(bytes);
		err = run_queue_add_runner(queue, &runner);
	}
	return err;
}

struct error *run_queue_decode(const uint8_t *bytes, size_t size, struct run_queue *ret)
{
	struct reader reader = reader_create(bytes, size);
	if (!size || reader_u32(&reader) != RUN_QUEUE_VERSION)
		return NULL;
	struct run_queue queue = {.is_known = true};
	queue.began_ns = reader_u64(&reader);
	queue.ended_ns = reader_u64(&reader);
	queue.num_late = reader_u64(&reader);
	queue.losses.waits = reader_u64(&reader);
	queue.losses.runners = reader_u64(&reader);
	queue.losses.threads = reader_u64(&reader);
	size_t num_threads = reader_u32(&reader), num_cores = reader_u32(&reader);
	size_t num_runners = reader_u32(&reader);
	bool is_possible =
		!reader.failed && num_threads <= MAX_ROWS && num_cores <= MAX_ROWS &&
		num_runners <= MAX_ROWS &&
		num_threads * THREAD_BYTES + num_cores * CORE_BYTES + num_runners * RUNNER_BYTES <=
			reader_left(&reader);
	if (!is_possible)
		return NULL;
	struct error *err =
		run_queue_take_rows(&reader, &queue, num_threads, num_cores, num_runners);
	if (err || reader.failed) {
		run_queue_deinit(&queue);
		return err;
	}
	run_queue_sort(&queue);
	*ret = queue;
	return NULL;
}
