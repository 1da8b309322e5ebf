// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/sqlite/sqlite_names.h"

#include "base/container/array.h"
#include "base/container/hash_bytes.h"

#include <stdlib.h>
#include <string.h>

struct error *sqlite_names_text(struct sqlite_file *file, const char *text, int64_t *ret)
{
	const struct sqlite_value value = sqlite_value_text(text, strlen(text));
	return sqlite_file_intern(file, SQLITE_FIND_STRING, &value, 1, ret);
}

struct error *sqlite_names_init(struct sqlite_names *names, struct sqlite_file *file,
				const struct named_profile *profile, const char *service)
{
	*names = (struct sqlite_names){
		.file = file,
		.profile = profile,
		.strings = calloc(profile->strings.num_entries + 1, sizeof(int64_t)),
		.modules = calloc(profile->num_modules + 1, sizeof(int64_t)),
		.functions = calloc(profile->num_functions + 1, sizeof(int64_t)),
		.frames = calloc(profile->num_frames + 1, sizeof(int64_t)),
		.stacks = calloc(profile->stacks.num_nodes + 1, sizeof(int64_t)),
	};
	if (!names->strings || !names->modules || !names->functions || !names->frames ||
	    !names->stacks)
		return &error_no_memory;
	bool has_row;
	struct error *err = sqlite_names_text(file, service, &names->service);
	if (!err)
		err = sqlite_file_start_numbers(file, SQLITE_LAST_STACK, &names->service, 1);
	if (!err)
		err = sqlite_file_number_of(file, SQLITE_LAST_STACK, &has_row, &names->last_stack);
	if (!err && (names->last_stack < 0 || names->last_stack == INT64_MAX))
		err = sqlite_file_damaged(file, "a stack's number is out of range");
	return err;
}

void sqlite_names_deinit(struct sqlite_names *names)
{
	free(names->strings);
	free(names->modules);
	free(names->functions);
	free(names->frames);
	free(names->stacks);
	free(names->path);
	string_builder_deinit(&names->packed);
	*names = (struct sqlite_names){0};
}

struct error *sqlite_names_string(struct sqlite_names *names, uint32_t string, int64_t *ret)
{
	const struct string_table *strings = &names->profile->strings;
	int64_t *known = &names->strings[string];
	struct error *err = NULL;
	if (!*known) {
		const struct sqlite_value value = sqlite_value_text(
			string_table_get(strings, string), string_table_length(strings, string));
		err = sqlite_file_intern(names->file, SQLITE_FIND_STRING, &value, 1, known);
	}
	*ret = *known;
	return err;
}

/** A module of none is 0. */
static struct error *sqlite_names_module(struct sqlite_names *names, uint32_t module, int64_t *ret)
{
	*ret = 0;
	if (module == NAMED_NONE)
		return NULL;
	int64_t *known = &names->modules[module];
	struct error *err = NULL;
	if (!*known) {
		const struct named_module *named = &names->profile->modules[module];
		int64_t words[3] = {0};
		err = sqlite_names_string(names, named->name, &words[0]);
		if (!err)
			err = sqlite_names_string(names, named->path, &words[1]);
		if (!err)
			err = sqlite_names_string(names, named->build_id, &words[2]);
		if (!err)
			err = sqlite_file_intern_numbers(names->file, SQLITE_FIND_MODULE, words,
							 ARRAY_SIZE(words), known);
	}
	*ret = *known;
	return err;
}

static struct error *sqlite_names_function(struct sqlite_names *names, uint32_t function,
					   int64_t *ret)
{
	int64_t *known = &names->functions[function];
	struct error *err = NULL;
	if (!*known) {
		const struct named_function *named = &names->profile->functions[function];
		int64_t words[6] = {[4] = named->line, [5] = named->kind};
		err = sqlite_names_string(names, named->name, &words[0]);
		if (!err)
			err = sqlite_names_string(names, named->linkage_name, &words[1]);
		if (!err)
			err = sqlite_names_module(names, named->module, &words[2]);
		if (!err)
			err = sqlite_names_string(names, named->file, &words[3]);
		if (!err)
			err = sqlite_file_intern_numbers(names->file, SQLITE_FIND_FUNCTION, words,
							 ARRAY_SIZE(words), known);
	}
	*ret = *known;
	return err;
}

