// SPDX-License-Identifier: Apache-2.0

#include "source/memory/known_processes.h"

#include "base/container/array.h"
#include "process/memory/process_memory.h"

#include <link.h>
#include <stddef.h>
#include <stdlib.h>

// The loader has a list of modules (struct r_debug and struct link_map of link.h), to which
// dlopen() appends. So it is enough to remember the last entry: when it has a successor, something
// was loaded. When the last module was unloaded, its memory says anything, or cannot be read; then
// the list is followed from its beginning, as it is the first time. All of it is the program's
// word: the list may have a loop, and reading is all that happens with its addresses.

enum { MOST_MODULES = 4096 };

void known_processes_deinit(struct known_processes *known)
{
	free(known->processes);
	free(known->threads);
	hash_table_deinit(&known->process_index);
	hash_table_deinit(&known->thread_index);
	*known = (struct known_processes)KNOWN_PROCESSES_INIT;
}

static bool known_processes_is_pid(const void *owner, uint32_t index, const void *key)
{
	const struct known_processes *known = owner;
	return known->processes[index].pid == *(const uint32_t *)key;
}

static bool known_processes_is_thread(const void *owner, uint32_t index, const void *key)
{
	const struct known_processes *known = owner;
	const struct known_thread *thread = key;
	return known->threads[index].pid == thread->pid && known->threads[index].tid == thread->tid;
}

static uint32_t known_processes_find(const struct known_processes *known, uint32_t pid)
{
	return hash_table_find(&known->process_index, pid, known_processes_is_pid, known, &pid);
}

bool known_processes_has(const struct known_processes *known, uint32_t pid)
{
	return known_processes_find(known, pid) != HASH_TABLE_NONE;
}

struct known_process *known_processes_get(const struct known_processes *known, uint32_t pid)
{
	uint32_t index = known_processes_find(known, pid);
	return index == HASH_TABLE_NONE ? NULL : &known->processes[index];
}

struct error *known_processes_add(struct known_processes *known, uint32_t pid,
				  struct known_process **ret)
{
	struct known_process *process = known_processes_get(known, pid);
	struct error *err = NULL;
	if (!process) {
		err = array_reserve(&known->processes, &known->cap_processes,
				    known->num_processes + 1);
		if (!err)
			err = hash_table_insert(&known->process_index, pid,
						(uint32_t)known->num_processes);
		if (err)
			return err;
		process = &known->processes[known->num_processes++];
	}
	*process = (struct known_process){.pid = pid};
	*ret = process;
	return NULL;
}

struct error *known_processes_add_thread(struct known_processes *known, uint32_t pid, uint32_t tid,
					 bool *ret)
{
	const struct known_thread thread = {pid, tid};
	uint64_t hash = (uint64_t)pid << 32 | tid;
	*ret = hash_table_find(&known->thread_index, hash, known_processes_is_thread, known,
			       &thread) == HASH_TABLE_NONE;
	if (!*ret)
		return NULL;
	struct error *err =
		array_reserve(&known->threads, &known->cap_threads, known->num_threads + 1);
	if (!err)
		err = hash_table_insert(&known->thread_index, hash, (uint32_t)known->num_threads);
	if (!err)
		known->threads[known->num_threads++] = thread;
	return err;
}

/** 0: it is the last one, or cannot be read. @ret_is_read: which of both. */
static uint64_t known_processes_next(const struct process_memory *memory, uint64_t module,
				     bool *ret_is_read)
{
	uint64_t next = 0;
	*ret_is_read = process_memory_read(memory, module + offsetof(struct link_map, l_next),
					   &next, sizeof(next));
	return next;
}

/** 0: it cannot be found. */
static uint64_t known_processes_last_module(const struct process_memory *memory, uint64_t loader)
{
	uint64_t module, next;
	bool is_read = true;
	if (!process_memory_read_pointer(memory, loader + offsetof(struct r_debug, r_map), &module))
		return 0;
	for (unsigned i = 0; i < MOST_MODULES && is_read; i++) {
		next = known_processes_next(memory, module, &is_read);
		if (!next)
			break;
		module = next;
	}
	return is_read ? module : 0;
}

bool known_processes_have_loaded(struct known_processes *known, uint32_t pid, uint64_t loader)
{
	uint32_t index = known_processes_find(known, pid);
	if (index == HASH_TABLE_NONE || !loader)
		return false;
	struct known_process *process = &known->processes[index];
	const struct process_memory memory = process_memory_of(pid);
	bool is_read = true;
	if (process->last_module &&
	    !known_processes_next(&memory, process->last_module, &is_read) && is_read)
		return false;
	process->last_module = known_processes_last_module(&memory, loader);
	return true;
}
