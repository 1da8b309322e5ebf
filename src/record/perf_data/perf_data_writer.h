/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PERF_DATA_WRITER_H
#define WPERF_RECORD_PERF_DATA_PERF_DATA_WRITER_H

/**
 * Writes perf.data, file mode, uncompressed, as perf, hotspot and others open it. Records come one
 * by one and are written in large pieces; no record is allocated. The file is a draft
 * (base/file/file_draft.h) until perf_data_writer_place() or its end; from then on a writer that is
 * killed leaves a file that can be read up to the last flush.
 */

#include "record/perf_data/perf_data.h"

struct perf_data_writer;

/**
 * @events: their attributes and ids, copied. All events must have sample types that begin with
 * the same IDENTIFIER. The attributes go into the file at once, everything else of @info at close.
 */
struct error *perf_data_writer_create(const char *path, const struct perf_data_event *events,
				      size_t num_events, struct perf_data_writer **ret);

/** A record in perf's layout, as the kernel gave it. */
struct error *perf_data_writer_raw(struct perf_data_writer *writer, const void *bytes, size_t size);

/**
 * A record of PERF_ABI_AUXTRACE in perf's layout, and the bytes that belong behind it: any number
 * of them, which are not kept. The record's size becomes what is written, up to a multiple of 8.
 */
struct error *perf_data_writer_trace(struct perf_data_writer *writer, const void *record,
				     size_t record_size, const void *bytes, size_t size);

/**
 * A record from its parts: sample, map, comm, fork, exit or lost, laid out as the sample type
 * IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN with sample_id_all wants it (registers and stack
 * bytes of a sample are left out: they were turned into its chain).
 */
struct error *perf_data_writer_record(struct perf_data_writer *writer, const struct record *record);

/** The same sample type, for who makes the attributes of events whose samples come this way. */
extern const uint64_t perf_data_writer_sample_type;

/** The same of an event whose samples may have values. */
uint64_t perf_data_writer_type_of(const struct perf_data_event *event);

/** All earlier records are older than those to come: lets readers sort in small pieces. */
struct error *perf_data_writer_round(struct perf_data_writer *writer);

/** What was written so far can be read, whatever happens next. */
struct error *perf_data_writer_flush(struct perf_data_writer *writer);

/**
 * The file takes its place; writing goes on. If the place cannot be taken now, because another
 * program has the old file open, perf_data_writer_finish() tries again; false then.
 * @keeps_old: an old file becomes PATH.old.
 */
bool perf_data_writer_place(struct perf_data_writer *writer, bool keeps_old);

/** From the root on: of the place, not of the draft. */
const char *perf_data_writer_whole_path(const struct perf_data_writer *writer);

/** Bytes of the records so far. */
uint64_t perf_data_writer_added(const struct perf_data_writer *writer);

/** In bytes, once it is finished. */
uint64_t perf_data_writer_size(const struct perf_data_writer *writer);

/**
 * Write the rest of @info (but not its events) and close the file. If its place cannot be taken,
 * the complete draft stays: see file_draft_close().
 */
struct error *perf_data_writer_finish(struct perf_data_writer *writer,
				      const struct perf_data_info *info);

/** Closes a file that was not finished: in its place it can be read up to the last flush, a draft
 * is removed. */
void perf_data_writer_destroy(struct perf_data_writer *writer);
static inline void perf_data_writer_destroyp(struct perf_data_writer **writer)
{
	perf_data_writer_destroy(*writer);
}

#endif
