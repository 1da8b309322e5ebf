// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/line_finder.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "object/dwarf/debug_file.h"
#include "object/dwarf/dwarf_root.h"
#include "object/dwarf/dwarf_unit.h"

#include <dwarf.h>
#include <string.h>

// The entry to DWARF. line_finder_create() opens the file (dwarf_file.c) and a supplementary file
// of dwz, reads the root DIE of each unit, and maps the units' ranges. A unit is read as a whole
// at the first address in it (dwarf_unit_need()): a profile mostly needs a few units of thousands.
// .debug_aranges is not used for the map: clang does not write it unless asked, and the ranges of
// the root DIEs say the same. Units without ranges have to be read at once (map_units()).
//
// An address then costs three binary searches: for unit, row and scope. These three numbers are
// the key of a hash table of answers, as all addresses between two rows of one scope have the same
// lines: names and paths are made once per place and not once per address.

/** Where an address is: addresses of one place have the same lines. */
struct place {
	uint32_t unit, row, scope;
};

struct known_place {
	struct place place;
	const struct object_line *lines;
	size_t num_lines;
};

struct line_finder {
	const struct elf_image *code;
	struct dwarf_places places;
	char *path; // of the places
	struct dwarf_file main;
	struct debug_file common; // parts that several debug files have in common
	struct dwarf_file common_dwarf;

	struct dwarf_unit *units;
	size_t num_units, cap_units;
	struct range_map map; // addresses to units

	struct dwarf_texts texts;
	struct known_place *known;
	size_t num_known, cap_known;
	struct hash_table known_index;
};

static struct error *open_common_parts(struct line_finder *finder, const struct elf_image *image)
{
	struct common_link link = common_link_read(image);
	if (!link.name)
		return NULL;
	struct error *err =
		debug_file_find_common(&finder->common, &link, finder->path, finder->places.search);
	if (err || !finder->common.path)
		return err;
	finder->main.common = &finder->common_dwarf;
	finder->common.image.budget = image->budget;
	return dwarf_file_init(&finder->common_dwarf, &finder->common.image, false);
}

static struct error *find_units(struct line_finder *finder)
{
	for (size_t i = 0; i < finder->main.num_headers; i++) {
		struct dwarf_header *header = &finder->main.headers[i];
		// Not what others have in common, nor types: these have line tables as well, but
		// their code is in other units.
		struct error *err = dwarf_root_need(header, NULL);
		bool has_code = header->type ? header->type == DW_UT_compile ||
						       header->type == DW_UT_skeleton
					     : header->root_tag == DW_TAG_compile_unit;
		if (!err && !has_code)
			continue;
		if (!err)
			err = array_reserve(&finder->units, &finder->cap_units,
					    finder->num_units + 1);
		if (err)
			return err;
		finder->units[finder->num_units++] = (struct dwarf_unit){.header = header};
	}
	return NULL;
}

static struct error *map_units(struct line_finder *finder)
{
	for (uint32_t i = 0; i < finder->num_units; i++) {
		size_t before = finder->map.num_ranges;
		struct dwarf_unit *unit = &finder->units[i];
		struct error *err = dwarf_unit_add_ranges(unit, finder->code, i, &finder->map);
		if (!err && finder->map.num_ranges == before) {
			// A unit that does not say where its code is has functions that do.
			err = dwarf_unit_need(unit, finder->code, &finder->places);
			if (!err)
				err = range_map_add_all(&finder->map, &unit->scopes.map, i);
		}
		if (err)
			return err;
	}
	struct error *err = range_map_build(&finder->map);
	range_map_trim(&finder->map);
	return err;
}

struct error *line_finder_create(const struct elf_image *image, const struct elf_image *code,
				 const char *path, const struct debug_search *search,
				 struct line_finder **ret)
{
	_cleanup_(line_finder_destroyp) struct line_finder *finder = calloc(1, sizeof(*finder));
	if (!finder)
		return &error_no_memory;
	finder->code = code;
	finder->path = path ? strdup(path) : NULL;
	if (path && !finder->path)
		return &error_no_memory;
	finder->places = (struct dwarf_places){finder->path, search};
	struct error *err = NULL;
	if (elf_image_has_lines(image)) {
		err = dwarf_file_init(&finder->main, image, false);
		if (!err)
			err = open_common_parts(finder, image);
		if (!err)
			err = find_units(finder);
		if (!err)
			err = map_units(finder);
	}
	if (!err)
		*ret = take_ptr(finder);
	return err;
}

void line_finder_destroy(struct line_finder *finder)
{
	if (!finder)
		return;
	for (size_t i = 0; i < finder->num_units; i++)
		dwarf_unit_deinit(&finder->units[i]);
	free(finder->units);
	range_map_deinit(&finder->map);
	free(finder->known);
	hash_table_deinit(&finder->known_index);
	arena_deinit(&finder->texts.lines);
	string_table_deinit(&finder->texts.paths);
	dwarf_file_deinit(&finder->main);
	dwarf_file_deinit(&finder->common_dwarf);
	debug_file_close(&finder->common);
	free(finder->path);
	free(finder);
}

static bool line_finder_is_place(const void *owner, uint32_t index, const void *key)
{
	const struct line_finder *finder = owner;
	const struct place *known = &finder->known[index].place;
	const struct place *place = key;
	return known->unit == place->unit && known->row == place->row &&
	       known->scope == place->scope;
}

static struct error *line_finder_add_place(struct line_finder *finder, struct place place,
					   uint64_t hash)
{
	struct error *err =
		array_reserve(&finder->known, &finder->cap_known, finder->num_known + 1);
	if (err)
		return err;
	struct known_place *known = &finder->known[finder->num_known];
	known->place = place;
	err = dwarf_unit_lines(&finder->units[place.unit], place.row, place.scope, &finder->texts,
			       &known->lines, &known->num_lines);
	if (!err)
		err = hash_table_insert(&finder->known_index, hash, (uint32_t)finder->num_known);
	if (!err)
		finder->num_known++;
	return err;
}

struct error *line_finder_find(struct line_finder *finder, uint64_t address,
			       const struct object_line **ret, size_t *ret_num)
{
	uint32_t unit_index = range_map_find(&finder->map, address);
	if (unit_index == RANGE_MAP_NONE) {
		*ret = NULL;
		*ret_num = 0;
		return NULL;
	}
	struct dwarf_unit *unit = &finder->units[unit_index];
	struct error *err = dwarf_unit_need(unit, finder->code, &finder->places);
	if (err)
		return err;
	struct place place = {
		.unit = unit_index,
		.row = dwarf_unit_find_row(unit, address),
		.scope = range_map_find(&unit->scopes.map, address),
	};
	uint64_t hash = hash_bytes(&place, sizeof(place));
	uint32_t index =
		hash_table_find(&finder->known_index, hash, line_finder_is_place, finder, &place);
	if (index == HASH_TABLE_NONE) {
		err = line_finder_add_place(finder, place, hash);
		if (err)
			return err;
		index = (uint32_t)finder->num_known - 1;
	}
	*ret = finder->known[index].lines;
	*ret_num = finder->known[index].num_lines;
	return NULL;
}
