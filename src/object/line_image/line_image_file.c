// SPDX-License-Identifier: Apache-2.0
// The file of an image.

#include "base/cleanup.h"
#include "base/container/array.h"
#include "object/line_image/byte_writer.h"
#include "object/line_image/line_image.h"
#include "object/line_image/line_image_dwarf.h"
#include "object/line_image/line_image_layout.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

// Writes the ELF file: room for headers, one section after the other, section headers; then the
// headers at the start are filled in, as offsets are known only now (set_headers()). .text has a
// real no-op instruction for each line, since tools that disassemble would stumble over zeros;
// .symtab has the functions. The build-id connects the file with the recording, and a section with
// the name LINE_IMAGE_MARK tells line_image_is() that it is ours.

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
	[SECTION_MARK] = {LINE_IMAGE_MARK, SHT_PROGBITS, 0, 0, 0, 1, 0},
	[SECTION_NAMES] = {".shstrtab", SHT_STRTAB, 0, 0, 0, 1, 0},
};

/** A file that is being made. */
struct image_file {
	const struct line_image *image;
	enum object_machine machine;
	const uint8_t *build_id;
	struct string_builder bytes[NUM_SECTIONS]; /* what is not in @dwarf */
	struct line_image_dwarf dwarf;
	struct string_builder whole;
};

static void image_file_deinit(struct image_file *file)
{
	for (size_t i = 0; i < NUM_SECTIONS; i++)
		string_builder_deinit(&file->bytes[i]);
	line_image_dwarf_deinit(&file->dwarf);
	string_builder_deinit(&file->whole);
}

static void put_build_id(struct image_file *file)
{
	static const char owner[] = "GNU";
	// A note: the sizes of owner and content, its type, then both, each up to four bytes.
	struct string_builder *bytes = &file->bytes[SECTION_BUILD_ID];
	byte_writer_u32(bytes, sizeof(owner));
	byte_writer_u32(bytes, LINE_IMAGE_BUILD_ID_SIZE);
	byte_writer_u32(bytes, NT_GNU_BUILD_ID);
	byte_writer_text(bytes, owner);
	byte_writer_put(bytes, file->build_id, LINE_IMAGE_BUILD_ID_SIZE);
}

static void put_code(struct image_file *file)
{
	static const uint8_t nothing[][LINE_IMAGE_LINE_SIZE] = {
		// nopl 0(%rax,%rax,1), which has eight bytes; nop, which has four, twice.
		[OBJECT_MACHINE_X86_64] = {0x0f, 0x1f, 0x84},
		[OBJECT_MACHINE_AARCH64] = {0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5},
	};
	for (uint32_t i = 0; i < file->image->text_size; i += LINE_IMAGE_LINE_SIZE)
		byte_writer_put(&file->bytes[SECTION_TEXT], nothing[file->machine],
				LINE_IMAGE_LINE_SIZE);
}

static void put_symbols(struct image_file *file)
{
	struct string_builder *symbols = &file->bytes[SECTION_SYMBOLS];
	struct string_builder *strings = &file->bytes[SECTION_STRINGS];
	// The first symbol of a table is empty, and so is its name (gABI, "Symbol Table").
	byte_writer_put(symbols, &(Elf64_Sym){}, sizeof(Elf64_Sym));
	byte_writer_text(strings, "");
	for (size_t i = 0; i < file->image->num_ranges; i++) {
		const struct line_image_range *range = &file->image->ranges[i];
		const Elf64_Sym symbol = {
			.st_name = (uint32_t)strings->length,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = SECTION_TEXT,
			.st_value = line_image_address(range),
			.st_size = line_image_size(range),
		};
		byte_writer_put(symbols, &symbol, sizeof(symbol));
		byte_writer_text(strings, string_table_get(&file->image->strings, range->function));
	}
}

static const struct string_builder *bytes_of(const struct image_file *file, enum section section)
{
	switch (section) {
	case SECTION_ABBREVIATIONS:
		return &file->dwarf.abbreviations;
	case SECTION_INFO:
		return &file->dwarf.info;
	case SECTION_LINES:
		return &file->dwarf.lines;
	case SECTION_RANGES:
		return &file->dwarf.ranges;
	default:
		return &file->bytes[section];
	}
}

static Elf64_Shdr put_section(struct image_file *file, enum section section)
{
	const struct string_builder *bytes = bytes_of(file, section);
	struct string_builder *names = &file->bytes[SECTION_NAMES];
	byte_writer_align(&file->whole, section == SECTION_TEXT ? LINE_IMAGE_CODE : 16);
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
	byte_writer_text(names, sections[section].name);
	header.sh_size = bytes->length;
	byte_writer_put(&file->whole, string_builder_peek(bytes), bytes->length);
	return header;
}

/** What stands at the file's beginning, once all sections have their places. */
static void set_headers(struct image_file *file, const Elf64_Shdr *headers, uint64_t at)
{
	uint64_t loaded = LINE_IMAGE_CODE + file->image->text_size;
	const Elf64_Shdr *note = &headers[SECTION_BUILD_ID];
	const struct {
		Elf64_Ehdr header;
		Elf64_Phdr segments[2];
	} start = {
		{
			.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				    EV_CURRENT},
			.e_type = ET_DYN,
			.e_machine =
				file->machine == OBJECT_MACHINE_AARCH64 ? EM_AARCH64 : EM_X86_64,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_shoff = at,
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 2,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = NUM_SECTIONS,
			.e_shstrndx = SECTION_NAMES,
		},
		{{PT_LOAD, PF_R | PF_X, 0, 0, 0, loaded, loaded, LINE_IMAGE_CODE},
		 {PT_NOTE, PF_R, note->sh_offset, note->sh_addr, note->sh_addr, note->sh_size,
		  note->sh_size, 4}},
	};
	if (!file->whole.failed)
		memcpy(file->whole.text, &start, sizeof(start));
}

static void line_image_file_join(struct image_file *file)
{
	static const uint8_t room[sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr)];
	Elf64_Shdr headers[NUM_SECTIONS] = {};
	byte_writer_put(&file->whole, room, sizeof(room));
	byte_writer_text(&file->bytes[SECTION_NAMES], "");
	for (enum section i = SECTION_BUILD_ID; i < SECTION_NAMES; i++)
		headers[i] = put_section(file, i);
	headers[SECTION_NAMES] = put_section(file, SECTION_NAMES);
	byte_writer_align(&file->whole, 16);
	uint64_t at = file->whole.length;
	byte_writer_put(&file->whole, headers, sizeof(headers));
	set_headers(file, headers, at);
}

struct error *line_image_encode(const struct line_image *image,
				const struct line_image_language *language,
				enum object_machine machine,
				const uint8_t build_id[static LINE_IMAGE_BUILD_ID_SIZE], char **ret,
				size_t *ret_size)
{
	_cleanup_(image_file_deinit) struct image_file file = {
		.image = image, .machine = machine, .build_id = build_id};
	if (machine == OBJECT_MACHINE_OTHER)
		file.machine = OBJECT_MACHINE_X86_64;
	struct error *err = line_image_dwarf_init(&file.dwarf, image, language);
	if (err)
		return err;
	put_build_id(&file);
	put_code(&file);
	put_symbols(&file);
	byte_writer_text(&file.bytes[SECTION_MARK], "1");
	line_image_file_join(&file);
	bool failed = file.whole.failed;
	for (enum section i = SECTION_NONE; i < NUM_SECTIONS; i++)
		failed |= bytes_of(&file, i)->failed;
	if (failed)
		return &error_no_memory;
	*ret_size = file.whole.length;
	return string_builder_finish(&file.whole, ret);
}
