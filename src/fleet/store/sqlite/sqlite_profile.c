// SPDX-License-Identifier: Apache-2.0
// What is missing, or out of range, is an error: the file is damaged, and sums without some of
// their stacks would be wrong.

#include "fleet/store/sqlite/sqlite_profile.h"

#include "base/container/array.h"
#include "fleet/store/sqlite/sqlite_names.h"

#include <stdlib.h>

void sqlite_profile_deinit(struct sqlite_profile *work)
{
	struct sqlite_profile_map *const maps[] = {&work->strings, &work->modules, &work->functions,
						   &work->frames};
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		hash_table_deinit(&maps[i]->index);
		free(maps[i]->rows);
	}
	free(work->path);
	free(work->frame_items);
	*work = (struct sqlite_profile){0};
}

static bool sqlite_profile_has_number(const void *owner, uint32_t index, const void *key)
{
	const struct sqlite_profile_map *map = owner;
	return map->rows[index].number == *(const int64_t *)key;
}

static const struct sqlite_profile_row *sqlite_profile_find(const struct sqlite_profile_map *map,
							    int64_t number)
{
	uint32_t found = hash_table_find(&map->index, (uint64_t)number, sqlite_profile_has_number,
					 map, &number);
	return found == HASH_TABLE_NONE ? NULL : &map->rows[found];
}

static struct error *sqlite_profile_keep(struct sqlite_profile_map *map,
					 struct sqlite_profile_row row)
{
	struct error *err = array_reserve(&map->rows, &map->cap_rows, map->num_rows + 1);
	if (!err)
		err = hash_table_insert(&map->index, (uint64_t)row.number, (uint32_t)map->num_rows);
	if (!err)
		map->rows[map->num_rows++] = row;
	return err;
}

/** The numbers of a row, which must be there. */
static struct error *sqlite_profile_read(struct sqlite_file *file, enum sqlite_statement statement,
					 int64_t number, int64_t *ret, size_t num_columns)
{
	bool has_row = false;
	struct error *err = sqlite_file_start_numbers(file, statement, &number, 1);
	if (!err)
		err = sqlite_file_step(file, statement, &has_row);
	if (!err && !has_row)
		err = sqlite_file_damaged(file, "a row that another one refers to is missing");
	for (size_t i = 0; !err && i < num_columns; i++)
		ret[i] = sqlite_file_number(file, statement, (int)i);
	sqlite_file_end(file, statement);
	return err;
}

struct error *sqlite_profile_string(struct sqlite_profile *work, int64_t number, uint32_t *ret)
{
	const struct sqlite_profile_row *known = sqlite_profile_find(&work->strings, number);
	if (known) {
		*ret = known->item;
		return NULL;
	}
	struct sqlite_file *file = work->file;
	struct sqlite_profile_row row = {.number = number};
	bool has_row = false;
	struct error *err = sqlite_file_start_numbers(file, SQLITE_GET_STRING, &number, 1);
	if (!err)
		err = sqlite_file_step(file, SQLITE_GET_STRING, &has_row);
	if (!err && !has_row)
		err = sqlite_file_damaged(file, "a text is missing");
	if (!err) {
		struct sqlite_column text = sqlite_file_bytes(file, SQLITE_GET_STRING, 0);
		err = string_table_intern_n(&work->profile->strings, text.size ? text.bytes : "",
					    text.size, &row.item);
	}
	sqlite_file_end(file, SQLITE_GET_STRING);
	if (!err)
		err = sqlite_profile_keep(&work->strings, row);
	if (!err)
		*ret = row.item;
	return err;
}

static struct error *sqlite_profile_module(struct sqlite_profile *work, int64_t number,
					   struct sqlite_profile_row *ret)
{
	const struct sqlite_profile_row *known = sqlite_profile_find(&work->modules, number);
	*ret = known ? *known : (struct sqlite_profile_row){.item = NAMED_NONE};
	if (known || !number)
		return NULL;
	int64_t words[3];
	struct named_module module = {0};
	struct sqlite_profile_row row = {.number = number};
	struct error *err = sqlite_profile_read(work->file, SQLITE_GET_MODULE, number, words,
						ARRAY_SIZE(words));
	if (!err)
		err = sqlite_profile_string(work, words[0], &module.name);
	if (!err)
		err = sqlite_profile_string(work, words[1], &module.path);
	if (!err)
		err = sqlite_profile_string(work, words[2], &module.build_id);
	if (!err)
		err = work->keeps_builds ? named_profile_build(work->profile, &module, &row.item)
					 : named_profile_module(work->profile, &module, &row.item);
	if (err)
		return err;
	row.is_other_build = work->profile->modules[row.item].build_id != module.build_id;
	*ret = row;
	return sqlite_profile_keep(&work->modules, row);
}

static bool sqlite_profile_fits(int64_t number, int64_t limit)
{
	return number >= 0 && number <= limit;
}

