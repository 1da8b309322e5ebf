// SPDX-License-Identifier: Apache-2.0
// The functions or files are chosen as `wperf annotate` chooses them, and profile/annotation.h sums
// up their samples. A name may be that of several functions, which may have lines in common (of a
// header, say): lines and instructions of all are joined, sorted, and equal ones added up. Texts of
// source and machine code are copied, as the files that they are read from are closed.

#include "base/container/arena.h"
#include "base/container/array.h"
#include "library/library_choice.h"
#include "library/library_error.h"
#include "library/library_profile.h"
#include "profile/annotation.h"
#include "report/code/annotate_items.h"
#include "report/code/code_listing.h"
#include "report/code/source_files.h"

#include <stdlib.h>
#include <string.h>

struct wperf_annotation {
	struct arena texts;
	struct wperf_line *lines;
	struct wperf_instruction *instructions;
	size_t num_lines, cap_lines, num_instructions, cap_instructions;
};

static struct error *library_annotation_add_line(const struct named_profile *profile,
						 const struct annotation_line *line,
						 struct wperf_annotation *annotation)
{
	if (!line->code.count)
		return NULL;
	struct error *err = array_reserve(&annotation->lines, &annotation->cap_lines,
					  annotation->num_lines + 1);
	if (err)
		return err;
	annotation->lines[annotation->num_lines++] = (struct wperf_line){
		.file = named_profile_text(profile, line->file),
		.line = line->line,
		.self_count = line->self.count,
		.self_weight = line->self.weight,
		.total_count = line->code.count,
		.total_weight = line->code.weight,
	};
	return NULL;
}

/** @text: NULL: there is none. */
static struct error *library_annotation_add_instruction(const struct annotation_address *place,
							uint64_t address, const char *text,
							struct wperf_annotation *annotation)
{
	struct error *err = array_reserve(&annotation->instructions, &annotation->cap_instructions,
					  annotation->num_instructions + 1);
	char *copy = text ? arena_strdup(&annotation->texts, text) : NULL;
	if (err || (text && !copy))
		return err ? err : &error_no_memory;
	// Between the mnemonic and its operands there is a tab, for columns.
	char *tab = copy ? strchr(copy, '\t') : NULL;
	if (tab)
		*tab = ' ';
	annotation->instructions[annotation->num_instructions++] = (struct wperf_instruction){
		.module = place->module,
		.address = address,
		.text = copy,
		.self_count = place->self.count,
		.self_weight = place->self.weight,
		.total_count = place->code.count,
		.total_weight = place->code.weight,
	};
	return NULL;
}

static const struct code_row *library_annotation_find_row(struct code_files *codes,
							  const struct code_listing *listing,
							  const struct annotation_address *place)
{
	struct object *object;
	struct error *err = code_files_object(codes, place->module, &object);
	if (!err)
		return code_listing_find(listing, object, place->address);
	error_destroy(err);
	return NULL;
}

static struct error *library_annotation_add_code(struct code_files *codes,
						 const struct annotation_part *part,
						 struct wperf_annotation *annotation)
{
	_cleanup_(code_listing_deinit) struct code_listing listing = CODE_LISTING_INIT;
	struct error *err = code_listing_create(codes, part, &listing);
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	// Without the file there still are addresses.
	error_destroy(err);
	err = NULL;
	for (size_t i = 0; !err && i < part->num_addresses; i++) {
		const struct annotation_address *place = &part->addresses[i];
		const struct code_row *row = library_annotation_find_row(codes, &listing, place);
		// Interpreted code has no instructions.
		if (place->code.count && (row || place->address))
			err = library_annotation_add_instruction(
				place, row ? row->address : place->address, row ? row->text : NULL,
				annotation);
	}
	return err;
}

static int library_annotation_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int library_annotation_compare_lines(const void *left, const void *right)
{
	const struct wperf_line *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	return order ? order : library_annotation_compare(a->line, b->line);
}

static int library_annotation_compare_instructions(const void *left, const void *right)
{
	const struct wperf_instruction *a = left, *b = right;
	int order = library_annotation_compare(a->module, b->module);
	return order ? order : library_annotation_compare(a->address, b->address);
}

static void library_annotation_join_lines(struct wperf_annotation *annotation)
{
	struct wperf_line *lines = annotation->lines, *last = lines;
	if (!annotation->num_lines)
		return;
	qsort(lines, annotation->num_lines, sizeof(*lines), library_annotation_compare_lines);
	for (size_t i = 1; i < annotation->num_lines; i++) {
		if (library_annotation_compare_lines(last, &lines[i]) != 0) {
			*++last = lines[i];
			continue;
		}
		last->self_count += lines[i].self_count;
		last->self_weight += lines[i].self_weight;
		last->total_count += lines[i].total_count;
		last->total_weight += lines[i].total_weight;
	}
	annotation->num_lines = (size_t)(last - lines) + 1;
}

static void library_annotation_join_code(struct wperf_annotation *annotation)
{
	struct wperf_instruction *items = annotation->instructions, *last = items;
	if (!annotation->num_instructions)
		return;
	qsort(items, annotation->num_instructions, sizeof(*items),
	      library_annotation_compare_instructions);
	for (size_t i = 1; i < annotation->num_instructions; i++) {
		if (library_annotation_compare_instructions(last, &items[i]) != 0) {
			*++last = items[i];
			continue;
		}
		last->self_count += items[i].self_count;
		last->self_weight += items[i].self_weight;
		last->total_count += items[i].total_count;
		last->total_weight += items[i].total_weight;
	}
	annotation->num_instructions = (size_t)(last - items) + 1;
}

