// SPDX-License-Identifier: Apache-2.0

#include "object/data_symbol.h"

#include "base/reader.h"

#include <elf.h>
#include <string.h>

// A plain search through the symbols, since one or two variables are asked for in a whole run.
// .dynsym comes first: it is small.

static bool find_in_section(const struct elf_image *image, const struct elf_section *section,
			    const char *name, struct object_variable *ret)
{
	// sh_link of a symbol table is the section with its names.
	if (section->link >= image->num_sections || section->flags & SHF_COMPRESSED)
		return false;
	struct object_bytes names = elf_image_bytes(image, &image->sections[section->link]);
	struct object_bytes bytes = elf_image_bytes(image, section);
	// With a NUL at the end of the table, each offset within it is a string.
	if (!names.size || names.data[names.size - 1] != '\0')
		return false;
	struct reader reader = reader_create(bytes.data, bytes.size);
	while (reader_left(&reader) >= sizeof(Elf64_Sym)) {
		uint32_t unsafe_name = reader_u32(&reader);
		uint8_t info = reader_u8(&reader);
		reader_skip(&reader, 1); // st_other
		uint16_t index = reader_u16(&reader);
		struct object_variable found = {.address = reader_u64(&reader)};
		found.size = reader_u64(&reader);
		if (ELF64_ST_TYPE(info) != STT_OBJECT || index == SHN_UNDEF ||
		    unsafe_name >= names.size ||
		    strcmp((const char *)names.data + unsafe_name, name) != 0)
			continue;
		*ret = found;
		return true;
	}
	return false;
}

bool data_symbol_find(const struct elf_image *image, const char *name, struct object_variable *ret)
{
	static const uint32_t types[] = {SHT_DYNSYM, SHT_SYMTAB};
	for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++)
		for (size_t i = 0; i < image->num_sections; i++)
			if (image->sections[i].type == types[t] &&
			    find_in_section(image, &image->sections[i], name, ret))
				return true;
	return false;
}
