/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_READER_H
#define WPERF_RECORD_ETL_ETL_READER_H

/**
 * An ETW recording as records, in two passes: the first collects what explains samples but stands
 * behind them (stacks, PDBs, names of .NET methods), the second gives records in order of time.
 *
 * Its events are, as far as the recording has them: `cpu-clock`, in nanoseconds; Windows' sources
 * of counters under Windows' names ("TotalIssues"); `offcpu-time`, samples at the end of a thread's
 * absence whose period is how long it was, as perf's --off-cpu writes them; `wakeups`, samples of
 * who made a waiting thread ready; `dpc` and `isr`, in nanoseconds. Counts of context switches are
 * samples without an address, whose period is what the thread added since its last switch.
 */

#include "record/etl/etl_events.h"
#include "record/etl/file/etl_stream.h"
#include "record/perf_data/perf_data.h"

struct etl_reader;

/** @stream: becomes the reader's, also if there is an error. */
struct error *etl_reader_create(struct etl_stream *stream, struct etl_reader **ret);

/** Complete from the begin on; valid until the reader is destroyed. */
const struct perf_data_info *etl_reader_info(const struct etl_reader *reader);

/** Before the first record: samples get the numbers of the caller's events, and those of all others
 *  are left out. @events: copied. */
void etl_reader_set_events(struct etl_reader *reader, const struct etl_events *events);

/** As perf_data_reader_next(). */
struct error *etl_reader_next(struct etl_reader *reader, struct record *ret, bool *ret_more);

struct etl_reader_notes {
	struct etl_stream_damage damage;
	uint64_t events_lost, buffers_lost; /* by Windows, as it says itself */
	uint64_t bad_payloads;              /* events of a known kind that could not be read */
	uint64_t num_idle;                  /* samples of CPUs that had nothing to do: left out */
	uint64_t num_stacks_unknown;   /* whose key was never explained: the session was killed */
	uint64_t num_stacks_left_out;  /* there was no room for them */
	uint64_t num_stacks_unmatched; /* of events that are no samples of ours */
	/** Only while a session writes: events that came after newer ones had been given. */
	uint64_t num_late;
};
struct etl_reader_notes etl_reader_notes(const struct etl_reader *reader);

/** Of the second pass. */
struct etl_stream_position etl_reader_position(const struct etl_reader *reader);

bool etl_reader_is_own(const struct etl_reader *reader);

void etl_reader_destroy(struct etl_reader *reader);
static inline void etl_reader_destroyp(struct etl_reader **reader)
{
	etl_reader_destroy(*reader);
}

#endif
