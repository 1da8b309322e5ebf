// SPDX-License-Identifier: Apache-2.0
// A function's part has up to three pieces: a head with its share, its source lines file by file
// (inlined calls bring other files), and its machine code, if that was asked for or if there is no
// line to show. What source or code cannot be read is said in its place, and the rest is printed.

#include "base/terminal/terminal.h"
#include "object/names/demangle.h"
#include "report/code/annotate_view.h"
#include "symbols/readable_name.h"
#include "view/layout/decimal.h"
#include "view/text/annotate_text.h"

#include <stdlib.h>
#include <string.h>

static struct annotate_look look_of(const struct annotate_view *view,
				    const struct annotation_part *part, FILE *stream)
{
	bool is_function = view->kind == ANNOTATION_OF_FUNCTIONS;
	return (struct annotate_look){
		.stream = stream,
		.style = {.color = terminal_has_color(stream)},
		.whole = is_function ? part->code : view->annotation->whole,
		// A column of zeros for what is inlined would only take room.
		.has_inlined = part->code.count != part->self.count,
		.has_spe = view->spe,
		.ratio = view->ratio ? view->ratio->name : NULL,
		.is_unfolded = view->is_unfolded,
	};
}

static struct named_total annotate_print_minus(struct named_total whole, struct named_total part)
{
	return (struct named_total){whole.count - part.count, whole.weight - part.weight};
}

static int annotate_print_compare(const void *a, const void *b)
{
	const struct annotation_line *one = a, *other = b;
	int order = (one->file > other->file) - (one->file < other->file);
	return order ? order : (one->line > other->line) - (one->line < other->line);
}

struct ratio annotate_view_ratio(const struct annotate_view *view,
				 const struct annotation_part *part,
				 const struct annotation_line *line)
{
	if (!view->ratio)
		return (struct ratio){.is_known = false};
	size_t number = (size_t)(part - view->annotation->parts);
	const struct annotation_part *instructions = &view->instructions->parts[number];
	// By file and line: in the order that this compares.
	const struct annotation_line *other =
		instructions->num_lines
			? bsearch(line, instructions->lines, instructions->num_lines, sizeof(*line),
				  annotate_print_compare)
			: NULL;
	return other ? event_ratio_of(view->ratio, line->self, other->self)
		     : (struct ratio){.is_known = false};
}

/** @lines: of one file. */
static struct error *print_file(const struct annotate_view *view, const struct annotate_look *look,
				const struct annotation_part *part,
				const struct annotation_line *lines, size_t num_lines)
{
	const struct named_profile *profile = view->profile;
	_cleanup_free_ struct annotate_line *shown = calloc(num_lines, sizeof(*shown));
	if (!shown)
		return &error_no_memory;
	for (size_t i = 0; i < num_lines; i++)
		shown[i] = (struct annotate_line){
			.line = lines[i].line,
			.self = lines[i].self,
			.inlined = annotate_print_minus(lines[i].code, lines[i].self),
			.ratio = annotate_view_ratio(view, part, &lines[i]),
			.spe = view->spe ? spe_places_line(view->spe, part->item, lines[i].file,
							   lines[i].line)
					 : NULL,
		};
	struct annotate_source source = {
		.path = named_profile_text(profile, lines->file),
		.lines = shown,
		.num_lines = num_lines,
	};
	struct source_text text = {0};
	struct error *err =
		*source.path ? source_files_get(view->sources, source.path, &text) : NULL;
	if (err)
		return err;
	source.text = text.lines;
	source.refusal = text.refusal;
	if (view->kind == ANNOTATION_OF_FUNCTIONS &&
	    // The line of the function's head is shown even without samples, as it says where the
	    // reader is.
	    profile->functions[part->item].file == lines->file)
		source.first_line = profile->functions[part->item].line;
	annotate_text_print_source(look, &source);
	return NULL;
}

static struct error *annotate_print_sources(const struct annotate_view *view,
					    const struct annotate_look *look,
					    const struct annotation_part *part)
{
	struct error *err = NULL;
	size_t next = 0;
	while (!err && next < part->num_lines) {
		size_t first = next;
		// Lines are sorted by file: each run of one file is printed beside its text.
		while (next < part->num_lines && part->lines[next].file == part->lines[first].file)
			next++;
		err = print_file(view, look, part, &part->lines[first], next - first);
	}
	return err;
}

