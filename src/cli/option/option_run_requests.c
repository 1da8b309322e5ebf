// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_run_requests.h"

#include "cli/option/option_requests.h"

struct run_words options_run_words(const struct options *options)
{
	return (struct run_words){
		.counted = options->counted,
		.num_counted = options->num_counted,
		.cores = options->cores,
		.config = options->config.items,
		.num_config = options->config.num_items,
		.only_warns_of_config = options->compat,
	};
}

struct record_files_request options_record_files(const struct options *options)
{
	return (struct record_files_request){
		.command = commands[options->command].name,
		.save = options->save,
		.output = options->output,
		.html = options->html,
		.exports_perf_data = options->export_perf_data,
		.keeps_recording =
			options->command == COMMAND_RECORD && !options->compat && !options->json,
		.is_output_json = options->json || options->compat,
		.is_quiet = options->quiet,
	};
}

struct stat_periods_request options_stat_periods(const struct options *options)
{
	return (struct stat_periods_request){
		.period_ns = options->period_ns,
		.timeout_ns = options->timeout_ns,
		.count = options->count,
		.has_command = options->spawn != NULL,
		.output = options_output_request(options),
	};
}
