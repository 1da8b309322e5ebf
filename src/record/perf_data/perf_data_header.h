/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PERF_DATA_HEADER_H
#define WPERF_RECORD_PERF_DATA_PERF_DATA_HEADER_H

/** What stands around the records of a perf.data file: header, events, features. */

#include "base/file/file_map.h"
#include "record/perf_data/event_table.h"
#include "record/perf_data/feature_reader.h"

#include <stdbool.h>

enum perf_data_mode {
	PERF_DATA_FILE,
	PERF_DATA_PIPE, /* the records say all; they begin at PERF_ABI_PIPE_HEADER_SIZE */
};

/** Does a file of this name begin as perf.data does? No, if it cannot be read. */
bool perf_data_is_recording(const char *path);

/** A file of somebody else may have been made to mislead: perf asks for -f, too. */
struct error *perf_data_check_owner(const struct file_map *map, const char *path);

/** Of the first PERF_ABI_PIPE_HEADER_SIZE bytes. */
struct error *perf_data_header_mode(const uint8_t *bytes, enum perf_data_mode *ret);

/** Where the records of a file are. */
struct perf_data_range {
	size_t offset, size;
};

/**
 * Read a file of PERF_DATA_FILE in memory.
 * @ret: its records, as far as they are there.
 */
struct error *perf_data_header_read(const uint8_t *bytes, size_t size, struct event_table *events,
				    struct feature_reader *features, struct perf_data_range *ret);

#endif
