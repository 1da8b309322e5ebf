// SPDX-License-Identifier: Apache-2.0
// `report`: a recording as tables, trees, SPE tables, a comparison or a page. All words are checked
// before the recording is read, which may take long: a typing error should not cost that time.

#include "base/container/array.h"
#include "base/os/interrupt.h"
#include "base/text/real_number.h"
#include "cli/command.h"
#include "cli/option/option_diff.h"
#include "cli/option/option_recording.h"
#include "cli/option/option_report_rows.h"
#include "cli/option/option_requests.h"
#include "report/browse/report_browser.h"
#include "report/profile_page.h"
#include "report/recorded/diff_report.h"
#include "report/result_file.h"
#include "report/waits/wait_report.h"

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

static struct error *read_percent(const char *text, double *ret)
{
	char *end;
	double percent = real_number_parse(text, &end);
	if (end == text || *end || !(percent >= 0 && percent <= 100))
		return error_create(ERROR_USAGE, "not a percentage: '%s'", text);
	*ret = percent;
	return NULL;
}

static struct error *choose_percent(const struct options *options,
				    struct profile_report_request *request)
{
	const char *text = options->percent_limit;
	// As perf report does for call chains. A table shows all its rows, unless the user sets a
	// limit.
	request->tree.min_percent = 0.5;
	request->has_min_percent = text;
	return text ? read_percent(text, &request->tree.min_percent) : NULL;
}

static struct error *choose_growth(const struct options *options,
				   struct diff_report_request *request)
{
	const char *text = options->fail_above;
	if (!text)
		return NULL;
	if (!options->diff)
		return error_with_hint(
			error_create(ERROR_USAGE, "--fail-above needs two recordings"),
			"wperf report -i before.data --diff after.data --fail-above %s", text);
	request->has_max_growth = true;
	return read_percent(text, &request->max_growth);
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
	if (format == RESULT_SVG && options->diff)
		return error_with_hint(error_create(ERROR_USAGE, "'report' cannot write '%s'",
						    path),
				       "use: wperf export -i %s --diff %s -o %s",
				       options_recording_path(options), options->diff, path);
	if (format != RESULT_ANY && format != RESULT_TEXT && format != RESULT_JSON)
		return result_format_refuse("report", path, options->input);
	struct error *err = output_check(options_output_request(options));
	const char *other = options->tree     ? "--tree"
			    : options->sort   ? "--sort"
			    : options->fields ? "--fields"
			    : options->diff   ? "--diff"
			    : options->spe    ? "--spe"
					      : NULL;
	if (!err && options->by_role && other)
		err = error_create(ERROR_USAGE, "--by-role and %s cannot be combined", other);
	if (err || !options->tree)
		return err;
	if (options->diff)
		return error_create(ERROR_USAGE, "--tree and --diff cannot be combined");
	if (!output_writes_json(options_output_request(options)))
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "--tree cannot write JSON"),
			       "wperf export writes call trees for other programs");
}

/** Of tables a waiting line is the subject, not what is on the stack above it. */
static struct error *check_wakers(const struct options *options)
{
	if (!options->wakers || options->tree || options->html)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE, "--wakers is for --tree and --html"),
		"the table of who ends waits needs no option; --waits has all waits");
}

static struct error *check_waits(const struct options *options)
{
	const struct {
		bool is_there;
		const char *name;
	} others[] = {
		{options->tree, "--tree"},     {options->diff, "--diff"},
		{options->spe, "--spe"},       {options->sort, "--sort"},
		{options->fields, "--fields"}, {options->event, "--event"},
		{options->thread, "--thread"}, {options->module, "--module"},
		{options->symbol, "--symbol"}, {options->time_range, "--time"},
		{options->from, "--from"},
	};
	for (size_t i = 0; options->waits && i < ARRAY_SIZE(others); i++)
		if (others[i].is_there)
			return error_with_hint(error_create(ERROR_USAGE,
							    "--waits and %s cannot be combined",
							    others[i].name),
					       "--waits shows all waits of a recording");
	return NULL;
}

/** A recording, and what was said of it when it was read. */
struct report_input {
	struct named_profile profile;
	struct memory_stream notes; /* only for a page */
};

static void report_input_deinit(struct report_input *input)
{
	named_profile_deinit(&input->profile);
	memory_stream_deinit(&input->notes);
}

/** @path: NULL: the recording that is not that of --diff. */
static struct error *report_input_read(const struct options *options, const char *path,
				       struct report_input *ret)
{
	return options->html ? options_read_for_page(options, path, &ret->notes, &ret->profile)
			     : options_read_profile(options, path, false, &ret->profile);
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
	} else if (options->waits) {
		err = wait_report_print(profile, request->max_rows, &output);
	} else {
		err = profile_report_print(request, profile, &output);
	}
	return err ? err : output_close(&output);
}

