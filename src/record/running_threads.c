// SPDX-License-Identifier: Apache-2.0

#include "record/running_threads.h"

#include "record/perf_data/perf_abi.h"

#include "base/byte_order.h"
#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// SPE data has at most the thread id of a sample (CONTEXTIDR, if the kernel has
// CONFIG_PID_IN_CONTEXTIDR), often nothing. The process comes from records of threads (comm, fork,
// mmap), and the thread on a CPU from PERF_RECORD_SWITCH_CPU_WIDE and PERF_RECORD_ITRACE_START.
// The table follows the time of the file: running_threads_note() must see all records in order.

// More than Linux can have.
enum { MAX_CPUS = 1 << 16 };

static bool running_threads_has_tid(const void *owner, uint32_t index, const void *key)
{
	const struct running_threads *threads = owner;
	const uint32_t *tid = key;
	return threads->threads[index].tid == *tid;
}

static uint32_t running_threads_look_up(const struct running_threads *threads, uint32_t tid)
{
	return hash_table_find(&threads->by_tid, hash_bytes(&tid, sizeof(tid)),
			       running_threads_has_tid, threads, &tid);
}

static struct error *running_threads_note_thread(struct running_threads *threads, uint32_t pid,
						 uint32_t tid)
{
	uint32_t index = running_threads_look_up(threads, tid);
	if (index != HASH_TABLE_NONE) {
		threads->threads[index].pid = pid; // numbers are used again
		return NULL;
	}
	struct error *err =
		array_reserve(&threads->threads, &threads->cap_threads, threads->num_threads + 1);
	if (!err)
		err = hash_table_insert(&threads->by_tid, hash_bytes(&tid, sizeof(tid)),
					(uint32_t)threads->num_threads);
	if (err)
		return err;
	threads->threads[threads->num_threads++] = (struct running_thread){pid, tid};
	return NULL;
}

static struct error *note_cpu(struct running_threads *threads, uint32_t cpu,
			      struct running_thread thread)
{
	if (cpu >= MAX_CPUS)
		return NULL;
	struct error *err = array_reserve(&threads->on_cpu, &threads->cap_cpus, (size_t)cpu + 1);
	if (err)
		return err;
	while (threads->num_cpus <= cpu)
		threads->on_cpu[threads->num_cpus++] = RUNNING_THREAD_NONE;
	threads->on_cpu[cpu] = thread;
	return NULL;
}

static struct error *note_switch(struct running_threads *threads, const struct record *record)
{
	// A thread that leaves is followed by the one that the record names.
	struct running_thread thread = {record->pid, record->tid};
	if (record->change.is_out)
		thread =
			(struct running_thread){record->change.other_pid, record->change.other_tid};
	struct error *err = note_cpu(threads, record->cpu, thread);
	bool is_known = thread.tid != UINT32_MAX && thread.pid != UINT32_MAX;
	return err || !is_known ? err
				: running_threads_note_thread(threads, thread.pid, thread.tid);
}

static struct error *note_start_of_trace(struct running_threads *threads,
					 const struct record *record)
{
	struct {
		struct perf_abi_header header;
		uint32_t pid, tid;
	} start;
	if (record->raw_size < sizeof(start))
		return NULL;
	memcpy(&start, record->raw, sizeof(start));
	if (start.header.type != PERF_ABI_ITRACE_START)
		return NULL;
	struct running_thread thread = {start.pid, start.tid};
	struct error *err = note_cpu(threads, record->cpu, thread);
	return err ? err : running_threads_note_thread(threads, thread.pid, thread.tid);
}

struct error *running_threads_add(struct running_threads *threads, struct running_thread thread)
{
	return running_threads_note_thread(threads, thread.pid, thread.tid);
}

bool running_threads_has(const struct running_threads *threads, uint32_t tid)
{
	return running_threads_look_up(threads, tid) != HASH_TABLE_NONE;
}

struct error *running_threads_note(struct running_threads *threads, const struct record *record)
{
	switch (record->kind) {
	case RECORD_MAP:
	case RECORD_COMM:
	case RECORD_FORK:
		return record->pid == UINT32_MAX
			       ? NULL
			       : running_threads_note_thread(threads, record->pid, record->tid);
	case RECORD_SWITCH:
		return note_switch(threads, record);
	case RECORD_OTHER:
		return note_start_of_trace(threads, record);
	default:
		return NULL;
	}
}

struct running_thread running_threads_find(const struct running_threads *threads, uint32_t tid)
{
	uint32_t index = running_threads_look_up(threads, tid);
	return index == HASH_TABLE_NONE ? (struct running_thread){tid, tid}
					: threads->threads[index];
}

struct running_thread running_threads_on(const struct running_threads *threads, uint32_t cpu)
{
	return cpu < threads->num_cpus ? threads->on_cpu[cpu] : RUNNING_THREAD_NONE;
}

void running_threads_deinit(struct running_threads *threads)
{
	free(threads->threads);
	free(threads->on_cpu);
	hash_table_deinit(&threads->by_tid);
	*threads = (struct running_threads)RUNNING_THREADS_INIT;
}
