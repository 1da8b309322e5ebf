// SPDX-License-Identifier: Apache-2.0

#include "process/process_table.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

// Each process has a generation that changes whenever its maps do. Users that cache something by
// address put the generation into their key (chain_cache.c), so that they need no notice of
// changes. A change of the kernel's maps changes the generation of every process.
//
// After a fork, the child shares its parent's list of maps until one of both changes it
// (mapping_list.c): a program that forks thousands of children needs one list. Ended processes keep
// their maps, because samples of another core may come later; they are queued in the order of their
// ends. If there are too many mappings altogether, free_ended() frees those of the processes that
// ended first. A pid that was used again is left alone.
//
// process_table_forget() moves what stays to the front of the arrays, and makes the indexes anew,
// which know no deletion: that is why it waits until there is much to forget.

static bool is_process(const void *owner, uint32_t index, const void *key)
{
	return ((const struct process_table *)owner)->processes[index].pid ==
	       *(const uint32_t *)key;
}

static bool is_thread(const void *owner, uint32_t index, const void *key)
{
	return ((const struct process_table *)owner)->threads[index].tid == *(const uint32_t *)key;
}

struct error *process_table_process(struct process_table *table, uint32_t pid, struct process **ret)
{
	uint64_t hash = hash_bytes(&pid, sizeof(pid));
	uint32_t index = hash_table_find(&table->process_index, hash, is_process, table, &pid);
	if (index != HASH_TABLE_NONE) {
		*ret = &table->processes[index];
		return NULL;
	}
	struct error *err =
		array_reserve(&table->processes, &table->cap_processes, table->num_processes + 1);
	if (!err)
		err = hash_table_insert(&table->process_index, hash,
					(uint32_t)table->num_processes);
	if (err)
		return err;
	struct process *process = &table->processes[table->num_processes++];
	*process = (struct process){.pid = pid, .generation = ++table->last_generation};
	*ret = process;
	return NULL;
}

bool process_table_has(const struct process_table *table, uint32_t pid)
{
	return hash_table_find(&table->process_index, hash_bytes(&pid, sizeof(pid)), is_process,
			       table, &pid) != HASH_TABLE_NONE;
}

uint32_t process_table_parent(const struct process_table *table, uint32_t pid)
{
	uint32_t index = hash_table_find(&table->process_index, hash_bytes(&pid, sizeof(pid)),
					 is_process, table, &pid);
	return index == HASH_TABLE_NONE ? 0 : table->processes[index].parent_pid;
}

struct error *process_table_thread(struct process_table *table, uint32_t pid, uint32_t tid,
				   struct process_thread **ret)
{
	uint64_t hash = hash_bytes(&tid, sizeof(tid));
	uint32_t index = hash_table_find(&table->thread_index, hash, is_thread, table, &tid);
	if (index == HASH_TABLE_NONE) {
		struct error *err =
			array_reserve(&table->threads, &table->cap_threads, table->num_threads + 1);
		if (!err)
			err = hash_table_insert(&table->thread_index, hash,
						(uint32_t)table->num_threads);
		if (err)
			return err;
		index = (uint32_t)table->num_threads++;
		table->threads[index] = (struct process_thread){.tid = tid, .label = UINT32_MAX};
	}
	struct process_thread *thread = &table->threads[index];
	*ret = thread;
	if (thread->pid == pid)
		return NULL;
	thread->has_ended = false;
	// A number that is used again, or a thread that nobody has spoken of.
	thread->pid = pid;
	thread->label = UINT32_MAX;
	thread->name[0] = thread->given[0] = '\0';
	return NULL;
}

static const struct process_thread *process_table_find_thread(const struct process_table *table,
							      uint32_t tid)
{
	uint32_t index = hash_table_find(&table->thread_index, hash_bytes(&tid, sizeof(tid)),
					 is_thread, table, &tid);
	return index == HASH_TABLE_NONE ? NULL : &table->threads[index];
}

/** The name of a thread that the system has, else that of its process's first thread. */
static const char *process_table_system_name(const struct process_table *table, uint32_t pid,
					     uint32_t tid)
{
	const struct process_thread *thread = process_table_find_thread(table, tid);
	if (!thread || thread->pid != pid || !*thread->name)
		thread = process_table_find_thread(table, pid);
	return thread ? thread->name : "";
}

