// SPDX-License-Identifier: Apache-2.0

#include "session/python_loops.h"

#include "base/array.h"
#include "base/cleanup.h"
#include "python/python_opcodes.h"
#include "unwind/cfi_pieces.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_NAMED = 16, // compilers put parts of it elsewhere
	MAX_PARTS = MAX_NAMED + PYTHON_NUM_OPCODES,
};

// Since 3.6; others with such a name only call it.
static const char loop_name[] = "_PyEval_EvalFrameDefault";

struct python_loop {
	struct module module;
	bool is_read;
	struct cfi_piece parts[MAX_PARTS]; /* by address */
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
	// Its name since 2000; since 3.14 each instruction may have a function.
	static const char *const names[] = {"PyEval_EvalFrame", "_PyEval_EvalFrame", "_TAIL_CALL_"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(symbol, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void note_symbols(struct python_loop *loop, const struct object_symbol *symbols,
			 size_t num_symbols)
{
	for (size_t i = 0; i < num_symbols && loop->num_parts < MAX_NAMED; i++)
		if (strncmp(symbols[i].name, loop_name, strlen(loop_name)) == 0)
			loop->parts[loop->num_parts++] = (struct cfi_piece){
				symbols[i].address, symbols[i].address + symbols[i].size};
}

static size_t find_pieces_by_cfi(struct object *object, const uint64_t opcodes[PYTHON_NUM_OPCODES],
				 struct cfi_piece *pieces, size_t max)
{
	struct object_bytes bytes = object_section(object, ".eh_frame");
	const struct cfi_section section = {
		.data = bytes.data, .size = bytes.size, .address = bytes.address};
	return cfi_pieces_find(&section, opcodes, PYTHON_NUM_OPCODES, pieces, max);
}

static size_t find_pieces_of_windows(struct object *object,
				     const uint64_t opcodes[PYTHON_NUM_OPCODES],
				     struct cfi_piece *pieces, size_t max)
{
	size_t num = 0;
	for (size_t i = 0; i < PYTHON_NUM_OPCODES && num < max; i++) {
		bool is_in_last = num && opcodes[i] < pieces[num - 1].end;
		if (!is_in_last &&
		    object_find_function(object, opcodes[i], &pieces[num].start, &pieces[num].end))
			num++;
	}
	return num;
}

/** Of stripped files, and of those in which the name is that of another one's caller. */
static void note_opcodes(struct python_loop *loop, struct object *object)
{
	uint64_t opcodes[PYTHON_NUM_OPCODES];
	if (!python_opcodes_find(object, opcodes))
		return;
	struct cfi_piece *pieces = loop->parts + loop->num_parts;
	size_t max = MAX_PARTS - loop->num_parts;
	loop->num_parts += object_is_windows(object)
				   ? find_pieces_of_windows(object, opcodes, pieces, max)
				   : find_pieces_by_cfi(object, opcodes, pieces, max);
}

static int compare_parts(const void *left, const void *right)
{
	const struct cfi_piece *a = left, *b = right;
	return a->start < b->start ? -1 : a->start > b->start;
}

/** Functions for one instruction each stand side by side; between them is only padding. */
static void join_parts(struct python_loop *loop)
{
	enum { PADDING = 64 };
	size_t num = 0;
	qsort(loop->parts, loop->num_parts, sizeof(*loop->parts), compare_parts);
	for (size_t i = 0; i < loop->num_parts; i++) {
		struct cfi_piece part = loop->parts[i];
		struct cfi_piece *before = num ? &loop->parts[num - 1] : NULL;
		if (!before || part.start > before->end + PADDING)
			loop->parts[num++] = part;
		else if (part.end > before->end)
			before->end = part.end;
	}
	loop->num_parts = num;
}

/** What has neither has no such functions: then native code is shown as what it is. */
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
	if (object)
		note_opcodes(loop, object);
	join_parts(loop);
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
		if (address >= loop->parts[i].start && address < loop->parts[i].end)
			return true;
	return false;
}
