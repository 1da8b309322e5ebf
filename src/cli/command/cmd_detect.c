// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "report/machine/detection.h"

// Each source is probed, and says what it can do here, with details, and what to do about the rest.
// Three tables are made of that: devices, as WindowsPerf has them, then abilities, then hints.

struct error *command_detect(const struct options *options, int *ret_exit)
{
	return detection_write(options->source, options->verbose, options_output_request(options));
}
