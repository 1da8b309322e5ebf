/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDING_FILE_H
#define WPERF_SESSION_RECORDING_FILE_H

/** Writes a recording: a perf.data file with metadata about this machine and the modules. */

#include "process/module_table.h"
#include "record/perf_data/perf_data.h"
#include "session/profile_builder.h"
#include "symbols/symbolizer.h"

struct recording_file;

/**
 * @makes_chains: samples have registers and copies of the stack, or interpreted frames; the file
 * gets the call chains that were made of them.
 */
struct error *recording_file_create(const char *path, const struct perf_data_event *events,
				    size_t num_events, bool makes_chains,
				    struct recording_file **ret);
void recording_file_destroy(struct recording_file *file);
static inline void recording_file_destroyp(struct recording_file **file)
{
	recording_file_destroy(*file);
}

/**
 * Once the program runs: the file takes its place, so that a failed start leaves an old file as it
 * was. If the old file cannot be replaced now, recording_file_finish() tries again; false then.
 * Errors are excused from now on.
 * @keeps_old: an old file becomes PATH.old.
 */
bool recording_file_begin(struct recording_file *file, bool keeps_old);

/** From now on the run goes on if the file can no longer be written: see recording_file_failure().
 */
void recording_file_excuse_errors(struct recording_file *file);

/** Why the file ends early or is not in its place, or NULL. */
const struct error *recording_file_failure(const struct recording_file *file);

/**
 * How a record stands in a file: with `raw`, as it came; else encoded from its parts.
 * @makes_chains: of the file. @chain: of the record, if it is a sample.
 * @changed: room for a record that is not as it came.
 */
const struct record *recording_file_form(bool makes_chains, const struct record *record,
					 struct profile_builder_chain chain,
					 struct record *changed);

/** What was added so far, in bytes. */
uint64_t recording_file_added(const struct recording_file *file);

/** In bytes, once it is finished. */
uint64_t recording_file_size(const struct recording_file *file);

/** @chain: of the record, if it is a sample. */
struct error *recording_file_add(struct recording_file *file, const struct record *record,
				 struct profile_builder_chain chain);

/** A record in the layout of the file: see recording_file_form(). */
struct error *recording_file_add_bytes(struct recording_file *file, const void *bytes, size_t size);

/**
 * After a record that shows an interpreter in its process: add a map of places in its code, whose
 * addresses are in chains from now on. recording_file_finish() writes their image.
 */
struct error *recording_file_map_places(struct recording_file *file, const struct record *record);

/** All records that come are newer than those so far. */
struct error *recording_file_end_round(struct recording_file *file);

/** The same, while recording. About once a second, everything so far is written, in case wperf is
 * killed.
 */
struct error *recording_file_round(struct recording_file *file,
				   const struct profile_builder *builder);

/**
 * Write the metadata, with the build ids of all modules with samples, and close the file. An image
 * of places is also stored where perf finds it: see build_id_cache.h.
 * @names:     the names of the recording's places, for the file; or NULL.
 * @arguments: our command line; ends with NULL.
 */
struct error *recording_file_finish(struct recording_file *file, struct profile_builder *builder,
				    const struct symbolizer *names, char *const *arguments);

/** What a file has of the samples of a run. */
struct recording_part {
	const struct module_table *modules;
	const bool *used; /* by number of the module: it has code in the file's samples */
	uint64_t first_time_ns, last_time_ns; /* of its samples; 0: there is none */
	uint64_t num_let_go; /* samples before the file's, which nobody wanted to keep */
};

/** The same for a file that has not all samples of its run. */
struct error *recording_file_finish_part(struct recording_file *file,
					 struct profile_builder *builder,
					 const struct recording_part *part, char *const *arguments);

#endif
