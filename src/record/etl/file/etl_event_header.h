/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_EVENT_HEADER_H
#define WPERF_RECORD_ETL_FILE_ETL_EVENT_HEADER_H

/** Finds the events in the bytes of a buffer. */

#include "record/etl/file/etl_event.h"

enum etl_event_result {
	ETL_EVENT_FOUND,
	ETL_EVENT_SKIPPED, /* a kind that nobody needs, such as messages for debugging */
	ETL_EVENT_BAD,     /* nothing behind it can be found either */
};

/**
 * @ret:       all but cpu, time_ns and clock; only if one was found.
 * @ret_ticks: its time, as it is in the file.
 * @ret_size:  where the next event begins; not set if this one is bad. May be beyond @left by up to
 *             7 bytes, as events are padded to 8.
 */
enum etl_event_result etl_event_read(const uint8_t *bytes, uint32_t left, struct etl_event *ret,
				     uint64_t *ret_ticks, uint32_t *ret_size);

#endif
