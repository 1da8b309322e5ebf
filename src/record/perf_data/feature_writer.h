/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_FEATURE_WRITER_H
#define WPERF_RECORD_PERF_DATA_FEATURE_WRITER_H

/** What a perf.data file says of its machine and its events, in sections behind its data. */

#include "record/perf_data/perf_data.h"

#include "base/text/string_builder.h"

/**
 * The bytes of one feature; none if there is nothing to say.
 * @feature: one of PERF_ABI_FEATURE_*; those that we never write have no bytes.
 * @info:    all events have attributes of the same size.
 */
void feature_write(unsigned feature, const struct perf_data_info *info, struct string_builder *ret);

#endif
