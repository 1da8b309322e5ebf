// SPDX-License-Identifier: Apache-2.0

#include "object/elf/elf_image.h"

#include "base/container/array.h"
#include "base/reader.h"

#include <elf.h>
#include <string.h>

// Reads the headers of an ELF file (System V gABI, chapters 4 and 5; struct layouts in <elf.h>),
// field by field through a reader, as the bytes may be unaligned, too short or made up. A table
// that is not wholly in the file counts as empty (table_reader()), so all later code works with
// sizes that exist.
//
// Counts that do not fit into the header are in section 0 (read_large_counts()). The build-id is
// in a PT_NOTE segment; files with only debug information may have that segment without bytes, so
// sections of notes are searched, too. An object that is not linked (kernel modules) has no
// segments; its sections are taken as such.

/** Where the tables are, by the file's header. */
struct elf_header {
	uint16_t type, machine;
	uint64_t entry;
	uint64_t segments_offset, sections_offset;
	uint32_t num_segments, num_sections, names_section;
};

static struct error *not_an_object(const char *name, const char *why)
{
	return error_create(ERROR_FAILED, "cannot read '%s': %s", name, why);
}

static const char *elf_image_reason_against(const uint8_t *ident)
{
	if (memcmp(ident, ELFMAG, SELFMAG) != 0)
		return "not an ELF file, a Windows program or a PDB";
	if (ident[EI_CLASS] == ELFCLASS32)
		return "it is a 32-bit file; only 64-bit files are supported";
	if (ident[EI_CLASS] != ELFCLASS64)
		return "it is neither 32-bit nor 64-bit";
	if (ident[EI_DATA] != ELFDATA2LSB)
		return "it is big-endian; only little-endian is supported";
	return NULL;
}

static struct error *elf_image_read_header(const struct elf_image *image, const char *name,
					   struct elf_header *ret)
{
	struct reader reader = reader_create(image->data, image->size);
	const uint8_t *ident = reader_bytes(&reader, EI_NIDENT);
	if (!ident)
		return not_an_object(name, "it is too short to contain code");
	const char *reason = elf_image_reason_against(ident);
	if (reason)
		return not_an_object(name, reason);

	struct elf_header header = {0};
	header.type = reader_u16(&reader);
	header.machine = reader_u16(&reader);
	reader_skip(&reader, 4); // e_version
	header.entry = reader_u64(&reader);
	header.segments_offset = reader_u64(&reader);
	header.sections_offset = reader_u64(&reader);
	reader_skip(&reader, 4 + 2 + 2); // e_flags, e_ehsize, e_phentsize
	header.num_segments = reader_u16(&reader);
	reader_skip(&reader, 2); // e_shentsize
	header.num_sections = reader_u16(&reader);
	header.names_section = reader_u16(&reader);
	if (reader.failed)
		return not_an_object(name, "its header is incomplete");
	*ret = header;
	return NULL;
}

/** A reader over a table of @count entries; over nothing if it is not in the file. */
static struct reader table_reader(const struct elf_image *image, uint64_t offset, uint64_t count,
				  size_t entry_size)
{
	bool fits = offset && offset <= image->size && count <= (image->size - offset) / entry_size;
	return fits ? reader_create(image->data + offset, count * entry_size)
		    : reader_create(NULL, 0);
}

/** The first section has the numbers that do not fit into the header. */
static void read_large_counts(const struct elf_image *image, struct elf_header *header)
{
	struct reader reader = table_reader(image, header->sections_offset, 1, sizeof(Elf64_Shdr));
	reader_skip(&reader, offsetof(Elf64_Shdr, sh_size));
	uint64_t size = reader_u64(&reader);
	uint32_t link = reader_u32(&reader);
	uint32_t info = reader_u32(&reader);
	if (!header->num_sections && size <= UINT32_MAX)
		header->num_sections = (uint32_t)size;
	if (header->names_section == SHN_XINDEX)
		header->names_section = link;
	if (header->num_segments == PN_XNUM)
		header->num_segments = info;
}

