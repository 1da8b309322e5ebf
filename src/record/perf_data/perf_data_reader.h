/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PERF_DATA_READER_H
#define WPERF_RECORD_PERF_DATA_PERF_DATA_READER_H

/**
 * Reads perf.data: of perf (file and pipe mode, compressed or not), of simpleperf, of WindowsPerf
 * and ours, in one pass over a mapped file. A file that ends too early (its writer was killed)
 * gives all whole records that it has. Traces of Arm's SPE are given as samples (spe_trace.h).
 */

#include "record/perf_data/perf_data.h"
#include "record/spe/spe_trace.h"

struct perf_data_reader;

/** @path: "-" for standard input. */
struct error *perf_data_reader_open(const char *path, struct perf_data_reader **ret);

/** The same for who checks whose file it is: see perf_data_check_owner(). */
struct error *perf_data_reader_open_own(const char *path, struct perf_data_reader **ret);

/** The same of a file in memory, which the caller keeps. @name: for errors. */
struct error *perf_data_reader_open_memory(const char *name, const void *bytes, size_t size,
					   struct perf_data_reader **ret);

/** Who may have written it is we or root, and nobody else: it is a file, see -f. */
bool perf_data_reader_is_own(const struct perf_data_reader *reader);

/** What the file says of itself; valid until the reader is destroyed. In pipe mode the events are
 *  known after the first record was taken, the rest at the end. */
const struct perf_data_info *perf_data_reader_info(const struct perf_data_reader *reader);

/**
 * The next record in order of time (of file order where records have no time). @ret_more: false
 * behind the last; then @ret is not set. An error is about the file; no more records follow it.
 */
struct error *perf_data_reader_next(struct perf_data_reader *reader, struct record *ret,
				    bool *ret_more);

/** Bytes at the end that are no whole record; records that could not be understood; and traces of
 *  SPE's, all 0 if the file has none. */
struct perf_data_damage {
	uint64_t truncated_bytes;
	uint64_t bad_records;
	struct spe_trace_totals spe;
};
struct perf_data_damage perf_data_reader_damage(const struct perf_data_reader *reader);

/** How far it is. @whole: 0: not known, of a stream. */
struct perf_data_position {
	uint64_t done, whole; /* bytes */
};
struct perf_data_position perf_data_reader_position(const struct perf_data_reader *reader);

void perf_data_reader_destroy(struct perf_data_reader *reader);
static inline void perf_data_reader_destroyp(struct perf_data_reader **reader)
{
	perf_data_reader_destroy(*reader);
}

#endif
