// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_names.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/utf8.h"
#include "interpreter/python/stack/python_thread_names.h"
#include "interpreter/python/stack/python_threads.h"
#include "process/system/process_list.h"
#include "process/thread/task_number.h"

#include <stdlib.h>

// Names are by Python's own number of a thread; the list of threads (python_threads.c) has the
// system's number to each, in a container the one inside. A thread that runs code of several
// interpreters is known to each of them: the main one, which is the last in the list, made it and
// knows its name.

/** The threads of a process, with their numbers there and here. */
struct numbers {
	uint32_t *here, *inside;
	size_t num;
};

static void numbers_deinit(struct numbers *numbers)
{
	free(numbers->here);
	free(numbers->inside);
}

static struct error *numbers_read(uint32_t pid, struct numbers *ret)
{
	struct error *err = process_list_threads(pid, &ret->here, &ret->num);
	if (err)
		return err;
	bool is_hidden = task_number_is_hidden(pid);
	ret->inside = calloc(ret->num + 1, sizeof(*ret->inside));
	if (!ret->inside)
		return &error_no_memory;
	for (size_t i = 0; i < ret->num; i++)
		ret->inside[i] = is_hidden ? task_number_inside(pid, ret->here[i]) : ret->here[i];
	return NULL;
}

/** 0: the thread has ended. */
static uint32_t numbers_find(const struct numbers *numbers, uint32_t inside)
{
	for (size_t i = 0; i < numbers->num; i++)
		if (numbers->inside[i] == inside)
			return numbers->here[i];
	return 0;
}

static bool python_names_has(const struct thread_names *names, uint32_t tid)
{
	for (size_t i = 0; i < names->num_items; i++)
		if (names->items[i].tid == tid)
			return true;
	return false;
}

static struct error *python_names_add(struct thread_names *names, uint32_t tid, const char *name)
{
	struct error *err = array_reserve(&names->items, &names->cap_items, names->num_items + 1);
	if (err)
		return err;
	struct thread_name *item = &names->items[names->num_items++];
	item->tid = tid;
	utf8_copy(name, item->name, sizeof(item->name));
	return NULL;
}

static struct error *python_names_add_all(const struct python_runtime *runtime,
					  const struct python_threads *threads,
					  const struct numbers *numbers, struct thread_names *names)
{
	_cleanup_(python_thread_names_deinit) struct python_thread_names known =
		PYTHON_THREAD_NAMES_INIT;
	uint64_t interpreter = 0;
	struct error *err = NULL;
	for (size_t i = threads->num_items; !err && i-- > 0;) {
		const struct python_thread *thread = &threads->items[i];
		if (thread->interpreter != interpreter)
			err = python_thread_names_read(&known, runtime, thread->interpreter);
		if (err)
			break;
		interpreter = thread->interpreter;
		const char *name = python_thread_names_find(&known, thread->id);
		uint32_t tid = name ? numbers_find(numbers, thread->tid) : 0;
		if (tid && !python_names_has(names, tid))
			err = python_names_add(names, tid, name);
	}
	return err;
}

struct error *python_names_read(uint32_t pid, const struct python_runtime *runtime,
				struct thread_names *names)
{
	_cleanup_(python_threads_deinit) struct python_threads threads = PYTHON_THREADS_INIT;
	_cleanup_(numbers_deinit) struct numbers numbers = {0};
	names->num_items = 0;
	struct error *err = numbers_read(pid, &numbers);
	if (!err)
		err = python_threads_read(&threads, runtime, numbers.inside, numbers.num);
	if (!err)
		err = python_names_add_all(runtime, &threads, &numbers, names);
	if (err == &error_no_memory)
		return err;
	error_destroy(err); // it has ended
	return NULL;
}