const char *process_table_thread_name(const struct process_table *table, uint32_t pid, uint32_t tid)
{
	const struct process_thread *thread = process_table_find_thread(table, tid);
	bool is_given = tid != pid && thread && thread->pid == pid && *thread->given;
	return is_given ? thread->given : process_table_system_name(table, pid, tid);
}

const char *process_table_said_role(const struct process_table *table, uint32_t pid)
{
	const struct process_thread *thread = process_table_find_thread(table, pid);
	return thread && thread->pid == pid ? thread->given : "";
}

/** Is the system's name only inherited, or this one, cut? CPython 3.14 gives its names to the
 * system. */
bool process_name_stands_for(const char *system, const char *process, const char *given)
{
	bool is_cut = strlen(system) == PROCESS_COMM_SIZE - 1 &&
		      !strncmp(system, given, PROCESS_COMM_SIZE - 1);
	return is_cut || !*system || !strcmp(system, process);
}

bool process_table_takes_name(const struct process_table *table, uint32_t pid, uint32_t tid,
			      const char *name)
{
	const struct process_thread *thread = process_table_find_thread(table, tid);
	char cut[PROCESS_GIVEN_NAME_SIZE];
	utf8_copy(name, cut, sizeof(cut));
	const char *old = thread && thread->pid == pid ? thread->given : "";
	return strcmp(old, cut) != 0 &&
	       (tid == pid ||
		process_name_stands_for(process_table_system_name(table, pid, tid),
					process_table_system_name(table, pid, pid), cut));
}

enum { KERNEL_PID = 0 }; // who owns what the kernel has mapped

static void process_table_changed(struct process_table *table, struct process *process)
{
	process->generation = ++table->last_generation;
}

const struct mapping *process_mappings(const struct process *process, size_t *ret_num)
{
	*ret_num = process->maps ? process->maps->num_items : 0;
	return process->maps ? process->maps->items : NULL;
}

const struct mapping *process_find_mapping(const struct process *process, uint64_t address)
{
	size_t num;
	const struct mapping *maps = process_mappings(process, &num);
	size_t place = BISECT_U64(maps, num, end, address);
	return place < num && maps[place].start <= address ? &maps[place] : NULL;
}

const struct mapping *process_table_find_kernel(const struct process_table *table, uint64_t address)
{
	const uint32_t pid = KERNEL_PID;
	uint32_t index = hash_table_find(&table->process_index, hash_bytes(&pid, sizeof(pid)),
					 is_process, table, &pid);
	return index == HASH_TABLE_NONE ? NULL
					: process_find_mapping(&table->processes[index], address);
}

static struct error *apply_map(struct process_table *table, const struct record *record)
{
	const struct record_map *map = &record->map;
	struct mapping mapping = {.start = map->start, .file_offset = map->file_offset};
	// Interpreted code is in files that nobody maps as executable; other data have no name.
	bool is_file = map->path[0] && map->path[0] != '[' && strncmp(map->path, "//", 2) != 0;
	if (map->length == 0 || (!map->is_executable && !is_file) ||
	    __builtin_add_overflow(map->start, map->length, &mapping.end))
		return NULL;
	struct process *process;
	// perf files tell of the kernel as mapped by process -1 (or 0).
	bool is_of_kernel = record->mode == RECORD_MODE_KERNEL;
	struct error *err =
		process_table_process(table, is_of_kernel ? KERNEL_PID : record->pid, &process);
	if (!err)
		err = module_table_intern_map(&table->modules, record, &mapping.module);
	if (!err)
		err = mapping_list_add(&process->maps, &mapping, &table->room);
	if (err)
		return err;
	process->has_ended = false;
	if (!is_of_kernel)
		process_table_changed(table, process);
	// Stacks of all processes go on in the kernel.
	for (size_t i = 0; is_of_kernel && i < table->num_processes; i++)
		process_table_changed(table, &table->processes[i]);
	return NULL;
}

static void replace_maps(struct process_table *table, struct process *process,
			 struct mapping_list *maps)
{
	// Shared before the old ones are released: they may be the same.
	struct mapping_list *old = process->maps;
	process->maps = mapping_list_share(maps);
	process->has_ended = false;
	mapping_list_release(old, &table->room);
	process_table_changed(table, process);
}

/** Some sources tell the name that a thread has inherited only after its first sample: nothing
 * changes then. @is_new: the thread has just begun, under a number that another one may have had.
 */
