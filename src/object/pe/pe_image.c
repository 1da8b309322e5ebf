// SPDX-License-Identifier: Apache-2.0

#include "object/pe/pe_image.h"

#include "base/reader.h"

#include <string.h>

// Reads the headers of "PE Format" (Microsoft): at 0x3c the offset of the signature "PE\0\0", then
// the COFF file header, the optional header (PE32 or PE32+) with the data directories, and the
// section headers. Fields that are skipped have their names beside them.
//
// Everything inside an image is addressed by RVA (relative to the image base). pe_image_bytes_at()
// converts one to the bytes in the file, up to the end of its section: all other readers go
// through it and so cannot leave the section. Sections may have fewer bytes in the file than in
// memory; the rest is zero and is not given.
//
// An Arm64EC image pretends to be x64, and an Arm64X image to be Arm64. What they are is known
// from the CHPE metadata pointer in the load configuration (pe_image_kind_of()). The PDB is
// identified by a CodeView record "RSDS" in the debug directory: GUID, age and path.

enum {
	DOS_HEADER_SIZE = 64,
	PE_OFFSET_PLACE = 0x3c, // e_lfanew
	COFF_SYMBOL_SIZE = 18,
	MAGIC_PE32 = 0x10b,
	MAGIC_PE32_PLUS = 0x20b,
	MACHINE_X64 = 0x8664,
	MACHINE_ARM64 = 0xaa64,
	// Of objects; images say the machine that they pretend to be for.
	MACHINE_ARM64EC = 0xa641,
	MACHINE_ARM64X = 0xa64e,
	// In the load configuration: the table of a program whose code is of two machines.
	HYBRID_POINTER_OFFSET = 200, // CHPEMetadataPointer of IMAGE_LOAD_CONFIG_DIRECTORY64
	DEBUG_ENTRY_SIZE = 28,
	DEBUG_TYPE_CODEVIEW = 2,
	CODEVIEW_PDB70 = 0x53445352, // "RSDS"
};

/** Where the tables are, by the headers. */
struct pe_header {
	uint16_t machine;
	uint16_t num_sections;
	uint16_t optional_size;
	size_t optional_offset;
};

static struct error *not_an_image(const char *name, const char *why)
{
	return error_create(ERROR_FAILED, "cannot read '%s': %s", name, why);
}

bool pe_image_is(const void *data, size_t size)
{
	return size >= 2 && !memcmp(data, "MZ", 2);
}

/** From the DOS header, which has only the place of the next one, up to the optional header. */
static struct error *read_file_header(struct pe_image *image, const char *name,
				      struct pe_header *ret)
{
	struct reader reader = reader_create(image->data, image->size);
	reader_seek(&reader, PE_OFFSET_PLACE);
	uint32_t offset = reader_u32(&reader);
	reader_seek(&reader, offset);
	const char *signature = reader_bytes(&reader, 4);
	if (!signature || memcmp(signature, "PE\0", 4) != 0)
		return not_an_image(name, "it is a DOS program, or not a program");
	struct pe_header header = {.machine = reader_u16(&reader)};
	header.num_sections = reader_u16(&reader);
	image->time = reader_u32(&reader);
	image->symbols_offset = reader_u32(&reader);
	image->num_symbols = reader_u32(&reader);
	header.optional_size = reader_u16(&reader);
	reader_skip(&reader, 2); // Characteristics
	header.optional_offset = reader.offset;
	if (reader.failed)
		return not_an_image(name, "its header is incomplete");
	*ret = header;
	return NULL;
}

static struct error *read_optional_header(struct pe_image *image, const struct pe_header *header,
					  const char *name)
{
	struct reader file = reader_create(image->data, image->size);
	reader_seek(&file, header->optional_offset);
	struct reader reader = reader_sub(&file, header->optional_size);
	uint16_t magic = reader_u16(&reader);
	if (reader.failed)
		return not_an_image(name, "its header is incomplete");
	if (magic != MAGIC_PE32 && magic != MAGIC_PE32_PLUS)
		return not_an_image(name, "it is not a Windows program");
	bool is_32_bit = magic == MAGIC_PE32;
	reader_skip(&reader, 2 + 4 + 4 + 4); // the linker's version, sizes
	image->entry = reader_u32(&reader);
	reader_skip(&reader, is_32_bit ? 4 + 4 : 4); // BaseOfCode, BaseOfData
	image->base = is_32_bit ? reader_u32(&reader) : reader_u64(&reader);
	reader_skip(&reader, 4 + 4 + 12 + 4); // alignments, versions
	image->memory_size = reader_u32(&reader);
	image->headers_size = reader_u32(&reader);
	reader_skip(&reader, 4 + 2 + 2);                 // checksum, flags
	reader_skip(&reader, is_32_bit ? 4 * 4 : 4 * 8); // stack and heap
	reader_skip(&reader, 4);                         // LoaderFlags
	uint32_t num_directories = reader_u32(&reader);
	for (uint32_t i = 0; i < num_directories && i < PE_NUM_DIRECTORIES; i++) {
		image->directories[i].address = reader_u32(&reader);
		image->directories[i].size = reader_u32(&reader);
	}
	return reader.failed ? not_an_image(name, "its header is incomplete") : NULL;
}

