// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/task/python_tasks.h"

#include "base/container/array.h"
#include "interpreter/python/value/python_set.h"
#include "interpreter/python/value/python_string.h"
#include "interpreter/python/value/python_type.h"
#include "interpreter/python/value/python_value.h"

#include <stdlib.h>

// Follows FutureObj and TaskObj of Modules/_asynciomodule.c, whose offsets python_asyncio.c reads.
// A task knows who awaits it: `fut_awaited_by`, one object or a set. A thread state has the head of
// the list of its tasks and the running task.
//
// python_tasks_add_running() builds the tree of the running task and its awaiters, and is used only
// if the same task runs before and after. python_tasks_add_others() builds a tree for each task of
// the list that no tree has yet. add_tree() walks in preorder with a stack on the heap (`pending`)
// instead of recursion: the depth is the target's. A task that is listed already, also because of a
// cycle, becomes one row DUMP_TASK_ELSEWHERE without awaiters. Numbers of rows, awaiters and
// levels have limits, and each cut is noted in `is_cut`.
//
// Classes that imitate tasks can be awaited, too. is_large() compares the size of an object's type
// (tp_basicsize, behind tp_name) with where the last member that is read ends.

enum { NODE_BYTES = 16 };

/** A row that is to be added. */
struct python_task_pending {
	uint64_t address;
	uint32_t depth;
};

/** A tree that grows. */
struct tree {
	struct python_tasks *tasks;
	const struct python_task_place *place;
	bool is_of_running;
};

/** What a future says of itself, and a task besides. */
struct task_head {
	uint64_t awaited_by;
	uint8_t is_task, awaited_by_is_set;
	uint64_t coroutine, name;
};

void python_tasks_deinit(struct python_tasks *tasks)
{
	free(tasks->items);
	free(tasks->frames);
	free(tasks->pending);
	string_builder_deinit(&tasks->names);
	hash_table_deinit(&tasks->index);
	*tasks = (struct python_tasks)PYTHON_TASKS_INIT;
}

void python_tasks_clear(struct python_tasks *tasks)
{
	tasks->num_items = tasks->num_frames = tasks->num_pending = 0;
	tasks->is_cut = false;
	string_builder_clear(&tasks->names);
	hash_table_deinit(&tasks->index);
	tasks->index = (struct hash_table)HASH_TABLE_INIT;
}

static bool has_address(const void *owner, uint32_t index, const void *key)
{
	const struct python_tasks *tasks = owner;
	const uint64_t *address = key;
	return tasks->items[index].address == *address;
}

static bool python_tasks_is_known(const struct python_tasks *tasks, uint64_t address)
{
	return hash_table_find(&tasks->index, hash_bytes(&address, sizeof(address)), has_address,
			       tasks, &address) != HASH_TABLE_NONE;
}

/** Programs may have tasks and futures of their own, in which nothing is where it is in asyncio's:
 *  only objects of these, and of what is derived from them, are as large. */
static bool is_large(const struct python_task_place *place, uint64_t object, uint32_t size)
{
	const struct python_layout *layout = &place->runtime->layout;
	const struct process_memory *memory = &place->runtime->memory;
	uint64_t type, object_size, size_place = layout->type_name + sizeof(uint64_t);
	return process_memory_read_pointer(memory, object + layout->object_type, &type) &&
	       process_memory_read(memory, type + size_place, &object_size, sizeof(object_size)) &&
	       object_size >= size;
}

static bool python_tasks_read_head(const struct python_task_place *place, uint64_t task,
				   struct task_head *ret)
{
	const struct process_memory *memory = &place->runtime->memory;
	const struct python_asyncio *asyncio = place->asyncio;
	*ret = (struct task_head){0};
	const struct process_memory_part parts[] = {
		{task + asyncio->task_is_task, &ret->is_task, 1},
		{task + asyncio->task_awaited_by_is_set, &ret->awaited_by_is_set, 1},
		{task + asyncio->task_awaited_by, &ret->awaited_by, sizeof(ret->awaited_by)},
		// Futures end before these.
		{task + asyncio->task_coroutine, &ret->coroutine, sizeof(ret->coroutine)},
		{task + asyncio->task_name, &ret->name, sizeof(ret->name)},
	};
	if (!is_large(place, task, asyncio->task_awaited_by_is_set + 1) ||
	    !process_memory_read_parts(memory, parts, 3) || ret->is_task > 1 ||
	    ret->awaited_by_is_set > 1)
		return false;
	return !ret->is_task || (is_large(place, task, asyncio->task_node + NODE_BYTES) &&
				 process_memory_read_parts(memory, parts + 3, 2));
}