static struct error *process_table_rename_thread(struct process_table *table,
						 const struct record *record, const char *name,
						 bool is_new)
{
	struct process_thread *thread;
	struct error *err = process_table_thread(table, record->pid, record->tid, &thread);
	if (err)
		return err;
	bool is_known =
		!is_new && !strncmp(process_table_system_name(table, record->pid, record->tid),
				    name, sizeof(thread->name) - 1);
	thread->has_ended = false;
	memset(thread->name, 0, sizeof(thread->name));
	memcpy(thread->name, name, strnlen(name, sizeof(thread->name) - 1));
	if (is_known)
		return NULL;
	thread->label = UINT32_MAX;
	thread->given[0] = '\0';
	return NULL;
}

static struct error *process_table_give_name(struct process_table *table,
					     const struct record *record)
{
	struct process_thread *thread;
	if (!process_table_takes_name(table, record->pid, record->tid, record->comm.name))
		return NULL;
	struct error *err = process_table_thread(table, record->pid, record->tid, &thread);
	if (!err)
		utf8_copy(record->comm.name, thread->given, sizeof(thread->given));
	return err;
}

static struct error *apply_comm(struct process_table *table, const struct record *record)
{
	if (record->comm.is_given)
		return process_table_give_name(table, record);
	struct error *err = process_table_rename_thread(table, record, record->comm.name, false);
	if (err || !record->comm.is_exec)
		return err;
	// An exec: nothing that was mapped is there any more.
	struct process *process;
	err = process_table_process(table, record->pid, &process);
	if (!err)
		replace_maps(table, process, NULL);
	return err;
}

static struct error *apply_fork(struct process_table *table, const struct record *record)
{
	char name[PROCESS_NAME_SIZE];
	// A copy, as the table of threads may move. A new thread is called like the one that made
	// it.
	strcpy(name,
	       process_table_system_name(table, record->task.parent_pid, record->task.parent_tid));
	struct error *err = process_table_rename_thread(table, record, name, true);
	if (err)
		return err;
	// A thread, which has the maps of its process.
	if (record->pid == record->task.parent_pid)
		return NULL;
	struct process *child, *parent;
	err = process_table_process(table, record->pid, &child);
	// The second call may move the first's result, the third finds both.
	if (!err)
		err = process_table_process(table, record->task.parent_pid, &parent);
	if (!err)
		err = process_table_process(table, record->pid, &child);
	if (err)
		return err;
	replace_maps(table, child, parent->maps);
	child->parent_pid = parent->pid;
	return NULL;
}

static struct error *process_table_enqueue(struct process_queue *queue, uint32_t place)
{
	// Items move to the front only when more than half were taken: on average each moves once.
	if (queue->first_item > queue->num_items / 2) {
		queue->num_items -= queue->first_item;
		memmove(queue->items, queue->items + queue->first_item,
			queue->num_items * sizeof(*queue->items));
		queue->first_item = 0;
	}
	struct error *err = array_reserve(&queue->items, &queue->cap_items, queue->num_items + 1);
	if (!err)
		queue->items[queue->num_items++] = place;
	return err;
}

/** Of those that ended first; one that lives again, under the same number, is left alone. */
static void free_ended(struct process_table *table)
{
	struct process_queue *queue = &table->ended;
	while (table->room.num_used > PROCESS_TABLE_MANY_MAPPINGS &&
	       queue->num_items - queue->first_item > PROCESS_TABLE_KEPT_PROCESSES) {
		struct process *process = &table->processes[queue->items[queue->first_item++]];
		process->is_queued = false;
		if (process->has_ended)
			replace_maps(table, process, NULL);
	}
}

static void process_table_end_thread(struct process_table *table, const struct record *record)
{
	const uint32_t tid = record->tid;
	uint32_t index = hash_table_find(&table->thread_index, hash_bytes(&tid, sizeof(tid)),
					 is_thread, table, &tid);
	if (index == HASH_TABLE_NONE || table->threads[index].pid != record->pid)
		return;
	table->threads[index].has_ended = true;
	table->threads[index].ended_ns = record->time_ns;
	table->num_ended++;
}

