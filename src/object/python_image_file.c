// SPDX-License-Identifier: Apache-2.0
// The file of an image: ELF with DWARF 4, which every tool of today reads.

#include "base/array.h"
#include "base/cleanup.h"
#include "base/string_builder.h"
#include "object/python_image.h"
#include "object/python_image_layout.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum section {
	SECTION_NONE,
	SECTION_BUILD_ID,
	SECTION_TEXT,
	SECTION_SYMBOLS,
	SECTION_STRINGS,
	SECTION_ABBREVIATIONS,
	SECTION_INFO,
	SECTION_LINES,
	SECTION_RANGES,
	SECTION_MARK,
	SECTION_NAMES,
	NUM_SECTIONS,
};

static const struct {
	const char *name;
	uint32_t type, link, info, flags, alignment, entry_size;
} sections[NUM_SECTIONS] = {
	[SECTION_NONE] = {.name = ""},
	[SECTION_BUILD_ID] = {".note.gnu.build-id", SHT_NOTE, 0, 0, SHF_ALLOC, 4, 0},
	[SECTION_TEXT] = {".text", SHT_PROGBITS, 0, 0, SHF_ALLOC | SHF_EXECINSTR, 16, 0},
	[SECTION_SYMBOLS] = {".symtab", SHT_SYMTAB, SECTION_STRINGS, 1, 0, 8, sizeof(Elf64_Sym)},
	[SECTION_STRINGS] = {".strtab", SHT_STRTAB, 0, 0, 0, 1, 0},
	[SECTION_ABBREVIATIONS] = {".debug_abbrev", SHT_PROGBITS, 0, 0, 0, 1, 0},
	[SECTION_INFO] = {".debug_info", SHT_PROGBITS, 0, 0, 0, 1, 0},
	[SECTION_LINES] = {".debug_line", SHT_PROGBITS, 0, 0, 0, 1, 0},
	[SECTION_RANGES] = {".debug_aranges", SHT_PROGBITS, 0, 0, 0, 16, 0},
	[SECTION_MARK] = {PYTHON_IMAGE_MARK, SHT_PROGBITS, 0, 0, 0, 1, 0},
	[SECTION_NAMES] = {".shstrtab", SHT_STRTAB, 0, 0, 0, 1, 0},
};

enum {
	DWARF_VERSION = 4,
	ADDRESS_SIZE = sizeof(uint64_t),
	NO_FILE = 0, /* as a number of a file: they count from 1 */
};

enum abbreviation { ABBREVIATION_END, ABBREVIATION_UNIT, ABBREVIATION_FUNCTION };

/** A file that is being made. */
struct image_file {
	const struct python_image *image;
	enum object_machine machine;
	const uint8_t *build_id;
	struct string_builder bytes[NUM_SECTIONS];
	uint32_t *file_numbers; /* by number of the string */
	uint32_t num_files;
	struct string_builder whole;
};

static void image_file_deinit(struct image_file *file)
{
	for (size_t i = 0; i < NUM_SECTIONS; i++)
		string_builder_deinit(&file->bytes[i]);
	string_builder_deinit(&file->whole);
	free(file->file_numbers);
}

static void put(struct string_builder *bytes, const void *data, size_t size)
{
	string_builder_append_n(bytes, data, size);
}

static void put_u8(struct string_builder *bytes, uint8_t value)
{
	put(bytes, &value, sizeof(value));
}

static void put_u16(struct string_builder *bytes, uint16_t value)
{
	put(bytes, &value, sizeof(value));
}

static void put_u32(struct string_builder *bytes, uint32_t value)
{
	put(bytes, &value, sizeof(value));
}

static void put_u64(struct string_builder *bytes, uint64_t value)
{
	put(bytes, &value, sizeof(value));
}

static void put_text(struct string_builder *bytes, const char *text)
{
	put(bytes, text, strlen(text) + 1);
}

/** Numbers of variable size, as DWARF has them. */
static void put_number(struct string_builder *bytes, uint32_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_u8(bytes, (uint8_t)(value | 0x80));
	put_u8(bytes, (uint8_t)value);
}

static void put_signed(struct string_builder *bytes, int64_t value)
{
	for (; value < -0x40 || value >= 0x40; value >>= 7)
		put_u8(bytes, (uint8_t)((value & 0x7f) | 0x80));
	put_u8(bytes, (uint8_t)(value & 0x7f));
}