/** @ret_name: its place in the table of names. */
static struct elf_section elf_image_read_section(struct reader *reader, uint32_t *ret_name)
{
	struct elf_section section = {.name = ""};
	*ret_name = reader_u32(reader);
	section.type = reader_u32(reader);
	section.flags = reader_u64(reader);
	section.address = reader_u64(reader);
	section.offset = reader_u64(reader);
	section.size = reader_u64(reader);
	section.link = reader_u32(reader);
	reader_skip(reader, 4 + 8); // sh_info, sh_addralign
	section.entry_size = reader_u64(reader);
	return section;
}

static struct error *elf_image_read_sections(struct elf_image *image,
					     const struct elf_header *header)
{
	struct reader reader = table_reader(image, header->sections_offset, header->num_sections,
					    sizeof(Elf64_Shdr));
	size_t count = reader.size / sizeof(Elf64_Shdr);
	if (!count)
		return NULL;
	_cleanup_free_ uint32_t *names = calloc(count, sizeof(*names));
	image->sections = calloc(count, sizeof(*image->sections));
	if (!names || !image->sections)
		return &error_no_memory;
	for (size_t i = 0; i < count; i++)
		image->sections[i] = elf_image_read_section(&reader, &names[i]);
	image->num_sections = count;
	if (header->names_section >= count)
		return NULL;
	struct object_bytes bytes = elf_image_bytes(image, &image->sections[header->names_section]);
	for (size_t i = 0; i < count; i++) {
		struct reader text = reader_create(bytes.data, bytes.size);
		reader_seek(&text, names[i]);
		const char *name = reader_string(&text);
		if (name)
			image->sections[i].name = name;
	}
	return NULL;
}

/** @ret_type: PT_LOAD, PT_NOTE, ... */
static struct elf_segment read_segment(struct reader *reader, uint32_t *ret_type)
{
	struct elf_segment segment = {0};
	*ret_type = reader_u32(reader);
	segment.is_code = reader_u32(reader) & PF_X;
	segment.offset = reader_u64(reader);
	segment.address = reader_u64(reader);
	reader_skip(reader, 8); // p_paddr
	segment.size = reader_u64(reader);
	segment.memory_size = reader_u64(reader);
	reader_skip(reader, 8); // p_align
	return segment;
}

/** The part of a range that is in the file. */
static struct object_bytes bytes_in_file(const struct elf_image *image, uint64_t offset,
					 uint64_t size)
{
	if (offset > image->size || size > image->size - offset)
		return (struct object_bytes){0};
	return (struct object_bytes){.data = image->data + offset, .size = size};
}

/** The note of the build-id among notes, if it is there. */
static struct object_bytes find_build_id(struct object_bytes notes)
{
	struct reader reader = reader_create(notes.data, notes.size);
	while (reader_left(&reader)) {
		uint32_t name_size = reader_u32(&reader);
		uint32_t size = reader_u32(&reader);
		uint32_t type = reader_u32(&reader);
		const char *name = reader_bytes(&reader, name_size);
		reader_align(&reader, 4); // name and content each end at a multiple of four bytes
		const uint8_t *content = reader_bytes(&reader, size);
		if (content && type == NT_GNU_BUILD_ID && name_size == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)))
			return (struct object_bytes){.data = content, .size = size};
		reader_align(&reader, 4);
	}
	return (struct object_bytes){0};
}

