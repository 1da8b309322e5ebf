// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_inlined.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "object/pdb/pdb_record.h"

#include <stdlib.h>
#include <string.h>

// S_INLINESITE records are nested like the calls that were inlined. Each has binary annotations, a
// small program that walks over the code of the call with a delta for each change of address, line
// or file (BA_OP_* in cvinfo.h of microsoft-pdb). take_note() runs one operation: a change of
// offset begins a row, a length ends the range.
//
// The program runs for one function at the first look-up in it, never for a whole module, as most
// functions are never asked for. The ranges are flattened by a range map with the depth of
// nesting, so that the innermost site of an address is one binary search.
//
// The result is copied into one block of memory (pdb_inlined_keep()): pieces, sites and rows of a
// function are always needed together, and lie in neighbouring cache lines. pdb_inlined_reader
// keeps the room that grows between functions. A damaged program ends at its first unknown
// operation.

/** What the notes of a site say: a small program that makes rows. */
enum note {
	NOTE_END = 0,                // BA_OP_Invalid
	NOTE_CODE_OFFSET = 1,        // BA_OP_CodeOffset
	NOTE_CHANGE_CODE_OFFSET = 3, // BA_OP_ChangeCodeOffset
	NOTE_CODE_LENGTH = 4,        // BA_OP_ChangeCodeLength
	NOTE_FILE = 5,               // BA_OP_ChangeFile
	NOTE_LINE = 6,               // BA_OP_ChangeLineOffset
	NOTE_CODE_AND_LINE = 11,     // BA_OP_ChangeCodeOffsetAndLineOffset
	NOTE_LENGTH_AND_CODE = 12,   // BA_OP_ChangeCodeLengthAndCodeOffset
	NUM_NOTES = 14,
};

/** The state of that program. */
struct note_state {
	struct pdb_inlined_reader *inlined;
	uint32_t site, depth;
	uint32_t base; // what offsets count from
	uint32_t offset, file, line;
	bool is_open; // a range has begun
	uint32_t start;
};

/** A number of 1, 2 or 4 bytes, the highest byte first: CVUncompressData() of cvinfo.h. */
static uint32_t pdb_inlined_read_number(struct reader *reader)
{
	uint32_t first = reader_u8(reader);
	if (!(first & 0x80))
		return first;
	uint32_t second = reader_u8(reader);
	if ((first & 0xc0) == 0x80)
		return (first & 0x3f) << 8 | second;
	uint32_t third = reader_u8(reader);
	uint32_t fourth = reader_u8(reader);
	if ((first & 0xe0) != 0xc0)
		reader->failed = true;
	return (first & 0x1f) << 24 | second << 16 | third << 8 | fourth;
}

/** The sign is in the lowest bit. */
static uint32_t signed_of(uint32_t number)
{
	return number & 1 ? -(number >> 1) : number >> 1;
}

/** The line from here on. */
static struct error *begin_row(struct note_state *state)
{
	struct pdb_inlined_reader *inlined = state->inlined;
	if (!state->is_open)
		state->start = state->offset;
	state->is_open = true;
	struct error *err =
		array_reserve(&inlined->rows, &inlined->cap_rows, inlined->num_rows + 1);
	if (!err)
		inlined->rows[inlined->num_rows++] = (struct pdb_site_row){
			state->base + state->offset, state->file, state->line};
	return err;
}

static struct error *end_range(struct note_state *state)
{
	if (!state->is_open)
		return NULL;
	state->is_open = false;
	return range_map_add(&state->inlined->map, (uint64_t)state->base + state->start,
			     (uint64_t)state->base + state->offset, state->depth, state->site);
}

static struct error *take_note(struct note_state *state, uint32_t note, struct reader *reader)
{
	enum { CODE_BITS = 4, CODE_MASK = 15 };
	uint32_t number = pdb_inlined_read_number(reader);
	struct error *err;
	switch (note) {
	case NOTE_CODE_OFFSET:
	case NOTE_CHANGE_CODE_OFFSET:
		state->offset += number;
		return begin_row(state);
	case NOTE_CODE_AND_LINE:
		state->line += signed_of(number >> CODE_BITS);
		state->offset += number & CODE_MASK;
		return begin_row(state);
	case NOTE_CODE_LENGTH:
		state->offset += number;
		return end_range(state);
	case NOTE_LENGTH_AND_CODE:
		state->offset += pdb_inlined_read_number(reader);
		err = begin_row(state);
		state->offset += number;
		return err ? err : end_range(state);
	case NOTE_FILE:
		state->file = number;
		return NULL;
	case NOTE_LINE:
		state->line += signed_of(number);
		return NULL;
	default: // columns, and what kind of code it is
		return NULL;
	}
}

static int pdb_inlined_compare_rows(const void *left, const void *right)
{
	const struct pdb_site_row *a = left, *b = right;
	return a->address < b->address ? -1 : a->address > b->address;
}

static struct error *pdb_inlined_take_notes(struct note_state *state, struct reader reader)
{
	size_t first = state->inlined->num_rows;
	struct error *err = NULL;
	while (!err && reader_left(&reader)) {
		uint32_t note = pdb_inlined_read_number(&reader);
		if (note == NOTE_END || note >= NUM_NOTES)
			break;
		err = take_note(state, note, &reader);
	}
	struct pdb_site *site = &state->inlined->sites[state->site];
	struct pdb_site_row *rows = state->inlined->rows;
	size_t end = state->inlined->num_rows;
	site->first_row = (uint32_t)first;
	site->num_rows = (uint32_t)(end - first);
	// Mostly notes go forward.
	size_t sorted_end = first + 1;
	while (sorted_end < end && rows[sorted_end].address >= rows[sorted_end - 1].address)
		sorted_end++;
	if (sorted_end < end)
		qsort(&rows[first], end - first, sizeof(*rows), pdb_inlined_compare_rows);
	return err;
}