/** A task that nobody gave a name has its number instead, until it is asked for it. */
static void python_tasks_append_name(const struct python_runtime *runtime, uint64_t name,
				     struct string_builder *names)
{
	enum { MAX_CHARACTERS = 100 };
	struct python_type type;
	bool is_number = python_type_read(runtime, name, &type) && python_type_is(&type, "int");
	if (is_number) {
		string_builder_append(names, "Task-");
		python_value_append(runtime, name, names);
	} else if (!python_string_read(&runtime->memory, &runtime->layout, name, MAX_CHARACTERS,
				       names, NULL)) {
		string_builder_append_char(names, '?');
	}
}

static struct error *python_tasks_add_name(struct tree *tree, const struct task_head *head,
					   struct python_task *task)
{
	struct string_builder *names = &tree->tasks->names;
	task->name = names->length;
	if (head->is_task)
		python_tasks_append_name(tree->place->runtime, head->name, names);
	string_builder_append_n(names, "", 1);
	return names->failed ? &error_no_memory : NULL;
}

static struct error *python_tasks_add_frames(struct tree *tree, uint64_t coroutine,
					     struct python_task *task)
{
	struct python_tasks *tasks = tree->tasks;
	struct error *err = array_reserve(&tasks->frames, &tasks->cap_frames,
					  tasks->num_frames + PYTHON_TASKS_MAX_FRAMES);
	if (err)
		return err;
	task->first_frame = tasks->num_frames;
	task->end = python_coroutine_read(tree->place->runtime, coroutine,
					  tasks->frames + tasks->num_frames,
					  PYTHON_TASKS_MAX_FRAMES, &task->num_frames);
	tasks->num_frames += task->num_frames;
	return NULL;
}

static struct error *python_tasks_push(struct python_tasks *tasks, uint64_t address, uint32_t depth)
{
	struct error *err =
		array_reserve(&tasks->pending, &tasks->cap_pending, tasks->num_pending + 1);
	if (!err)
		tasks->pending[tasks->num_pending++] = (struct python_task_pending){address, depth};
	return err;
}

/** @awaiters: PYTHON_TASKS_MAX_AWAITERS. @ret_is_cut: there are more. */
static size_t read_awaiters(const struct python_runtime *runtime, const struct task_head *head,
			    uint64_t *awaiters, bool *ret_is_cut)
{
	struct python_set set;
	*ret_is_cut = false;
	if (!head->awaited_by)
		return 0;
	if (!head->awaited_by_is_set) {
		awaiters[0] = head->awaited_by;
		return 1;
	}
	size_t num = 0;
	if (python_set_read(runtime, head->awaited_by, &set))
		while (num < PYTHON_TASKS_MAX_AWAITERS && num < set.num_used &&
		       python_set_next(runtime, &set, &awaiters[num]))
			num++;
	else
		set.num_used = 1;
	*ret_is_cut = num < set.num_used;
	return num;
}

static struct error *push_awaiters(struct tree *tree, const struct task_head *head,
				   struct python_task *task)
{
	uint64_t awaiters[PYTHON_TASKS_MAX_AWAITERS];
	size_t num = read_awaiters(tree->place->runtime, head, awaiters, &task->is_cut);
	if (task->depth == PYTHON_TASKS_MAX_DEPTH) {
		task->is_cut = num > 0;
		return NULL;
	}
	struct error *err = NULL;
	while (!err && num-- > 0) // the first one is taken first
		err = python_tasks_push(tree->tasks, awaiters[num], task->depth + 1);
	return err;
}

static enum dump_task_kind python_tasks_kind_of(const struct tree *tree,
						const struct task_head *head,
						const struct python_task *task)
{
	bool is_listed = head->is_task && task->depth && !tree->is_of_running;
	if (is_listed || python_tasks_is_known(tree->tasks, task->address))
		return DUMP_TASK_ELSEWHERE;
	if (!head->is_task)
		return DUMP_TASK_FUTURE;
	return tree->is_of_running && !task->depth ? DUMP_TASK_RUNS : DUMP_TASK_WAITS;
}

static struct error *fill_row(struct tree *tree, struct python_task *task)
{
	struct task_head head = {0};
	bool is_there = python_tasks_read_head(tree->place, task->address, &head);
	struct error *err = python_tasks_add_name(tree, &head, task);
	if (err)
		return err;
	task->kind = is_there ? python_tasks_kind_of(tree, &head, task) : DUMP_TASK_GONE;
	if (task->kind == DUMP_TASK_WAITS)
		err = python_tasks_add_frames(tree, head.coroutine, task);
	if (!err && task->kind != DUMP_TASK_ELSEWHERE && is_there)
		err = push_awaiters(tree, &head, task);
	return err;
}

