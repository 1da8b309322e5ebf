/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_STAT_TIMELINE_H
#define WPERF_CLI_STAT_TIMELINE_H

/** `stat -t`: count again and again, each count written at once. */

#include "report/stat/stat_tables.h"

#include <stdio.h>

struct options;

/** @progress: where to show it, or NULL. */
struct error *stat_timeline(const struct options *options, struct counting *counting,
			    struct stat_tables *tables, FILE *progress);

#endif
