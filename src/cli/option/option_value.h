/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_VALUE_H
#define WPERF_CLI_OPTION_OPTION_VALUE_H

/** The value of an option, on its way from the command line to its member of struct options. */

#include "cli/option/option.h"
#include "cli/option/options.h"

/** @spelling: of the option, for errors. @value: of an option that takes one; must live on. */
struct error *option_value_set(struct options *options, const struct option *option,
			       const char *spelling, const char *value);

/** An option that takes a value was given without one: which values there are. */
struct error *option_value_missing(const struct option *option, const char *spelling);

struct error *text_list_add(struct text_list *list, const char *text);

#endif
