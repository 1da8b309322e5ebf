/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_OTLP_H
#define WPERF_CLI_OPTION_OPTION_OTLP_H

/** Files of OTLP profiles (fleet/otlp/otlp_file.h) where users name a recording or an export. */

#include "base/error.h"
#include "report/export_format.h"
#include "report/recorded/read_profile.h"

#include <stdbool.h>
#include <stdio.h>

/** By the end of its name. */
bool options_names_otlp(const char *path);

/** As read_profile(), of such a file. @needs_times: each sample has to have its own. */
struct error *options_read_otlp(const struct read_request *request, bool needs_times,
				struct named_profile *ret);

/** The format in which `export` writes one. */
extern const struct export_format options_otlp_format;

#endif