/** Where in the nest of sites we are. */
struct nest {
	const struct pdb_module *module;
	const struct pdb_function *function;
	uint32_t site, depth;
};

static struct error *add_site(struct pdb_inlined_reader *inlined, struct nest *nest,
			      struct pdb_record *record)
{
	struct reader *reader = &record->content;
	reader_skip(reader, 4 + 4); // parent and end
	uint32_t id = reader_u32(reader);
	if (record->kind == PDB_INLINE_SITE2)
		reader_skip(reader, 4); // how often it is called
	struct error *err =
		array_reserve(&inlined->sites, &inlined->cap_sites, inlined->num_sites + 1);
	if (err)
		return err;
	const struct pdb_inlinee *inlinee = pdb_module_find_inlinee(nest->module, id);
	inlined->sites[inlined->num_sites] = (struct pdb_site){.parent = nest->site, .id = id};
	nest->site = (uint32_t)inlined->num_sites++;
	nest->depth++;
	struct note_state state = {
		.inlined = inlined,
		.site = nest->site,
		.depth = nest->depth,
		.base = nest->function->base,
		.file = inlinee ? inlinee->file : UINT32_MAX,
		.line = inlinee ? inlinee->line : 0,
	};
	return pdb_inlined_take_notes(&state, *reader);
}

static struct error *read_sites(struct pdb_inlined_reader *inlined, const struct pdb_module *module,
				const struct pdb_function *function)
{
	// Sites are among the records between the function's own and its end, with locals and
	// blocks.
	size_t end = function->records_end;
	if (end > module->symbols.size)
		end = module->symbols.size;
	struct reader reader = reader_create(module->symbols.data, end);
	reader_seek(&reader, function->records);
	struct nest nest = {module, function, PDB_NO_SITE, 0};
	struct error *err = NULL;
	struct pdb_record record;
	while (!err && reader_left(&reader) && pdb_record_next(&reader, &record)) {
		if (record.kind == PDB_INLINE_SITE || record.kind == PDB_INLINE_SITE2)
			err = add_site(inlined, &nest, &record);
		if (record.kind != PDB_INLINE_SITE_END || nest.site == PDB_NO_SITE)
			continue;
		nest.site = inlined->sites[nest.site].parent;
		nest.depth--;
	}
	return err ? err : range_map_build(&inlined->map);
}

/** All that was read, behind each other in one piece of memory: an address asks for all of it. */
static struct error *pdb_inlined_keep(struct pdb_inlined_reader *reader,
				      const struct pdb_inlined **ret)
{
	size_t pieces_size = reader->map.num_pieces * sizeof(struct pdb_site_piece);
	size_t sites_size = reader->num_sites * sizeof(*reader->sites);
	size_t rows_size = reader->num_rows * sizeof(*reader->rows);
	struct pdb_inlined *inlined = arena_alloc(&reader->arena, sizeof(*inlined) + pieces_size +
									  sites_size + rows_size);
	if (!inlined)
		return &error_no_memory;
	struct pdb_site_piece *pieces = (struct pdb_site_piece *)(inlined + 1);
	struct pdb_site *sites = (struct pdb_site *)((char *)pieces + pieces_size);
	struct pdb_site_row *rows = (struct pdb_site_row *)((char *)sites + sites_size);
	// Ranges end within 32 bits or are damaged: no code is behind these.
	uint32_t num_pieces = 0, site;
	uint64_t start;
	while (range_map_piece(&reader->map, num_pieces, &start, &site) && start <= UINT32_MAX)
		pieces[num_pieces++] = (struct pdb_site_piece){(uint32_t)start, site};
	memcpy(sites, reader->sites, sites_size);
	if (rows_size)
		memcpy(rows, reader->rows, rows_size);
	*inlined = (struct pdb_inlined){
		.num_pieces = num_pieces,
		.pieces = pieces,
		.sites = sites,
		.rows = rows,
	};
	*ret = inlined;
	return NULL;
}

struct error *pdb_inlined_read(struct pdb_inlined_reader *reader, const struct pdb_module *module,
			       const struct pdb_function *function, const struct pdb_inlined **ret)
{
	static const struct pdb_inlined none;
	reader->num_sites = reader->num_rows = 0;
	range_map_clear(&reader->map);
	struct error *err = read_sites(reader, module, function);
	if (err)
		return err;
	if (reader->num_sites)
		return pdb_inlined_keep(reader, ret);
	*ret = &none;
	return NULL;
}

void pdb_inlined_reader_deinit(struct pdb_inlined_reader *reader)
{
	free(reader->sites);
	free(reader->rows);
	range_map_deinit(&reader->map);
	arena_deinit(&reader->arena);
}

uint32_t pdb_inlined_find_site(const struct pdb_inlined *inlined, uint32_t address)
{
	const struct pdb_site_piece *pieces = inlined->pieces;
	if (!inlined->num_pieces)
		return PDB_NO_SITE;
	size_t count = bisect_u32(&pieces->start, inlined->num_pieces, sizeof(*pieces), address);
	return count ? pieces[count - 1].site : PDB_NO_SITE;
}

const struct pdb_site_row *pdb_inlined_find_row(const struct pdb_inlined *inlined, uint32_t site,
						uint32_t address)
{
	const struct pdb_site_row *rows = &inlined->rows[inlined->sites[site].first_row];
	size_t count = inlined->sites[site].num_rows;
	if (!count)
		return NULL;
	count = bisect_u32(&rows->address, count, sizeof(*rows), address);
	return count ? &rows[count - 1] : NULL;
}
