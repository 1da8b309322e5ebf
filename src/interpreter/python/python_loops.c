// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_loops.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_name.h"
#include "interpreter/python/layout/python_opcodes.h"
#include "object/cfi/cfi_pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// python_loops_find() collects two kinds of ranges: symbols that begin with
// _PyEval_EvalFrameDefault (a compiler may split it into parts), and functions that contain targets
// of the table of instructions (interpreter/python/layout/python_opcodes.c), for stripped files and
// for builds with one function per instruction. Where a function begins and ends is in .eh_frame on
// Linux and in the function table on Windows, which stripping leaves. join_parts() sorts and joins
// adjacent ranges, so that looking up an address is a short scan.
//
// Only files that are named like an interpreter are read, as any program can have such a table.

// Since 3.6; others with such a name only call it.
static const char loop_name[] = "_PyEval_EvalFrameDefault";

enum { MAX_NAMED = EVAL_LOOP_MAX_RANGES - PYTHON_NUM_OPCODES };

bool python_loops_may_be_in(const char *path)
{
	const char *name = file_name_of(path);
	return strstr(name, "python") || strstr(name, "pypy");
}

bool python_loops_are_named_in(const char *path)
{
	static const char *const names[] = {"python", "libpython"};
	const char *name = file_name_of(path);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
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

static void note_symbols(const struct object_symbol *symbols, size_t num_symbols,
			 struct eval_loop_ranges *ret)
{
	for (size_t i = 0; i < num_symbols && ret->num_items < MAX_NAMED; i++)
		if (strncmp(symbols[i].name, loop_name, strlen(loop_name)) == 0)
			ret->items[ret->num_items++] = (struct symbolizer_range){
				symbols[i].address, symbols[i].address + symbols[i].size};
}

static size_t find_parts_by_cfi(struct object *object, const uint64_t opcodes[PYTHON_NUM_OPCODES],
				struct symbolizer_range *parts, size_t max)
{
	struct cfi_piece pieces[EVAL_LOOP_MAX_RANGES];
	struct object_bytes bytes = object_section(object, ".eh_frame");
	const struct cfi_section section = {
		.data = bytes.data, .size = bytes.size, .address = bytes.address};
	size_t num = cfi_pieces_find(&section, opcodes, PYTHON_NUM_OPCODES, pieces, max);
	for (size_t i = 0; i < num; i++)
		parts[i] = (struct symbolizer_range){pieces[i].start, pieces[i].end};
	return num;
}

static size_t find_parts_of_windows(struct object *object,
				    const uint64_t opcodes[PYTHON_NUM_OPCODES],
				    struct symbolizer_range *parts, size_t max)
{
	size_t num = 0;
	for (size_t i = 0; i < PYTHON_NUM_OPCODES && num < max; i++) {
		bool is_in_last = num && opcodes[i] < parts[num - 1].end;
		if (!is_in_last &&
		    object_find_function(object, opcodes[i], &parts[num].start, &parts[num].end))
			num++;
	}
	return num;
}

/** Of stripped files, and of those in which the name is that of another one's caller. */
static void note_opcodes(struct object *object, struct eval_loop_ranges *ret)
{
	uint64_t opcodes[PYTHON_NUM_OPCODES];
	if (!python_opcodes_find(object, opcodes))
		return;
	struct symbolizer_range *parts = ret->items + ret->num_items;
	size_t max = EVAL_LOOP_MAX_RANGES - ret->num_items;
	ret->num_items += object_is_windows(object)
				  ? find_parts_of_windows(object, opcodes, parts, max)
				  : find_parts_by_cfi(object, opcodes, parts, max);
}

static int compare_parts(const void *left, const void *right)
{
	const struct symbolizer_range *a = left, *b = right;
	return a->start < b->start ? -1 : a->start > b->start;
}

/** Functions for one instruction each stand side by side; between them is only padding. */
static void join_parts(struct eval_loop_ranges *ranges)
{
	enum { PADDING = 64 };
	size_t num = 0;
	qsort(ranges->items, ranges->num_items, sizeof(*ranges->items), compare_parts);
	for (size_t i = 0; i < ranges->num_items; i++) {
		struct symbolizer_range part = ranges->items[i];
		struct symbolizer_range *before = num ? &ranges->items[num - 1] : NULL;
		if (!before || part.start > before->end + PADDING)
			ranges->items[num++] = part;
		else if (part.end > before->end)
			before->end = part.end;
	}
	ranges->num_items = num;
}

void python_loops_find(struct object *object, struct eval_loop_ranges *ret)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	ret->num_items = 0;
	struct error *err = object_symbols(object, &symbols, &num_symbols);
	if (!err)
		note_symbols(symbols, num_symbols, ret);
	error_destroy(err);
	note_opcodes(object, ret);
	join_parts(ret);
}
