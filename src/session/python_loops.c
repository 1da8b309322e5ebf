// SPDX-License-Identifier: Apache-2.0

#include "session/python_loops.h"

#include "base/array.h"
#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

// It has several names, and compilers copy it and put parts of it elsewhere.
enum { MAX_PARTS = 16 };

struct python_loop {
	struct module module;
	bool is_read;
	struct {
		uint64_t start, size;
	} parts[MAX_PARTS];
	size_t num_parts;
};

void python_loops_deinit(struct python_loops *loops)
{
	string_table_deinit(&loops->paths);
	free(loops->items);
	*loops = (struct python_loops)PYTHON_LOOPS_INIT;
}

struct error *python_loops_add(struct python_loops *loops, const struct module *module,
			       uint32_t *ret)
{
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
	struct python_loop loop = {.module = *module};
	loop.module.path = string_table_get(&loops->paths, path);
	*ret = (uint32_t)loops->num_items;
	loops->items[loops->num_items++] = loop;
	return NULL;
}

bool python_loops_is_name(const char *symbol)
{
	// Its name since 2000.
	static const char name[] = "PyEval_EvalFrame";
	return strncmp(symbol + (symbol[0] == '_'), name, strlen(name)) == 0;
}

static void note_symbols(struct python_loop *loop, const struct object_symbol *symbols,
			 size_t num_symbols)
{
	for (size_t i = 0; i < num_symbols && loop->num_parts < MAX_PARTS; i++) {
		if (!python_loops_is_name(symbols[i].name))
			continue;
		loop->parts[loop->num_parts].start = symbols[i].address;
		loop->parts[loop->num_parts++].size = symbols[i].size;
	}
}

/** Without symbols it has no such functions: then native code is shown as what it is. */
static void read_module(struct python_loop *loop, const struct module_file_search *search)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	const struct object_symbol *symbols;
	size_t num_symbols;
	struct error *err = module_file_open(search, &loop->module, &object);
	if (!err)
		err = object_symbols(object, &symbols, &num_symbols);
	if (!err)
		note_symbols(loop, symbols, num_symbols);
	error_destroy(err);
	loop->is_read = true;
}

bool python_loops_hold(struct python_loops *loops, const struct module_file_search *search,
		       uint32_t module, uint64_t address)
{
	struct python_loop *loop = &loops->items[module];
	if (!loop->is_read)
		read_module(loop, search);
	for (size_t i = 0; i < loop->num_parts; i++)
		if (address - loop->parts[i].start < loop->parts[i].size)
			return true;
	return false;
}
