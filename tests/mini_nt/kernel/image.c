// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/kernel/image.h"

#include "tests/baremetal/console.h"
#include "tests/mini_nt/boot/page_tables.h"
#include "tests/mini_nt/kernel/cpu.h"

#include <string.h>

// The format is "PE Format" of Microsoft: headers, sections, imports by name, base relocations. The
// file is ours and was checked by its own test; what is not as expected ends the machine.

enum {
	NEW_HEADER_AT = 0x3c,
	SECTIONS_AT = 6, // how many; from the new header on, as the next ones
	OPTIONAL_SIZE_AT = 20,
	OPTIONAL_AT = 24,
	ENTRY_AT = OPTIONAL_AT + 16,
	BASE_AT = OPTIONAL_AT + 24,
	IMAGE_SIZE_AT = OPTIONAL_AT + 56,
	DIRECTORIES_AT = OPTIONAL_AT + 112,
	DIRECTORY_BYTES = 8,
	IMPORTS = 1,
	RELOCATIONS = 5,
	RELOCATION_64 = 10,
};

struct section {
	char name[8];
	uint32_t size, address, file_size, file_offset, unused[3], rights;
};

#define SECTION_CODE  UINT32_C(0x20000000)
#define SECTION_WRITE UINT32_C(0x80000000)

struct import {
	uint32_t names, unused[2], library, addresses;
};

static uint8_t *const image = (uint8_t *)(LAYOUT_HIGH + LAYOUT_DRIVER_IMAGE);
static const uint8_t *const file = (const uint8_t *)(LAYOUT_HIGH + LAYOUT_DRIVER_FILE);
static uint64_t code_begin, code_end;

static uint32_t word_at(const uint8_t *bytes)
{
	uint32_t word;
	memcpy(&word, bytes, sizeof(word));
	return word;
}

static const uint8_t *new_header(void)
{
	return file + word_at(file + NEW_HEADER_AT);
}

static const struct section *sections(unsigned *ret_num)
{
	const uint8_t *header = new_header();
	*ret_num = word_at(header + SECTIONS_AT) & 0xffff;
	return (const void *)(header + OPTIONAL_AT + (word_at(header + OPTIONAL_SIZE_AT) & 0xffff));
}

static uint32_t directory(unsigned which)
{
	return word_at(new_header() + DIRECTORIES_AT + which * DIRECTORY_BYTES);
}

static uint32_t image_size(void)
{
	return word_at(new_header() + IMAGE_SIZE_AT);
}

static void set_rights(uint32_t address, uint32_t size, enum page_rights rights)
{
	for (uint32_t at = 0; at < size; at += PAGE_SIZE)
		page_tables_set(LAYOUT_DRIVER_IMAGE + address + at, rights);
}

static void copy_sections(void)
{
	unsigned num;
	const struct section *section = sections(&num);
	set_rights(0, image_size(), PAGE_DATA);
	memset(image, 0, image_size());
	for (; num-- > 0; section++)
		memcpy(image + section->address, file + section->file_offset,
		       section->size < section->file_size ? section->size : section->file_size);
}

static void relocate(void)
{
	uint64_t base;
	memcpy(&base, new_header() + BASE_AT, sizeof(base));
	uint64_t distance = (uint64_t)image - base;
	const uint8_t *block = image + directory(RELOCATIONS);
	// Blocks of a page each: address, size, and words of four bits of kind and twelve of place.
	for (uint32_t size; (size = word_at(block + 4)) != 0; block += size) {
		for (uint32_t at = 8; at < size; at += 2) {
			uint16_t entry;
			memcpy(&entry, block + at, sizeof(entry));
			if (entry >> 12 == 0)
				continue;
			if (entry >> 12 != RELOCATION_64)
				cpu_fault("a relocation of kind", entry >> 12);
			uint8_t *place = image + word_at(block) + (entry & 0xfff);
			uint64_t value;
			memcpy(&value, place, sizeof(value));
			value += distance;
			memcpy(place, &value, sizeof(value));
		}
	}
}

static void *find_export(const struct image_export *exports, unsigned num, const char *name)
{
	for (unsigned i = 0; i < num; i++) {
		const char *a = exports[i].name, *b = name;
		while (*a && *a == *b)
			a++, b++;
		if (*a == *b)
			return exports[i].address;
	}
	console_text("FAIL this kernel has no ");
	console_text(name);
	console_text("\n");
	cpu_fault("an import that is unknown, of so many exports", num);
}

static void link_imports(const struct image_export *exports, unsigned num)
{
	for (const struct import *import = (const void *)(image + directory(IMPORTS));
	     import->names; import++) {
		const uint64_t *names = (const void *)(image + import->names);
		void **addresses = (void *)(image + import->addresses);
		for (; *names; names++, addresses++)
			*addresses = find_export(exports, num, (const char *)image + *names + 2);
	}
}

static void protect(void)
{
	unsigned num;
	const struct section *section = sections(&num);
	set_rights(0, image_size(), PAGE_NONE);
	for (; num-- > 0; section++) {
		bool is_code = section->rights & SECTION_CODE;
		set_rights(section->address, section->size,
			   is_code                           ? PAGE_CODE
			   : section->rights & SECTION_WRITE ? PAGE_DATA
							     : PAGE_CONSTANTS);
		if (!is_code)
			continue;
		code_begin = (uint64_t)image + section->address;
		code_end = code_begin + section->size;
	}
	__asm__ volatile("dsb ish\n\tic ialluis\n\tdsb ish\n\tisb" ::: "memory");
}

PDRIVER_INITIALIZE image_load(const struct image_export *exports, unsigned num_exports)
{
	copy_sections();
	relocate();
	link_imports(exports, num_exports);
	protect();
	return (PDRIVER_INITIALIZE)(image + word_at(new_header() + ENTRY_AT));
}

void image_unload(void)
{
	set_rights(0, image_size(), PAGE_NONE);
}

bool image_has_code_at(uint64_t address)
{
	return address >= code_begin && address < code_end;
}
