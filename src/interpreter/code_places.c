// SPDX-License-Identifier: Apache-2.0

#include "interpreter/code_places.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "profile/interpreted/interpreted_function.h"

#include <stdlib.h>
#include <string.h>

// A place is a line with its function and file, as numbers of interned strings, so that a hash of
// the numbers finds an equal one. A place that is new also becomes a line of the image
// (object/line_image/line_image.h), whose address is kept beside it: chains in recordings have
// this address in the place of the frame.

/** A line of a function; the same in all processes. */
struct code_place {
	uint32_t function, file; /* of the strings */
	uint32_t first_line, line;
	uint32_t is_compiled; /* the line may be another one of the function */
};

struct code_places {
	struct string_table strings;
	struct code_place *items;
	size_t num_items, cap_items;
	uint64_t *addresses; /* by number of the place */
	size_t cap_addresses;
	struct hash_table index;
	struct line_image image;
};

void code_places_destroy(struct code_places *places)
{
	if (!places)
		return;
	free(places->items);
	free(places->addresses);
	hash_table_deinit(&places->index);
	line_image_deinit(&places->image);
	string_table_deinit(&places->strings);
	free(places);
}

static bool code_places_is(const void *owner, uint32_t index, const void *key)
{
	return memcmp(&((const struct code_place *)owner)[index], key, sizeof(struct code_place)) ==
	       0;
}

/** @line: the same once more, for the image. */
static struct error *code_places_append(struct code_places *places, const struct code_place *place,
					const struct line_image_line *line, uint64_t hash)
{
	uint32_t index = (uint32_t)places->num_items;
	struct error *err =
		array_reserve(&places->items, &places->cap_items, places->num_items + 1);
	if (!err)
		err = array_reserve(&places->addresses, &places->cap_addresses,
				    places->num_items + 1);
	if (!err)
		err = line_image_add(&places->image, line, &places->addresses[index]);
	if (!err)
		err = hash_table_insert(&places->index, hash, index);
	if (err)
		return err;
	places->items[places->num_items++] = *place;
	return NULL;
}

struct error *code_places_add(struct code_places *places, const struct line_image_line *line,
			      uint64_t *ret)
{
	struct code_place place = {
		.first_line = line->first_line,
		.line = line->line,
		.is_compiled = line->is_compiled,
	};
	struct error *err = string_table_intern(&places->strings, line->function, &place.function);
	if (!err)
		err = string_table_intern(&places->strings, line->file, &place.file);
	if (err)
		return err;
	uint64_t hash = hash_bytes(&place, sizeof(place));
	uint32_t index =
		hash_table_find(&places->index, hash, code_places_is, places->items, &place);
	*ret = index == HASH_TABLE_NONE ? places->num_items : index;
	return index == HASH_TABLE_NONE ? code_places_append(places, &place, line, hash) : NULL;
}

struct error *code_places_create(struct code_places **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? NULL : &error_no_memory;
}

uint64_t code_places_address(const struct code_places *places, uint64_t place)
{
	return CODE_PLACES_BASE + places->addresses[place];
}

const struct line_image *code_places_image(const struct code_places *places)
{
	return &places->image;
}

struct error *code_places_name(const struct code_places *places, uint64_t number,
			       struct named_profile *profile, uint32_t *ret_frame)
{
	const struct code_place *place = &places->items[number];
	const struct interpreted_function function = {
		.name = string_table_get(&places->strings, place->function),
		.file = string_table_get(&places->strings, place->file),
		.first_line = place->first_line,
	};
	return interpreted_function_frame(profile, &function, place->line, place->is_compiled,
					  ret_frame);
}
