// SPDX-License-Identifier: Apache-2.0
// What WindowsPerf prints for --annotate and --disassemble, in its order and columns. --annotate
// has a row for each source line with hits. --disassemble has one for each instruction with hits,
// and shows with it the instructions of the same source line around it:
//
//   line_number  hits  filename  instruction_address  disassembled_line
//
// Clients parse these tables, so nothing is added to them; `annotate` is the command for people.

#include "report/code/sample_annotation.h"

#include "profile/annotation.h"
#include "report/code/code_listing.h"

#include <stdlib.h>
#include <string.h>

// So wide is the peer's column of mnemonics.
enum { MNEMONIC_COLUMNS = 5 };

/** Most hits first, as the peer has it; then in the order of the file. */
static int sample_annotation_compare_lines(const void *a, const void *b)
{
	const struct sample_line *left = a, *right = b;
	// The sort must not depend on qsort()'s order of equal rows: output is the same on every
	// system.
	if (left->hits != right->hits)
		return left->hits < right->hits ? 1 : -1;
	if (left->line_number != right->line_number)
		return left->line_number > right->line_number ? 1 : -1;
	return (left->instruction_address > right->instruction_address) -
	       (left->instruction_address < right->instruction_address);
}

static void finish_lines(struct sample_line *lines, size_t num_lines, struct sample_function *ret)
{
	qsort(lines, num_lines, sizeof(*lines), sample_annotation_compare_lines);
	ret->lines = lines;
	ret->num_lines = num_lines;
}

static struct error *add_source_lines(const struct sample_annotation *annotation,
				      const struct annotation_part *part,
				      struct sample_function *ret)
{
	struct sample_line *lines =
		arena_alloc_array(annotation->arena, part->num_lines + 1, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	size_t num_lines = 0;
	for (size_t i = 0; i < part->num_lines; i++) {
		const struct annotation_line *line = &part->lines[i];
		if (line->self.count && line->line)
			lines[num_lines++] = (struct sample_line){
				.line_number = line->line,
				.hits = line->self.count,
				.filename = named_profile_text(annotation->profile, line->file),
			};
	}
	finish_lines(lines, num_lines, ret);
	return NULL;
}

static bool is_same_line(const struct code_row *a, const struct code_row *b)
{
	bool is_same_file = a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file));
	return is_same_file && a->line == b->line;
}

/** "ldr   x8, [sp, #0x10]": the peer's columns. */
static const char *instruction_text(struct arena *arena, const char *text)
{
	size_t length = strcspn(text, "\t");
	const char *operands = text[length] ? text + length + 1 : "";
	if (!*operands)
		return arena_strndup(arena, text, length);
	return arena_printf(arena, "%-*.*s %s", MNEMONIC_COLUMNS, (int)length, text, operands);
}

/** Of a sampled row, with the instructions of its line that stand around it. */
static struct error *add_code_line(const struct sample_annotation *annotation,
				   const struct code_piece *piece, size_t row,
				   struct sample_line *ret)
{
	const struct code_row *sampled = &piece->rows[row];
	size_t first = row, end = row + 1;
	// Compilers mix instructions of several lines: only those next to the sampled one are its
	// context.
	while (first > 0 && is_same_line(&piece->rows[first - 1], sampled))
		first--;
	while (end < piece->num_rows && is_same_line(&piece->rows[end], sampled))
		end++;
	// The listing ends before the table is printed: what the table needs is copied.
	const char *file = arena_strdup(annotation->arena, sampled->file ? sampled->file : "");
	struct sample_instruction *instructions =
		arena_alloc_array(annotation->arena, end - first, sizeof(*instructions));
	if (!file || !instructions)
		return &error_no_memory;
	for (size_t i = first; i < end; i++) {
		const char *text = instruction_text(annotation->arena, piece->rows[i].text);
		if (!text)
			return &error_no_memory;
		instructions[i - first] = (struct sample_instruction){piece->rows[i].address, text};
	}
	*ret = (struct sample_line){
		.line_number = sampled->line,
		.hits = sampled->self.count,
		.filename = file,
		.instruction_address = sampled->address,
		.instructions = instructions,
		.num_instructions = end - first,
	};
	return NULL;
}

/** Each sample is in the function that it was taken in, not also in those that have it inlined. */
static struct error *add_code_lines(const struct sample_annotation *annotation,
				    const struct code_listing *listing, struct sample_function *ret)
{
	size_t num_sampled = 0;
	for (size_t i = 0; i < listing->num_pieces; i++)
		for (size_t k = 0; k < listing->pieces[i].num_rows; k++)
			num_sampled += listing->pieces[i].rows[k].self.count > 0;
	struct sample_line *lines =
		arena_alloc_array(annotation->arena, num_sampled + 1, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	size_t num_lines = 0;
	struct error *err = NULL;
	for (size_t i = 0; i < listing->num_pieces; i++) {
		const struct code_piece *piece = &listing->pieces[i];
		for (size_t k = 0; !err && k < piece->num_rows; k++)
			if (piece->rows[k].self.count)
				err = add_code_line(annotation, piece, k, &lines[num_lines++]);
	}
	finish_lines(lines, num_lines, ret);
	return err;
}

/** Without its code a function still has its lines, and it is said why there are no more. */
static struct error *add_disassembly(const struct sample_annotation *annotation,
				     const struct annotation_part *part,
				     struct sample_function *ret)
{
	_cleanup_(code_listing_deinit) struct code_listing listing = CODE_LISTING_INIT;
	_cleanup_(error_destroyp) struct error *err =
		code_listing_create(annotation->codes, part, &listing);
	if (!err)
		return add_code_lines(annotation, &listing, ret);
	if (err->code == ERROR_NO_MEMORY)
		return take_ptr(err);
	string_builder_appendf(annotation->notes, "note: no instructions of %s: %s\n", ret->name,
			       err->message);
	return add_source_lines(annotation, part, ret);
}

struct error *sample_annotation_create(const struct sample_annotation *annotation,
				       const uint32_t *functions, const char *const *names,
				       size_t num_functions, const struct sample_function **ret,
				       size_t *ret_num)
{
	_cleanup_(annotation_deinit) struct annotation sums = ANNOTATION_INIT;
	struct error *err =
		annotation_create(annotation->profile, annotation->filter, ANNOTATION_OF_FUNCTIONS,
				  functions, num_functions, &sums);
	if (err)
		return err;
	struct sample_function *made =
		arena_alloc_array(annotation->arena, num_functions + 1, sizeof(*made));
	if (!made)
		return &error_no_memory;
	size_t num_made = 0;
	for (size_t i = 0; !err && i < num_functions; i++) {
		struct sample_function *function = &made[num_made];
		function->name = names[i];
		err = annotation->codes ? add_disassembly(annotation, &sums.parts[i], function)
					: add_source_lines(annotation, &sums.parts[i], function);
		// A function without lines gives its place to the next one.
		num_made += function->num_lines > 0;
	}
	*ret = made;
	*ret_num = num_made;
	return err;
}
