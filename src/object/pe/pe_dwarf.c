// SPDX-License-Identifier: Apache-2.0

#include "object/pe/pe_dwarf.h"

#include "object/line_image/byte_writer.h"

#include <elf.h>

// Instead of a second interface for PE in all of dwarf_*.c, the sections .debug_* are copied into
// a small ELF file in memory, and the other sections become segments without bytes: the DWARF
// reader only asks them what is code. Addresses have the image base added, as in the DWARF.
// Headers are written last, when sizes are known, into room that was left at the start. Several
// sections may claim the same bytes of the file; pe_dwarf_is_plausible() refuses to copy more than
// the file has.

/** A file that grows; its headers are written last. */
struct writer {
	struct string_builder bytes, names;
	Elf64_Shdr *sections;
	size_t num_sections;
	Elf64_Phdr *segments;
	size_t num_segments;
};

static void writer_deinit(struct writer *writer)
{
	string_builder_deinit(&writer->bytes);
	string_builder_deinit(&writer->names);
	free(writer->sections);
	free(writer->segments);
}

static bool is_dwarf(const struct pe_section *section)
{
	return !strncmp(section->name, ".debug_", strlen(".debug_"));
}

/** Sections may claim the same bytes; more than the file has is not copied. */
static bool pe_dwarf_is_plausible(const struct pe_image *image)
{
	// Sections have sizes of 32 bits, and an image at most 65,535 of them: the sum cannot wrap.
	uint64_t total = 0;
	for (size_t i = 0; i < image->num_sections; i++)
		if (is_dwarf(&image->sections[i]))
			total += image->sections[i].size;
	return total && total <= image->size;
}

/** What follows is its content. */
static void begin_section(struct writer *writer, const char *name, uint32_t type)
{
	byte_writer_align(&writer->bytes, 8);
	writer->sections[writer->num_sections++] = (Elf64_Shdr){
		.sh_name = (uint32_t)writer->names.length,
		.sh_type = type,
		.sh_offset = writer->bytes.length,
		.sh_addralign = 1,
	};
	byte_writer_text(&writer->names, name);
}

static void put_content(struct writer *writer, const void *data, size_t size)
{
	byte_writer_put(&writer->bytes, data, size);
	writer->sections[writer->num_sections - 1].sh_size = size;
}

static void write_header(struct writer *writer, const struct pe_image *image)
{
	byte_writer_align(&writer->bytes, 8);
	size_t segments_offset = writer->bytes.length;
	byte_writer_put(&writer->bytes, writer->segments,
			writer->num_segments * sizeof(*writer->segments));
	Elf64_Ehdr header = {
		.e_type = ET_EXEC,
		.e_machine = image->kind == PE_KIND_X64 ? EM_X86_64 : EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_phoff = segments_offset,
		.e_shoff = writer->bytes.length,
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (uint16_t)writer->num_segments,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (uint16_t)writer->num_sections,
		.e_shstrndx = (uint16_t)(writer->num_sections - 1),
	};
	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	byte_writer_put(&writer->bytes, writer->sections,
			writer->num_sections * sizeof(*writer->sections));
	if (!writer->bytes.failed)
		memcpy(writer->bytes.text, &header, sizeof(header));
}

static void add_contents(struct writer *writer, const struct pe_image *image)
{
	// Section 0 is empty by the rules of ELF; the names are written last, when all are known.
	const Elf64_Ehdr room = {0};
	byte_writer_put(&writer->bytes, &room, sizeof(room));
	begin_section(writer, "", SHT_NULL);
	writer->sections[0] = (Elf64_Shdr){0};
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct pe_section *section = &image->sections[i];
		struct object_bytes bytes = pe_image_section_bytes(image, section);
		if (!is_dwarf(section)) {
			writer->segments[writer->num_segments++] = (Elf64_Phdr){
				.p_type = PT_LOAD,
				.p_flags = PF_R | (section->flags & PE_SECTION_IS_CODE ? PF_X : 0),
				.p_vaddr = image->base + section->address,
				.p_paddr = image->base + section->address,
				.p_memsz = section->memory_size,
				.p_align = 1,
			};
		} else if (bytes.size) {
			begin_section(writer, section->name, SHT_PROGBITS);
			put_content(writer, bytes.data, bytes.size);
		}
	}
	begin_section(writer, ".shstrtab", SHT_STRTAB);
	put_content(writer, writer->names.text, writer->names.length);
	write_header(writer, image);
}

struct error *pe_dwarf_init(struct pe_dwarf *dwarf, const struct pe_image *image, const char *name)
{
	enum { MAX_SECTIONS = SHN_LORESERVE - 2 }; // and one without a name, one of names
	if (!pe_image_find_section(image, ".debug_info") || !pe_dwarf_is_plausible(image) ||
	    image->num_sections > MAX_SECTIONS)
		return NULL;
	_cleanup_(writer_deinit) struct writer writer = {
		.sections = calloc(image->num_sections + 2, sizeof(*writer.sections)),
		.segments = calloc(image->num_sections + 1, sizeof(*writer.segments)),
	};
	if (!writer.sections || !writer.segments)
		return &error_no_memory;
	add_contents(&writer, image);
	if (writer.names.failed)
		return &error_no_memory;
	dwarf->size = writer.bytes.length;
	struct error *err = string_builder_finish(&writer.bytes, &dwarf->bytes);
	if (!err)
		err = elf_image_init(&dwarf->image, dwarf->bytes, dwarf->size, name);
	if (err)
		pe_dwarf_deinit(dwarf);
	return err;
}

void pe_dwarf_deinit(struct pe_dwarf *dwarf)
{
	elf_image_deinit(&dwarf->image);
	free(dwarf->bytes);
	*dwarf = (struct pe_dwarf)PE_DWARF_INIT;
}