static void put_padding(struct string_builder *bytes, size_t alignment)
{
	while (!bytes->failed && bytes->length % alignment)
		put_u8(bytes, 0);
}

/** A size that stands before what it is of. */
static void set_u32(struct string_builder *bytes, size_t offset, size_t value)
{
	uint32_t size = (uint32_t)value;
	if (!bytes->failed)
		memcpy(bytes->text + offset, &size, sizeof(size));
}

static const char *text_of(const struct image_file *file, uint32_t string)
{
	return string_table_get(&file->image->strings, string);
}

static uint64_t address_of(const struct python_image_range *range)
{
	return PYTHON_IMAGE_CODE + range->offset;
}

static uint32_t size_of(const struct python_image_range *range)
{
	return range->num_lines * PYTHON_IMAGE_LINE_SIZE;
}

static struct error *number_files(struct image_file *file)
{
	const struct python_image *image = file->image;
	file->file_numbers = calloc(image->strings.num_entries + 1, sizeof(*file->file_numbers));
	if (!file->file_numbers)
		return &error_no_memory;
	for (size_t i = 0; i < image->num_ranges; i++) {
		uint32_t *number = &file->file_numbers[image->ranges[i].file];
		if (*number == NO_FILE && *text_of(file, image->ranges[i].file))
			*number = ++file->num_files;
	}
	return NULL;
}

static void put_build_id(struct image_file *file)
{
	static const char owner[] = "GNU";
	struct string_builder *bytes = &file->bytes[SECTION_BUILD_ID];
	put_u32(bytes, sizeof(owner));
	put_u32(bytes, PYTHON_IMAGE_BUILD_ID_SIZE);
	put_u32(bytes, NT_GNU_BUILD_ID);
	put_text(bytes, owner);
	put(bytes, file->build_id, PYTHON_IMAGE_BUILD_ID_SIZE);
}

static void put_code(struct image_file *file)
{
	static const uint8_t nothing[][PYTHON_IMAGE_LINE_SIZE] = {
		[OBJECT_MACHINE_X86_64] = {0x0f, 0x1f, 0x84},
		[OBJECT_MACHINE_AARCH64] = {0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5},
	};
	for (uint32_t i = 0; i < file->image->text_size; i += PYTHON_IMAGE_LINE_SIZE)
		put(&file->bytes[SECTION_TEXT], nothing[file->machine], PYTHON_IMAGE_LINE_SIZE);
}

static void put_symbols(struct image_file *file)
{
	struct string_builder *symbols = &file->bytes[SECTION_SYMBOLS];
	struct string_builder *strings = &file->bytes[SECTION_STRINGS];
	put(symbols, &(Elf64_Sym){}, sizeof(Elf64_Sym));
	put_text(strings, "");
	for (size_t i = 0; i < file->image->num_ranges; i++) {
		const struct python_image_range *range = &file->image->ranges[i];
		const Elf64_Sym symbol = {
			.st_name = (uint32_t)strings->length,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = SECTION_TEXT,
			.st_value = address_of(range),
			.st_size = size_of(range),
		};
		put(symbols, &symbol, sizeof(symbol));
		put_text(strings, text_of(file, range->function));
	}
}

static void put_abbreviations(struct image_file *file)
{
	static const uint8_t words[] = {
		ABBREVIATION_UNIT,
		DW_TAG_compile_unit,
		DW_CHILDREN_yes,
		DW_AT_producer,
		DW_FORM_string,
		DW_AT_language,
		DW_FORM_data2,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_stmt_list,
		DW_FORM_sec_offset,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data4,
		0,
		0,
		ABBREVIATION_FUNCTION,
		DW_TAG_subprogram,
		DW_CHILDREN_no,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_decl_file,
		DW_FORM_udata,
		DW_AT_decl_line,
		DW_FORM_udata,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data4,
		DW_AT_external,
		DW_FORM_flag_present,
		0,
		0,
		ABBREVIATION_END,
	};
	put(&file->bytes[SECTION_ABBREVIATIONS], words, sizeof(words));
}