static void library_annotation_set_shares(struct named_total whole,
					  struct wperf_annotation *annotation)
{
	for (size_t i = 0; i < annotation->num_lines; i++) {
		struct wperf_line *line = &annotation->lines[i];
		line->self_percent = named_total_percent(
			(struct named_total){.weight = line->self_weight}, whole);
		line->total_percent = named_total_percent(
			(struct named_total){.weight = line->total_weight}, whole);
	}
	for (size_t i = 0; i < annotation->num_instructions; i++) {
		struct wperf_instruction *item = &annotation->instructions[i];
		item->self_percent = named_total_percent(
			(struct named_total){.weight = item->self_weight}, whole);
		item->total_percent = named_total_percent(
			(struct named_total){.weight = item->total_weight}, whole);
	}
}

static struct error *library_annotation_read_source(const struct wperf_profile *profile,
						    struct wperf_annotation *annotation)
{
	_cleanup_(source_files_deinit) struct source_files sources =
		source_files_create(profile->sysroots);
	struct error *err = source_files_set_profile(&sources, &profile->profile);
	for (size_t i = 0; !err && i < annotation->num_lines; i++) {
		struct wperf_line *line = &annotation->lines[i];
		struct text_line text = {.text = NULL};
		if (line->line && *line->file)
			err = source_files_line(&sources, line->file, line->line, &text);
		if (err || !text.text)
			continue;
		line->text = arena_strndup(&annotation->texts, text.text, text.length);
		err = line->text ? NULL : &error_no_memory;
	}
	return err;
}

static struct error *library_annotation_read_code(const struct wperf_profile *profile,
						  const struct annotation *sums,
						  struct wperf_annotation *annotation)
{
	struct code_files codes;
	struct error *err = code_files_init(&codes, &profile->profile, profile->sysroots);
	if (err)
		return err;
	for (size_t i = 0; !err && i < sums->num_parts; i++)
		err = library_annotation_add_code(&codes, &sums->parts[i], annotation);
	code_files_deinit(&codes);
	library_annotation_join_code(annotation);
	return err;
}

static struct error *library_annotation_fill(const struct wperf_profile *profile,
					     const struct annotation *sums, bool with_code,
					     struct wperf_annotation *annotation)
{
	struct error *err = NULL;
	for (size_t i = 0; i < sums->num_parts; i++)
		for (size_t k = 0; !err && k < sums->parts[i].num_lines; k++)
			err = library_annotation_add_line(&profile->profile,
							  &sums->parts[i].lines[k], annotation);
	library_annotation_join_lines(annotation);
	if (!err)
		err = library_annotation_read_source(profile, annotation);
	if (!err && with_code)
		err = library_annotation_read_code(profile, sums, annotation);
	library_annotation_set_shares(sums->whole, annotation);
	return err;
}

static struct error *library_annotation_find(const struct library_choice *chosen,
					     const char *function, const char *file,
					     struct annotation *ret)
{
	_cleanup_(annotate_items_deinit) struct annotate_items items = ANNOTATE_ITEMS_INIT;
	struct error *err =
		function ? annotate_items_of_symbol(&chosen->profile, chosen->filter, function, 0,
						    &items)
			 : annotate_items_of_file(&chosen->profile, chosen->filter, file, &items);
	if (!err && !items.num_items)
		err = error_create(ERROR_ABSENT, "no samples %s '%s'",
				   function ? "of function" : "in file",
				   function ? function : file);
	return err ? err
		   : annotation_create(&chosen->profile, chosen->filter,
				       function ? ANNOTATION_OF_FUNCTIONS : ANNOTATION_OF_FILES,
				       items.items, items.num_items, ret);
}

static struct error *library_annotation_create(const struct wperf_profile *profile,
					       const char *function, const char *file,
					       const struct wperf_choice *choice,
					       struct wperf_annotation *annotation)
{
	struct library_choice chosen;
	_cleanup_(annotation_deinit) struct annotation sums = ANNOTATION_INIT;
	if (!function == !file)
		return error_create(ERROR_USAGE,
				    "either a function or a file is annotated: name one of them");
	struct error *err = library_choice_make(&profile->profile, choice, &chosen);
	if (err)
		return err;
	err = library_annotation_find(&chosen, function, file, &sums);
	library_choice_deinit(&chosen);
	return err ? err : library_annotation_fill(profile, &sums, function != NULL, annotation);
}

struct wperf_error *wperf_profile_annotate(const struct wperf_profile *profile,
					   const char *function, const char *file,
					   const struct wperf_choice *choice,
					   struct wperf_annotation **ret)
{
	struct wperf_annotation *annotation = calloc(1, sizeof(*annotation));
	if (!annotation)
		return library_error_give(&error_no_memory);
	struct error *err = library_annotation_create(profile, function, file, choice, annotation);
	if (err)
		wperf_annotation_free(annotation);
	else
		*ret = annotation;
	return library_error_give(err);
}

void wperf_annotation_free(struct wperf_annotation *annotation)
{
	if (!annotation)
		return;
	arena_deinit(&annotation->texts);
	free(annotation->lines);
	free(annotation->instructions);
	free(annotation);
}

size_t wperf_annotation_num_lines(const struct wperf_annotation *annotation)
{
	return annotation->num_lines;
}

bool wperf_annotation_line_at(const struct wperf_annotation *annotation, size_t number,
			      struct wperf_line *ret)
{
	if (number >= annotation->num_lines)
		return false;
	*ret = annotation->lines[number];
	return true;
}

size_t wperf_annotation_num_instructions(const struct wperf_annotation *annotation)
{
	return annotation->num_instructions;
}

bool wperf_annotation_instruction_at(const struct wperf_annotation *annotation, size_t number,
				     struct wperf_instruction *ret)
{
	if (number >= annotation->num_instructions)
		return false;
	*ret = annotation->instructions[number];
	return true;
}
