// SPDX-License-Identifier: Apache-2.0

#include "object/line_finder.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "object/debug_file.h"
#include "object/dwarf_unit.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

/** Where an address is: addresses of one place have the same lines. */
struct place {
	uint32_t unit, row, scope;
};

struct known_place {
	struct place place;
	const struct object_line *lines;
	size_t num_lines;
};

/** A file that is open in the library. */
struct dwarf_file {
	uint8_t *copy; // what the library may write to, if it does
	Elf *elf;
	Dwarf *dwarf; // NULL: there is none
};

struct line_finder {
	struct dwarf_library library;
	const struct elf_image *code;
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

// Where it unpacks a section, libelf clears the flag in the table of sections, which is in place.
static bool will_be_changed(const struct elf_image *image)
{
	for (size_t i = 0; i < image->num_sections; i++)
		if (image->sections[i].flags & SHF_COMPRESSED ||
		    !strncmp(image->sections[i].name, ".zdebug", strlen(".zdebug")))
			return true;
	return false;
}

/** Damaged DWARF leaves @ret->dwarf NULL. */
static struct error *dwarf_file_begin(struct dwarf_file *file, const struct dwarf_library *library,
				      const struct elf_image *image)
{
	char *bytes = (char *)image->data;
	if (will_be_changed(image)) {
		file->copy = malloc(image->size);
		if (!file->copy)
			return &error_no_memory;
		memcpy(file->copy, image->data, image->size);
		bytes = (char *)file->copy;
	}
	file->elf = library->elf_memory(bytes, image->size);
	if (file->elf)
		file->dwarf = library->dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	return NULL;
}

static void dwarf_file_end(struct dwarf_file *file, const struct dwarf_library *library)
{
	if (file->dwarf)
		library->dwarf_end(file->dwarf);
	if (file->elf)
		library->elf_end(file->elf);
	free(file->copy);
}

static struct error *open_common_parts(struct line_finder *finder, const char *path,
				       const char *debug_root)
{
	const char *name;
	const void *id;
	ssize_t size = finder->library.dwelf_dwarf_gnu_debugaltlink(finder->main.dwarf, &name, &id);
	if (size <= 0)
		return NULL;
	struct object_bytes build_id = {.data = id, .size = (size_t)size};
	struct error *err =
		debug_file_find_common(&finder->common, name, build_id, path, debug_root);
	if (err || !finder->common.path)
		return err;
	err = dwarf_file_begin(&finder->common_dwarf, &finder->library, &finder->common.image);
	if (!err && finder->common_dwarf.dwarf)
		finder->library.dwarf_setalt(finder->main.dwarf, finder->common_dwarf.dwarf);
	return err;
}

static struct error *add_unit(struct line_finder *finder, const Dwarf_Die *die,
			      const Dwarf_Die *split)
{
	struct error *err =
		array_reserve(&finder->units, &finder->cap_units, finder->num_units + 1);
	if (err)
		return err;
	finder->units[finder->num_units++] =
		(struct dwarf_unit){.die = *die, .tree = split->cu ? *split : *die};
	return NULL;
}

static struct error *find_units(struct line_finder *finder)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;
	while (finder->library.dwarf_get_units(finder->main.dwarf, cu, &cu, NULL, &type, &die,
					       &split) == 0) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		struct error *err = add_unit(finder, &die, &split);
		if (err)
			return err;
	}
	return NULL;
}

/** A unit that does not say where its code is has functions that do. */
static struct error *map_functions(struct line_finder *finder, uint32_t index)
{
	struct dwarf_unit *unit = &finder->units[index];
	struct error *err = dwarf_unit_read(unit, &finder->library, finder->code);
	return err ? err : range_map_add_all(&finder->map, &unit->map, index);
}

