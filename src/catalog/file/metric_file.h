/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_METRIC_FILE_H
#define WPERF_CATALOG_FILE_METRIC_FILE_H

/**
 * Load a -C file: lines `name:events`; '#' starts a comment, empty lines are skipped. Adds to
 * catalog->custom_metrics. Metrics whose events are unknown or do not fit on the counters are left
 * out, with two lines in @warnings: the reason, and WindowsPerf's
 * "warning: Metric <name> is unable to be used due to lack of hardware resources."
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "catalog/catalog.h"

#include <stddef.h>

struct error *metric_file_load(struct catalog *catalog, const char *path,
			       struct string_builder *warnings);

/** The same for a text. @path: for errors. */
struct error *metric_file_parse(struct catalog *catalog, const char *path, const char *text,
				size_t size, struct string_builder *warnings);

#endif
