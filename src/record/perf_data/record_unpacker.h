/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_RECORD_UNPACKER_H
#define WPERF_RECORD_PERF_DATA_RECORD_UNPACKER_H

/**
 * Records out of records that were compressed (PERF_RECORD_COMPRESSED, COMPRESSED2). The parts of
 * a file are one stream of zstd, and a record may begin in one part and end in the next.
 */

#include "record/perf_data/perf_abi.h"
#include "record/perf_data/record_input.h"

struct record_unpacker;

struct error *record_unpacker_create(struct record_unpacker **ret);

/** Is it a record for record_unpacker_feed()? */
static inline bool record_unpacker_takes(const struct found_record *record)
{
	return record->type == PERF_ABI_COMPRESSED || record->type == PERF_ABI_COMPRESSED2;
}

/** @record: its bytes stay where they are until _next() says that there are no more. */
void record_unpacker_feed(struct record_unpacker *unpacker, const struct found_record *record);

/** The next record, good until the next call. @ret_more: false if it needs to be fed. */
struct error *record_unpacker_next(struct record_unpacker *unpacker, struct found_record *ret,
				   bool *ret_more);

/** Bytes that are no whole record yet. */
size_t record_unpacker_left(const struct record_unpacker *unpacker);

/** Accepts NULL. */
void record_unpacker_destroy(struct record_unpacker *unpacker);

#endif
