// SPDX-License-Identifier: Apache-2.0
// A frame is hashed as its row without the number, a stack as its traits and the numbers of its
// frames; rows are unambiguous, as texts in them have lengths. The key of a kind differs from that
// of the others.

#include "fleet/store/clickhouse/clickhouse_names.h"

#include "base/container/array.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
	// 64 MB with its index.
	CLICKHOUSE_MAX_KNOWN = 4 << 20,
};

void clickhouse_known_clear(struct clickhouse_known *known)
{
	hash_table_deinit(&known->index);
	free(known->numbers);
	*known = (struct clickhouse_known){0};
}

static bool clickhouse_known_equal(const void *owner, uint32_t index, const void *key)
{
	const struct clickhouse_known *known = owner;
	return known->numbers[index] == *(const uint64_t *)key;
}

/** @ret: is it a new one? It is known from now on. */
static struct error *clickhouse_known_add(struct clickhouse_known *known, uint64_t number,
					  bool *ret)
{
	*ret = hash_table_find(&known->index, number, clickhouse_known_equal, known, &number) ==
	       HASH_TABLE_NONE;
	if (!*ret)
		return NULL;
	if (known->num_numbers >= CLICKHOUSE_MAX_KNOWN)
		clickhouse_known_clear(known);
	struct error *err =
		array_reserve(&known->numbers, &known->cap_numbers, known->num_numbers + 1);
	if (!err)
		err = hash_table_insert(&known->index, number, (uint32_t)known->num_numbers);
	if (!err)
		known->numbers[known->num_numbers++] = number;
	return err;
}

static void clickhouse_names_end(struct clickhouse_names *names)
{
	free(names->frame_numbers);
	free(names->stack_numbers);
	names->frame_numbers = names->stack_numbers = NULL;
}

struct error *clickhouse_names_begin(struct clickhouse_names *names,
				     const struct named_profile *profile, const char *service)
{
	clickhouse_names_end(names);
	names->profile = profile;
	names->service = service;
	names->frame_numbers = calloc(profile->num_frames + 1, sizeof(uint64_t));
	names->stack_numbers = calloc(profile->stacks.num_nodes + 1, sizeof(uint64_t));
	return names->frame_numbers && names->stack_numbers ? NULL : &error_no_memory;
}

void clickhouse_names_deinit(struct clickhouse_names *names)
{
	clickhouse_names_end(names);
	string_builder_deinit(&names->stacks);
	string_builder_deinit(&names->frames);
	string_builder_deinit(&names->scratch);
	string_builder_deinit(&names->path);
	*names = (struct clickhouse_names){0};
}

uint64_t clickhouse_names_hash(struct sip_key key, const struct string_builder *bytes)
{
	uint64_t hash = sip_hash(key, string_builder_peek(bytes), bytes->length);
	return hash ? hash : 1;
}

static void clickhouse_names_add_string(struct clickhouse_names *names, uint32_t string)
{
	const struct string_table *strings = &names->profile->strings;
	clickhouse_rows_add_text(&names->scratch, string_table_get(strings, string),
				 string_table_length(strings, string));
}

/** The row of a frame, but for its number, into names->scratch. */
static void clickhouse_names_describe(struct clickhouse_names *names,
				      const struct named_frame *frame)
{
	const struct named_function *function = &names->profile->functions[frame->function];
	const struct named_module none = {0};
	const struct named_module *module =
		function->module == NAMED_NONE ? &none : &names->profile->modules[function->module];
	struct string_builder *row = &names->scratch;
	string_builder_clear(row);
	clickhouse_names_add_string(names, function->name);
	clickhouse_names_add_string(names, function->linkage_name);
	clickhouse_rows_add_u8(row, function->module != NAMED_NONE);
	clickhouse_names_add_string(names, module->name);
	clickhouse_names_add_string(names, module->path);
	clickhouse_names_add_string(names, module->build_id);
	clickhouse_names_add_string(names, function->file);
	clickhouse_rows_add_u32(row, function->line);
	clickhouse_rows_add_u8(row, (uint8_t)function->kind);
	clickhouse_names_add_string(names, frame->file);
	clickhouse_rows_add_u32(row, frame->line);
	clickhouse_rows_add_u8(row, (frame->is_inlined ? STORE_FRAME_INLINED : 0) |
					    (frame->is_compiled ? STORE_FRAME_COMPILED : 0));
	clickhouse_rows_add_u64(row, frame->address);
}

