/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_FEATURE_READER_H
#define WPERF_RECORD_PERF_DATA_FEATURE_READER_H

/**
 * What a perf.data file says of its machine, from its sections or, in a pipe, its records.
 * A feature that makes no sense is passed over: the samples are good without it.
 */

#include "record/perf_data/event_table.h"
#include "record/perf_data/perf_data.h"

#include "base/container/arena.h"

struct feature_reader {
	struct perf_data_info info; /* all but its events */
	struct arena arena;
	struct perf_data_build_id *build_ids;
	struct perf_data_user *users; /* of the info */
	size_t cap_build_ids;
};

#define FEATURE_READER_INIT \
	{                   \
	}

/**
 * @feature: one of PERF_ABI_FEATURE_*; others are passed over.
 * @events:  they get the names that the feature gives them.
 */
struct error *feature_read(struct feature_reader *features, unsigned feature, const uint8_t *bytes,
			   size_t size, struct event_table *events);

/** One build id: a record of a pipe, and an element of the feature. */
struct error *feature_read_build_id(struct feature_reader *features, const uint8_t *bytes,
				    size_t size);

void feature_reader_deinit(struct feature_reader *features);

#endif