static void put_unit(struct image_file *file)
{
	struct string_builder *info = &file->bytes[SECTION_INFO];
	put_u32(info, 0); // its size, once it is known
	put_u16(info, DWARF_VERSION);
	put_u32(info, 0); // where its abbreviations are
	put_u8(info, ADDRESS_SIZE);
	put_number(info, ABBREVIATION_UNIT);
	put_text(info, "wperf");
	put_u16(info, DW_LANG_Python);
	put_text(info, "Python");
	put_u32(info, 0); // where its lines are
	put_u64(info, PYTHON_IMAGE_CODE);
	put_u32(info, file->image->text_size);
}

static void put_functions(struct image_file *file)
{
	struct string_builder *info = &file->bytes[SECTION_INFO];
	for (size_t i = 0; i < file->image->num_ranges; i++) {
		const struct python_image_range *range = &file->image->ranges[i];
		if (file->file_numbers[range->file] == NO_FILE)
			continue;
		put_number(info, ABBREVIATION_FUNCTION);
		put_text(info, text_of(file, range->function));
		put_number(info, file->file_numbers[range->file]);
		put_number(info, range->definition_line);
		put_u64(info, address_of(range));
		put_u32(info, size_of(range));
	}
	put_number(info, ABBREVIATION_END);
	set_u32(info, 0, info->length - sizeof(uint32_t));
}

/** In the order of their numbers, which is that of the ranges. */
static void put_files(struct image_file *file, struct string_builder *lines)
{
	uint32_t num_written = 0;
	for (size_t i = 0; i < file->image->num_ranges; i++) {
		uint32_t string = file->image->ranges[i].file;
		if (file->file_numbers[string] != num_written + 1)
			continue;
		put_text(lines, text_of(file, string));
		put_number(lines, 0); // folder: none
		put_number(lines, 0); // time: not said
		put_number(lines, 0); // size: not said
		num_written++;
	}
	put_u8(lines, 0);
}

static void put_line_header(struct image_file *file)
{
	// How many operands each of the standard operations has.
	static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	struct string_builder *lines = &file->bytes[SECTION_LINES];
	put_u32(lines, 0); // its size, once it is known
	put_u16(lines, DWARF_VERSION);
	size_t start = lines->length;
	put_u32(lines, 0);          // the header's
	put_u8(lines, 1);           // bytes that addresses are multiples of
	put_u8(lines, 1);           // operations in an instruction
	put_u8(lines, 1);           // every row is a statement
	put_u8(lines, (uint8_t)-5); // line base and ...
	put_u8(lines, 14);          // ... range of operations that are not used here
	put_u8(lines, sizeof(operands) + 1);
	put(lines, operands, sizeof(operands));
	put_u8(lines, 0); // no folders
	put_files(file, lines);
	set_u32(lines, start, lines->length - start - sizeof(uint32_t));
}

static void put_rows(struct string_builder *lines, const struct python_image_range *range,
		     uint32_t file_number)
{
	int64_t line = 1;
	put_u8(lines, 0);
	put_number(lines, 1 + ADDRESS_SIZE);
	put_u8(lines, DW_LNE_set_address);
	put_u64(lines, address_of(range));
	put_u8(lines, DW_LNS_set_file);
	put_number(lines, file_number);
	for (uint32_t i = 0; i < range->num_lines; i++) {
		put_u8(lines, DW_LNS_advance_line);
		put_signed(lines, (int64_t)range->first_line + i - line);
		line = (int64_t)range->first_line + i;
		put_u8(lines, DW_LNS_copy);
		put_u8(lines, DW_LNS_advance_pc);
		put_number(lines, PYTHON_IMAGE_LINE_SIZE);
	}
	put_u8(lines, 0);
	put_number(lines, 1);
	put_u8(lines, DW_LNE_end_sequence);
}

static void put_lines(struct image_file *file)
{
	struct string_builder *lines = &file->bytes[SECTION_LINES];
	put_line_header(file);
	for (size_t i = 0; i < file->image->num_ranges; i++) {
		const struct python_image_range *range = &file->image->ranges[i];
		if (file->file_numbers[range->file] != NO_FILE)
			put_rows(lines, range, file->file_numbers[range->file]);
	}
	set_u32(lines, 0, lines->length - sizeof(uint32_t));
}

