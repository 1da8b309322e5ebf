// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_requests.h"

#include "cli/option/option_recording.h"

// Rooms below do not know struct options: each function here, and in option_run_requests.c, copies
// what one of them needs into its own request. So a room can be tested and used without a command
// line, and one can see here which option reaches which room. Defaults that depend on the command
// are decided here, too.

struct output_request options_output_request(const struct options *options)
{
	// -x of stat prints CSV in place of its table, and -o takes that, too.
	bool is_stat = options->command == COMMAND_STAT;
	return (struct output_request){
		.path = options->output,
		.prefix = options->output_prefix,
		.is_json = options->json,
		.is_quiet = options->quiet,
		.is_json_lines = options->json_lines,
		.is_wide = options->wide,
		.is_compat = options->compat,
		.appends = options->append,
		.knows_csv = is_stat,
		.writes_only_csv = is_stat && options->separator,
		.is_text_by_default = is_stat || options->command == COMMAND_REPORT,
	};
}

bool options_writes_timeline_json(const struct options *options)
{
	// WindowsPerf's --output is the file of CSV if there is no --json, whatever its name.
	return options->json || (options->output && !options->compat &&
				 result_format_of(options->output) == RESULT_JSON);
}

struct timeline_name options_timeline_name(const struct options *options)
{
	const char *output = options_writes_timeline_json(options) ? NULL : options->output;
	const char *given = options->output_csv ? options->output_csv : output;
	// WindowsPerf puts files without a given name into the current folder.
	bool has_prefix = given || !options->compat;
	return (struct timeline_name){
		.given = given,
		.prefix = has_prefix ? options->output_prefix : NULL,
	};
}

struct sample_tables_request options_sample_tables(const struct options *options)
{
	return (struct sample_tables_request){
		.symbol = options->symbol,
		.with_lines = options->annotate,
		.with_code = options->disassemble,
		.is_verbose = options->verbose,
		.sysroots = options->sysroot,
		.symbol_path = options->pdb_places,
		.pdb_file = options->pdb_file,
	};
}

struct error *options_choose_spe(const struct options *options, struct spe_choice *ret)
{
	const struct spe_choice choice = {
		.topic = spe_topic_find(options->spe),
		.samples = options_sample_choice(options),
		.key = options->sort ? hot_key_find(options->sort) : HOT_FUNCTION,
		.max_rows = options_rows(options, DEFAULT_ROWS),
	};
	if (choice.topic == SPE_NUM_TOPICS)
		return error_with_hint(
			error_create(ERROR_USAGE, "unknown --spe view '%s'", options->spe),
			"--spe takes summary, latency, source, miss, branch, operation or sharing");
	// SPE's facts are sums for the whole recording (profile/spe/spe_profile.h).
	const char *misfit = options->time_range ? "--time"
			     : options->tree     ? "--tree"
			     : options->diff     ? "--diff"
						 : NULL;
	if (misfit)
		return error_create(ERROR_USAGE, "--spe and %s cannot be combined", misfit);
	// What a row of places can be.
	if (choice.key != HOT_FUNCTION && choice.key != HOT_LINE && choice.key != HOT_MODULE &&
	    choice.key != HOT_ADDRESS)
		return error_with_hint(
			error_create(ERROR_USAGE, "--spe cannot sort by %s", options->sort),
			"with --spe, --sort takes function, line, module or address");
	*ret = choice;
	return NULL;
}
