// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_code.h"

#include "base/byte_order.h"
#include "base/container/array.h"
#include "interpreter/python/value/python_string.h"
#include "process/memory/memory_pieces.h"

#include <string.h>

// Follows PyCodeObject (Include/cpython/code.h). python_code_table_find() looks a code object up by
// address and version; at the first look-up, python_code_read() copies its head, interns the
// names, copies the line table, and reads the head again. If type, version or the pointer to the
// line table changed meanwhile, the code object was freed, and the result is "gone" and not a wrong
// name. python_code_table_find_copied() reads the same out of what the walk has copied.
//
// python_code_offset() converts what a frame has into an offset of the bytecode: up to 3.10 an
// index (f_lasti, in 3.10 in units of two bytes), later a pointer into the bytecode. Free-threaded
// builds since 3.14 give each thread its own copy of the bytecode (co_tlbc), in which the pointer
// lies; find_copy() caches where the copies begin.

enum {
	MAX_LINES_BYTES = 64 << 20,
	LINES_PIECE = 64 << 10,
	MAX_LINE = INT32_MAX,
	CODE_IS_COROUTINE = 0x80, // CO_COROUTINE, CO_ITERABLE_COROUTINE of Include/code.h
	CODE_IS_ITERABLE_COROUTINE = 0x100,
};

struct code_key {
	uint64_t address;
	uint32_t version;
};

/** What is read of a code object in one go. */
struct code_bytes {
	uint8_t bytes[PYTHON_LAYOUT_CODE_BYTES];
};

static uint64_t python_code_word_at(const struct code_bytes *code, uint32_t offset)
{
	return byte_order_load64(code->bytes + offset, false);
}

static uint32_t half_at(const struct code_bytes *code, uint32_t offset)
{
	return byte_order_load32(code->bytes + offset, false);
}

void python_code_table_init(struct python_code_table *table, const struct python_runtime *runtime,
			    struct code_budget *budget)
{
	*table = (struct python_code_table){.runtime = runtime, .budget = budget};
}

void python_code_table_deinit(struct python_code_table *table)
{
	arena_deinit(&table->arena);
	string_table_deinit(&table->strings);
	hash_table_deinit(&table->index);
	hash_table_deinit(&table->copy_index);
	free(table->items);
	free(table->copies);
	if (table->budget)
		table->budget->used -= table->lines_bytes;
	*table = (struct python_code_table){0};
}

static bool python_code_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct python_code_table *table = owner;
	const struct code_key *wanted = key;
	return table->items[index].address == wanted->address &&
	       table->items[index].version == wanted->version;
}

static uint64_t hash_key(const struct code_key *key)
{
	const uint64_t words[] = {key->address, key->version};
	return hash_bytes(words, sizeof(words));
}

/** @ret_there: false if there is no string. */
static struct error *intern_text(struct python_code_table *table,
				 const struct process_memory *memory, uint64_t address,
				 uint32_t *ret, bool *ret_there)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	*ret_there = python_string_read(memory, &table->runtime->layout, address, PYTHON_STRING_MAX,
					&text, NULL);
	if (!*ret_there)
		return NULL;
	if (text.failed)
		return &error_no_memory;
	return string_table_intern_n(&table->strings, string_builder_peek(&text), text.length, ret);
}

static bool take_budget(struct python_code_table *table, uint64_t size)
{
	struct code_budget *budget = table->budget;
	bool is_enough = size <= CODE_BUDGET_BYTES - budget->used;
	if (is_enough) {
		budget->used += size;
		table->lines_bytes += size;
	} else {
		budget->num_cuts++;
	}
	return is_enough;
}

/** What could not be read takes no memory. */
static void return_budget(struct python_code_table *table, uint64_t size)
{
	table->budget->used -= size;
	table->lines_bytes -= size;
}

/**
 * The size is what the process says: memory is set aside for what is read, not for what is said.
 * @bytes, @num: appended to, up to the first byte that cannot be read.
 */
static struct error *read_said(const struct process_memory *memory, uint64_t address, size_t size,
			       uint8_t **bytes, size_t *num)
{
	size_t capacity = 0;
	while (*num < size) {
		size_t piece = size - *num < LINES_PIECE ? size - *num : LINES_PIECE;
		struct error *err = array_reserve(bytes, &capacity, *num + piece);
		if (err)
			return err;
		size_t got = memory->read(memory->context, address + *num, *bytes + *num, piece);
		*num += got;
		if (got < piece)
			break;
	}
	return NULL;
}