static struct error *sqlite_names_frame(struct sqlite_names *names, uint32_t frame, int64_t *ret)
{
	int64_t *known = &names->frames[frame];
	struct error *err = NULL;
	if (!*known) {
		const struct named_frame *named = &names->profile->frames[frame];
		int64_t words[5] = {
			[2] = named->line,
			[3] = (named->is_inlined ? STORE_FRAME_INLINED : 0) |
			      (named->is_compiled ? STORE_FRAME_COMPILED : 0),
			[4] = (int64_t)named->address,
		};
		err = sqlite_names_function(names, named->function, &words[0]);
		if (!err)
			err = sqlite_names_string(names, named->file, &words[1]);
		if (!err)
			err = sqlite_file_intern_numbers(names->file, SQLITE_FIND_FRAME, words,
							 ARRAY_SIZE(words), known);
	}
	*ret = *known;
	return err;
}

/** Into names->packed. */
static struct error *sqlite_names_pack(struct sqlite_names *names, uint32_t stack,
				       struct store_traits traits)
{
	const struct stack_node *nodes = names->profile->stacks.nodes;
	size_t depth = stack == STACK_NONE ? 0 : nodes[stack].depth;
	struct error *err = array_reserve(&names->path, &names->cap_path, depth + 1);
	// From the innermost frame to the outermost, which comes first.
	for (size_t i = depth; !err && i > 0; i--) {
		err = sqlite_names_frame(names, nodes[stack].frame, &names->path[i - 1]);
		stack = nodes[stack].parent;
	}
	string_builder_clear(&names->packed);
	sqlite_stack_begin(&names->packed, traits);
	for (size_t i = 0; !err && i < depth; i++)
		sqlite_stack_append(&names->packed, i ? names->path[i - 1] : 0, names->path[i]);
	return !err && names->packed.failed ? &error_no_memory : err;
}

/** The stack with these bytes; 0: there is none. */
static struct error *sqlite_names_find_stack(struct sqlite_names *names, int64_t hash, int64_t *ret)
{
	const int64_t words[] = {names->service, hash};
	struct sqlite_file *file = names->file;
	bool has_row = false;
	struct error *err =
		sqlite_file_start_numbers(file, SQLITE_FIND_STACKS, words, ARRAY_SIZE(words));
	*ret = 0;
	while (!err && !*ret && !(err = sqlite_file_step(file, SQLITE_FIND_STACKS, &has_row)) &&
	       has_row) {
		struct sqlite_column bytes = sqlite_file_bytes(file, SQLITE_FIND_STACKS, 1);
		if (bytes.size == names->packed.length &&
		    memcmp(bytes.bytes, names->packed.text, bytes.size) == 0)
			*ret = sqlite_file_number(file, SQLITE_FIND_STACKS, 0);
	}
	sqlite_file_end(file, SQLITE_FIND_STACKS);
	return err;
}

static struct error *sqlite_names_add_stack(struct sqlite_names *names, int64_t hash, int64_t *ret)
{
	const struct sqlite_value values[] = {
		sqlite_value_number(names->service),
		sqlite_value_number(names->last_stack + 1),
		sqlite_value_number(hash),
		sqlite_value_blob(names->packed.text, names->packed.length),
	};
	struct error *err =
		sqlite_file_start(names->file, SQLITE_ADD_STACK, values, ARRAY_SIZE(values));
	if (!err)
		err = sqlite_file_run(names->file, SQLITE_ADD_STACK);
	if (!err)
		*ret = ++names->last_stack;
	return err;
}

static struct error *sqlite_names_find_or_add(struct sqlite_names *names, int64_t *ret)
{
	// Four bytes of a row: see the third migration.
	int64_t hash =
		(int64_t)(uint32_t)hash_bytes(names->packed.text, names->packed.length) + INT32_MIN;
	struct error *err = sqlite_names_find_stack(names, hash, ret);
	if (!err && !*ret)
		err = sqlite_names_add_stack(names, hash, ret);
	if (!err && *ret <= 0)
		err = sqlite_file_damaged(names->file, "a stack's number is out of range");
	return err;
}

struct error *sqlite_names_stack(struct sqlite_names *names, uint32_t stack,
				 struct store_traits traits, int64_t *ret)
{
	bool has_traits = traits.gil || traits.is_idle_task;
	bool is_kept = stack != STACK_NONE && !has_traits;
	if (is_kept && names->stacks[stack]) {
		*ret = names->stacks[stack];
		return NULL;
	}
	struct error *err = sqlite_names_pack(names, stack, traits);
	if (err)
		return err;
	const struct sqlite_value values[] = {
		sqlite_value_number(names->service),
		sqlite_value_blob(names->packed.text, names->packed.length),
	};
	int64_t *found;
	err = sqlite_file_cached(names->file, SQLITE_FIND_STACKS, values, ARRAY_SIZE(values),
				 &found);
	if (!err && !*found)
		err = sqlite_names_find_or_add(names, found);
	if (err)
		return err;
	if (is_kept)
		names->stacks[stack] = *found;
	*ret = *found;
	return NULL;
}