static struct error *map_units(struct line_finder *finder)
{
	for (uint32_t i = 0; i < finder->num_units; i++) {
		size_t before = finder->map.num_ranges;
		struct error *err = dwarf_unit_add_ranges(
			&finder->library, finder->code, &finder->units[i].die, 0, i, &finder->map);
		if (!err && finder->map.num_ranges == before)
			err = map_functions(finder, i);
		if (err)
			return err;
	}
	struct error *err = range_map_build(&finder->map);
	range_map_trim(&finder->map);
	return err;
}

static struct error *open_dwarf(struct line_finder *finder, const struct elf_image *image,
				const char *path, const char *debug_root)
{
	struct error *err = dwarf_library_load(&finder->library);
	if (err)
		return err;
	err = dwarf_file_begin(&finder->main, &finder->library, image);
	if (err || !finder->main.dwarf)
		return err;
	err = open_common_parts(finder, path, debug_root);
	if (!err)
		err = find_units(finder);
	return err ? err : map_units(finder);
}

struct error *line_finder_create(const struct elf_image *image, const struct elf_image *code,
				 const char *path, const char *debug_root, struct line_finder **ret)
{
	_cleanup_(line_finder_destroyp) struct line_finder *finder = calloc(1, sizeof(*finder));
	if (!finder)
		return &error_no_memory;
	finder->code = code;
	if (elf_image_has_lines(image)) {
		struct error *err = open_dwarf(finder, image, path, debug_root);
		if (err)
			return err;
	}
	*ret = take_ptr(finder);
	return NULL;
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
	dwarf_file_end(&finder->main, &finder->library);
	dwarf_file_end(&finder->common_dwarf, &finder->library);
	debug_file_close(&finder->common);
	dwarf_library_unload(&finder->library);
	free(finder);
}

static bool is_place(const void *owner, uint32_t index, const void *key)
{
	const struct line_finder *finder = owner;
	const struct place *known = &finder->known[index].place;
	const struct place *place = key;
	return known->unit == place->unit && known->row == place->row &&
	       known->scope == place->scope;
}

static struct error *add_place(struct line_finder *finder, struct place place, uint64_t hash)
{
	struct error *err =
		array_reserve(&finder->known, &finder->cap_known, finder->num_known + 1);
	if (err)
		return err;
	struct known_place *known = &finder->known[finder->num_known];
	known->place = place;
	err = dwarf_unit_lines(&finder->units[place.unit], &finder->library, place.row, place.scope,
			       &finder->texts, &known->lines, &known->num_lines);
	if (!err)
		err = hash_table_insert(&finder->known_index, hash, (uint32_t)finder->num_known);
	if (!err)
		finder->num_known++;
	return err;
}

static struct error *lines_of_place(struct line_finder *finder, struct place place,
				    const struct object_line **ret, size_t *ret_num)
{
	uint64_t hash = hash_bytes(&place, sizeof(place));
	uint32_t index = hash_table_find(&finder->known_index, hash, is_place, finder, &place);
	if (index == HASH_TABLE_NONE) {
		struct error *err = add_place(finder, place, hash);
		if (err)
			return err;
		index = (uint32_t)finder->num_known - 1;
	}
	*ret = finder->known[index].lines;
	*ret_num = finder->known[index].num_lines;
	return NULL;
}

struct error *line_finder_find(struct line_finder *finder, uint64_t address,
			       const struct object_line **ret, size_t *ret_num)
{
	uint32_t index = range_map_find(&finder->map, address);
	if (index == RANGE_MAP_NONE) {
		*ret = NULL;
		*ret_num = 0;
		return NULL;
	}
	struct dwarf_unit *unit = &finder->units[index];
	struct error *err = dwarf_unit_read(unit, &finder->library, finder->code);
	if (err)
		return err;
	struct place place = {
		.unit = index,
		.row = dwarf_unit_find_row(unit, &finder->library, address),
		.scope = range_map_find(&unit->map, address),
	};
	return lines_of_place(finder, place, ret, ret_num);
}
