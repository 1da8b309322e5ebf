// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_processes.h"

#include "base/container/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// interpreted_processes_note() follows the processes. A mapped file with the name of an interpreter
// is opened by its ops (look_into()), and what they find in it is the process's interpreter; a fork
// copies the parent's; exec and exit end it.
//
// A target chooses the names and number of its files. may_open() bounds the files that are opened
// in vain, and a budget in the context the line tables of all processes.

enum {
	MAX_VAIN = 256, // a program chooses the names of its files, and how many there are
};

struct interpreted_processes {
	struct interpreter_context context;
	struct interpreted_process **items; /* each keeps its address */
	size_t num_items, cap_items;
	uint32_t vain[MAX_VAIN]; /* modules that were opened and have no interpreter to read */
	size_t num_vain;
};

/** Of each interpreter a place for frames without code: its number is that of the row. */
static struct error *add_unknown_places(struct code_places *places)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && all_interpreters[i]; i++) {
		char name[64];
		snprintf(name, sizeof(name), "[unknown %s]", all_interpreters[i]->language->name);
		const struct line_image_line line = {.function = name, .file = ""};
		uint64_t place;
		err = code_places_add(places, &line, &place);
	}
	return err;
}

struct error *interpreted_processes_create(const struct interpreted_extras *extras,
					   struct eval_loops *loops,
					   struct interpreted_processes **ret)
{
	struct interpreted_processes *processes = calloc(1, sizeof(*processes));
	if (!processes)
		return &error_no_memory;
	processes->context.loops = loops;
	processes->context.by_task = extras->by_task;
	processes->context.with_raises = extras->with_raises;
	struct error *err = code_places_create(&processes->context.places);
	if (!err)
		err = add_unknown_places(processes->context.places);
	if (err) {
		interpreted_processes_destroy(processes);
		return err;
	}
	*ret = processes;
	return NULL;
}

void interpreted_processes_set_source(struct interpreted_processes *processes,
				      struct source *source)
{
	processes->context.source = source;
}

void interpreted_processes_destroy(struct interpreted_processes *processes)
{
	if (!processes)
		return;
	for (size_t i = 0; i < processes->num_items; i++)
		interpreted_process_end(processes->items[i]);
	free(processes->items);
	code_places_destroy(processes->context.places);
	string_builder_deinit(&processes->context.notes);
	string_table_deinit(&processes->context.task_names);
	string_table_deinit(&processes->context.type_names);
	free(processes);
}

/**
 * The one that was asked for last stands first, and the others stay in this order: a sample asks
 * several times, and those of a few processes take turns.
 */
struct interpreted_process *interpreted_processes_find(struct interpreted_processes *processes,
						       uint32_t pid)
{
	struct interpreted_process **items = processes->items;
	for (size_t i = 0; i < processes->num_items; i++) {
		struct interpreted_process *process = items[i];
		if (process->pid != pid)
			continue;
		memmove(items + 1, items, i * sizeof(*items));
		items[0] = process;
		return process;
	}
	return NULL;
}

static void interpreted_processes_forget(struct interpreted_processes *processes, uint32_t pid)
{
	struct interpreted_process **items = processes->items;
	for (size_t i = 0; i < processes->num_items; i++) {
		struct interpreted_process *process = items[i];
		if (process->pid != pid)
			continue;
		memmove(items + i, items + i + 1, (--processes->num_items - i) * sizeof(*items));
		interpreted_process_end(process);
		return;
	}
}

/** Takes over the process. */
static struct error *interpreted_processes_add(struct interpreted_processes *processes,
					       struct interpreted_process *process)
{
	struct error *err =
		array_reserve(&processes->items, &processes->cap_items, processes->num_items + 1);
	if (err)
		process->ops->destroy(process);
	else
		processes->items[processes->num_items++] = process;
	return err;
}

static bool is_vain(const struct interpreted_processes *processes, uint32_t module)
{
	for (size_t i = 0; i < processes->num_vain; i++)
		if (processes->vain[i] == module)
			return true;
	return false;
}

/** May one more file be opened? One that was in vain may: another process may be further. */
static bool may_open(struct interpreted_processes *processes, const struct interpreter_ops *ops,
		     uint32_t module)
{
	if (processes->num_vain < MAX_VAIN || is_vain(processes, module))
		return true;
	char note[256];
	snprintf(note, sizeof(note),
		 "note: no %s lines of some processes: more than %d files have an interpreter's "
		 "name, but no interpreter that wperf can read\n",
		 ops->language->name, MAX_VAIN);
	interpreter_context_note(&processes->context, note);
	return false;
}

static void note_vain(struct interpreted_processes *processes, uint32_t module)
{
	if (!is_vain(processes, module))
		processes->vain[processes->num_vain++] = module;
}

