/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_RECORDING_READER_H
#define WPERF_RECORD_RECORDING_READER_H

/**
 * Reads a recording of any format: perf.data or ETW's .etl. The first bytes of the file say which.
 */

#include "base/error.h"
#include "record/etl/etl_reader.h"
#include "record/perf_data/perf_data_reader.h"

struct recording_reader;

struct recording_choice {
	/** A file; "-": standard input (perf.data only). Several files of one ETW recording are
	 *  divided by commas. */
	const char *path;
	bool is_own_only; /* a file of another user is refused */
};

/** Does the file begin as perf.data or an ETW file does? No, if it cannot be read. */
bool recording_reader_is_recording(const char *path);

/** Files that look like recordings of Windows and are none are refused in words. */
struct error *recording_reader_open(const struct recording_choice *choice,
				    struct recording_reader **ret);

/** The following are as those of perf_data_reader.h. */
const struct perf_data_info *recording_reader_info(const struct recording_reader *reader);
struct error *recording_reader_next(struct recording_reader *reader, struct record *ret,
				    bool *ret_more);
bool recording_reader_is_own(const struct recording_reader *reader);
struct perf_data_position recording_reader_position(const struct recording_reader *reader);

/** What the user should know of the file; of the other formats all is 0. */
struct recording_notes {
	struct perf_data_damage perf_data;
	struct etl_reader_notes etl;
};
struct recording_notes recording_reader_notes(const struct recording_reader *reader);

void recording_reader_destroy(struct recording_reader *reader);
static inline void recording_reader_destroyp(struct recording_reader **reader)
{
	recording_reader_destroy(*reader);
}

#endif
