/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_TRACE_H
#define WPERF_RECORD_SPE_SPE_TRACE_H

/**
 * SPE's samples out of the traces of a file, each at its place among the other records: a buffer
 * of a core or thread is decoded as far as its time has come, and no further. So memory is that of
 * one operation per buffer.
 *
 *	spe_trace_create(...);
 *	while (... a record, in order of time ...) {
 *		while (spe_trace_next(trace, record.time_ns, &sample))
 *			...
 *		spe_trace_note(trace, &record);
 *	}
 *	while (spe_trace_next(trace, UINT64_MAX, &sample))
 *		...
 *
 * An operation without a timestamp has the time of the last before it in its buffer. If there is
 * none (ts_enable=0, or nothing says how ticks become nanoseconds), its time is 0, not said: it
 * comes when the kernel says that the piece was written that it is in, else at the end.
 *
 * Whose it is its context packet tells, or else the switches of its core, or else the buffer.
 */

#include "record/aux_trace.h"
#include "record/perf_data/perf_data.h"
#include "record/record.h"
#include "record/spe/spe_machine.h"

struct spe_trace;

/**
 * @events: of the file.
 * @machine, @aux: taken over, and empty afterwards; what its pieces point at must stay.
 */
struct error *spe_trace_create(const struct perf_data_event *events, size_t num_events,
			       struct spe_machine *machine, struct aux_trace *aux,
			       struct spe_trace **ret);

/** A record of another kind, before those behind it are asked for. */
struct error *spe_trace_note(struct spe_trace *trace, const struct record *record);

/**
 * The next sample that is not newer than @limit_ns, good until the next call; false if there is
 * none. With UINT64_MAX, the rest.
 */
bool spe_trace_next(struct spe_trace *trace, uint64_t limit_ns, struct record *ret);

/** What was there, and what is known to lack. */
struct spe_trace_totals {
	uint64_t num_records;
	uint64_t num_bad_bytes, num_damages; /* as in spe_stream.h */
	uint64_t num_truncations;            /* times that a buffer was full */
	uint64_t num_gaps;                   /* times that the kernel left something out */
	uint64_t num_collisions;             /* times that samples met, and one was dropped */
	uint64_t num_unplaced;               /* records whose ticks nothing converts */
};
struct spe_trace_totals spe_trace_totals(const struct spe_trace *trace);

void spe_trace_destroy(struct spe_trace *trace);

#endif
