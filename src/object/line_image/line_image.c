// SPDX-License-Identifier: Apache-2.0

#include "object/line_image/line_image.h"

#include "base/container/array.h"
#include "object/line_image/line_image_layout.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Gives addresses to interpreted lines. Lines of one function are a range of consecutive
// instructions; a range is found again by its content (function, file, lines), so that the same
// line has the same address however often it is added. The range covers all lines of the function
// at once, as symbols need a start and a size that do not change when another line is seen.
//
// Addresses grow and are never given twice, because samples with them are written to the recording
// at once. The sizes come from a profiled process; MAX_LINES and LINE_IMAGE_MAX_SIZE limit them,
// and what finds no room gets the first address (find_range()).

// Tables of lines come from a process: one line in the distance is no reason for a million others.
enum { MAX_LINES = 1 << 16 };

void line_image_deinit(struct line_image *image)
{
	string_table_deinit(&image->strings);
	hash_table_deinit(&image->index);
	free(image->ranges);
	*image = (struct line_image)LINE_IMAGE_INIT;
}

static bool is_range(const void *owner, uint32_t index, const void *key)
{
	const struct line_image_range *range = &((const struct line_image *)owner)->ranges[index];
	return memcmp(range, key, offsetof(struct line_image_range, offset)) == 0;
}

static struct error *find_range(struct line_image *image, const struct line_image_range *range,
				uint32_t *ret)
{
	uint64_t hash = hash_bytes(range, offsetof(struct line_image_range, offset));
	*ret = hash_table_find(&image->index, hash, is_range, image, range);
	if (*ret != HASH_TABLE_NONE)
		return NULL;
	uint32_t left = LINE_IMAGE_MAX_SIZE - LINE_IMAGE_CODE - image->text_size;
	bool has_room = range->num_lines <= left / LINE_IMAGE_LINE_SIZE;
	*ret = has_room ? (uint32_t)image->num_ranges : 0;
	if (!has_room && image->num_ranges)
		return NULL;
	struct error *err =
		array_reserve(&image->ranges, &image->cap_ranges, image->num_ranges + 1);
	if (!err)
		err = hash_table_insert(&image->index, hash, (uint32_t)image->num_ranges);
	if (err)
		return err;
	image->ranges[image->num_ranges] = *range;
	image->ranges[image->num_ranges++].offset = image->text_size;
	image->text_size += range->num_lines * LINE_IMAGE_LINE_SIZE;
	return NULL;
}

struct error *line_image_add(struct line_image *image, const struct line_image_line *line,
			     uint64_t *ret)
{
	struct line_image_range range = {0};
	uint32_t index;
	// Lines that are not among the function's own are a range of their own, by the same name.
	bool is_own = line->first_line && line->line >= line->first_line &&
		      line->line <= line->last_line && line->line - line->first_line < MAX_LINES;
	uint32_t num_more = is_own ? line->last_line - line->first_line : 0;
	range.definition_line = line->first_line;
	range.is_compiled = line->is_compiled;
	range.first_line = is_own ? line->first_line : line->line;
	range.num_lines = num_more < MAX_LINES ? num_more + 1 : MAX_LINES;
	struct error *err = string_table_intern(&image->strings, line->function, &range.function);
	if (!err)
		err = string_table_intern(&image->strings, line->file, &range.file);
	if (!err)
		err = find_range(image, &range, &index);
	if (err)
		return err;
	const struct line_image_range *found = &image->ranges[index];
	// One byte behind the start of the line's instruction, as for a return address.
	uint32_t number = line->line - found->first_line;
	if (number >= found->num_lines) // it found no room
		number = 0;
	*ret = LINE_IMAGE_CODE + found->offset + number * LINE_IMAGE_LINE_SIZE + 1;
	return NULL;
}

bool line_image_is(struct object *object)
{
	return object_section(object, LINE_IMAGE_MARK).size > 0;
}
