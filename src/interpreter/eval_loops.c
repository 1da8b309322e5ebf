// SPDX-License-Identifier: Apache-2.0

#include "interpreter/eval_loops.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_name.h"
#include "interpreter/interpreter_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Which functions of a file run code is the interpreter's to say (find_loops()); it is asked at the
// first address in the file, as most files of a target have no sample. Only files that are named
// like an interpreter are read, as any program can have a table that looks like one of
// instructions.

// A whole name: [python3.8 interpreter loop].
static const char own_name_end[] = " interpreter loop]";

struct eval_loop {
	const struct interpreter_ops *ops;
	struct module module;
	bool is_read;
	struct eval_loop_ranges ranges;
};

void eval_loops_deinit(struct eval_loops *loops)
{
	string_table_deinit(&loops->paths);
	free(loops->items);
	*loops = (struct eval_loops)EVAL_LOOPS_INIT;
}

const struct interpreter_ops *eval_loops_interpreter_named(const char *path)
{
	for (size_t i = 0; all_interpreters[i]; i++)
		if (all_interpreters[i]->is_named_in(path))
			return all_interpreters[i];
	return NULL;
}

void eval_loops_make_name(const char *path, char ret[static EVAL_LOOPS_NAME_SIZE])
{
	snprintf(ret, EVAL_LOOPS_NAME_SIZE, "[%.200s%s", file_name_of(path), own_name_end);
}

static bool is_own_name(const char *symbol)
{
	size_t length = strlen(symbol), end = strlen(own_name_end);
	return symbol[0] == '[' && length > end && !strcmp(symbol + length - end, own_name_end);
}

bool eval_loops_is_name(const char *symbol)
{
	for (size_t i = 0; all_interpreters[i]; i++)
		if (all_interpreters[i]->is_loop_name(symbol))
			return true;
	return is_own_name(symbol);
}

struct error *eval_loops_add(struct eval_loops *loops, const struct interpreter_ops *ops,
			     const struct module *module, uint32_t *ret)
{
	// A file that several processes have mapped is read once.
	for (size_t i = 0; i < loops->num_items; i++) {
		*ret = (uint32_t)i;
		if (module_is_same(&loops->items[i].module, module))
			return NULL;
	}
	uint32_t path;
	struct error *err = string_table_intern(&loops->paths, module->path, &path);
	if (!err)
		err = array_reserve(&loops->items, &loops->cap_items, loops->num_items + 1);
	if (err)
		return err;
	struct eval_loop loop = {.ops = ops, .module = *module};
	loop.module.path = string_table_get(&loops->paths, path);
	*ret = (uint32_t)loops->num_items;
	loops->items[loops->num_items++] = loop;
	return NULL;
}

static void eval_loops_read_module(struct eval_loop *loop, const struct module_file_search *search)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct error *err = module_file_open(search, &loop->module, &object);
	if (!err)
		loop->ops->find_loops(object, &loop->ranges);
	error_destroy(err);
	loop->is_read = true;
}

const struct eval_loop_ranges *eval_loops_ranges(struct eval_loops *loops, uint32_t module)
{
	struct eval_loop *loop = &loops->items[module];
	if (!loop->is_read)
		eval_loops_read_module(loop, &loops->search);
	return &loop->ranges;
}

bool eval_loop_ranges_hold(const struct eval_loop_ranges *ranges, uint64_t address)
{
	for (size_t i = 0; i < ranges->num_items; i++)
		if (address >= ranges->items[i].start && address < ranges->items[i].end)
			return true;
	return false;
}

bool eval_loops_hold(struct eval_loops *loops, uint32_t module, uint64_t address)
{
	return eval_loop_ranges_hold(eval_loops_ranges(loops, module), address);
}
