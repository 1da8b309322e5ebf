/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PIPE_HEADER_H
#define WPERF_RECORD_PERF_DATA_PIPE_HEADER_H

/** Records of a pipe that say what stands in the header of a file: events, their names, features.
 */

#include "record/perf_data/event_table.h"
#include "record/perf_data/feature_reader.h"
#include "record/perf_data/record_input.h"

#include <stdbool.h>

/**
 * @record:   of type HEADER_ATTR, HEADER_BUILD_ID, EVENT_UPDATE or HEADER_FEATURE.
 * @ret_good: false if it makes no sense, and was passed over.
 */
struct error *pipe_header_read(const struct found_record *record, struct event_table *events,
			       struct feature_reader *features, bool *ret_good);

#endif
