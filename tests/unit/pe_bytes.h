/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_PE_BYTES_H
#define WPERF_TESTS_UNIT_PE_BYTES_H

/** The bytes of a Windows image. */

#include "object/pe/pe_image.h"

#include <string.h>

/** Where things are in a Windows image made by hand: two sections, and all tables in the second. */
enum {
	PE = 64,
	MACHINE = PE + 4,
	OPTIONAL_HEADER = PE + 24,
	DIRECTORIES = OPTIONAL_HEADER + 112,
	SECTIONS = DIRECTORIES + 16 * 8,
	CODE = 0x1000,
	CODE_OFFSET = 0x400,
	DATA = 0x2000,
	DATA_OFFSET = 0x600,
	SIZE = 0x1000,
	EXPORTS = DATA,
	DEBUG_PLACE = DATA + 0x100,
	CODEVIEW = DATA + 0x140,
	CONFIG = DATA + 0x200,
	FUNCTIONS = DATA + 0x300,
	UNWIND = DATA + 0x380,
};

struct file {
	uint8_t bytes[SIZE];
};

static inline void put16(struct file *file, size_t offset, uint16_t value)
{
	memcpy(file->bytes + offset, &value, sizeof(value));
}

static inline void put(struct file *file, size_t offset, const uint32_t *numbers, size_t count)
{
	memcpy(file->bytes + offset, numbers, count * sizeof(*numbers));
}

/** At an address of the data. */
static inline void put_data(struct file *file, uint32_t address, const uint32_t *numbers,
			    size_t count)
{
	put(file, address - DATA + DATA_OFFSET, numbers, count);
}

static inline void put_section(struct file *file, size_t index, const char *name, uint32_t address,
			       uint32_t offset, uint32_t size, uint32_t flags)
{
	size_t at = SECTIONS + index * 40;
	memcpy(file->bytes + at, name, strlen(name));
	put(file, at + 8, (uint32_t[]){size, address, size, offset}, 4);
	put(file, at + 36, &flags, 1);
}

static inline void put_directory(struct file *file, size_t index, uint32_t address, uint32_t size)
{
	put(file, DIRECTORIES + index * 8, (uint32_t[]){address, size}, 2);
}

static inline struct file make(uint16_t machine)
{
	struct file file = {.bytes = "MZ"};
	put(&file, 0x3c, (uint32_t[]){PE}, 1);
	memcpy(file.bytes + PE, "PE\0\0", 4);
	put16(&file, MACHINE, machine);
	put16(&file, MACHINE + 2, 2);
	put16(&file, MACHINE + 16, SECTIONS - OPTIONAL_HEADER);
	put16(&file, OPTIONAL_HEADER, 0x20b);
	put(&file, OPTIONAL_HEADER + 16, (uint32_t[]){CODE}, 1);
	put(&file, OPTIONAL_HEADER + 24, (uint32_t[]){0x40000000, 1}, 2);
	put(&file, OPTIONAL_HEADER + 60, (uint32_t[]){CODE_OFFSET}, 1);
	put(&file, OPTIONAL_HEADER + 108, (uint32_t[]){16}, 1);
	put_section(&file, 0, ".text", CODE, CODE_OFFSET, DATA_OFFSET - CODE_OFFSET,
		    PE_SECTION_IS_CODE);
	put_section(&file, 1, ".rdata", DATA, DATA_OFFSET, SIZE - DATA_OFFSET, 0);
	return file;
}

/** Three exports behind one another in the table of names, of at most 15 characters each. */
static inline void put_exports(struct file *file, const char *const names[3],
			       const uint32_t addresses[3])
{
	put_directory(file, PE_DIRECTORY_EXPORTS, EXPORTS, 0x80);
	put_data(file, EXPORTS + 20,
		 (uint32_t[]){3, 3, EXPORTS + 0x90, EXPORTS + 0xa0, EXPORTS + 0xb0}, 5);
	put_data(file, EXPORTS + 0x90, addresses, 3);
	put_data(file, EXPORTS + 0xa0, (uint32_t[]){EXPORTS + 0xc0, EXPORTS + 0xd0, EXPORTS + 0xe0},
		 3);
	put_data(file, EXPORTS + 0xb0, (uint32_t[]){0 | 1 << 16, 2}, 2);
	for (size_t i = 0; i < 3; i++)
		memcpy(file->bytes + DATA_OFFSET + 0xc0 + 16 * i, names[i], strlen(names[i]) + 1);
}

#endif