static struct error *sqlite_profile_function(struct sqlite_profile *work, int64_t number,
					     struct sqlite_profile_row *ret)
{
	const struct sqlite_profile_row *known = sqlite_profile_find(&work->functions, number);
	if (known) {
		*ret = *known;
		return NULL;
	}
	int64_t words[6];
	struct named_function function = {0};
	struct sqlite_profile_row module;
	struct error *err = sqlite_profile_read(work->file, SQLITE_GET_FUNCTION, number, words,
						ARRAY_SIZE(words));
	if (!err && (!sqlite_profile_fits(words[4], UINT32_MAX) ||
		     !sqlite_profile_fits(words[5], FRAME_MARKER)))
		err = sqlite_file_damaged(work->file, "a function's line or kind is out of range");
	if (!err)
		err = sqlite_profile_string(work, words[0], &function.name);
	if (!err)
		err = sqlite_profile_string(work, words[1], &function.linkage_name);
	if (!err)
		err = sqlite_profile_module(work, words[2], &module);
	if (!err)
		err = sqlite_profile_string(work, words[3], &function.file);
	if (err)
		return err;
	struct sqlite_profile_row row = {.number = number, .is_other_build = module.is_other_build};
	function.module = module.item;
	function.line = (uint32_t)words[4];
	function.kind = (enum frame_kind)words[5];
	err = named_profile_function(work->profile, &function, &row.item);
	*ret = row;
	return err ? err : sqlite_profile_keep(&work->functions, row);
}

static struct error *sqlite_profile_frame(struct sqlite_profile *work, int64_t number,
					  uint32_t *ret)
{
	const struct sqlite_profile_row *known = sqlite_profile_find(&work->frames, number);
	if (known) {
		*ret = known->item;
		return NULL;
	}
	int64_t words[5];
	struct named_frame frame = {0};
	struct sqlite_profile_row function;
	struct error *err =
		sqlite_profile_read(work->file, SQLITE_GET_FRAME, number, words, ARRAY_SIZE(words));
	if (!err && !sqlite_profile_fits(words[2], UINT32_MAX))
		err = sqlite_file_damaged(work->file, "a frame's line is out of range");
	if (!err)
		err = sqlite_profile_function(work, words[0], &function);
	if (!err)
		err = sqlite_profile_string(work, words[1], &frame.file);
	if (err)
		return err;
	frame.function = function.item;
	frame.line = (uint32_t)words[2];
	frame.is_inlined = words[3] & SQLITE_FRAME_INLINED;
	frame.is_compiled = words[3] & SQLITE_FRAME_COMPILED;
	frame.address = function.is_other_build ? 0 : (uint64_t)words[4];
	struct sqlite_profile_row row = {.number = number};
	err = named_profile_frame(work->profile, &frame, &row.item);
	if (!err)
		err = sqlite_profile_keep(&work->frames, row);
	if (!err)
		*ret = row.item;
	return err;
}

/** Named from the innermost on, as recordings are: of several functions in one line, tables show
 *  the first that was named. */
static struct error *sqlite_profile_push(struct sqlite_profile *work, size_t depth, uint32_t *ret)
{
	struct error *err = array_reserve(&work->frame_items, &work->cap_frame_items, depth + 1);
	uint32_t node = STACK_NONE;
	for (size_t i = depth; !err && i > 0; i--)
		err = sqlite_profile_frame(work, work->path[i - 1], &work->frame_items[i - 1]);
	for (size_t i = 0; !err && i < depth; i++)
		err = stack_table_push(&work->profile->stacks, node, work->frame_items[i], &node);
	*ret = node;
	return err;
}

struct error *sqlite_profile_stack(struct sqlite_profile *work, int64_t service, int64_t stack,
				   struct sqlite_stack_traits *ret_traits, uint32_t *ret)
{
	struct sqlite_file *file = work->file;
	const int64_t words[] = {service, stack};
	bool has_row = false;
	size_t depth = 0;
	struct error *err =
		sqlite_file_start_numbers(file, SQLITE_GET_STACK, words, ARRAY_SIZE(words));
	if (!err)
		err = sqlite_file_step(file, SQLITE_GET_STACK, &has_row);
	if (!err && !has_row)
		err = sqlite_file_damaged(file, "a stack is missing");
	if (!err) {
		struct sqlite_column bytes = sqlite_file_bytes(file, SQLITE_GET_STACK, 0);
		struct sqlite_stack packed;
		int64_t number;
		sqlite_stack_open(&packed, bytes.bytes, bytes.size);
		while (!err && sqlite_stack_next(&packed, &number)) {
			err = array_reserve(&work->path, &work->cap_path, depth + 1);
			if (!err)
				work->path[depth++] = number;
		}
		if (!err && packed.reader.failed)
			err = sqlite_file_damaged(file, "a packed stack");
		*ret_traits = packed.traits;
	}
	sqlite_file_end(file, SQLITE_GET_STACK);
	return err ? err : sqlite_profile_push(work, depth, ret);
}
