// SPDX-License-Identifier: Apache-2.0

#include "symbols/function_namer.h"

#include "base/container/array.h"
#include "object/names/demangle.h"
#include "symbols/readable_name.h"

#include <stdlib.h>
#include <string.h>

// From a linkage name to a readable one: demangle, then take off parameters and return type
// (readable_name.c) unless full names are wanted. A program has far fewer functions than places,
// but demangling is the most expensive step of naming; so the result is remembered for each linkage
// name. Names that an interpreter gave its code in a map of a JIT
// ("py::name:file") become interpreted frames.

static bool has_linkage_name(const void *owner, uint32_t index, const void *key)
{
	const struct function_namer *namer = owner;
	return namer->pairs[index].linkage_name == *(const uint32_t *)key;
}

static struct error *make_readable(struct function_namer *namer, struct named_profile *profile,
				   uint32_t linkage_name, uint32_t *ret)
{
	_cleanup_free_ char *readable = NULL;
	bool is_too_large;
	struct error *err = demangle_within(named_profile_text(profile, linkage_name), &readable,
					    &is_too_large);
	if (err)
		return err;
	namer->num_too_large += is_too_large;
	if (!readable) {
		*ret = linkage_name;
		return NULL;
	}
	if (namer->with_full_names)
		return named_profile_string(profile, readable, ret);
	size_t length = readable_name_length(readable);
	size_t start = readable_name_start(readable, length);
	return string_table_intern_n(&profile->strings, readable + start, length - start, ret);
}

/** The readable form of a name; the same string if that is readable. */
static struct error *find_readable(struct function_namer *namer, struct named_profile *profile,
				   uint32_t linkage_name, uint32_t *ret)
{
	uint64_t hash = hash_bytes(&linkage_name, sizeof(linkage_name));
	uint32_t index = hash_table_find(&namer->by_linkage_name, hash, has_linkage_name, namer,
					 &linkage_name);
	if (index != HASH_TABLE_NONE) {
		*ret = namer->pairs[index].name;
		return NULL;
	}
	struct readable_pair pair = {.linkage_name = linkage_name};
	struct error *err = make_readable(namer, profile, linkage_name, &pair.name);
	if (!err)
		err = array_reserve(&namer->pairs, &namer->cap_pairs, namer->num_pairs + 1);
	if (!err)
		err = hash_table_insert(&namer->by_linkage_name, hash, (uint32_t)namer->num_pairs);
	if (err)
		return err;
	namer->pairs[namer->num_pairs++] = pair;
	*ret = pair.name;
	return NULL;
}

struct error *function_namer_add(struct function_namer *namer, struct named_profile *profile,
				 const struct function_facts *facts, uint32_t *ret)
{
	struct interpreted_name name;
	struct error *err;
	if (facts->kind == FRAME_JIT &&
	    readable_name_parse_interpreted(facts->name, profile->language->jit_mark, &name)) {
		struct named_function interpreted = {.module = NAMED_NONE,
						     .kind = FRAME_INTERPRETED};
		err = string_table_intern_n(&profile->strings, name.function, name.function_length,
					    &interpreted.name);
		if (!err)
			err = named_profile_string(profile, name.file, &interpreted.file);
		return err ? err : named_profile_function(profile, &interpreted, ret);
	}
	struct named_function function = {
		.module = facts->module, .line = facts->line, .kind = facts->kind};
	uint32_t linkage_name;
	err = string_table_intern_n(&profile->strings, facts->name, facts->name_length,
				    &linkage_name);
	if (!err)
		err = find_readable(namer, profile, linkage_name, &function.name);
	if (!err && facts->file)
		err = named_profile_string(profile, facts->file, &function.file);
	if (err)
		return err;
	// Recordings (recorded_names_writer.c) and pprof have linkage names.
	if (function.name != linkage_name)
		function.linkage_name = linkage_name;
	return named_profile_function(profile, &function, ret);
}

void function_namer_deinit(struct function_namer *namer)
{
	free(namer->pairs);
	hash_table_deinit(&namer->by_linkage_name);
}
