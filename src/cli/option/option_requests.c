// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_requests.h"

struct output_request options_output_request(const struct options *options)
{
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
