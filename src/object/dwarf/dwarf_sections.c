// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_sections.h"

#include "object/unpack/packed_section.h"

#include <string.h>

// Finds the sections by name and decompresses those that need it: SHF_COMPRESSED of ELF, and GNU's
// older ".zdebug_*". The sections of a split unit have ".dwo" at the end (DWARF 5, 7.3.2), and may
// be in a file that has the others, too; so `is_split` picks one set. Of several sections with one
// name the first that is not empty counts.
//
// A string table is cut at its last NUL. After that every offset within it gives a string that
// ends, and dwarf_sections_string() needs no check but that of the offset.

static const char *const names[DWARF_NUM_SECTIONS] = {
	[DWARF_SECTION_ABBREV] = "debug_abbrev",
	[DWARF_SECTION_ADDR] = "debug_addr",
	[DWARF_SECTION_INFO] = "debug_info",
	[DWARF_SECTION_LINE] = "debug_line",
	[DWARF_SECTION_LINE_STR] = "debug_line_str",
	[DWARF_SECTION_RANGES] = "debug_ranges",
	[DWARF_SECTION_RNGLISTS] = "debug_rnglists",
	[DWARF_SECTION_STR] = "debug_str",
	[DWARF_SECTION_STR_OFFSETS] = "debug_str_offsets",
};

/** ".debug_info", ".zdebug_info" or, where it is split, ".debug_info.dwo"? */
static bool dwarf_sections_has_name(const struct elf_section *section, const char *name,
				    bool is_split)
{
	const char *rest = section->name;
	if (*rest++ != '.')
		return false;
	rest += *rest == 'z';
	size_t length = strlen(name);
	return !strncmp(rest, name, length) && !strcmp(rest + length, is_split ? ".dwo" : "");
}

/** All strings that are left have an end. */
static void cut_off_rest(struct object_bytes *strings)
{
	while (strings->size && strings->data[strings->size - 1])
		strings->size--;
}

struct error *dwarf_sections_init(struct dwarf_sections *sections, const struct elf_image *image,
				  bool is_split)
{
	struct dwarf_sections found = DWARF_SECTIONS_INIT;
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct elf_section *section = &image->sections[i];
		for (size_t kind = 0; kind < DWARF_NUM_SECTIONS; kind++) {
			if (found.bytes[kind].size ||
			    !dwarf_sections_has_name(section, names[kind], is_split))
				continue;
			// The size in the file bounds what a damaged file may cost (dwarf_file.c).
			found.bytes[kind] = elf_image_bytes(image, section);
			found.sizes_in_file[kind] = found.bytes[kind].size;
			if (!packed_section_is(section))
				continue;
			size_t size;
			struct error *err =
				packed_section_unpack(image, section, &found.unpacked[kind], &size);
			if (err) {
				dwarf_sections_deinit(&found);
				return err;
			}
			found.bytes[kind] =
				(struct object_bytes){.data = found.unpacked[kind], .size = size};
		}
	}
	cut_off_rest(&found.bytes[DWARF_SECTION_STR]);
	cut_off_rest(&found.bytes[DWARF_SECTION_LINE_STR]);
	*sections = found;
	return NULL;
}

void dwarf_sections_deinit(struct dwarf_sections *sections)
{
	for (size_t i = 0; i < DWARF_NUM_SECTIONS; i++)
		free(sections->unpacked[i]);
	*sections = (struct dwarf_sections)DWARF_SECTIONS_INIT;
}

struct reader dwarf_sections_reader(const struct dwarf_sections *sections,
				    enum dwarf_section section, uint64_t offset)
{
	const struct object_bytes *bytes = &sections->bytes[section];
	struct reader reader = reader_create(bytes->data, bytes->size);
	if (offset <= bytes->size)
		reader.offset = offset;
	else
		reader.failed = true;
	return reader;
}

const char *dwarf_sections_string(const struct dwarf_sections *sections, enum dwarf_section section,
				  uint64_t offset)
{
	const struct object_bytes *bytes = &sections->bytes[section];
	return offset < bytes->size ? (const char *)bytes->data + offset : NULL;
}
