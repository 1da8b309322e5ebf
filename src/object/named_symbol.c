// SPDX-License-Identifier: Apache-2.0

#include "object/named_symbol.h"

#include "base/reader.h"

#include <elf.h>
#include <string.h>

// A plain search through the symbols, since a few are asked for in a whole run. .dynsym comes
// first: it is small. Of several versions of a name (memcpy of glibc) the default is meant, which
// .gnu.version tells from those that only old programs use (LSB, "Symbol Version Table").

struct named_symbol {
	uint8_t type, binding;
	uint64_t address, size;
};

static bool is_type(uint8_t type, bool is_function)
{
	return is_function ? type == STT_FUNC || type == STT_GNU_IFUNC : type == STT_OBJECT;
}

enum { HIDDEN_VERSION = 0x8000 };

/** The versions of a table of symbols, by their numbers; empty if it has none. */
static struct object_bytes versions_of(const struct elf_image *image,
				       const struct elf_section *symbols)
{
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct elf_section *section = &image->sections[i];
		if (section->type == SHT_GNU_versym && section->link < image->num_sections &&
		    &image->sections[section->link] == symbols)
			return elf_image_bytes(image, section);
	}
	return (struct object_bytes){0};
}

/** What a symbol has to be. */
struct named_symbol_rule {
	bool is_function;  /* else a variable */
	bool is_not_local; /* other files can be bound to it */
};

static bool fits(const struct named_symbol *symbol, const struct named_symbol_rule *rule)
{
	return is_type(symbol->type, rule->is_function) &&
	       !(rule->is_not_local && symbol->binding == STB_LOCAL);
}

static bool find_in_section(const struct elf_image *image, const struct elf_section *section,
			    const char *name, const struct named_symbol_rule *rule,
			    struct named_symbol *ret)
{
	// sh_link of a symbol table is the section with its names.
	if (section->link >= image->num_sections || section->flags & SHF_COMPRESSED)
		return false;
	struct object_bytes names = elf_image_bytes(image, &image->sections[section->link]);
	struct object_bytes bytes = elf_image_bytes(image, section);
	// With a NUL at the end of the table, each offset within it is a string.
	if (!names.size || names.data[names.size - 1] != '\0')
		return false;
	struct object_bytes versions_bytes = versions_of(image, section);
	struct reader versions = reader_create(versions_bytes.data, versions_bytes.size);
	struct reader reader = reader_create(bytes.data, bytes.size);
	bool is_found = false;
	while (reader_left(&reader) >= sizeof(Elf64_Sym)) {
		uint32_t unsafe_name = reader_u32(&reader);
		uint8_t info = reader_u8(&reader);
		reader_skip(&reader, 1); // st_other
		uint16_t index = reader_u16(&reader);
		struct named_symbol found = {
			.type = ELF64_ST_TYPE(info),
			.binding = ELF64_ST_BIND(info),
			.address = reader_u64(&reader),
		};
		found.size = reader_u64(&reader);
		bool is_hidden = reader_u16(&versions) & HIDDEN_VERSION;
		if (!fits(&found, rule) || index == SHN_UNDEF || unsafe_name >= names.size ||
		    strcmp((const char *)names.data + unsafe_name, name) != 0)
			continue;
		if (!is_found || !is_hidden)
			*ret = found;
		is_found = true;
		if (!is_hidden)
			break;
	}
	return is_found;
}

static bool find_in_tables(const struct elf_image *image, uint32_t type, const char *name,
			   const struct named_symbol_rule *rule, struct named_symbol *ret)
{
	for (size_t i = 0; i < image->num_sections; i++)
		if (image->sections[i].type == type &&
		    find_in_section(image, &image->sections[i], name, rule, ret))
			return true;
	return false;
}

static bool named_symbol_find(const struct elf_image *image, const char *name, bool is_function,
			      struct named_symbol *ret)
{
	const struct named_symbol_rule rule = {.is_function = is_function};
	return find_in_tables(image, SHT_DYNSYM, name, &rule, ret) ||
	       find_in_tables(image, SHT_SYMTAB, name, &rule, ret);
}

bool named_symbol_find_variable(const struct elf_image *image, const char *name,
				struct object_variable *ret)
{
	struct named_symbol found;
	if (!named_symbol_find(image, name, false, &found))
		return false;
	*ret = (struct object_variable){found.address, found.size};
	return true;
}

static struct object_function function_of(const struct named_symbol *symbol)
{
	return (struct object_function){
		.address = symbol->address,
		.size = symbol->size,
		.is_chooser = symbol->type == STT_GNU_IFUNC,
	};
}

bool named_symbol_find_function(const struct elf_image *image, const char *name,
				struct object_function *ret)
{
	struct named_symbol found;
	if (!named_symbol_find(image, name, true, &found))
		return false;
	*ret = function_of(&found);
	return true;
}

bool named_symbol_find_global(const struct elf_image *image, const char *name, bool is_program,
			      struct object_function *ret)
{
	const struct named_symbol_rule rule = {.is_function = true, .is_not_local = true};
	struct named_symbol found;
	if (!find_in_tables(image, SHT_DYNSYM, name, &rule, &found) &&
	    !(is_program && find_in_tables(image, SHT_SYMTAB, name, &rule, &found)))
		return false;
	*ret = function_of(&found);
	return true;
}
