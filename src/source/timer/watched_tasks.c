// SPDX-License-Identifier: Apache-2.0

#include "source/timer/watched_tasks.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "process/system/process_list.h"

#include <stdlib.h>

// watched_tasks_scan() goes through the processes; the list grows while it does, as children are
// appended, so that a scan reaches grandchildren. scan_process() lists threads and marks those that
// are known (`is_there`), removes the rest, compares the identity of the program (an exec changes
// it), and adds children. A child with the identity of its parent is a copy of it: its maps and its
// interpreter are known without a look. What is new becomes an entry of `news` with the time of the
// scan.
//
// Maps are reported again at growing intervals after a program began, from 1 ms to 1 s, because the
// module with an interpreter may be loaded late; watched_tasks_complete() ends that. A
// process that has ended but was not waited for stays in the list: otherwise its parent's list of
// children would make it new again.

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
	for (size_t i = 0; i < tasks->num_processes; i++)
		watched_program_close(tasks->processes[i].program);
	free(tasks->threads);
	free(tasks->processes);
	free(tasks->events);
	*tasks = (struct watched_tasks)WATCHED_TASKS_INIT;
}

static struct error *watched_tasks_tell(struct watched_tasks *tasks, enum task_events_kind kind,
					uint32_t pid, uint32_t tid)
{
	struct error *err =
		array_reserve(&tasks->events, &tasks->cap_events, tasks->num_events + 1);
	if (!err)
		tasks->events[tasks->num_events++] =
			(struct task_events){kind, pid, tid, tasks->now_ns};
	return err;
}

const struct task_events *watched_tasks_events(const struct watched_tasks *tasks)
{
	return tasks->num_told < tasks->num_events ? &tasks->events[tasks->num_told] : NULL;
}

void watched_tasks_drop_events(struct watched_tasks *tasks)
{
	if (++tasks->num_told == tasks->num_events)
		tasks->num_told = tasks->num_events = 0;
}

static struct watched_process *watched_tasks_find_process(const struct watched_tasks *tasks,
							  uint32_t pid)
{
	for (size_t i = 0; i < tasks->num_processes; i++)
		if (tasks->processes[i].pid == pid)
			return &tasks->processes[i];
	return NULL;
}

void watched_tasks_complete(struct watched_tasks *tasks, uint32_t pid)
{
	struct watched_process *process = watched_tasks_find_process(tasks, pid);
	for (size_t i = tasks->num_told; i < tasks->num_events; i++)
		if (tasks->events[i].kind == TASK_EVENTS_PROGRAM && tasks->events[i].pid == pid)
			return;
	if (process)
		process->is_complete = true;
}

/** @parent_pid: 0: not known. */
static struct error *watched_tasks_add_process(struct watched_tasks *tasks, uint32_t pid,
					       uint32_t parent_pid)
{
	if (watched_tasks_find_process(tasks, pid))
		return NULL;
	struct error *err =
		array_reserve(&tasks->processes, &tasks->cap_processes, tasks->num_processes + 1);
	if (!err)
		tasks->processes[tasks->num_processes++] = (struct watched_process){
			.pid = pid, .parent_pid = parent_pid, .program = watched_program_open(pid)};
	return err;
}

/** One that cannot be opened has ended, or will be found again. */
static struct error *watched_tasks_add_thread(struct watched_tasks *tasks, uint32_t pid,
					      uint32_t tid)
{
	struct error *err =
		array_reserve(&tasks->threads, &tasks->cap_threads, tasks->num_threads + 1);
	struct watched_thread thread = {.pid = pid, .tid = tid, .is_there = true};
	if (err || !task_files_open(pid, tid, &thread.files))
		return err;
	tasks->threads[tasks->num_threads++] = thread;
	return tid == pid ? NULL : watched_tasks_tell(tasks, TASK_EVENTS_THREAD, pid, tid);
}

/** Numbers of the threads of a process. */
struct tid_list {
	uint32_t *items;
	size_t num_items;
};

static void tid_list_deinit(struct tid_list *list)
{
	free(list->items);
}

/** @ret: none, if the process has gone. */
static struct error *watched_tasks_list_threads(uint32_t pid, struct tid_list *ret)
{
	*ret = (struct tid_list){0};
	struct error *err = process_list_threads(pid, &ret->items, &ret->num_items);
	if (err == &error_no_memory)
		return err;
	error_destroy(err);
	return NULL;
}

static bool watched_tasks_wants(const struct watched_tasks *tasks, uint32_t tid)
{
	return tasks->only_thread ? tid == tasks->only_thread : tid != tasks->left_out_thread;
}

static struct error *note_threads(struct watched_tasks *tasks, uint32_t pid,
				  const struct tid_list *tids)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < tids->num_items; i++) {
		uint32_t tid = tids->items[i];
		size_t place = 0;
		if (!watched_tasks_wants(tasks, tid))
			continue;
		while (place < tasks->num_threads && tasks->threads[place].tid != tid)
			place++;
		if (place < tasks->num_threads)
			tasks->threads[place].is_there = true;
		else
			err = watched_tasks_add_thread(tasks, pid, tid);
	}
	return err;
}

