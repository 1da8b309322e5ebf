// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_sched.h"

#include "base/container/array.h"
#include "source/bpf/bpf_walker_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The place of samples is a tracepoint of newer kernels; else a function that the kernel's compiler
// may have renamed: the names are tried in turn.

_Static_assert((int)RUN_QUEUE_NAME_BYTES == (int)SCHED_NAME_BYTES, "names have room");

static const char *const switch_ends[] = {
	"finish_task_switch.isra.0",
	"finish_task_switch",
	"finish_task_switch.isra.1",
	"finish_task_switch.constprop.0",
};

struct bpf_sched {
	const struct bpf_library *library;
	int settings, processes, threads, ended, runners, cores, losses, rings; // maps
	struct bpf_link *arrival; // the program where samples are taken; or NULL
	uint32_t num_cores;
	struct sched_setting setting;
};

static struct error *bpf_sched_write_setting(struct bpf_sched *sched)
{
	uint32_t first = 0;
	if (!sched->library->bpf_map_update_elem(sched->settings, &first, &sched->setting, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot switch the measurement of run queues");
}

static void bpf_sched_find_place(struct bpf_sched *sched, struct bpf_walker *walker)
{
	const struct bpf_program *program = bpf_walker_find_program(walker, "sched_arrive");
	if (program)
		sched->arrival = sched->library->bpf_program__attach(program);
	program = bpf_walker_find_program(walker, "sched_arrive_probe");
	for (size_t i = 0; program && !sched->arrival && i < ARRAY_SIZE(switch_ends); i++)
		sched->arrival =
			sched->library->bpf_program__attach_kprobe(program, false, switch_ends[i]);
}

struct error *bpf_sched_create(struct bpf_walker *walker, const struct sched_setting *setting,
			       struct bpf_sched **ret)
{
	struct bpf_sched *sched = calloc(1, sizeof(*sched));
	if (!sched)
		return &error_no_memory;
	sched->library = bpf_walker_library(walker);
	sched->settings = bpf_walker_find_map(walker, "sched_settings");
	sched->processes = bpf_walker_find_map(walker, "sched_processes");
	sched->threads = bpf_walker_find_map(walker, "sched_threads");
	sched->ended = bpf_walker_find_map(walker, "sched_ended");
	sched->runners = bpf_walker_find_map(walker, "sched_runners");
	sched->cores = bpf_walker_find_map(walker, "sched_cores");
	sched->losses = bpf_walker_find_map(walker, "sched_losses");
	sched->rings = bpf_walker_find_map(walker, "sched_rings");
	sched->num_cores = bpf_walker_num_cores(walker);
	sched->setting = *setting;
	sched->setting.is_on = false;
	bpf_sched_find_place(sched, walker);
	struct error *err = bpf_sched_write_setting(sched);
	if (err) {
		bpf_sched_destroy(sched);
		return err;
	}
	*ret = sched;
	return NULL;
}

void bpf_sched_destroy(struct bpf_sched *sched)
{
	if (!sched)
		return;
	if (sched->arrival)
		sched->library->bpf_link__destroy(sched->arrival);
	free(sched);
}

struct error *bpf_sched_set_output(struct bpf_sched *sched, int core, int fd)
{
	uint32_t key = (uint32_t)core;
	if (!sched->library->bpf_map_update_elem(sched->rings, &key, &fd, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot write waits to the buffer of core %d", core);
}

struct error *bpf_sched_add_process(struct bpf_sched *sched, uint32_t pid, bool awaits_exec)
{
	const struct sched_process process = {.awaits_exec = awaits_exec};
	if (!sched->library->bpf_map_update_elem(sched->processes, &pid, &process, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot add process %u to the BPF program", pid);
}

struct error *bpf_sched_switch(struct bpf_sched *sched, bool is_on)
{
	sched->setting.is_on = is_on;
	return bpf_sched_write_setting(sched);
}

static struct run_queue_task bpf_sched_task_of(const struct sched_task *task)
{
	struct run_queue_task of = {.pid = task->pid, .tid = task->tid};
	memcpy(of.name, task->name, sizeof(of.name) - 1);
	return of;
}

static struct run_queue_thread bpf_sched_thread_of(const struct sched_thread *thread)
{
	struct run_queue_thread of = {
		.task = bpf_sched_task_of(&thread->task),
		.num_threads = 1,
		.max_core = thread->max_core,
		.num = thread->num,
		.total_ns = thread->total_ns,
		.max_ns = thread->max_ns,
		.max_at_ns = thread->max_at_ns,
		.runner = bpf_sched_task_of(&thread->runner),
		.runner_ns = thread->runner_ns,
	};
	for (uint32_t i = 0; i < RUN_QUEUE_BUCKETS; i++)
		of.histogram[i] = thread->histogram[i];
	return of;
}

struct error *bpf_sched_take_ended(struct bpf_sched *sched, struct run_queue *into)
{
	struct sched_thread thread;
	struct error *err = NULL;
	while (!err &&
	       !sched->library->bpf_map_lookup_and_delete_elem(sched->ended, NULL, &thread)) {
		const struct run_queue_thread row = bpf_sched_thread_of(&thread);
		err = run_queue_add_ended(into, &row);
	}
	return err;
}

static struct error *bpf_sched_read_threads(const struct bpf_sched *sched, struct run_queue *into)
{
	const struct bpf_library *library = sched->library;
	struct error *err = NULL;
	struct sched_thread thread;
	uint32_t tid, next;
	for (bool is_first = true;
	     !err && !library->bpf_map_get_next_key(sched->threads, is_first ? NULL : &tid, &next);
	     is_first = false) {
		tid = next;
		if (library->bpf_map_lookup_elem(sched->threads, &tid, &thread) || !thread.num)
			continue;
		const struct run_queue_thread row = bpf_sched_thread_of(&thread);
		err = run_queue_add_thread(into, &row);
	}
	return err;
}

static struct error *bpf_sched_read_runners(const struct bpf_sched *sched, struct run_queue *into)
{
	const struct bpf_library *library = sched->library;
	struct error *err = NULL;
	struct sched_runner runner;
	uint64_t key, next;
	for (bool is_first = true;
	     !err && !library->bpf_map_get_next_key(sched->runners, is_first ? NULL : &key, &next);
	     is_first = false) {
		key = next;
		if (library->bpf_map_lookup_elem(sched->runners, &key, &runner))
			continue;
		struct run_queue_runner row = {
			.task = {.pid = (uint32_t)(key >> 32), .tid = (uint32_t)key},
			.num = runner.num,
			.ns = runner.ns,
		};
		memcpy(row.task.name, runner.name, sizeof(row.task.name) - 1);
		err = run_queue_add_runner(into, &row);
	}
	return err;
}

static struct error *bpf_sched_read_cores(const struct bpf_sched *sched, struct run_queue *into)
{
	uint32_t first = 0;
	_cleanup_free_ struct sched_core *cores = calloc(sched->num_cores, sizeof(*cores));
	if (!cores)
		return &error_no_memory;
	if (sched->library->bpf_map_lookup_elem(sched->cores, &first, cores))
		return error_create_errno(errno, "cannot read the sums of run queues");
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < sched->num_cores; i++) {
		const struct run_queue_core core = {i, cores[i].num, cores[i].total_ns,
						    cores[i].max_ns};
		err = core.num ? run_queue_add_core(into, &core) : NULL;
	}
	return err;
}

static uint64_t bpf_sched_sum_losses(const struct bpf_sched *sched, uint32_t which)
{
	_cleanup_free_ uint64_t *cores = calloc(sched->num_cores, sizeof(*cores));
	if (!cores || sched->library->bpf_map_lookup_elem(sched->losses, &which, cores))
		return 0;
	uint64_t sum = 0;
	for (uint32_t core = 0; core < sched->num_cores; core++)
		sum += cores[core];
	return sum;
}

struct error *bpf_sched_read(struct bpf_sched *sched, struct run_queue *into)
{
	struct error *err = bpf_sched_take_ended(sched, into);
	if (!err)
		err = bpf_sched_read_threads(sched, into);
	if (!err)
		err = bpf_sched_read_cores(sched, into);
	if (!err)
		err = bpf_sched_read_runners(sched, into);
	into->losses = (struct run_queue_losses){
		.waits = bpf_sched_sum_losses(sched, SCHED_LOST_WAITS),
		.runners = bpf_sched_sum_losses(sched, SCHED_LOST_RUNNERS),
		.threads = bpf_sched_sum_losses(sched, SCHED_LOST_THREADS),
	};
	into->num_late = bpf_sched_sum_losses(sched, SCHED_LATE_SAMPLES);
	into->is_known = true;
	run_queue_sort(into);
	return err;
}

uint64_t bpf_sched_num_lost(const struct bpf_sched *sched)
{
	return bpf_sched_sum_losses(sched, SCHED_LOST_SAMPLES);
}
