// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_run_requests.h"

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
