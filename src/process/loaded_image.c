// SPDX-License-Identifier: Apache-2.0

#include "process/loaded_image.h"

#include "base/reader.h"

#include <stdbool.h>

// Follows "PE Format" of Microsoft: MS-DOS stub, PE signature, COFF file header, optional header,
// section table. An executable section gives the address in memory (VirtualAddress), its size
// (VirtualSize, or SizeOfRawData if that is 0) and its offset in the file (PointerToRawData).
// Everything is read from the memory of a process and checked against the size of the image that
// the loader states.

enum {
	HEADER_BYTES = 4096,   // headers are one page, almost always
	DOS_MAGIC = 0x5a4d,    // "MZ"
	NEW_HEADER_AT = 0x3c,  // e_lfanew
	PE_MAGIC = 0x4550,     // "PE\0\0"
	FILE_HEADER_REST = 12, // time stamp and symbols
	SECTION_NAME = 8,
	SECTION_REST = 12,                  // relocations and line numbers
	SECTION_IS_EXECUTABLE = 0x20000000, // IMAGE_SCN_MEM_EXECUTE
};

/** @ret: at the first section. The number of sections; 0 if it is no image. */
static unsigned find_sections(struct reader *ret)
{
	if (reader_u16(ret) != DOS_MAGIC)
		return 0;
	reader_seek(ret, NEW_HEADER_AT);
	reader_seek(ret, reader_u32(ret));
	if (reader_u32(ret) != PE_MAGIC)
		return 0;
	reader_skip(ret, sizeof(uint16_t)); // machine
	unsigned num = reader_u16(ret);
	reader_skip(ret, FILE_HEADER_REST);
	uint16_t optional_size = reader_u16(ret);
	reader_skip(ret, sizeof(uint16_t) + optional_size); // characteristics
	return ret->failed ? 0 : num;
}

size_t loaded_image_code(const struct process_memory *memory, uint64_t base, uint32_t size,
			 struct loaded_code ret[LOADED_IMAGE_MAX_CODE])
{
	uint8_t bytes[HEADER_BYTES];
	size_t num_bytes = memory->read(memory->context, base, bytes, sizeof(bytes));
	struct reader reader = reader_create(bytes, num_bytes);
	unsigned num_sections = find_sections(&reader);
	size_t num = 0;
	if (base > UINT64_MAX - size)
		return 0;
	for (unsigned i = 0; i < num_sections && num < LOADED_IMAGE_MAX_CODE; i++) {
		reader_skip(&reader, SECTION_NAME);
		uint32_t virtual_size = reader_u32(&reader);
		uint32_t address = reader_u32(&reader);
		uint32_t file_size = reader_u32(&reader);
		uint32_t file_offset = reader_u32(&reader);
		reader_skip(&reader, SECTION_REST);
		uint32_t flags = reader_u32(&reader);
		if (reader.failed)
			break;
		// Code that is in the file and fits into the image.
		uint32_t length = virtual_size ? virtual_size : file_size;
		if (flags & SECTION_IS_EXECUTABLE && file_size && length && address < size &&
		    length <= size - address)
			ret[num++] = (struct loaded_code){base + address, length, file_offset};
	}
	return num;
}
