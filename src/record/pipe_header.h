/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PIPE_HEADER_H
#define WPERF_RECORD_PIPE_HEADER_H

/** Records of a pipe that say what stands in the header of a file: events, their names, features.
 */

#include "record/event_table.h"
#include "record/feature_reader.h"
#include "record/record_input.h"

#include <stdbool.h>

/**
 * @record:   of type HEADER_ATTR, HEADER_BUILD_ID, EVENT_UPDATE or HEADER_FEATURE.
 * @ret_good: false if it makes no sense, and was passed over.
 */
struct error *pipe_header_read(const struct found_record *record, struct event_table *events,
			       struct feature_reader *features, bool *ret_good);

#endif