static void put_ranges(struct image_file *file)
{
	struct string_builder *ranges = &file->bytes[SECTION_RANGES];
	put_u32(ranges, 0); // its size, once it is known
	put_u16(ranges, 2); // its version
	put_u32(ranges, 0); // where its unit is
	put_u8(ranges, ADDRESS_SIZE);
	put_u8(ranges, 0); // no selectors of segments
	put_padding(ranges, 2 * ADDRESS_SIZE);
	put_u64(ranges, PYTHON_IMAGE_CODE);
	put_u64(ranges, file->image->text_size);
	put_u64(ranges, 0); // the end
	put_u64(ranges, 0);
	set_u32(ranges, 0, ranges->length - sizeof(uint32_t));
}

static Elf64_Shdr put_section(struct image_file *file, enum section section)
{
	const struct string_builder *bytes = &file->bytes[section];
	struct string_builder *names = &file->bytes[SECTION_NAMES];
	put_padding(&file->whole, section == SECTION_TEXT ? PYTHON_IMAGE_CODE : 16);
	Elf64_Shdr header = {
		.sh_name = (uint32_t)names->length,
		.sh_type = sections[section].type,
		.sh_flags = sections[section].flags,
		.sh_addr = sections[section].flags ? file->whole.length : 0,
		.sh_offset = file->whole.length,
		.sh_link = sections[section].link,
		.sh_info = sections[section].info,
		.sh_addralign = sections[section].alignment,
		.sh_entsize = sections[section].entry_size,
	};
	put_text(names, sections[section].name);
	header.sh_size = bytes->length;
	put(&file->whole, string_builder_peek(bytes), bytes->length);
	return header;
}

static Elf64_Ehdr header_of(const struct image_file *file, uint64_t section_headers)
{
	return (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = file->machine == OBJECT_MACHINE_AARCH64 ? EM_AARCH64 : EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_shoff = section_headers,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NUM_SECTIONS,
		.e_shstrndx = SECTION_NAMES,
	};
}

/** What stands at the file's beginning, once all sections have their places. */
static void set_headers(struct image_file *file, const Elf64_Shdr *headers, uint64_t at)
{
	uint64_t loaded = PYTHON_IMAGE_CODE + file->image->text_size;
	const Elf64_Shdr *note = &headers[SECTION_BUILD_ID];
	const struct {
		Elf64_Ehdr header;
		Elf64_Phdr segments[2];
	} start = {
		header_of(file, at),
		{{PT_LOAD, PF_R | PF_X, 0, 0, 0, loaded, loaded, PYTHON_IMAGE_CODE},
		 {PT_NOTE, PF_R, note->sh_offset, note->sh_addr, note->sh_addr, note->sh_size,
		  note->sh_size, 4}},
	};
	if (!file->whole.failed)
		memcpy(file->whole.text, &start, sizeof(start));
}

static void join(struct image_file *file)
{
	static const uint8_t room[sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr)];
	Elf64_Shdr headers[NUM_SECTIONS] = {};
	put(&file->whole, room, sizeof(room));
	put_text(&file->bytes[SECTION_NAMES], "");
	for (enum section i = SECTION_BUILD_ID; i < SECTION_NAMES; i++)
		headers[i] = put_section(file, i);
	headers[SECTION_NAMES] = put_section(file, SECTION_NAMES);
	put_padding(&file->whole, 16);
	uint64_t at = file->whole.length;
	put(&file->whole, headers, sizeof(headers));
	set_headers(file, headers, at);
}

static bool has_failed(const struct image_file *file)
{
	bool failed = file->whole.failed;
	for (size_t i = 0; i < NUM_SECTIONS; i++)
		failed |= file->bytes[i].failed;
	return failed;
}

struct error *python_image_encode(const struct python_image *image, enum object_machine machine,
				  const uint8_t build_id[static PYTHON_IMAGE_BUILD_ID_SIZE],
				  char **ret, size_t *ret_size)
{
	_cleanup_(image_file_deinit) struct image_file file = {
		.image = image, .machine = machine, .build_id = build_id};
	if (machine == OBJECT_MACHINE_OTHER)
		file.machine = OBJECT_MACHINE_X86_64;
	struct error *err = number_files(&file);
	if (err)
		return err;
	static void (*const parts[])(struct image_file *) = {
		put_build_id, put_code,      put_symbols, put_abbreviations,
		put_unit,     put_functions, put_lines,   put_ranges,
	};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		parts[i](&file);
	put_text(&file.bytes[SECTION_MARK], "1");
	join(&file);
	if (has_failed(&file))
		return &error_no_memory;
	*ret_size = file.whole.length;
	return string_builder_finish(&file.whole, ret);
}
