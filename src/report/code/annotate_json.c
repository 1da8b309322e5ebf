// SPDX-License-Identifier: Apache-2.0
// The same as annotate_print.c, with counts and weights. All instructions of a function are in it,
// not only those around samples: a program leaves out by itself what it does not want. Counts are
// samples; weights are what the samples stand for (events, or nanoseconds). "with_inlined" adds the
// samples of calls that are inlined in the line.

#include "report/code/annotate_view.h"
#include "view/json/report_json.h"
#include "view/spe_report.h"

#include <inttypes.h>
#include <string.h>

static void annotate_json_write_total(struct json_writer *json, const char *count_key,
				      const char *weight_key, struct named_total total)
{
	json_key_u64(json, count_key, total.count);
	json_key_u64(json, weight_key, total.weight);
}

static void annotate_json_write_place(struct json_writer *json, const char *file, uint32_t line)
{
	json_key_text(json, "file", file ? file : "");
	json_key_u64(json, "line", line);
}

static void annotate_json_write_address(struct json_writer *json, uint64_t address)
{
	// As a text: JSON's numbers are doubles to most readers, which have 53 bits.
	char text[sizeof("0x") + 16];
	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_key_text(json, "address", text);
}

/** Its text, if the file can be read. */
static struct error *annotate_json_write_text(const struct annotate_view *view, const char *path,
					      uint32_t line, struct json_writer *json)
{
	struct text_line text = {0};
	struct error *err = source_files_line(view->sources, path, line, &text);
	if (err || !text.text)
		return err;
	// Lines point into the mapped file and end without a zero.
	_cleanup_free_ char *copy = strndup(text.text, text.length);
	if (!copy)
		return &error_no_memory;
	json_key_text(json, "text", copy);
	return NULL;
}

static void annotate_json_write_spe(const struct spe_stats *stats, struct json_writer *json)
{
	if (!stats)
		return;
	json_key(json, "spe");
	spe_report_write_stats(stats, json);
}

static struct error *annotate_json_write_line(const struct annotate_view *view,
					      const struct annotation_part *part,
					      const struct annotation_line *line,
					      struct json_writer *json)
{
	const char *path = named_profile_text(view->profile, line->file);
	json_begin_object(json);
	annotate_json_write_place(json, path, line->line);
	annotate_json_write_total(json, "samples", "weight", line->self);
	annotate_json_write_total(json, "samples_with_inlined", "weight_with_inlined", line->code);
	struct ratio ratio = annotate_view_ratio(view, part, line);
	if (view->ratio)
		report_json_ratio(view->ratio->key, &ratio, json);
	if (view->spe)
		annotate_json_write_spe(
			spe_places_line(view->spe, part->item, line->file, line->line), json);
	struct error *err = annotate_json_write_text(view, path, line->line, json);
	json_end_object(json);
	return err;
}

static void annotate_json_write_row(const struct annotate_view *view, uint32_t module,
				    const struct code_row *row, struct json_writer *json)
{
	json_begin_object(json);
	annotate_json_write_address(json, row->address);
	json_key_text(json, "text", row->text);
	annotate_json_write_total(json, "samples", "weight", row->total);
	if (view->spe)
		annotate_json_write_spe(spe_places_address(view->spe, module, row->address), json);
	annotate_json_write_place(json, row->file, row->line);
	// For readers that draw loops.
	json_key_bool(json, "is_target", row->is_target);
	json_end_object(json);
}

/** Code that cannot be read is an empty array and "code_refusal". */
static struct error *write_code(const struct annotate_view *view,
				const struct annotation_part *part, struct json_writer *json)
{
	_cleanup_(code_listing_deinit) struct code_listing listing = CODE_LISTING_INIT;
	_cleanup_(error_destroyp) struct error *refusal =
		code_listing_create(view->codes, part, &listing);
	// Any other failure is a fact about the file, which belongs in the document.
	if (refusal && refusal->code == ERROR_NO_MEMORY)
		return &error_no_memory;
	if (refusal)
		json_key_text(json, "code_refusal", refusal->message);
	json_key(json, "code");
	json_begin_array(json);
	uint32_t module = view->profile->functions[part->item].module;
	for (size_t i = 0; i < listing.num_pieces; i++) {
		const struct code_piece *piece = &listing.pieces[i];
		json_begin_object(json);
		json_key_text(json, "symbol", piece->symbol.name);
		annotate_json_write_address(json, piece->symbol.address);
		json_key(json, "instructions");
		json_begin_array(json);
		for (size_t j = 0; j < piece->num_rows; j++)
			annotate_json_write_row(view, module, &piece->rows[j], json);
		json_end_array(json);
		json_end_object(json);
	}
	json_end_array(json);
	return NULL;
}

static void annotate_json_write_function(const struct annotate_view *view,
					 const struct annotation_part *part,
					 struct json_writer *json)
{
	const struct named_profile *profile = view->profile;
	const struct named_function *function = &profile->functions[part->item];
	uint32_t module = function->module;
	json_key_text(json, "name", named_profile_text(profile, function->name));
	json_key_text(json, "module",
		      module == NAMED_NONE
			      ? ""
			      : named_profile_text(profile, profile->modules[module].path));
	annotate_json_write_place(json, named_profile_text(profile, function->file),
				  function->line);
}

struct error *annotate_view_write_json(const struct annotate_view *view,
				       const struct annotation_part *part, struct json_writer *json)
{
	json_begin_object(json);
	if (view->kind == ANNOTATION_OF_FUNCTIONS)
		annotate_json_write_function(view, part, json);
	else
		json_key_text(json, "path", named_profile_text(view->profile, part->item));
	json_key(json, "self_percent");
	json_double(json, named_total_percent(part->self, view->annotation->whole));
	annotate_json_write_total(json, "samples", "weight", part->self);
	annotate_json_write_total(json, "samples_with_inlined", "weight_with_inlined", part->code);
	json_key(json, "lines");
	json_begin_array(json);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < part->num_lines; i++)
		err = annotate_json_write_line(view, part, &part->lines[i], json);
	json_end_array(json);
	if (!err && annotate_view_has_code(view, part))
		err = write_code(view, part, json);
	json_end_object(json);
	return err;
}