const char *pe_image_long_name(const struct pe_image *image, uint32_t offset)
{
	struct reader reader = reader_create(image->data, image->size);
	if (!image->symbols_offset)
		return NULL;
	reader_seek(&reader, image->symbols_offset);
	for (int i = 0; i < COFF_SYMBOL_SIZE; i++) // cannot overflow, as a product could
		reader_skip(&reader, image->num_symbols);
	reader_skip(&reader, offset);
	return reader_string(&reader);
}

/** @raw: padded with NUL; "/123" stands for a longer one. */
static struct error *name_section(struct pe_image *image, const char *raw, const char **ret)
{
	enum { NAME_SIZE = 8 };
	char *name = arena_strndup(&image->names, raw, NAME_SIZE);
	if (!name)
		return &error_no_memory;
	*ret = name;
	uint32_t offset = 0;
	const char *digit = name + 1;
	for (; name[0] == '/' && *digit >= '0' && *digit <= '9'; digit++)
		offset = offset * 10 + (uint32_t)(*digit - '0');
	if (name[0] != '/' || digit == name + 1 || *digit)
		return NULL;
	const char *long_name = pe_image_long_name(image, offset);
	if (long_name)
		*ret = long_name;
	return NULL;
}

static struct error *pe_image_read_section(struct pe_image *image, struct reader *reader)
{
	struct pe_section *section = &image->sections[image->num_sections];
	const char *name = reader_bytes(reader, 8);
	section->memory_size = reader_u32(reader);
	section->address = reader_u32(reader);
	section->size = reader_u32(reader);
	section->offset = reader_u32(reader);
	reader_skip(reader, 4 + 4 + 2 + 2); // relocations and lines, which images have not
	section->flags = reader_u32(reader);
	if (reader->failed)
		return NULL;
	// What follows up to the alignment of the file is no part of it.
	if (section->memory_size && section->size > section->memory_size)
		section->size = section->memory_size;
	if (!section->memory_size)
		section->memory_size = section->size;
	image->num_sections++;
	return name_section(image, name, &section->name);
}

static struct error *pe_image_read_sections(struct pe_image *image, const struct pe_header *header,
					    const char *name)
{
	struct reader reader = reader_create(image->data, image->size);
	reader_seek(&reader, header->optional_offset);
	reader_skip(&reader, header->optional_size);
	image->sections = calloc(header->num_sections + 1U, sizeof(*image->sections));
	if (!image->sections)
		return &error_no_memory;
	for (uint16_t i = 0; i < header->num_sections; i++) {
		struct error *err = pe_image_read_section(image, &reader);
		if (err)
			return err;
	}
	return reader.failed ? not_an_image(name, "its header is incomplete") : NULL;
}

bool pe_image_hybrid_metadata(const struct pe_image *image, uint32_t *ret)
{
	if (!image->directories[PE_DIRECTORY_LOAD_CONFIG].address)
		return false;
	struct object_bytes config =
		pe_image_bytes_at(image, image->directories[PE_DIRECTORY_LOAD_CONFIG].address);
	struct reader reader = reader_create(config.data, config.size);
	uint32_t size = reader_u32(&reader); // the directory's own is another in old images
	reader_seek(&reader, HYBRID_POINTER_OFFSET);
	uint64_t pointer = reader_u64(&reader);
	bool is_there = !reader.failed && size >= HYBRID_POINTER_OFFSET + sizeof(pointer);
	if (!is_there || pointer <= image->base || pointer - image->base > UINT32_MAX)
		return false;
	*ret = (uint32_t)(pointer - image->base);
	return true;
}

static enum pe_kind pe_image_kind_of(const struct pe_image *image, uint16_t machine)
{
	uint32_t metadata;
	bool hybrid = pe_image_hybrid_metadata(image, &metadata);
	switch (machine) {
	case MACHINE_X64:
		return hybrid ? PE_KIND_ARM64EC : PE_KIND_X64;
	case MACHINE_ARM64:
		return hybrid ? PE_KIND_ARM64X : PE_KIND_ARM64;
	case MACHINE_ARM64EC:
		return PE_KIND_ARM64EC;
	case MACHINE_ARM64X:
		return PE_KIND_ARM64X;
	default:
		return PE_KIND_OTHER;
	}
}

