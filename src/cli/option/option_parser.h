/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_PARSER_H
#define WPERF_CLI_OPTION_OPTION_PARSER_H

#include "cli/option/options.h"

/**
 * Parse the words behind the program's name, and WPERF_SOURCE, WPERF_EVENTS_DIR, WPERF_COMPAT.
 * The order of the words never matters, except that what stands behind `--` is a command of its
 * own, that behind `stat` and `record` the first word that is no option and no command begins one
 * without `--`, and that behind `man` and `list` the name of a command is a word like others.
 */
struct error *option_parser_run(size_t num_words, char *const *words, struct options *options);

#endif
