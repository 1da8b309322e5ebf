// SPDX-License-Identifier: Apache-2.0

// The sections of a file with DWARF: how long each one is, as a word, then their bytes, one behind
// the other. They are a program's, those of its .dwo file, and what it has in common with others.

#include "object/dwarf/dwarf_root.h"
#include "object/dwarf/dwarf_split.h"
#include "object/dwarf/dwarf_unit.h"
#include "object/dwarf/line_finder.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {
	".debug_abbrev", ".debug_addr", ".debug_info",     ".debug_line",        ".debug_line_str",
	".debug_ranges", ".debug_str",  ".debug_rnglists", ".debug_str_offsets",
};
static const char *const split_names[] = {
	".debug_abbrev.dwo", ".debug_addr.dwo",     ".debug_info.dwo",
	".debug_line.dwo",   ".debug_line_str.dwo", ".debug_ranges.dwo",
	".debug_str.dwo",    ".debug_rnglists.dwo", ".debug_str_offsets.dwo",
};

enum { NUM_SECTIONS = sizeof(names) / sizeof(names[0]), CODE_SIZE = 1 << 14 };

/** Checks what the sanitizers can see: that strings end. */
static size_t length_of(const char *text)
{
	return text ? strlen(text) : 0;
}

static void ask(const struct elf_image *image)
{
	struct line_finder *finder;
	char no_root[] = "";
	const struct debug_search search = {.root = no_root};
	struct error *err = line_finder_create(image, image, NULL, &search, &finder);
	if (err)
		abort();
	size_t num_bytes = 0;
	for (uint64_t address = 0; address < CODE_SIZE; address += 16) {
		const struct object_line *lines;
		size_t num_lines;
		if (line_finder_find(finder, address, &lines, &num_lines))
			abort();
		for (size_t i = 0; i < num_lines; i++)
			num_bytes += length_of(lines[i].function) + length_of(lines[i].file) +
				     length_of(lines[i].definition_file);
	}
	if (num_bytes == SIZE_MAX)
		abort();
	line_finder_destroy(finder);
}

static void read_functions(struct dwarf_scopes *scopes)
{
	_cleanup_(string_table_deinit) struct string_table paths = STRING_TABLE_INIT;
	for (size_t i = 0; i < scopes->num_items && i < 64; i++) {
		struct dwarf_function function;
		if (dwarf_function_read(scopes->header, scopes->items[i].die, &paths, &function))
			abort();
	}
}

static void read_split(struct dwarf_file *split, const struct dwarf_file *program,
		       const struct elf_image *code)
{
	for (size_t i = 0; i < split->num_headers; i++) {
		const struct dwarf_header *skeleton = &program->headers[i % program->num_headers];
		struct dwarf_scopes scopes;
		if (dwarf_root_need(&split->headers[i], skeleton) ||
		    dwarf_scopes_read(&scopes, &split->headers[i], code))
			abort();
		read_functions(&scopes);
		dwarf_scopes_deinit(&scopes);
	}
}

static void ask_split(const struct elf_image *image, const struct elf_image *split_image)
{
	struct dwarf_file program, split, common;
	if (dwarf_file_init(&program, image, false) || dwarf_file_init(&common, image, false) ||
	    dwarf_file_init(&split, split_image, true))
		abort();
	split.common = &common;
	for (size_t i = 0; i < program.num_headers; i++)
		if (dwarf_root_need(&program.headers[i], NULL))
			abort();
	read_split(&split, &program, image);
	dwarf_file_deinit(&program);
	dwarf_file_deinit(&split);
	dwarf_file_deinit(&common);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader reader = reader_create(data, size);
	struct elf_section sections[NUM_SECTIONS], split_sections[NUM_SECTIONS];
	struct elf_segment segment = {.memory_size = CODE_SIZE, .is_code = true};
	struct elf_image image = {.data = data,
				  .size = size,
				  .is_linked = true,
				  .sections = sections,
				  .num_sections = NUM_SECTIONS,
				  .segments = &segment,
				  .num_segments = 1};
	struct elf_image split_image = image;
	split_image.sections = split_sections;
	uint64_t offset = NUM_SECTIONS * sizeof(uint16_t);
	for (size_t i = 0; i < NUM_SECTIONS; i++) {
		uint64_t length = reader_u16(&reader);
		sections[i] = (struct elf_section){
			.name = names[i], .type = SHT_PROGBITS, .offset = offset, .size = length};
		split_sections[i] = sections[i];
		split_sections[i].name = split_names[i];
		offset += length;
	}
	ask(&image);
	ask_split(&image, &split_image);
	return 0;
}
