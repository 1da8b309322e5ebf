// SPDX-License-Identifier: Apache-2.0
// It starts from the addresses with samples, not from the function: an inlined function has code in
// every function that calls it, and a compiler may split a function in two (".cold"). For each
// address its function in the file is found, by symbol or by the tables for exceptions, and decoded
// once, as a piece. Then lines are looked up for all instructions of the piece, and targets of
// jumps are marked, as a reader looks for loops there. Last the hits of the address go to the
// instruction whose bytes hold it.

#include "report/code/code_listing.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "object/disassembly/jump_target.h"

#include <stdlib.h>
#include <string.h>

// A small function may be inlined in thousands of others. The hits in what is not shown are summed
// up (left).
enum { MAX_PIECES = 100 };

static void code_piece_deinit(struct code_piece *piece)
{
	free(piece->rows);
	instruction_list_deinit(&piece->instructions);
}

void code_listing_deinit(struct code_listing *listing)
{
	for (size_t i = 0; i < listing->num_pieces; i++)
		code_piece_deinit(&listing->pieces[i]);
	free(listing->pieces);
	*listing = (struct code_listing)CODE_LISTING_INIT;
}

/** The row whose bytes hold the address, or NULL. */
static struct code_row *code_listing_find_row(const struct code_piece *piece, uint64_t address)
{
	size_t count = BISECT_U64(piece->rows, piece->num_rows, address, address);
	if (!count)
		return NULL;
	// An address between two instructions is of data or padding that could not be decoded.
	uint32_t size = piece->instructions.items[count - 1].size;
	return address - piece->rows[count - 1].address < size ? &piece->rows[count - 1] : NULL;
}

static struct error *code_listing_find_line(struct object *object, struct code_row *row)
{
	const struct object_line *lines;
	size_t num_lines;
	struct error *err = object_find_lines(object, row->address, &lines, &num_lines);
	if (err || !num_lines)
		return err;
	// Calls come innermost first; the last one is the function that has the symbol.
	row->file = lines[0].file;
	row->line = lines[0].line;
	row->own_file = lines[num_lines - 1].file;
	row->own_line = lines[num_lines - 1].line;
	return NULL;
}

/** Without lines (a library for them is missing, say) there still are the instructions. */
static struct error *code_listing_fill_rows(struct object *object, struct code_piece *piece)
{
	const struct instruction_list *list = &piece->instructions;
	piece->rows = calloc(list->num_items + 1, sizeof(*piece->rows));
	if (!piece->rows)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; i < list->num_items; i++) {
		piece->rows[i].address = list->items[i].address;
		piece->rows[i].text = list->items[i].text;
		if (!err)
			err = code_listing_find_line(object, &piece->rows[i]);
	}
	piece->num_rows = list->num_items;
	for (size_t i = 0; i < list->num_items; i++) {
		uint64_t target;
		if (!jump_target_parse(list->items[i].text, &target))
			continue;
		// A jump into the middle of an instruction has been decoded wrongly, or is data.
		struct code_row *row = code_listing_find_row(piece, target);
		if (row && row->address == target)
			row->is_target = true;
	}
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	error_destroy(err);
	return NULL;
}

/** Without symbols, too. @name: what such a function is called. @ret: size 0: there is none. */
static struct error *code_listing_find_function(struct object *object, uint64_t address,
						const char *name, struct object_symbol *ret)
{
	const struct object_symbol *symbol;
	struct error *err = object_find_symbol(object, address, &symbol);
	*ret = (struct object_symbol){0};
	uint64_t start, end;
	if (!err && symbol)
		*ret = *symbol;
	else if (!err && object_find_function(object, address, &start, &end))
		*ret = (struct object_symbol){start, end - start, name};
	return err;
}

static struct code_piece *find_known_piece(struct code_listing *listing,
					   const struct object *object, uint64_t address)
{
	// Addresses come in order: it is nearly always the last piece.
	for (size_t i = listing->num_pieces; i-- > 0;) {
		struct code_piece *piece = &listing->pieces[i];
		if (piece->object == object && piece->symbol.address == address)
			return piece;
	}
	return NULL;
}

/** @ret: stays NULL if there is no function, or if it is one too many. */
static struct error *code_listing_find_piece(struct code_files *files, struct object *object,
					     const struct object_symbol *symbol,
					     struct code_listing *listing, struct code_piece **ret)
{
	*ret = symbol->size ? find_known_piece(listing, object, symbol->address) : NULL;
	if (*ret || !symbol->size || listing->num_pieces == MAX_PIECES)
		return NULL;
	struct error *err =
		array_reserve(&listing->pieces, &listing->cap_pieces, listing->num_pieces + 1);
	if (err)
		return err;
	struct code_piece *piece = &listing->pieces[listing->num_pieces++];
	*piece = (struct code_piece){.symbol = *symbol, .object = object};
	err = code_files_decode(files, object, symbol, &piece->instructions);
	if (!err)
		err = code_listing_fill_rows(object, piece);
	if (!err)
		*ret = piece;
	return err;
}

static struct error *add_address(struct code_files *files, const struct annotation_address *address,
				 const char *name, struct code_listing *listing)
{
	struct object *object;
	struct object_symbol symbol;
	struct code_piece *piece = NULL;
	struct error *err = code_files_object(files, address->module, &object);
	if (!err)
		err = code_listing_find_function(object, address->address, name, &symbol);
	if (!err)
		err = code_listing_find_piece(files, object, &symbol, listing, &piece);
	if (err)
		return err;
	struct code_row *row = piece ? code_listing_find_row(piece, address->address) : NULL;
	named_total_add(row ? &row->total : &listing->left, address->code);
	if (row)
		named_total_add(&row->self, address->self);
	return NULL;
}

const struct code_row *code_listing_find(const struct code_listing *listing,
					 const struct object *object, uint64_t address)
{
	for (size_t i = 0; i < listing->num_pieces; i++) {
		const struct code_piece *piece = &listing->pieces[i];
		const struct code_row *row =
			piece->object == object ? code_listing_find_row(piece, address) : NULL;
		if (row)
			return row;
	}
	return NULL;
}

struct error *code_listing_create(struct code_files *files, const struct annotation_part *part,
				  struct code_listing *ret)
{
	_cleanup_(code_listing_deinit) struct code_listing listing = CODE_LISTING_INIT;
	const struct named_profile *profile = files->profile;
	const char *name = named_profile_text(profile, profile->functions[part->item].name);
	for (size_t i = 0; i < part->num_addresses; i++) {
		struct error *err = add_address(files, &part->addresses[i], name, &listing);
		if (err)
			return err;
	}
	*ret = listing;
	listing = (struct code_listing)CODE_LISTING_INIT;
	return NULL;
}
