// SPDX-License-Identifier: Apache-2.0
// `report`: a recording as tables, trees, SPE tables, a comparison or a page. All words are checked
// before the recording is read, which may take long: a typing error should not cost that time. Then
// --html writes its page, and one of the three kinds of text follows.

#include "base/container/array.h"
#include "base/text/real_number.h"
#include "cli/command.h"
#include "cli/option/option_recording.h"
#include "cli/option/option_report_rows.h"
#include "cli/option/option_requests.h"
#include "report/profile_page.h"
#include "report/result_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum call_tree_shape shape;
} tree_shapes[] = {
	{"down", CALL_TREE_TOP_DOWN},
	{"up", CALL_TREE_BOTTOM_UP},
	{"callers", CALL_TREE_CALLERS},
	{"callees", CALL_TREE_CALLEES},
};

static struct error *choose_percent(const struct options *options,
				    struct profile_report_request *request)
{
	const char *text = options->percent_limit;
	char *end;
	// As perf report does for call chains. A table shows all its rows, unless the user sets a
	// limit.
	request->tree.min_percent = 0.5;
	request->has_min_percent = text;
	if (!text)
		return NULL;
	double percent = real_number_parse(text, &end);
	request->tree.min_percent = percent;
	if (end != text && !*end && percent >= 0 && percent <= 100)
		return NULL;
	return error_create(ERROR_USAGE, "not a percentage: '%s'", text);
}

static struct error *choose_tree(const struct options *options,
				 struct profile_report_request *request)
{
	const char *name = options->tree;
	for (size_t i = 0; name && i < ARRAY_SIZE(tree_shapes); i++) {
		if (strcmp(name, tree_shapes[i].name) != 0)
			continue;
		request->has_tree = true;
		request->tree.shape = tree_shapes[i].shape;
	}
	if (name && !request->has_tree)
		return error_with_hint(error_create(ERROR_USAGE, "unknown kind of tree '%s'", name),
				       "--tree takes down, up, callers or callees");
	// Both trees have one function at their root.
	bool is_about_one = request->has_tree && (request->tree.shape == CALL_TREE_CALLERS ||
						  request->tree.shape == CALL_TREE_CALLEES);
	if (is_about_one && !options->symbol)
		return error_with_hint(error_create(ERROR_USAGE, "whose %s?", name),
				       "name the function with --symbol");
	return NULL;
}

/** Who asks for another kind of row, or for a tree, wants that alone. What clients of the peer read
 *  keeps its rows. */
static void choose_numbers(const struct options *options, struct profile_report_request *request)
{
	// --sample-display-row may ask for fewer rows of interpreted tables, or with 0 for all.
	uint32_t max_python_rows = request->max_interpreted_rows;
	uint32_t python_rows = options_rows(options, max_python_rows);
	request->with_interpreted = !options->sort && !options->fields;
	request->max_interpreted_rows =
		python_rows < max_python_rows ? python_rows : max_python_rows;
	uint32_t rows_beside =
		options->compat ? request->max_rows : request->max_rows_beside_interpreted;
	request->max_rows = options_rows(options, request->max_rows);
	request->max_rows_beside_interpreted = options_rows(options, rows_beside);
}

/** A name that we know nothing of is that of a text. */
static struct error *check_output(const struct options *options)
{
	const char *path = options->output;
	enum result_format format = RESULT_ANY;
	if (path && !options->json && !options->compat)
		format = result_format_of(path);
	if (format != RESULT_ANY && format != RESULT_TEXT && format != RESULT_JSON)
		return result_format_refuse("report", path, options->input);
	struct error *err = output_check(options_output_request(options));
	if (err || !output_writes_json(options_output_request(options)) ||
	    !(options->tree || options->diff))
		return err;
	return error_with_hint(error_create(ERROR_USAGE, "%s cannot write JSON",
					    options->tree ? "--tree" : "--diff"),
			       "wperf export writes call trees for other programs");
}

/** @spe: NULL: it is not asked for. */
static struct error *cmd_report_write(const struct options *options,
				      const struct profile_report_request *request,
				      const struct spe_choice *spe,
				      const struct named_profile *profile)
{
	_cleanup_(output_deinit) struct output output;
	struct error *err = output_open(options_output_request(options), &output);
	// -q without a file: the page may be all that was asked for.
	if (err || (!output.text && !output.json))
		return err;
	if (spe) {
		if (output.json)
			json_begin_object(output.json);
		err = spe_tables_write(spe, profile, output.text, output.json);
		if (output.json)
			json_end_object(output.json);
	} else if (options->diff) {
		_cleanup_(named_profile_deinit) struct named_profile later = {0};
		err = options_read_profile(options, options->diff, false, &later);
		if (!err)
			err = profile_report_print_diff(request, profile, &later, output.text,
							output.narrow);
	} else {
		err = profile_report_print(request, profile, &output);
	}
	return err ? err : output_close(&output);
}

struct error *command_report(const struct options *options, int *ret_exit)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(memory_stream_deinit) struct memory_stream notes = MEMORY_STREAM_INIT;
	struct spe_choice spe;
	struct profile_report_request request = profile_report_default();
	request.choice = options_sample_choice(options);
	request.sysroots = options->sysroot;
	choose_numbers(options, &request);
	struct error *err = options->spe ? options_choose_spe(options, &spe)
					 : report_rows_choose(options, &request.rows);
	if (!err)
		err = choose_percent(options, &request);
	if (!err)
		err = choose_tree(options, &request);
	if (!err)
		err = check_output(options);
	if (!err)
		err = options->html ? options_read_for_page(options, &notes, &profile)
				    : options_read_profile(options, NULL, false, &profile);
	if (!err && options->html)
		err = profile_page_write(options->html, &profile, options->sysroot, notes.text);
	return err ? err
		   : cmd_report_write(options, &request, options->spe ? &spe : NULL, &profile);
}