/** @row: of the interpreter that is looked for. @ret: unchanged if the module has none. */
static struct error *look_into(struct interpreted_processes *processes, size_t row,
			       const struct process *process, const struct mapping *mapping,
			       const struct module *module, struct interpreted_process **ret)
{
	const struct interpreter_ops *ops = all_interpreters[row];
	struct interpreted_process *found;
	struct error *err = ops->attach(&processes->context, process, mapping, module, &found);
	if (err) {
		note_vain(processes, mapping->module);
		return interpreter_context_complain(&processes->context, ops, err);
	}
	found->ops = ops;
	found->context = &processes->context;
	found->pid = process->pid;
	found->unknown = row;
	err = interpreted_processes_add(processes, found);
	if (!err)
		*ret = found;
	return err;
}

static struct error *note_map(struct interpreted_processes *processes, struct process_table *table,
			      const struct record *record, struct interpreted_process **ret)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && !*ret && all_interpreters[i]; i++) {
		const struct interpreter_ops *ops = all_interpreters[i];
		if (!ops->may_be_in(record->map.path) ||
		    interpreted_processes_find(processes, record->pid))
			continue;
		struct process *process;
		err = process_table_process(table, record->pid, &process);
		const struct mapping *mapping =
			err ? NULL : process_find_mapping(process, record->map.start);
		if (mapping && may_open(processes, ops, mapping->module))
			err = look_into(processes, i, process, mapping,
					&table->modules.items[mapping->module], ret);
	}
	return err;
}

/** Where tasks are may be in a module that was mapped before the interpreter, or much later. @ret:
 *  the process, if the walk over its frames has changed. */
static struct error *note_modules(struct interpreted_processes *processes,
				  struct process_table *table, const struct record *record,
				  struct interpreted_process **ret)
{
	struct interpreted_process *found =
		processes->context.by_task ? interpreted_processes_find(processes, record->pid)
					   : NULL;
	if (!found || !found->ops->note_module)
		return NULL;
	struct process *process;
	struct error *err = process_table_process(table, record->pid, &process);
	if (err)
		return err;
	size_t num_maps;
	const struct mapping *maps = process_mappings(process, &num_maps);
	if (*ret != found) {
		maps = process_find_mapping(process, record->map.start);
		num_maps = maps ? 1 : 0;
	}
	for (size_t i = 0; i < num_maps; i++) {
		const struct module *module = &table->modules.items[maps[i].module];
		if (module->kind == MODULE_FILE && found->ops->note_module(found, &maps[i], module))
			*ret = found;
	}
	return NULL;
}

/** A child has its parent's interpreter, at the same place. Walks know that by themselves. */
static struct error *note_fork(struct interpreted_processes *processes, const struct record *record)
{
	struct interpreted_process *parent = interpreted_processes_find(processes,
									record->task.parent_pid),
				   *child;
	if (!parent || record->pid == record->task.parent_pid ||
	    interpreted_processes_find(processes, record->pid))
		return NULL;
	struct error *err = parent->ops->fork(parent, record->pid, &child);
	if (err)
		return err;
	child->ops = parent->ops;
	child->context = parent->context;
	child->pid = record->pid;
	child->loops = parent->loops;
	child->bias = parent->bias;
	child->unknown = parent->unknown;
	err = interpreted_processes_add(processes, child);
	if (!err)
		interpreted_process_set_parent(child, parent);
	return err;
}

struct error *interpreted_processes_note(struct interpreted_processes *processes,
					 struct process_table *table, const struct record *record,
					 struct interpreter_change *ret)
{
	struct interpreted_process *found = NULL;
	struct error *err = NULL;
	*ret = (struct interpreter_change){.pid = record->pid};
	switch (record->kind) {
	case RECORD_MAP:
		if (record->map.is_executable)
			err = note_map(processes, table, record, &found);
		if (!err && record->map.is_executable)
			err = note_modules(processes, table, record, &found);
		break;
	case RECORD_FORK:
		return note_fork(processes, record);
	case RECORD_COMM:
		if (record->comm.is_exec)
			found = interpreted_processes_find(processes, record->pid);
		if (found) {
			ret->is_changed = true;
			ret->ops = found->ops;
			interpreted_processes_forget(processes, record->pid);
		}
		return NULL;
	case RECORD_EXIT:
		if (record->pid == record->tid)
			interpreted_processes_forget(processes, record->pid);
		return NULL;
	default:
		return NULL;
	}
	// If its layout has to be checked first, interpreted_process_check() reports the change.
	if (found && interpreted_process_is_trusted(found)) {
		ret->is_changed = true;
		ret->ops = found->ops;
		ret->process = found;
	}
	return err;
}

const struct code_places *interpreted_processes_places(
	const struct interpreted_processes *processes)
{
	return processes->context.places;
}

const char *interpreted_processes_notes(const struct interpreted_processes *processes)
{
	return string_builder_peek(&processes->context.notes);
}

uint64_t interpreted_processes_num_unnamed(const struct interpreted_processes *processes)
{
	return processes->context.num_unnamed;
}