/** A table that is gone, too large to be one or over the budget leaves the lines empty. */
static struct error *python_code_read_lines(struct python_code_table *table,
					    const struct process_memory *memory, uint64_t object,
					    struct python_lines *lines)
{
	const struct python_layout *layout = &table->runtime->layout;
	uint64_t size;
	if (!object ||
	    !process_memory_read(memory, object + layout->bytes_size, &size, sizeof(size)) ||
	    size > MAX_LINES_BYTES || !take_budget(table, size))
		return NULL;
	_cleanup_free_ uint8_t *read = NULL;
	size_t num = 0;
	struct error *err =
		read_said(memory, object + layout->bytes_data, (size_t)size, &read, &num);
	if (err)
		return err;
	return_budget(table, size - num);
	uint8_t *bytes = arena_alloc(&table->arena, num);
	if (!bytes)
		return &error_no_memory;
	if (num)
		memcpy(bytes, read, num);
	lines->bytes = bytes;
	lines->size = num;
	return NULL;
}

/** Is it still the code object that the walk saw? */
static bool python_code_is_wanted(const struct python_runtime *runtime,
				  const struct code_bytes *bytes, uint32_t version)
{
	const struct python_layout *layout = &runtime->layout;
	if (runtime->code_type &&
	    python_code_word_at(bytes, layout->object_type) != runtime->code_type)
		return false;
	if (!layout->code_head)
		return !layout->code_version || half_at(bytes, layout->code_version) == version;
	uint64_t head[PYTHON_WALK_HEAD_WORDS];
	for (uint32_t i = 0; i < PYTHON_WALK_HEAD_WORDS; i++)
		head[i] = python_code_word_at(bytes, layout->code_head + 8 * i);
	return python_walk_mix_head(head) == version;
}

static struct error *python_code_read_names(struct python_code_table *table,
					    const struct process_memory *memory,
					    const struct code_bytes *bytes,
					    struct python_code *code, bool *ret_there)
{
	const struct python_layout *layout = &table->runtime->layout;
	struct error *err =
		intern_text(table, memory, python_code_word_at(bytes, layout->code_name),
			    &code->name, ret_there);
	if (!err && *ret_there)
		err = intern_text(table, memory, python_code_word_at(bytes, layout->code_file),
				  &code->file, ret_there);
	code->qualified_name = code->name;
	if (!err && *ret_there && layout->code_qualified_name)
		err = intern_text(table, memory,
				  python_code_word_at(bytes, layout->code_qualified_name),
				  &code->qualified_name, ret_there);
	return err;
}

// What the code object was is known only if it is the same at the end.
static struct error *python_code_read(struct python_code_table *table,
				      const struct process_memory *memory, struct python_code *code,
				      bool *ret_there)
{
	const struct python_runtime *runtime = table->runtime;
	const struct python_layout *layout = &runtime->layout;
	struct code_bytes bytes, again;
	uint32_t size = python_layout_code_bytes(layout);
	*ret_there = process_memory_read(memory, code->address, bytes.bytes, size) &&
		     python_code_is_wanted(runtime, &bytes, code->version);
	if (!*ret_there)
		return NULL;
	uint32_t first_line = half_at(&bytes, layout->code_first_line);
	code->lines = (struct python_lines){
		.format = layout->lines_format,
		.first_line = first_line <= MAX_LINE ? first_line : 0,
	};
	struct error *err = python_code_read_names(table, memory, &bytes, code, ret_there);
	if (!err && *ret_there)
		err = python_code_read_lines(table, memory,
					     python_code_word_at(&bytes, layout->code_lines),
					     &code->lines);
	code->last_line = python_lines_last(&code->lines);
	code->is_coroutine = half_at(&bytes, python_layout_code_flags(layout)) &
			     (CODE_IS_COROUTINE | CODE_IS_ITERABLE_COROUTINE);
	if (err || !*ret_there)
		return err;
	*ret_there = process_memory_read(memory, code->address, again.bytes, size) &&
		     python_code_is_wanted(runtime, &again, code->version) &&
		     python_code_word_at(&again, layout->code_lines) ==
			     python_code_word_at(&bytes, layout->code_lines);
	return NULL;
}

/** @memory: that of the process, or a copy. */
static struct error *add_code(struct python_code_table *table, const struct process_memory *memory,
			      const struct code_key *key, uint32_t *ret)
{
	struct python_code code = {.address = key->address, .version = key->version};
	bool is_there;
	struct error *err = array_reserve(&table->items, &table->cap_items, table->num_items + 1);
	if (!err)
		err = python_code_read(table, memory, &code, &is_there);
	if (err)
		return err;
	if (!is_there) {
		*ret = PYTHON_CODE_NONE;
		return NULL;
	}
	uint32_t index = (uint32_t)table->num_items;
	err = hash_table_insert(&table->index, hash_key(key), index);
	if (err)
		return err;
	table->items[table->num_items++] = code;
	*ret = index;
	return NULL;
}

