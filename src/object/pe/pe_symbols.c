// SPDX-License-Identifier: Apache-2.0

#include "object/pe/pe_symbols.h"

#include "base/reader.h"

#include <string.h>

// Names without a PDB: the export directory ("PE Format", "The .edata Section") and the COFF
// symbol table, which mingw's linker leaves in images.
//
// An export's name leads by the ordinal table to its address. An address inside of the export
// directory is a forwarder, a text like "NTDLL.RtlFree", and no function of this image. Neither
// table has sizes. pe_symbols_add_function() takes the end from .pdata if the function is there,
// else the start of the next function is the limit. COFF symbols of 18 bytes have names of eight
// characters, without NUL if they use all; longer ones are offsets into the string table behind
// the symbols.

/** The tables of the export directory, checked to be there. */
struct exports {
	const struct pe_image *image;
	struct reader addresses, names, ordinals;
	uint32_t num_functions, num_names;
};

static struct reader reader_at(const struct pe_image *image, uint32_t address)
{
	struct object_bytes bytes = pe_image_bytes_at(image, address);
	return reader_create(bytes.data, bytes.size);
}

static bool read_exports(const struct pe_image *image, struct exports *ret)
{
	struct object_bytes bytes = pe_image_directory(image, PE_DIRECTORY_EXPORTS);
	struct reader reader = reader_create(bytes.data, bytes.size);
	reader_skip(&reader, 4 + 4 + 4 + 4 + 4); // flags, time, version, name, first ordinal
	*ret = (struct exports){.image = image};
	ret->num_functions = reader_u32(&reader);
	ret->num_names = reader_u32(&reader);
	ret->addresses = reader_at(image, reader_u32(&reader));
	ret->names = reader_at(image, reader_u32(&reader));
	ret->ordinals = reader_at(image, reader_u32(&reader));
	return !reader.failed && ret->addresses.size / 4 >= ret->num_functions &&
	       ret->names.size / 4 >= ret->num_names && ret->ordinals.size / 2 >= ret->num_names;
}

/** The next export by name. False if it is not there, or in another library. */
static bool next_export(struct exports *exports, const char **ret_name, uint32_t *ret_address)
{
	const struct pe_directory *directory = &exports->image->directories[PE_DIRECTORY_EXPORTS];
	struct reader name = reader_at(exports->image, reader_u32(&exports->names));
	*ret_name = reader_string(&name);
	uint16_t index = reader_u16(&exports->ordinals);
	struct reader addresses = exports->addresses;
	reader_skip(&addresses, 4 * (size_t)index);
	*ret_address = reader_u32(&addresses);
	// One comparison for both ends: below the directory the difference wraps to a large number.
	bool is_forwarded = *ret_address - directory->address < directory->size;
	return *ret_name && **ret_name && index < exports->num_functions && !addresses.failed &&
	       *ret_address && !is_forwarded;
}

bool pe_symbols_find_export(const struct pe_image *image, const char *name, uint32_t *ret)
{
	struct exports exports;
	if (!read_exports(image, &exports))
		return false;
	for (uint32_t i = 0; i < exports.num_names; i++) {
		const char *found;
		uint32_t address;
		if (!next_export(&exports, &found, &address) || strcmp(found, name) != 0)
			continue;
		*ret = address;
		return true;
	}
	return false;
}

/** A function of an unknown size ends where something else begins at the latest. */
static struct error *pe_symbols_add_function(const struct pe_image *image,
					     const struct pe_functions *functions, uint32_t address,
					     const char *name, struct symbol_table *table,
					     size_t *added)
{
	const struct pe_section *section = pe_image_section_at(image, address);
	if (!section || !(section->flags & PE_SECTION_IS_CODE))
		return NULL;
	uint64_t limit = (uint64_t)section->address + section->memory_size;
	uint32_t next = pe_functions_next(functions, address);
	if (next < limit)
		limit = next;
	const struct pe_function *function = pe_functions_find(functions, address);
	uint32_t size = function ? pe_functions_end(functions, function) - address : 0;
	(*added)++;
	return symbol_table_add_function(table, &(struct object_symbol){address, size, name},
					 limit);
}

