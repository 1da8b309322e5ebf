// SPDX-License-Identifier: Apache-2.0

#include "source/watched_tasks.h"

#include "base/array.h"
#include "base/cleanup.h"
#include "process/process_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	// A program maps its interpreter within its first instants; a module that brings one may
	// come at any time.
	FIRST_MAPS_NS = 1000000,
	LAST_MAPS_NS = 1000000000,
};

void watched_tasks_deinit(struct watched_tasks *tasks)
{
	for (size_t i = 0; i < tasks->num_threads; i++)
		task_files_close(&tasks->threads[i].files);
	free(tasks->threads);
	free(tasks->processes);
	free(tasks->news);
	*tasks = (struct watched_tasks)WATCHED_TASKS_INIT;
}

static struct error *tell(struct watched_tasks *tasks, enum task_news_kind kind, uint32_t pid,
			  uint32_t tid)
{
	struct error *err = array_reserve(&tasks->news, &tasks->cap_news, tasks->num_news + 1);
	if (!err)
		tasks->news[tasks->num_news++] = (struct task_news){kind, pid, tid, tasks->now_ns};
	return err;
}

const struct task_news *watched_tasks_news(const struct watched_tasks *tasks)
{
	return tasks->num_told < tasks->num_news ? &tasks->news[tasks->num_told] : NULL;
}

void watched_tasks_drop_news(struct watched_tasks *tasks)
{
	if (++tasks->num_told == tasks->num_news)
		tasks->num_told = tasks->num_news = 0;
}

static struct watched_process *find_process(const struct watched_tasks *tasks, uint32_t pid)
{
	for (size_t i = 0; i < tasks->num_processes; i++)
		if (tasks->processes[i].pid == pid)
			return &tasks->processes[i];
	return NULL;
}

static struct watched_thread *find_thread(const struct watched_tasks *tasks, uint32_t tid)
{
	for (size_t i = 0; i < tasks->num_threads; i++)
		if (tasks->threads[i].tid == tid)
			return &tasks->threads[i];
	return NULL;
}

void watched_tasks_complete(struct watched_tasks *tasks, uint32_t pid)
{
	struct watched_process *process = find_process(tasks, pid);
	if (process)
		process->is_complete = true;
}

static struct error *add_process(struct watched_tasks *tasks, uint32_t pid)
{
	if (find_process(tasks, pid))
		return NULL;
	struct error *err =
		array_reserve(&tasks->processes, &tasks->cap_processes, tasks->num_processes + 1);
	if (!err)
		tasks->processes[tasks->num_processes++] = (struct watched_process){.pid = pid};
	return err;
}

/** One that cannot be opened has ended, or will be found again. */
static struct error *add_thread(struct watched_tasks *tasks, uint32_t pid, uint32_t tid)
{
	struct error *err =
		array_reserve(&tasks->threads, &tasks->cap_threads, tasks->num_threads + 1);
	struct watched_thread thread = {.pid = pid, .tid = tid, .is_there = true};
	if (err || !task_files_open(pid, tid, &thread.files))
		return err;
	tasks->threads[tasks->num_threads++] = thread;
	return tid == pid ? NULL : tell(tasks, TASK_NEWS_THREAD, pid, tid);
}

static struct error *remove_thread(struct watched_tasks *tasks, struct watched_thread *thread)
{
	struct error *err = thread->tid == thread->pid
				    ? NULL
				    : tell(tasks, TASK_NEWS_THREAD_END, thread->pid, thread->tid);
	task_files_close(&thread->files);
	*thread = tasks->threads[--tasks->num_threads];
	return err;
}

static struct error *scan_threads(struct watched_tasks *tasks, uint32_t pid)
{
	_cleanup_free_ uint32_t *tids = NULL;
	size_t num = 0;
	struct error *err = process_list_threads(pid, &tids, &num);
	if (err == &error_no_memory)
		return err;
	error_destroy(err); // it has gone, with all of them
	err = NULL;
	for (size_t i = 0; !err && i < num; i++) {
		struct watched_thread *thread = find_thread(tasks, tids[i]);
		if (thread)
			thread->is_there = true;
		else
			err = add_thread(tasks, pid, tids[i]);
	}
	return err;
}

static struct error *forget_threads(struct watched_tasks *tasks, uint32_t pid)
{
	struct error *err = NULL;
	for (size_t i = tasks->num_threads; !err && i-- > 0;) {
		struct watched_thread *thread = &tasks->threads[i];
		if (thread->pid != pid)
			continue;
		if (!thread->is_there)
			err = remove_thread(tasks, thread);
		else
			thread->is_there = false; // until the next scan finds it again
	}
	return err;
}

