// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_calls.h"

#include "base/container/array.h"
#include "source/bpf/bpf_walker_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)CALL_ROW_BUCKETS == (int)CALL_HISTOGRAM_BUCKETS, "rows have all buckets");

struct bpf_calls {
	const struct bpf_library *library;
	int settings, processes, threads, counts, losses, rings; // maps
	uint32_t num_cores;
	struct call_setting setting;
};

static struct error *bpf_calls_write_setting(struct bpf_calls *calls)
{
	uint32_t first = 0;
	if (!calls->library->bpf_map_update_elem(calls->settings, &first, &calls->setting, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot switch the count of system calls");
}

struct error *bpf_calls_create(struct bpf_walker *walker, const struct call_setting *setting,
			       struct bpf_calls **ret)
{
	struct bpf_calls *calls = calloc(1, sizeof(*calls));
	if (!calls)
		return &error_no_memory;
	calls->library = bpf_walker_library(walker);
	calls->settings = bpf_walker_find_map(walker, "call_settings");
	calls->processes = bpf_walker_find_map(walker, "call_processes");
	calls->threads = bpf_walker_find_map(walker, "call_threads");
	calls->counts = bpf_walker_find_map(walker, "calls");
	calls->losses = bpf_walker_find_map(walker, "call_losses");
	calls->rings = bpf_walker_find_map(walker, "call_rings");
	calls->num_cores = bpf_walker_num_cores(walker);
	calls->setting = *setting;
	calls->setting.is_on = false;
	struct error *err = bpf_calls_write_setting(calls);
	if (err) {
		bpf_calls_destroy(calls);
		return err;
	}
	*ret = calls;
	return NULL;
}

void bpf_calls_destroy(struct bpf_calls *calls)
{
	free(calls);
}

struct error *bpf_calls_set_output(struct bpf_calls *calls, int core, int fd)
{
	uint32_t key = (uint32_t)core;
	if (!calls->library->bpf_map_update_elem(calls->rings, &key, &fd, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot write system calls to the buffer of core %d",
				  core);
}

struct error *bpf_calls_add_process(struct bpf_calls *calls, uint32_t pid, bool awaits_exec)
{
	const struct call_process process = {.awaits_exec = awaits_exec};
	if (!calls->library->bpf_map_update_elem(calls->processes, &pid, &process, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot add process %u to the BPF program", pid);
}

struct error *bpf_calls_switch(struct bpf_calls *calls, bool is_on)
{
	calls->setting.is_on = is_on;
	return bpf_calls_write_setting(calls);
}

static struct call_row *bpf_calls_find_row(const struct call_table *table,
					   const struct call_row *like)
{
	for (size_t i = 0; i < table->num_rows; i++) {
		struct call_row *row = &table->rows[i];
		if (row->tid == like->tid && row->number == like->number && row->pid == like->pid &&
		    row->is_foreign == like->is_foreign)
			return row;
	}
	return NULL;
}

static struct error *bpf_calls_add_row(struct call_table *table, const struct call_row *row)
{
	struct error *err = array_reserve(&table->rows, &table->cap_rows, table->num_rows + 1);
	if (!err)
		table->rows[table->num_rows++] = *row;
	return err;
}

static struct error *bpf_calls_add_count(struct call_table *table, const struct call_key *key,
					 const struct call_count *count)
{
	struct call_row row = {
		.pid = key->pid,
		.tid = key->tid,
		.number = key->number,
		.is_foreign = key->is_foreign,
		.num_calls = count->num_calls,
		.num_errors = count->num_errors,
		.num_unreturned = count->num_unreturned,
		.total_ns = count->total_ns,
		.max_ns = count->max_ns,
		.waited_ns = count->waited_ns,
	};
	memcpy(row.histogram, count->histogram, sizeof(row.histogram));
	return bpf_calls_add_row(table, &row);
}

/** A thread that is in a call now. */
static struct error *bpf_calls_add_inside(struct call_table *table, uint32_t tid,
					  const struct call_thread *thread, uint64_t now_ns)
{
	const struct call_row inside = {
		.pid = thread->pid,
		.tid = tid,
		.number = thread->number,
		.is_foreign = thread->is_foreign,
		.num_unreturned = 1,
		.unreturned_ns = now_ns > thread->start_ns ? now_ns - thread->start_ns : 0,
	};
	struct call_row *row = bpf_calls_find_row(table, &inside);
	if (!row)
		return bpf_calls_add_row(table, &inside);
	row->num_unreturned++;
	row->unreturned_ns += inside.unreturned_ns;
	return NULL;
}

static uint64_t bpf_calls_sum_losses(const struct bpf_calls *calls, uint32_t which)
{
	_cleanup_free_ uint64_t *cores = calloc(calls->num_cores, sizeof(*cores));
	if (!cores || calls->library->bpf_map_lookup_elem(calls->losses, &which, cores))
		return 0;
	uint64_t sum = 0;
	for (uint32_t core = 0; core < calls->num_cores; core++)
		sum += cores[core];
	return sum;
}

struct error *bpf_calls_read(const struct bpf_calls *calls, uint64_t now_ns, struct call_table *ret)
{
	const struct bpf_library *library = calls->library;
	struct error *err = NULL;
	struct call_key key, next;
	struct call_count count;
	for (bool is_first = true;
	     !err && !library->bpf_map_get_next_key(calls->counts, is_first ? NULL : &key, &next);
	     is_first = false) {
		key = next;
		if (!library->bpf_map_lookup_elem(calls->counts, &key, &count))
			err = bpf_calls_add_count(ret, &key, &count);
	}
	uint32_t tid, next_tid;
	struct call_thread thread;
	for (bool is_first = true;
	     !err &&
	     !library->bpf_map_get_next_key(calls->threads, is_first ? NULL : &tid, &next_tid);
	     is_first = false) {
		tid = next_tid;
		if (!library->bpf_map_lookup_elem(calls->threads, &tid, &thread) &&
		    thread.is_inside)
			err = bpf_calls_add_inside(ret, tid, &thread, now_ns);
	}
	ret->num_lost = bpf_calls_sum_losses(calls, CALL_LOST_COUNTS);
	ret->num_lost_samples = bpf_calls_num_lost(calls);
	return err;
}

uint64_t bpf_calls_num_lost(const struct bpf_calls *calls)
{
	return bpf_calls_sum_losses(calls, CALL_LOST_SAMPLES);
}