static struct error *clickhouse_names_frame(struct clickhouse_names *names, uint32_t frame,
					    uint64_t *ret)
{
	uint64_t *number = &names->frame_numbers[frame];
	struct error *err = NULL;
	if (!*number) {
		bool is_new;
		clickhouse_names_describe(names, &names->profile->frames[frame]);
		uint64_t hash = clickhouse_names_hash(names->key, &names->scratch);
		err = clickhouse_known_add(names->known, hash, &is_new);
		if (!err && is_new) {
			clickhouse_rows_add_u64(&names->frames, hash);
			string_builder_append_n(&names->frames, names->scratch.text,
						names->scratch.length);
		}
		if (!err)
			*number = hash;
	}
	*ret = *number;
	return err;
}

/** Traits and frames, outermost first, into names->path. */
static struct error *clickhouse_names_pack(struct clickhouse_names *names, uint32_t stack,
					   struct store_traits traits)
{
	const struct stack_node *nodes = names->profile->stacks.nodes;
	size_t depth = stack == STACK_NONE ? 0 : nodes[stack].depth;
	struct error *err = NULL;
	_cleanup_free_ uint64_t *path = calloc(depth + 1, sizeof(*path));
	if (!path)
		return &error_no_memory;
	for (size_t i = depth; !err && i > 0; i--) {
		err = clickhouse_names_frame(names, nodes[stack].frame, &path[i - 1]);
		stack = nodes[stack].parent;
	}
	string_builder_clear(&names->path);
	clickhouse_rows_add_u8(&names->path,
			       (uint8_t)((unsigned)traits.gil << 1 | traits.is_idle_task));
	clickhouse_rows_add_length(&names->path, depth);
	for (size_t i = 0; i < depth; i++)
		clickhouse_rows_add_u64(&names->path, path[i]);
	return !err && names->path.failed ? &error_no_memory : err;
}

/** A row, unless it was written before: of this service. */
static struct error *clickhouse_names_add_stack(struct clickhouse_names *names, uint64_t hash)
{
	struct sip_key key = names->key;
	bool is_new;
	string_builder_clear(&names->scratch);
	clickhouse_rows_add_u64(&names->scratch, hash);
	string_builder_append(&names->scratch, names->service);
	key.words[1] ^= 1;
	struct error *err = clickhouse_known_add(
		names->known, clickhouse_names_hash(key, &names->scratch), &is_new);
	if (err || !is_new)
		return err;
	clickhouse_rows_add_text(&names->stacks, names->service, strlen(names->service));
	clickhouse_rows_add_u64(&names->stacks, hash);
	string_builder_append_n(&names->stacks, names->path.text, names->path.length);
	return NULL;
}

struct error *clickhouse_names_stack(struct clickhouse_names *names, uint32_t stack,
				     struct store_traits traits, uint64_t *ret)
{
	bool is_kept = stack != STACK_NONE && !traits.gil && !traits.is_idle_task;
	if (is_kept && names->stack_numbers[stack]) {
		*ret = names->stack_numbers[stack];
		return NULL;
	}
	struct sip_key key = names->key;
	struct error *err = clickhouse_names_pack(names, stack, traits);
	if (err)
		return err;
	key.words[1] ^= 2;
	uint64_t hash = clickhouse_names_hash(key, &names->path);
	err = clickhouse_names_add_stack(names, hash);
	if (!err && is_kept)
		names->stack_numbers[stack] = hash;
	if (!err)
		*ret = hash;
	return err;
}