static struct error *refresh_threads(struct watched_tasks *tasks, uint32_t pid)
{
	struct error *err = scan_threads(tasks, pid);
	return err ? err : forget_threads(tasks, pid);
}

static struct error *scan_children_of(struct watched_tasks *tasks, uint32_t pid, uint32_t tid)
{
	char path[80];
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/children", pid, tid);
	FILE *file = fopen(path, "re");
	struct error *err = NULL;
	uint32_t child;
	while (file && !err && fscanf(file, "%" SCNu32, &child) == 1)
		err = add_process(tasks, child);
	if (file)
		fclose(file);
	return err;
}

static struct error *scan_children(struct watched_tasks *tasks, uint32_t pid)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < tasks->num_threads; i++)
		if (tasks->threads[i].pid == pid)
			err = scan_children_of(tasks, pid, tasks->threads[i].tid);
	return err;
}

static struct error *scan_maps(struct watched_tasks *tasks, struct watched_process *process,
			       uint64_t now_ns)
{
	if (process->is_complete || now_ns < process->maps_due_ns)
		return NULL;
	process->maps_due_ns = now_ns + process->maps_wait_ns;
	if (process->maps_wait_ns < LAST_MAPS_NS)
		process->maps_wait_ns *= 2;
	return tell(tasks, TASK_NEWS_MAPS, process->pid, process->pid);
}

static struct error *scan_program(struct watched_tasks *tasks, struct watched_process *process,
				  const struct task_look *leader, uint64_t now_ns)
{
	if (process->maps_wait_ns && process->start_stack == leader->start_stack)
		return scan_maps(tasks, process, now_ns);
	process->start_stack = leader->start_stack;
	process->is_complete = false;
	process->maps_wait_ns = FIRST_MAPS_NS;
	process->maps_due_ns = now_ns + FIRST_MAPS_NS;
	return tell(tasks, TASK_NEWS_PROGRAM, process->pid, process->pid);
}

static size_t count_threads(const struct watched_tasks *tasks, uint32_t pid)
{
	size_t num = 0;
	for (size_t i = 0; i < tasks->num_threads; i++)
		num += tasks->threads[i].pid == pid;
	return num;
}

/** Its first thread may end before the others do. */
static bool is_over(const struct watched_tasks *tasks, uint32_t pid, struct task_look *ret)
{
	const struct watched_thread *leader = find_thread(tasks, pid);
	return !leader || !task_files_look(&leader->files, ret) ||
	       (ret->is_over && count_threads(tasks, pid) == 1);
}

/** @place: in the list, which grows by what the process has started. */
static struct error *scan_process(struct watched_tasks *tasks, size_t place, uint64_t now_ns)
{
	uint32_t pid = tasks->processes[place].pid;
	struct error *err = refresh_threads(tasks, pid);
	if (err)
		return err;
	struct watched_process *process = &tasks->processes[place];
	struct task_look look;
	if (is_over(tasks, pid, &look)) {
		process->has_ended = true;
		return tell(tasks, TASK_NEWS_END, pid, pid);
	}
	err = scan_program(tasks, process, &look, now_ns);
	return err ? err : scan_children(tasks, pid);
}

/** Until somebody waits for it, it is still among the children of its parent. */
static struct error *scan_ended(struct watched_tasks *tasks, size_t place, bool *ret_gone)
{
	uint32_t pid = tasks->processes[place].pid;
	struct error *err = refresh_threads(tasks, pid);
	*ret_gone = count_threads(tasks, pid) == 0;
	if (!err && *ret_gone)
		tasks->processes[place] = tasks->processes[--tasks->num_processes];
	return err;
}

struct error *watched_tasks_scan(struct watched_tasks *tasks, uint64_t now_ns)
{
	struct error *err = NULL;
	tasks->now_ns = now_ns;
	for (size_t i = 0; !err && i < tasks->num_processes;) {
		bool is_gone = false;
		err = tasks->processes[i].has_ended ? scan_ended(tasks, i, &is_gone)
						    : scan_process(tasks, i, now_ns);
		i += !is_gone;
	}
	return err;
}

struct error *watched_tasks_add(struct watched_tasks *tasks, uint32_t pid)
{
	struct error *err = add_process(tasks, pid);
	if (!err)
		err = scan_threads(tasks, pid);
	for (size_t i = 0; !err && i < tasks->num_threads; i++) {
		struct watched_thread *thread = &tasks->threads[i];
		struct task_clock clock;
		if (thread->pid == pid && task_files_clock(&thread->files, &clock))
			thread->clock = clock;
	}
	return err;
}