static struct error *add_exports(const struct pe_image *image, const struct pe_functions *functions,
				 struct symbol_table *table, size_t *ret_added)
{
	struct exports exports;
	struct error *err = NULL;
	if (!read_exports(image, &exports))
		return NULL;
	for (uint32_t i = 0; !err && i < exports.num_names; i++) {
		const char *name;
		uint32_t address;
		if (next_export(&exports, &name, &address))
			err = pe_symbols_add_function(image, functions, address, name, table,
						      ret_added);
	}
	return err;
}

/** A symbol of the COFF table. */
struct coff_symbol {
	const char *short_name; // of at most eight characters, without NUL if it has as many
	const char *long_name;  // one of both; NULL: none
	uint32_t value;
	uint16_t section; // counted from 1
	bool is_function;
};

enum { SHORT_NAME_SIZE = 8 };

/** A way through the COFF table. */
struct coff_walk {
	const struct pe_image *image;
	struct reader reader;
	uint64_t num_left;
};

static struct coff_walk begin_coff_walk(const struct pe_image *image)
{
	struct coff_walk walk = {image, reader_create(image->data, image->size),
				 image->symbols_offset ? image->num_symbols : 0};
	reader_seek(&walk.reader, image->symbols_offset);
	return walk;
}

static bool next_coff_symbol(struct coff_walk *walk, struct coff_symbol *ret)
{
	enum { TYPE_FUNCTION = 2, TYPE_SHIFT = 4, TYPE_MASK = 3, ENTRY_SIZE = 18 };
	if (walk->num_left == 0)
		return false;
	struct reader *reader = &walk->reader;
	*ret = (struct coff_symbol){0};
	ret->short_name = reader_bytes(reader, SHORT_NAME_SIZE);
	struct reader name = reader_create(ret->short_name, ret->short_name ? SHORT_NAME_SIZE : 0);
	if (ret->short_name && reader_u32(&name) == 0) {
		ret->short_name = NULL;
		ret->long_name = pe_image_long_name(walk->image, reader_u32(&name));
	}
	ret->value = reader_u32(reader);
	ret->section = reader_u16(reader);
	ret->is_function = (reader_u16(reader) >> TYPE_SHIFT & TYPE_MASK) == TYPE_FUNCTION;
	reader_skip(reader, 1);               // StorageClass
	uint8_t num_more = reader_u8(reader); // entries that belong to it
	bool is_there = !reader->failed;
	reader_skip(reader, num_more * (size_t)ENTRY_SIZE);
	walk->num_left -= walk->num_left <= num_more ? walk->num_left : 1U + num_more;
	return is_there;
}

/** False: it is in no section. */
static bool address_of_coff(const struct pe_image *image, const struct coff_symbol *symbol,
			    uint32_t *ret)
{
	if (!symbol->section || symbol->section > image->num_sections)
		return false;
	*ret = image->sections[symbol->section - 1].address + symbol->value;
	return *ret >= symbol->value;
}

static struct error *add_coff_symbols(const struct pe_image *image,
				      const struct pe_functions *functions,
				      struct symbol_table *table, size_t *ret_added)
{
	struct coff_walk walk = begin_coff_walk(image);
	struct coff_symbol symbol;
	struct error *err = NULL;
	while (!err && next_coff_symbol(&walk, &symbol)) {
		uint32_t address;
		const char *name = symbol.long_name;
		if (!symbol.is_function || !address_of_coff(image, &symbol, &address))
			continue;
		if (symbol.short_name) {
			name = arena_strndup(&table->names, symbol.short_name, SHORT_NAME_SIZE);
			err = name ? NULL : &error_no_memory;
		}
		if (!err && name && *name)
			err = pe_symbols_add_function(image, functions, address, name, table,
						      ret_added);
	}
	return err;
}

bool pe_symbols_find_variable(const struct pe_image *image, const char *name, uint32_t *ret)
{
	struct coff_walk walk = begin_coff_walk(image);
	struct coff_symbol symbol;
	while (next_coff_symbol(&walk, &symbol))
		if (!symbol.is_function && symbol.long_name && !strcmp(symbol.long_name, name))
			return address_of_coff(image, &symbol, ret);
	return false;
}

struct error *pe_symbols_add(const struct pe_image *image, const struct pe_functions *functions,
			     struct symbol_table *table, struct pe_symbols_found *ret)
{
	*ret = (struct pe_symbols_found){0};
	struct error *err = add_exports(image, functions, table, &ret->num_exports);
	return err ? err : add_coff_symbols(image, functions, table, &ret->num_symbols);
}
