/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_TIMELINE_NAME_H
#define WPERF_REPORT_STAT_TIMELINE_NAME_H

/**
 * What the CSV files of a timeline are called: as the user says, where the first {timestamp},
 * {class} and {core} are filled in; else wperf_core_1_2026_11_20_13_31_59.core.csv for
 * one core and wperf_system_side_... for several.
 */

#include "base/error.h"

#include <stdbool.h>
#include <time.h>

struct timeline_name {
	const char *given;  /* by the user, or NULL */
	const char *prefix; /* a folder for what is not absolute, or NULL */
	struct tm time;     /* of the start */
	unsigned first_core;
	bool one_core;
};

/**
 * @class_name: "core", "dsu", ...
 * @is_first:   of the classes that get a file. A given name without {class} is the first one's;
 *              others get their class before its extension.
 * @ret:        to be freed.
 */
struct error *timeline_name_make(const struct timeline_name *name, const char *class_name,
				 bool is_first, char **ret);

#endif
