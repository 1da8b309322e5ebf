// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_sections.h"

#include <stdlib.h>
#include <string.h>

// The section map is a list of lengths (LLVM's "The PDB DBI Stream"); its offsets are 0. Linkers
// write the length in memory there. crossgen2 writes the length in the file (SizeOfRawData in its
// PdbWriter.cs), which is less than a section takes in memory if that ends with zeroes.
//
// Sections follow each other in the order of their numbers, each from a new page on, behind the
// headers, which take the first page. So no section can begin before the place that the lengths of
// those before it give. If the sum of all is the size of the image, none can begin behind it
// either: the places are proved (pdb_sections_find_places()). Without a size only the first one is
// sure.

enum {
	PAGE = 4096,
	MAX_SECTIONS = 64,       // whose headers are on the first page for sure: 40 bytes each
	MAP_CAN_EXECUTE = 4,     // OMF segment descriptor
	MAP_IS_ABSOLUTE = 0x200, // of addresses that are in no section
};

struct error *pdb_sections_read(struct pdb_sections *sections, struct reader reader)
{
	enum { HEADER_SIZE = 40, NAME_SIZE = 8 };
	sections->items = calloc(reader.size / HEADER_SIZE + 1, sizeof(*sections->items));
	if (!sections->items)
		return &error_no_memory;
	while (reader_left(&reader) >= HEADER_SIZE) {
		struct pdb_section *section = &sections->items[sections->num_items++];
		reader_skip(&reader, NAME_SIZE);
		section->size = reader_u32(&reader);
		section->address = reader_u32(&reader);
		section->file_size = reader_u32(&reader);
		section->file_offset = reader_u32(&reader);
		reader_skip(&reader, 4 + 4 + 2 + 2); // relocations, lines
		section->flags = reader_u32(&reader);
	}
	return NULL;
}

static void pdb_sections_of_image(struct pdb_sections *sections, const struct pe_image *image)
{
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct pe_section *section = &image->sections[i];
		sections->items[sections->num_items++] = (struct pdb_section){
			.address = section->address,
			.size = section->memory_size,
			.file_offset = section->offset,
			.file_size = section->size,
			.flags = section->flags,
		};
	}
}

/** Lengths and flags by number. False: numbers are missing or twice there, or lengths missing. */
static bool pdb_sections_read_map(struct pdb_sections *sections, struct reader map)
{
	size_t num_entries = reader_u16(&map), highest = 0;
	reader_skip(&map, 2); // the same number again
	for (size_t i = 0; i < num_entries; i++) {
		uint16_t flags = reader_u16(&map);
		reader_skip(&map, 2 + 2); // overlay, group
		uint16_t number = reader_u16(&map);
		reader_skip(&map, 2 + 2); // names
		uint32_t offset = reader_u32(&map), size = reader_u32(&map);
		if (map.failed)
			return false;
		if (!number || flags & MAP_IS_ABSOLUTE || size == UINT32_MAX)
			continue;
		if (number > MAX_SECTIONS || sections->items[number - 1].size || !size || offset)
			return false;
		sections->items[number - 1] = (struct pdb_section){
			.size = size,
			.flags = flags & MAP_CAN_EXECUTE ? PE_SECTION_IS_CODE : 0,
		};
		sections->num_items++;
		highest = number > highest ? number : highest;
	}
	return sections->num_items && sections->num_items == highest;
}

/** @image_size: 0 if it is not known. */
static enum pdb_layout pdb_sections_find_places(struct pdb_sections *sections, uint32_t image_size)
{
	uint64_t place = PAGE;
	for (size_t i = 0; i < sections->num_items; i++) {
		struct pdb_section *section = &sections->items[i];
		if (place + section->size > UINT32_MAX - PAGE)
			return PDB_LAYOUT_REFUSED;
		section->address = (uint32_t)place;
		place = (place + section->size + PAGE - 1) / PAGE * PAGE;
	}
	if (image_size)
		return place == image_size ? PDB_LAYOUT_PROVED : PDB_LAYOUT_REFUSED;
	sections->num_items = 1;
	return PDB_LAYOUT_FIRST;
}

struct error *pdb_sections_find(struct pdb_sections *sections, struct reader map,
				const struct pdb_image *image, enum pdb_layout *ret)
{
	size_t num = image && image->headers ? image->headers->num_sections : 0;
	sections->items = calloc(num + MAX_SECTIONS, sizeof(*sections->items));
	if (!sections->items)
		return &error_no_memory;
	if (num) {
		pdb_sections_of_image(sections, image->headers);
		*ret = PDB_LAYOUT_HEADERS;
		return NULL;
	}
	*ret = pdb_sections_read_map(sections, map)
		       ? pdb_sections_find_places(sections, image ? image->size : 0)
		       : PDB_LAYOUT_NONE;
	if (*ret == PDB_LAYOUT_NONE || *ret == PDB_LAYOUT_REFUSED)
		sections->num_items = 0;
	return NULL;
}

struct error *pdb_sections_copy(struct pdb_sections *sections, const struct pdb_sections *from)
{
	sections->items = calloc(from->num_items + 1, sizeof(*sections->items));
	if (!sections->items)
		return &error_no_memory;
	for (size_t i = 0; i < from->num_items; i++)
		sections->items[sections->num_items++] = from->items[i];
	return NULL;
}

void pdb_sections_deinit(struct pdb_sections *sections)
{
	free(sections->items);
	*sections = (struct pdb_sections){0};
}