static void read_debug_directory(struct pe_image *image)
{
	struct object_bytes bytes = pe_image_directory(image, PE_DIRECTORY_DEBUG);
	struct reader reader = reader_create(bytes.data, bytes.size);
	while (reader_left(&reader) >= DEBUG_ENTRY_SIZE && !image->has_pdb) {
		reader_skip(&reader, 4 + 4 + 2 + 2); // Characteristics, TimeDateStamp, version
		uint32_t type = reader_u32(&reader);
		uint32_t size = reader_u32(&reader);
		reader_skip(&reader, 4); // AddressOfRawData
		uint32_t offset = reader_u32(&reader);
		if (type != DEBUG_TYPE_CODEVIEW)
			continue;
		// A record of CodeView: the PDB.
		struct reader record = reader_create(image->data, image->size);
		reader_seek(&record, offset);
		record = reader_sub(&record, size);
		uint32_t format = reader_u32(&record);
		const uint8_t *guid = reader_bytes(&record, PE_GUID_SIZE);
		uint32_t age = reader_u32(&record);
		if (record.failed || format != CODEVIEW_PDB70)
			continue;
		image->has_pdb = true;
		memcpy(image->pdb_id.guid, guid, PE_GUID_SIZE);
		image->pdb_id.age = age;
		image->pdb_path = reader_string(&record);
	}
}

struct error *pe_image_init(struct pe_image *image, const void *data, size_t size, const char *name)
{
	_cleanup_(pe_image_deinit) struct pe_image read = {.data = data, .size = size};
	struct pe_header header = {0};
	struct error *err = read_file_header(&read, name, &header);
	if (!err)
		err = read_optional_header(&read, &header, name);
	if (!err)
		err = pe_image_read_sections(&read, &header, name);
	if (err)
		return err;
	read.kind = pe_image_kind_of(&read, header.machine);
	read_debug_directory(&read);
	*image = read;
	read = (struct pe_image)PE_IMAGE_INIT;
	return NULL;
}

void pe_image_deinit(struct pe_image *image)
{
	free(image->sections);
	arena_deinit(&image->names);
	*image = (struct pe_image)PE_IMAGE_INIT;
}

bool pe_pdb_id_is_same(const struct pe_pdb_id *left, const struct pe_pdb_id *right)
{
	return !memcmp(left->guid, right->guid, sizeof(left->guid)) && left->age == right->age;
}

// The first eight bytes of a GUID are a number of 32 bits and two of 16, the lowest byte first.
static const uint8_t digit_order[PE_GUID_SIZE] = {3, 2, 1,  0,  5,  4,  7,  6,
						  8, 9, 10, 11, 12, 13, 14, 15};

size_t pe_pdb_id_bytes(const struct pe_pdb_id *id, uint8_t ret[static PE_GUID_SIZE])
{
	for (size_t i = 0; i < PE_GUID_SIZE; i++)
		ret[i] = id->guid[digit_order[i]];
	return PE_GUID_SIZE;
}

void pe_pdb_id_set_bytes(struct pe_pdb_id *id, const uint8_t bytes[static PE_GUID_SIZE])
{
	for (size_t i = 0; i < PE_GUID_SIZE; i++)
		id->guid[digit_order[i]] = bytes[i];
}

const struct pe_section *pe_image_find_section(const struct pe_image *image, const char *name)
{
	for (size_t i = 0; i < image->num_sections; i++)
		if (!strcmp(image->sections[i].name, name))
			return &image->sections[i];
	return NULL;
}

struct object_bytes pe_image_section_bytes(const struct pe_image *image,
					   const struct pe_section *section)
{
	if (!section->size || section->offset > image->size ||
	    section->size > image->size - section->offset)
		return (struct object_bytes){0};
	return (struct object_bytes){
		.data = image->data + section->offset,
		.size = section->size,
		.address = section->address,
	};
}

const struct pe_section *pe_image_section_at(const struct pe_image *image, uint32_t address)
{
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct pe_section *section = &image->sections[i];
		if (address >= section->address &&
		    address - section->address < section->memory_size)
			return section;
	}
	return NULL;
}

struct object_bytes pe_image_bytes_at(const struct pe_image *image, uint32_t address)
{
	const struct pe_section *section = pe_image_section_at(image, address);
	struct object_bytes bytes = {0};
	if (section)
		bytes = pe_image_section_bytes(image, section);
	// What the section has in memory beyond its bytes in the file is zero, and not given.
	uint32_t skipped = section ? address - section->address : 0;
	if (skipped >= bytes.size)
		return (struct object_bytes){0};
	return (struct object_bytes){
		.data = bytes.data + skipped,
		.size = bytes.size - skipped,
		.address = address,
	};
}

struct object_bytes pe_image_directory(const struct pe_image *image, enum pe_directory_kind kind)
{
	const struct pe_directory *directory = &image->directories[kind];
	struct object_bytes bytes = pe_image_bytes_at(image, directory->address);
	if (!directory->size || directory->size > bytes.size)
		return (struct object_bytes){0};
	bytes.size = directory->size;
	return bytes;
}

bool pe_image_offset_to_address(const struct pe_image *image, uint64_t offset, uint64_t *ret)
{
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct pe_section *section = &image->sections[i];
		if (offset < section->offset || offset - section->offset >= section->size)
			continue;
		*ret = section->address + (offset - section->offset);
		return true;
	}
	// The headers are loaded at the beginning of the image, as they are in the file.
	if (offset >= image->headers_size)
		return false;
	*ret = offset;
	return true;
}