struct error *python_code_table_find(struct python_code_table *table,
				     const struct interpreted_frame *frame, uint32_t *ret)
{
	const struct code_key key = {frame->code, frame->version};
	uint32_t index =
		hash_table_find(&table->index, hash_key(&key), python_code_has_key, table, &key);
	*ret = index;
	if (index != HASH_TABLE_NONE)
		return NULL;
	struct error *err = add_code(table, &table->runtime->memory, &key, ret);
	table->num_gone += !err && *ret == PYTHON_CODE_NONE;
	return err;
}

struct error *python_code_table_find_copied(struct python_code_table *table,
					    const struct interpreted_frame *frame,
					    const struct object_copy *copy, uint32_t *ret)
{
	const struct code_key key = {frame->code, frame->version};
	struct memory_piece items[OBJECT_COPY_MAX_PARTS];
	struct memory_pieces pieces = {items, OBJECT_COPY_MAX_PARTS};
	for (size_t i = 0; i < OBJECT_COPY_MAX_PARTS; i++) {
		const struct object_copy_part *part = &copy->parts[i];
		bool is_sound = part->size <= sizeof(part->bytes);
		items[i] = (struct memory_piece){part->address, part->bytes,
						 is_sound ? part->size : 0};
	}
	const struct process_memory memory = memory_pieces_memory(&pieces);
	return add_code(table, &memory, &key, ret);
}

/** Where the copy begins that a thread runs; 0 if that is not known. */
static uint64_t read_copy(const struct python_runtime *runtime, const struct python_code *code,
			  uint32_t index)
{
	uint64_t array, num, start;
	if (!process_memory_read_pointer(&runtime->memory,
					 code->address + runtime->layout.code_tlbc, &array) ||
	    !process_memory_read(&runtime->memory, array, &num, sizeof(num)) || index >= num ||
	    !process_memory_read_pointer(&runtime->memory, array + 8 + 8 * (uint64_t)index, &start))
		return 0;
	return start;
}

static bool is_copy(const void *owner, uint32_t index, const void *key)
{
	const struct python_code_table *table = owner;
	const struct python_code_copy *wanted = key;
	return table->copies[index].code == wanted->code &&
	       table->copies[index].thread == wanted->thread;
}

/**
 * Copies stay where they are as long as the code object lives. Only pairs that a frame had are
 * kept: the numbers of the threads come from the process.
 */
static uint64_t find_copy(struct python_code_table *table, uint32_t code, uint32_t thread)
{
	struct python_code_copy copy = {.code = code, .thread = thread};
	const uint32_t words[] = {code, thread};
	uint64_t hash = hash_bytes(words, sizeof(words));
	uint32_t index = hash_table_find(&table->copy_index, hash, is_copy, table, &copy);
	if (index != HASH_TABLE_NONE)
		return table->copies[index].start;
	copy.start = read_copy(table->runtime, &table->items[code], thread);
	struct error *err =
		array_reserve(&table->copies, &table->cap_copies, table->num_copies + 1);
	if (!err)
		err = hash_table_insert(&table->copy_index, hash, (uint32_t)table->num_copies);
	if (err) // Without memory it is read again the next time.
		error_destroy(err);
	else
		table->copies[table->num_copies++] = copy;
	return copy.start;
}

int64_t python_code_offset(struct python_code_table *table, uint32_t index,
			   const struct interpreted_frame *frame)
{
	enum { UNIT = 2 };
	const struct python_layout *layout = &table->runtime->layout;
	struct python_code *code = &table->items[index];
	if (layout->kind == PYTHON_WALK_INDEX) {
		int64_t last = (int32_t)frame->instruction;
		// In 3.10 it is counted in instructions.
		return last < 0                                      ? -1
		       : layout->lines_format == PYTHON_LINES_RANGES ? last * UNIT
								     : last;
	}
	uint64_t start = code->address + layout->code_bytecode;
	if (layout->code_tlbc && frame->tlbc)
		start = find_copy(table, index, frame->tlbc);
	return start && frame->instruction >= start && frame->instruction - start <= MAX_LINES_BYTES
		       ? (int64_t)(frame->instruction - start)
		       : -1;
}

struct code_position python_code_position(struct python_code_table *table, uint32_t index,
					  const struct interpreted_frame *frame)
{
	return python_lines_find(&table->items[index].lines,
				 python_code_offset(table, index, frame));
}