static struct error *refresh_threads(struct watched_tasks *tasks, uint32_t pid,
				     struct tid_list *ret)
{
	struct error *err = watched_tasks_list_threads(pid, ret);
	if (!err)
		err = note_threads(tasks, pid, ret);
	// Those that were not found this time have ended.
	for (size_t i = tasks->num_threads; !err && i-- > 0;) {
		struct watched_thread *thread = &tasks->threads[i];
		if (thread->pid != pid)
			continue;
		if (thread->is_there) {
			thread->is_there = false; // until the next scan finds it again
			continue;
		}
		if (thread->tid != pid)
			err = watched_tasks_tell(tasks, TASK_EVENTS_THREAD_END, pid, thread->tid);
		task_files_close(&thread->files);
		// The order of threads has no meaning: the last one takes the place.
		*thread = tasks->threads[--tasks->num_threads];
	}
	return err;
}

/** A new child is told of as a fork. @ret_is_copy: it runs its parent's program, which has been
 * told of. */
static struct error *scan_parent(struct watched_tasks *tasks, struct watched_process *process,
				 uint64_t identity, bool *ret_is_copy)
{
	const struct watched_process *parent =
		watched_tasks_find_process(tasks, process->parent_pid);
	*ret_is_copy = false;
	if (!parent || process->maps_wait_ns)
		return NULL;
	*ret_is_copy = parent->identity == identity;
	process->is_complete = *ret_is_copy && parent->is_complete;
	return watched_tasks_tell(tasks, TASK_EVENTS_FORK, process->pid, parent->pid);
}

static struct error *scan_program(struct watched_tasks *tasks, struct watched_process *process,
				  uint64_t identity, uint64_t now_ns)
{
	if (process->maps_wait_ns && process->identity == identity) {
		if (process->is_complete || now_ns < process->maps_due_ns)
			return NULL;
		process->maps_due_ns = now_ns + process->maps_wait_ns;
		// Twice as long each time: early maps change much, later ones seldom.
		if (process->maps_wait_ns < LAST_MAPS_NS)
			process->maps_wait_ns *= 2;
		return watched_tasks_tell(tasks, TASK_EVENTS_MAPS, process->pid, process->pid);
	}
	bool is_copy;
	process->is_complete = false;
	struct error *err = scan_parent(tasks, process, identity, &is_copy);
	if (err)
		return err;
	process->identity = identity;
	process->maps_wait_ns = FIRST_MAPS_NS;
	process->maps_due_ns = now_ns + FIRST_MAPS_NS;
	if (is_copy)
		return NULL;
	return watched_tasks_tell(tasks, TASK_EVENTS_PROGRAM, process->pid, process->pid);
}

static size_t count_threads(const struct watched_tasks *tasks, uint32_t pid)
{
	size_t num = 0;
	for (size_t i = 0; i < tasks->num_threads; i++)
		num += tasks->threads[i].pid == pid;
	return num;
}

/** @place: in the list, which grows by what the process has started. */
static struct error *scan_process(struct watched_tasks *tasks, size_t place, uint64_t now_ns)
{
	uint32_t pid = tasks->processes[place].pid;
	_cleanup_(tid_list_deinit) struct tid_list tids = {0};
	struct error *err = refresh_threads(tasks, pid, &tids);
	if (err)
		return err;
	struct watched_process *process = &tasks->processes[place];
	struct program_look look = watched_program_look(process->program);
	// A program may go on without its first thread (pthread_exit() in main()).
	if (look.is_over && count_threads(tasks, pid) <= 1) {
		process->has_ended = true;
		return watched_tasks_tell(tasks, TASK_EVENTS_END, pid, pid);
	}
	err = scan_program(tasks, process, look.identity, now_ns);
	_cleanup_free_ uint32_t *children = NULL;
	size_t num = 0;
	if (!err && !tasks->only_thread)
		err = watched_program_children(process->program, tids.items, tids.num_items,
					       &children, &num);
	for (size_t i = 0; !err && i < num; i++)
		err = watched_tasks_add_process(tasks, children[i], pid);
	return err;
}

/** Until somebody waits for it, it is still among the children of its parent. */
static struct error *scan_ended(struct watched_tasks *tasks, size_t place, bool *ret_gone)
{
	uint32_t pid = tasks->processes[place].pid;
	_cleanup_(tid_list_deinit) struct tid_list tids = {0};
	struct error *err = refresh_threads(tasks, pid, &tids);
	*ret_gone = count_threads(tasks, pid) == 0;
	if (!err && *ret_gone) {
		watched_program_close(tasks->processes[place].program);
		tasks->processes[place] = tasks->processes[--tasks->num_processes];
	}
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
	_cleanup_(tid_list_deinit) struct tid_list tids = {0};
	struct error *err = watched_tasks_add_process(tasks, pid, 0);
	if (!err)
		err = watched_tasks_list_threads(pid, &tids);
	if (!err)
		err = note_threads(tasks, pid, &tids);
	for (size_t i = 0; !err && i < tasks->num_threads; i++) {
		struct watched_thread *thread = &tasks->threads[i];
		struct task_clock clock;
		if (thread->pid == pid && task_files_clock(&thread->files, &clock))
			thread->clock = clock;
	}
	return err;
}