static struct error *python_tasks_add_row(struct tree *tree,
					  const struct python_task_pending *pending)
{
	struct python_tasks *tasks = tree->tasks;
	struct python_task task = {.address = pending->address, .depth = pending->depth};
	struct error *err = array_reserve(&tasks->items, &tasks->cap_items, tasks->num_items + 1);
	if (!err)
		err = fill_row(tree, &task);
	if (err)
		return err;
	uint32_t index = (uint32_t)tasks->num_items;
	tasks->items[tasks->num_items++] = task;
	if (task.kind == DUMP_TASK_ELSEWHERE || python_tasks_is_known(tasks, task.address))
		return NULL;
	return hash_table_insert(&tasks->index, hash_bytes(&task.address, sizeof(task.address)),
				 index);
}

static struct error *add_tree(struct tree *tree, uint64_t root)
{
	struct python_tasks *tasks = tree->tasks;
	tasks->num_pending = 0;
	struct error *err = python_tasks_push(tasks, root, 0);
	while (!err && tasks->num_pending && !tasks->is_cut) {
		struct python_task_pending pending = tasks->pending[--tasks->num_pending];
		if (tasks->num_items == PYTHON_TASKS_MAX)
			tasks->is_cut = true;
		else
			err = python_tasks_add_row(tree, &pending);
	}
	return err;
}

/** 0: none. */
static bool python_tasks_read_running(const struct python_task_place *place, uint64_t *ret)
{
	return process_memory_read(&place->runtime->memory,
				   place->thread + place->asyncio->thread_running_task, ret,
				   sizeof(*ret));
}

/** Does it run in one of these frames? What is none of Python's code cannot be told. */
static bool runs_in(const struct python_task_place *place, const struct task_head *head,
		    const uint64_t *addresses, size_t num_addresses)
{
	uint64_t frame;
	if (!python_coroutine_frame(place->runtime, head->coroutine, &frame))
		return true;
	for (size_t i = 0; i < num_addresses; i++)
		if (addresses[i] == frame)
			return true;
	return false;
}

// Tasks that wait for one that runs stand still as long as it runs.
struct error *python_tasks_add_running(struct python_tasks *tasks,
				       const struct python_task_place *place,
				       const uint64_t *addresses, size_t num_addresses,
				       bool *ret_is_steady)
{
	struct tree tree = {tasks, place, true};
	struct task_head head;
	uint64_t task = 0, task_after = 0;
	*ret_is_steady = false;
	if (!python_tasks_read_running(place, &task))
		return NULL;
	bool is_ours = task && python_tasks_read_head(place, task, &head) && head.is_task;
	if (is_ours && !runs_in(place, &head, addresses, num_addresses))
		return NULL;
	struct error *err = is_ours ? add_tree(&tree, task) : NULL;
	if (err)
		return err;
	*ret_is_steady = python_tasks_read_running(place, &task_after) && task == task_after;
	if (!*ret_is_steady)
		python_tasks_clear(tasks);
	return NULL;
}

/** @ret: 0 at the end. False: it cannot be read. */
static bool python_tasks_read_next(const struct python_task_place *place, uint64_t node,
				   uint64_t *ret)
{
	uint64_t head = place->thread + place->asyncio->thread_tasks;
	if (!process_memory_read_pointer(&place->runtime->memory,
					 node + place->runtime->layout.node_next, ret))
		return false;
	*ret = *ret == head ? 0 : *ret;
	return true;
}

struct error *python_tasks_add_others(struct python_tasks *tasks,
				      const struct python_task_place *place)
{
	struct tree tree = {tasks, place, false};
	uint64_t node = place->thread + place->asyncio->thread_tasks;
	struct error *err = NULL;
	bool is_whole = python_tasks_read_next(place, node, &node);
	for (size_t i = 0; !err && is_whole && node && !tasks->is_cut; i++) {
		uint64_t task = node - place->asyncio->task_node;
		if (!python_tasks_is_known(tasks, task))
			err = add_tree(&tree, task);
		is_whole = i < PYTHON_TASKS_MAX && python_tasks_read_next(place, node, &node);
	}
	tasks->is_cut = tasks->is_cut || !is_whole;
	return err;
}
