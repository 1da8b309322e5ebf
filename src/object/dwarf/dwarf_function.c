// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_function.h"

#include "object/dwarf/dwarf_attribute.h"
#include "object/dwarf/dwarf_die.h"
#include "object/dwarf/dwarf_file.h"
#include "object/dwarf/dwarf_lines_table.h"
#include "object/dwarf/dwarf_root.h"

#include <dwarf.h>

// One function is described by several DIEs (DWARF 5, 3.3.8): the inlined call or the concrete
// code has addresses and refers by DW_AT_abstract_origin to an abstract instance with the name,
// which may refer by DW_AT_specification to the declaration in a class with the linkage name.
// After LTO or dwz these can be in other units or in another file.
//
// dwarf_function_read() follows the chain from the DIE that has the code. For each property the
// first DIE that has it wins, as the closest one is the most specific; the place of the call is
// read from the first DIE only, as it belongs to this call and not to the function. Names are
// preferred in the order of the attributes: linkage names first, since they include the parameters
// and are what the symbol table has. MAX_ORIGINS also ends references that go round in a circle.

// A clone of a copy of a member that is declared elsewhere is the third of a row; loops end here.
enum { MAX_ORIGINS = 17 };

// An extension of GNU that clang writes, too; not each dwarf.h has it.
enum { GNU_DISCRIMINATOR = 0x2136 };

enum {
	LINKAGE_NAME,
	MIPS_LINKAGE_NAME,
	NAME,
	DECL_FILE,
	DECL_LINE,
	ABSTRACT_ORIGIN,
	SPECIFICATION,
	CALL_FILE,
	CALL_LINE,
	CALL_COLUMN,
	CALL_DISCRIMINATOR,
	NUM_ATTRIBUTES,
};

static const uint16_t attributes[NUM_ATTRIBUTES] = {
	[LINKAGE_NAME] = DW_AT_linkage_name,
	[MIPS_LINKAGE_NAME] = DW_AT_MIPS_linkage_name,
	[NAME] = DW_AT_name,
	[DECL_FILE] = DW_AT_decl_file,
	[DECL_LINE] = DW_AT_decl_line,
	[ABSTRACT_ORIGIN] = DW_AT_abstract_origin,
	[SPECIFICATION] = DW_AT_specification,
	[CALL_FILE] = DW_AT_call_file,
	[CALL_LINE] = DW_AT_call_line,
	[CALL_COLUMN] = DW_AT_call_column,
	[CALL_DISCRIMINATOR] = GNU_DISCRIMINATOR,
};

/** What was found until now; the first die that says something counts. */
struct search {
	struct string_table *paths;
	const char *names[NAME + 1];
	bool has_file, has_line;
	struct dwarf_function function;
};

static uint32_t dwarf_function_number_of(const struct dwarf_value *value)
{
	uint64_t number;
	return dwarf_attribute_number(value, &number) && number <= UINT32_MAX ? (uint32_t)number
									      : 0;
}

/** The path of a file by its number in the unit. @ret: NULL if it is not known. */
static struct error *path_of(struct dwarf_header *header, const struct dwarf_value *file,
			     struct string_table *paths, const char **ret)
{
	uint64_t number;
	*ret = NULL;
	if (!dwarf_attribute_number(file, &number))
		return NULL;
	struct dwarf_lines *lines;
	struct error *err = dwarf_lines_table_need(header, &lines);
	return err || !lines ? err : dwarf_lines_path(lines, number, paths, ret);
}

static struct error *add_die(struct search *search, const struct dwarf_die *die,
			     const struct dwarf_value *values)
{
	for (size_t i = 0; i <= NAME; i++)
		if (!search->names[i])
			search->names[i] = dwarf_attribute_string(die->header, &values[i]);
	if (!search->has_line && values[DECL_LINE].form) {
		search->has_line = true;
		search->function.definition_line = dwarf_function_number_of(&values[DECL_LINE]);
	}
	if (search->has_file || !values[DECL_FILE].form)
		return NULL;
	search->has_file = true;
	return path_of(die->header, &values[DECL_FILE], search->paths,
		       &search->function.definition_file);
}

struct error *dwarf_function_read(struct dwarf_header *header, uint64_t die,
				  struct string_table *paths, struct dwarf_function *ret)
{
	struct search search = {.paths = paths};
	for (unsigned i = 0; i < MAX_ORIGINS; i++) {
		struct dwarf_value values[NUM_ATTRIBUTES];
		struct dwarf_die entry;
		struct error *err = dwarf_root_need(header, NULL);
		if (!err)
			err = dwarf_die_read(header, die, &entry);
		if (err)
			return err;
		if (!entry.abbreviation)
			break;
		dwarf_die_values(&entry, attributes, NUM_ATTRIBUTES, values);
		err = add_die(&search, &entry, values);
		if (!err && !i) {
			struct dwarf_function *function = &search.function;
			function->call_line = dwarf_function_number_of(&values[CALL_LINE]);
			function->call_column = dwarf_function_number_of(&values[CALL_COLUMN]);
			function->call_discriminator =
				dwarf_function_number_of(&values[CALL_DISCRIMINATOR]);
			err = path_of(header, &values[CALL_FILE], paths, &function->call_file);
		}
		if (err)
			return err;
		size_t origin = values[ABSTRACT_ORIGIN].form ? ABSTRACT_ORIGIN : SPECIFICATION;
		if (!dwarf_attribute_reference(header, &values[origin], &header, &die))
			break;
	}
	for (size_t i = 0; i <= NAME && !search.function.name; i++)
		search.function.name = search.names[i];
	*ret = search.function;
	return NULL;
}
