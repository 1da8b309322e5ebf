/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_ATTR_VIEW_H
#define WPERF_REPORT_ATTR_VIEW_H

/** The members of an event's perf_event_attr, in the words of `perf evlist -v`. */

#include "record/perf_data/perf_data.h"

#include <stdio.h>

/** "type: 1, size: 128, ...": members that are 0 are left out. */
void attr_view_print(const struct perf_data_event *event, FILE *stream);

#endif
