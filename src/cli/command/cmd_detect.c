// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "report/machine/detection.h"

struct error *command_detect(const struct options *options, int *ret_exit)
{
	return detection_write(options->source, options->verbose, options_output_request(options));
}
