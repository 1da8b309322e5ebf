// SPDX-License-Identifier: Apache-2.0

#include "symbols/function_filler.h"

#include "symbols/module_file.h"

// Asks for the lines of each byte of the function, and for the frames only where these change: an
// instruction may begin at any byte, and an answer costs some binary searches. The file bounds how
// long a function is, whatever its symbol says; and no code is asked for twice, as functions of a
// hostile file may all overlap.

static const struct object_symbol *function_filler_symbol(const struct known_module *known,
							  uint64_t address, uint64_t *ret_address)
{
	const struct object_symbol *symbol = NULL;
	if (known->module.kind != MODULE_FILE || !known->object || known->is_line_image ||
	    !module_file_address(&known->module, known->object, address, ret_address))
		return NULL;
	// Damaged tables were refused when the place got its name.
	error_destroy(object_find_symbol(known->object, *ret_address, &symbol));
	return symbol;
}

bool function_filler_find(const struct known_module *known, uint64_t address, uint64_t *ret)
{
	uint64_t relative;
	const struct object_symbol *symbol = function_filler_symbol(known, address, &relative);
	if (symbol)
		*ret = symbol->address;
	return symbol;
}

/** What is the same for all code of a place in DWARF is one array, but not in PDBs. */
struct object_piece {
	const struct object_line *lines;
	size_t num_lines;
};

static bool function_filler_is_same(struct object_piece a, struct object_piece b)
{
	if (a.num_lines != b.num_lines)
		return false;
	for (size_t i = 0; a.lines != b.lines && i < a.num_lines; i++)
		if (a.lines[i].line != b.lines[i].line ||
		    a.lines[i].discriminator != b.lines[i].discriminator ||
		    a.lines[i].function != b.lines[i].function)
			return false;
	return true;
}

static struct error *function_filler_push(struct place_namer *namer, struct named_profile *profile,
					  struct known_module *known, uint64_t address)
{
	size_t first = namer->num_frames;
	struct error *err = place_namer_add(namer, profile, known, address);
	uint32_t stack;
	if (!err)
		err = stack_table_intern(&profile->stacks, namer->frames + first,
					 namer->num_frames - first, &stack);
	namer->num_frames = first;
	return err;
}

struct error *function_filler_add(struct place_namer *namer, struct named_profile *profile,
				  struct known_module *known, uint64_t address, uint64_t *done)
{
	uint64_t relative;
	const struct object_symbol *symbol = function_filler_symbol(known, address, &relative);
	uint64_t start = symbol && symbol->address > *done ? symbol->address : *done;
	if (!symbol || start - symbol->address >= symbol->size)
		return NULL;
	struct object_bytes code = object_code(known->object, start,
					       (size_t)(symbol->size - (start - symbol->address)));
	*done = start + code.size;
	struct object_piece last = {0};
	for (size_t i = 0; i < code.size; i++) {
		struct object_piece piece;
		struct error *err = object_find_lines(known->object, code.address + i, &piece.lines,
						      &piece.num_lines);
		if (err && err->code == ERROR_NO_MEMORY)
			return err;
		if (err) {
			error_destroy(err);
			return NULL;
		}
		if (!function_filler_is_same(piece, last) && piece.num_lines)
			err = function_filler_push(namer, profile, known,
						   address + (code.address + i - relative));
		if (err)
			return err;
		last = piece;
	}
	return NULL;
}