/** Without parameters, which are long. @ret: to be freed. */
static struct error *annotate_print_readable(const char *name, char **ret)
{
	_cleanup_free_ char *demangled = NULL;
	struct error *err = demangle(name, &demangled);
	if (err)
		return err;
	// A name of C++ without its parameters, as in the tables.
	*ret = demangled ? strndup(demangled, readable_name_length(demangled)) : strdup(name);
	return *ret ? NULL : &error_no_memory;
}

static struct error *annotate_print_piece(const struct annotate_view *view,
					  const struct annotate_look *look,
					  const struct annotation_part *part,
					  const struct code_piece *piece)
{
	uint32_t module = view->profile->functions[part->item].module;
	_cleanup_free_ struct annotate_instruction *instructions =
		calloc(piece->num_rows + 1, sizeof(*instructions));
	if (!instructions)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < piece->num_rows; i++) {
		const struct code_row *row = &piece->rows[i];
		instructions[i] = (struct annotate_instruction){
			.address = row->address,
			.text = row->text,
			.total = row->total,
			.file = row->file,
			.line = row->line,
			.is_target = row->is_target,
			.spe = view->spe ? spe_places_address(view->spe, module, row->address)
					 : NULL,
		};
		struct source_text text = {0};
		if (row->file)
			err = source_files_get(view->sources, row->file, &text);
		// Instructions stand below the source line that they were made of.
		if (!err && text.lines)
			instructions[i].source = text_lines_get(text.lines, row->line);
	}
	_cleanup_free_ char *name = NULL;
	if (!err)
		err = annotate_print_readable(piece->symbol.name, &name);
	if (err)
		return err;
	const struct annotate_code code = {name, instructions, piece->num_rows};
	annotate_text_print_code(look, &code);
	return NULL;
}

static struct error *print_code(const struct annotate_view *view, const struct annotate_look *look,
				const struct annotation_part *part)
{
	_cleanup_(code_listing_deinit) struct code_listing listing = CODE_LISTING_INIT;
	struct error *err = code_listing_create(view->codes, part, &listing);
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	// Code that cannot be read is no reason to show nothing at all.
	_cleanup_(error_destroyp) struct error *refusal = err;
	if (refusal && view->with_code) // else nobody asked for it
		annotate_text_print_refusal(look, refusal->message, refusal->hint);
	err = NULL;
	for (size_t i = 0; !err && i < listing.num_pieces; i++)
		err = annotate_print_piece(view, look, part, &listing.pieces[i]);
	if (listing.left.count)
		fprintf(look->stream, "samples in code that is not shown: %s\n",
			decimal_grouped(listing.left.count).text);
	return err;
}

static void annotate_print_head(const struct annotate_view *view, const struct annotate_look *look,
				const struct annotation_part *part)
{
	const struct named_profile *profile = view->profile;
	const struct named_function *function = &profile->functions[part->item];
	uint32_t module = function->module;
	const char *module_name =
		module == NAMED_NONE ? ""
				     : named_profile_text(profile, profile->modules[module].name);
	annotate_text_print_function(look, named_profile_text(profile, function->name), module_name,
				     part->self, part->code, view->annotation->whole);
}

static bool has_lines(const struct annotation_part *part)
{
	for (size_t i = 0; i < part->num_lines; i++)
		if (part->lines[i].line)
			return true;
	return false;
}

bool annotate_view_has_code(const struct annotate_view *view, const struct annotation_part *part)
{
	return view->with_code || (view->with_code_of_lineless && !has_lines(part));
}

struct error *annotate_view_print(const struct annotate_view *view,
				  const struct annotation_part *part, FILE *stream)
{
	// Percentages are of the function where there is one, so that its lines add up to 100; of a
	// file they are of the event.
	struct annotate_look look = look_of(view, part, stream);
	fputc('\n', stream);
	if (view->kind == ANNOTATION_OF_FUNCTIONS)
		annotate_print_head(view, &look, part);
	struct error *err = annotate_print_sources(view, &look, part);
	return err || !annotate_view_has_code(view, part) ? err : print_code(view, &look, part);
}
