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

struct stat_timeline_request options_stat_timeline(const struct options *options)
{
	static const uint64_t default_interval_ns = UINT64_C(60) * 1000000000;
	static const uint64_t default_duration_ns = UINT64_C(1) * 1000000000;
	struct output_request output = options_output_request(options);
	if (!options->json)
		output.path = NULL; // it is that of the CSV
	return (struct stat_timeline_request){
		.duration_ns = options->timeout_ns == DURATION_NONE ? default_duration_ns
								    : options->timeout_ns,
		.interval_ns = options->interval_ns == DURATION_NONE ? default_interval_ns
								     : options->interval_ns,
		.count = options->count,
		.pauses_at_end = options->compat,
		.has_timestamps = options->timestamps,
		.tells_files = options->verbose && !options->json && !options->quiet,
		.html = options->html,
		.name = options_timeline_name(options),
		.output = output,
	};
}
