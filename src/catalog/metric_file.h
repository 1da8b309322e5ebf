/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_METRIC_FILE_H
#define WPERF_CATALOG_METRIC_FILE_H

/**
 * -C: lines `name:events`, '#' starts a comment, empty lines are skipped. Metrics are added to
 * catalog->custom_metrics. One whose events are not known or do not fit is left out; @warnings gets
 * two lines for it, why, and
 * "warning: Metric <name> is unable to be used due to lack of hardware resources."
 */

#include "base/error.h"
#include "base/string_builder.h"
#include "catalog/catalog.h"

#include <stddef.h>

struct error *metric_file_load(struct catalog *catalog, const char *path,
			       struct string_builder *warnings);

/** The same with the text at hand. @path: for errors. */
struct error *metric_file_parse(struct catalog *catalog, const char *path, const char *text,
				size_t size, struct string_builder *warnings);

#endif