static struct error *read_segments(struct elf_image *image, const struct elf_header *header)
{
	struct reader reader = table_reader(image, header->segments_offset, header->num_segments,
					    sizeof(Elf64_Phdr));
	size_t count = reader.size / sizeof(Elf64_Phdr);
	if (!count)
		return NULL;
	image->segments = calloc(count, sizeof(*image->segments));
	if (!image->segments)
		return &error_no_memory;
	for (size_t i = 0; i < count; i++) {
		uint32_t type;
		struct elf_segment segment = read_segment(&reader, &type);
		if (type == PT_LOAD)
			image->segments[image->num_segments++] = segment;
		if (type == PT_NOTE && !image->build_id.data)
			image->build_id =
				find_build_id(bytes_in_file(image, segment.offset, segment.size));
	}
	return NULL;
}

/** What is not linked yet has no segments: its sections are what will be loaded. */
static struct error *take_sections_as_segments(struct elf_image *image)
{
	if (image->num_segments || !image->num_sections)
		return NULL;
	free(image->segments);
	image->segments = calloc(image->num_sections, sizeof(*image->segments));
	if (!image->segments)
		return &error_no_memory;
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct elf_section *section = &image->sections[i];
		if (!(section->flags & SHF_ALLOC) || !section->size)
			continue;
		image->segments[image->num_segments++] = (struct elf_segment){
			.offset = section->offset,
			.address = section->address,
			.size = section->type == SHT_NOBITS ? 0 : section->size,
			.memory_size = section->size,
			.is_code = section->flags & SHF_EXECINSTR,
		};
	}
	return NULL;
}

struct error *elf_image_init(struct elf_image *image, const void *data, size_t size,
			     const char *name)
{
	_cleanup_(elf_image_deinit) struct elf_image read = {.data = data, .size = size};
	struct elf_header header = {0};
	struct error *err = elf_image_read_header(&read, name, &header);
	if (err)
		return err;
	read.machine = header.machine == EM_X86_64    ? OBJECT_MACHINE_X86_64
		       : header.machine == EM_AARCH64 ? OBJECT_MACHINE_AARCH64
						      : OBJECT_MACHINE_OTHER;
	read.entry = header.entry;
	read.is_linked = header.type != ET_REL;
	read_large_counts(&read, &header);
	err = elf_image_read_sections(&read, &header);
	if (!err)
		err = read_segments(&read, &header);
	if (!err)
		err = take_sections_as_segments(&read);
	if (err)
		return err;
	// With debug information only, the segment of notes may be empty and the section not.
	for (size_t i = 0; i < read.num_sections && !read.build_id.data; i++)
		if (read.sections[i].type == SHT_NOTE)
			read.build_id = find_build_id(elf_image_bytes(&read, &read.sections[i]));
	*image = read;
	read = (struct elf_image)ELF_IMAGE_INIT;
	return NULL;
}

void elf_image_deinit(struct elf_image *image)
{
	free(image->sections);
	free(image->segments);
	*image = (struct elf_image)ELF_IMAGE_INIT;
}

const struct elf_section *elf_image_find_section(const struct elf_image *image, const char *name)
{
	for (size_t i = 0; i < image->num_sections; i++)
		if (!strcmp(image->sections[i].name, name))
			return &image->sections[i];
	return NULL;
}

bool elf_image_has_lines(const struct elf_image *image)
{
	return image->is_linked && (elf_image_find_section(image, ".debug_info") ||
				    elf_image_find_section(image, ".zdebug_info"));
}

struct object_bytes elf_image_bytes(const struct elf_image *image,
				    const struct elf_section *section)
{
	if (section->type == SHT_NOBITS || section->type == SHT_NULL)
		return (struct object_bytes){0};
	struct object_bytes bytes = bytes_in_file(image, section->offset, section->size);
	bytes.address = section->address;
	return bytes;
}

const struct elf_segment *elf_image_find_segment(const struct elf_image *image, uint64_t address)
{
	// Compared by the distance from the start: the end of a damaged segment may wrap around.
	for (size_t i = 0; i < image->num_segments; i++) {
		const struct elf_segment *segment = &image->segments[i];
		if (address >= segment->address &&
		    address - segment->address < segment->memory_size)
			return segment;
	}
	return NULL;
}