/** What has only one form, or goes elsewhere, is printed. */
static bool cmd_report_is_browsable(const struct options *options, const struct report_rows *rows)
{
	bool has_one_form = options->tree || options->diff || options->spe || options->fields ||
			    options->waits || options->by_role || rows->num_keys || rows->ratio ||
			    rows->hot != HOT_FUNCTION;
	return !has_one_form && !options->output && !options->html && !options->json &&
	       !options->compat && !options->quiet && options->display_rows == NUMBER_NONE;
}

static bool cmd_report_browses(const struct options *options, const struct report_rows *rows)
{
	return options->tui || (cmd_report_is_browsable(options, rows) && !options->no_browse &&
				terminal_is_for_browsing() && terminal_is_terminal(stdin) &&
				terminal_has_vt(stdout));
}

static struct error *check_tui(const struct options *options, const struct report_rows *rows)
{
	if (!options->tui)
		return NULL;
	if (options->no_browse || !cmd_report_is_browsable(options, rows))
		return error_with_hint(error_create(ERROR_USAGE,
						    "--tui only browses hot functions"),
				       "leave out --tui, or the options that choose another "
				       "output");
	if (terminal_is_terminal(stdin) && terminal_has_vt(stdout))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "--tui needs a terminal for input and "
							  "output"),
			       "leave it out to print tables");
}

static struct error *cmd_report_browse(const struct options *options,
				       const struct profile_report_request *report,
				       const struct named_profile *profile)
{
	_cleanup_(terminal_screen_closep) struct terminal_screen *screen = NULL;
	const struct report_browser_request request = {
		.choice = report->choice,
		.order = report->rows.order,
		.min_percent = report->tree.min_percent,
		.has_min_percent = report->has_min_percent,
		.sysroots = options->sysroot,
		.symbol_path = options->pdb_places,
	};
	struct error *err = sample_choice_check_event(&request.choice, profile);
	if (!err)
		err = interrupt_install();
	if (!err)
		err = terminal_screen_open(stdout, &screen);
	return err ? err : report_browser_run(&request, profile, screen);
}

static struct error *cmd_report_show(const struct options *options,
				     const struct profile_report_request *request,
				     const struct spe_choice *spe)
{
	_cleanup_(report_input_deinit) struct report_input input = {0};
	struct error *err = report_input_read(options, NULL, &input);
	const struct profile_page_request page = {
		.path = options->html, .sysroots = options->sysroot, .notes = input.notes.text};
	if (!err && options->html)
		err = profile_page_write(&page, &input.profile);
	if (!err && cmd_report_browses(options, &request->rows))
		return cmd_report_browse(options, request, &input.profile);
	return err ? err : cmd_report_write(options, request, spe, &input.profile);
}

/** The text comes before the page, which joins the profiles. @ret_grew: --fail-above was
 *  exceeded. */
static struct error *cmd_report_compare(const struct options *options,
					const struct diff_report_request *request, bool *ret_grew)
{
	_cleanup_(report_input_deinit) struct report_input later = {0};
	_cleanup_(report_input_deinit) struct report_input before = {0};
	_cleanup_(output_deinit) struct output output = {0};
	struct error *err = report_input_read(options, NULL, &before);
	if (!err)
		err = report_input_read(options, options->diff, &later);
	if (!err)
		err = output_open(options_output_request(options), &output);
	if (!err)
		err = diff_report_print(request, &before.profile, &later.profile, &output,
					ret_grew);
	if (!err)
		err = output_close(&output);
	const char *const notes[] = {before.notes.text, later.notes.text};
	return err || !options->html ? err
				     : options_write_diff_page(options, options->html, notes,
							       &before.profile, &later.profile);
}

struct error *command_report(const struct options *options, int *ret_exit)
{
	struct spe_choice spe;
	struct profile_report_request request = profile_report_default();
	struct diff_report_request diff = {.report = &request};
	bool has_grown = false;
	request.choice = options_sample_choice(options);
	request.sysroots = options->sysroot;
	request.is_by_role = options->by_role;
	choose_numbers(options, &request);
	struct error *err = options->spe ? options_choose_spe(options, &spe)
					 : report_rows_choose(options, &request.rows);
	if (!err)
		err = choose_percent(options, &request);
	if (!err)
		err = choose_growth(options, &diff);
	if (!err)
		err = choose_tree(options, &request);
	if (!err)
		err = check_output(options);
	if (!err)
		err = check_waits(options);
	if (!err)
		err = check_wakers(options);
	if (!err)
		err = check_tui(options, &request.rows);
	if (err)
		return err;
	if (!options->diff)
		return cmd_report_show(options, &request, options->spe ? &spe : NULL);
	err = cmd_report_compare(options, &diff, &has_grown);
	// Not an error, which would have a message: the rows have been printed.
	if (!err && has_grown)
		*ret_exit = 1;
	return err;
}