/** What has ended may still have samples to come from another core's ring: its maps stay. */
static struct error *apply_exit(struct process_table *table, const struct record *record)
{
	process_table_end_thread(table, record);
	const uint32_t pid = record->pid;
	uint32_t place = hash_table_find(&table->process_index, hash_bytes(&pid, sizeof(pid)),
					 is_process, table, &pid);
	// Where the first thread ends before others, these run on; they rarely do.
	if (record->tid != pid || place == HASH_TABLE_NONE || pid == KERNEL_PID)
		return NULL;
	struct process *process = &table->processes[place];
	process->has_ended = true;
	process->ended_ns = record->time_ns;
	struct error *err = process->is_queued ? NULL : process_table_enqueue(&table->ended, place);
	if (err)
		return err;
	process->is_queued = true;
	free_ended(table);
	return NULL;
}

static struct error *process_table_index_again(struct process_table *table)
{
	struct error *err = NULL;
	hash_table_deinit(&table->process_index);
	hash_table_deinit(&table->thread_index);
	for (size_t i = 0; !err && i < table->num_processes; i++) {
		uint32_t pid = table->processes[i].pid;
		err = hash_table_insert(&table->process_index, hash_bytes(&pid, sizeof(pid)),
					(uint32_t)i);
	}
	for (size_t i = 0; !err && i < table->num_threads; i++) {
		uint32_t tid = table->threads[i].tid;
		err = hash_table_insert(&table->thread_index, hash_bytes(&tid, sizeof(tid)),
					(uint32_t)i);
	}
	return err;
}

static void process_table_drop_threads(struct process_table *table, uint64_t before_ns)
{
	size_t num = 0;
	for (size_t i = 0; i < table->num_threads; i++) {
		const struct process_thread *thread = &table->threads[i];
		if (!thread->has_ended || thread->ended_ns >= before_ns)
			table->threads[num++] = *thread;
	}
	table->num_threads = num;
}

/** @places: room for one of each process. @pids: likewise; gets those that go. */
static size_t process_table_drop_processes(struct process_table *table, uint64_t before_ns,
					   uint32_t *places, uint32_t *pids)
{
	size_t num = 0, num_gone = 0;
	for (size_t i = 0; i < table->num_processes; i++) {
		struct process *process = &table->processes[i];
		places[i] = UINT32_MAX;
		if (process->has_ended && process->ended_ns < before_ns) {
			mapping_list_release(process->maps, &table->room);
			pids[num_gone++] = process->pid;
			continue;
		}
		places[i] = (uint32_t)num;
		table->processes[num++] = *process;
	}
	table->num_processes = num;
	struct process_queue *queue = &table->ended;
	size_t num_queued = 0;
	for (size_t i = queue->first_item; i < queue->num_items; i++)
		if (places[queue->items[i]] != UINT32_MAX)
			queue->items[num_queued++] = places[queue->items[i]];
	queue->first_item = 0;
	queue->num_items = num_queued;
	return num_gone;
}

struct error *process_table_forget(struct process_table *table, uint64_t before_ns,
				   uint32_t **ret_pids, size_t *ret_num)
{
	*ret_pids = NULL;
	*ret_num = 0;
	if (table->num_ended < PROCESS_TABLE_MANY_ENDED ||
	    table->num_ended < table->num_threads / 4)
		return NULL;
	_cleanup_free_ uint32_t *places = calloc(table->num_processes + 1, sizeof(*places));
	uint32_t *pids = calloc(table->num_processes + 1, sizeof(*pids));
	if (!places || !pids) {
		free(pids);
		return &error_no_memory;
	}
	table->num_ended = 0;
	process_table_drop_threads(table, before_ns);
	*ret_num = process_table_drop_processes(table, before_ns, places, pids);
	*ret_pids = pids;
	return process_table_index_again(table);
}

struct error *process_table_apply(struct process_table *table, const struct record *record)
{
	switch (record->kind) {
	case RECORD_MAP:
		return apply_map(table, record);
	case RECORD_COMM:
		return apply_comm(table, record);
	case RECORD_FORK:
		return apply_fork(table, record);
	case RECORD_EXIT:
		return apply_exit(table, record);
	default:
		return NULL;
	}
}

void process_table_deinit(struct process_table *table)
{
	for (size_t i = 0; i < table->num_processes; i++)
		mapping_list_release(table->processes[i].maps, &table->room);
	free(table->processes);
	free(table->threads);
	free(table->ended.items);
	hash_table_deinit(&table->process_index);
	hash_table_deinit(&table->thread_index);
	module_table_deinit(&table->modules);
	*table = (struct process_table)PROCESS_TABLE_INIT;
}
