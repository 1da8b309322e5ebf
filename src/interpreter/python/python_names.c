// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_names.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/container/bisect.h"
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

/** A thread's number there and here. */
struct number {
	uint32_t inside, here;
};

struct numbers {
	struct number *items; /* by the number inside */
	uint32_t *inside;     /* the same, in this order */
	size_t num;
};

static void numbers_deinit(struct numbers *numbers)
{
	free(numbers->items);
	free(numbers->inside);
}

static int by_number_inside(const void *left, const void *right)
{
	const struct number *a = left, *b = right;
	return (a->inside > b->inside) - (a->inside < b->inside);
}

static struct error *numbers_read(uint32_t pid, struct numbers *ret)
{
	_cleanup_free_ uint32_t *here = NULL;
	struct error *err = process_list_threads(pid, &here, &ret->num);
	if (err)
		return err;
	bool is_hidden = task_number_is_hidden(pid);
	ret->items = calloc(ret->num + 1, sizeof(*ret->items));
	ret->inside = calloc(ret->num + 1, sizeof(*ret->inside));
	if (!ret->items || !ret->inside)
		return &error_no_memory;
	for (size_t i = 0; i < ret->num; i++)
		ret->items[i] = (struct number){
			is_hidden ? task_number_inside(pid, here[i]) : here[i], here[i]};
	qsort(ret->items, ret->num, sizeof(*ret->items), by_number_inside);
	for (size_t i = 0; i < ret->num; i++)
		ret->inside[i] = ret->items[i].inside;
	return NULL;
}

/** 0: the thread has ended. */
static uint32_t numbers_find(const struct numbers *numbers, uint32_t inside)
{
	size_t index = bisect_u32(numbers->inside, numbers->num, sizeof(*numbers->inside), inside);
	bool is_found = index && numbers->inside[index - 1] == inside;
	return is_found ? numbers->items[index - 1].here : 0;
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
	const uint64_t main =
		threads->num_items ? threads->items[threads->num_items - 1].interpreter : 0;
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
		if (tid && (interpreter == main || !python_names_has(names, tid)))
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
