/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_REQUESTS_H
#define WPERF_CLI_OPTION_OPTION_REQUESTS_H

/**
 * What the user said, as requests of the modules that do it. Only the commands, and what is in this
 * folder, know the words: a module's header says in a plain struct what it needs, and a function
 * here fills it.
 */

#include "cli/option/options.h"
#include "report/output.h"

/** Where results go. Texts belong to @options. */
struct output_request options_output_request(const struct options *options);

#endif
