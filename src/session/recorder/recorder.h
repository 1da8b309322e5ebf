/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDER_RECORDER_H
#define WPERF_SESSION_RECORDER_RECORDER_H

/**
 * A recording in several files, or of the last samples only.
 *
 * With a ring, records are kept in memory (record_ring.h) and written when they are asked for:
 * each time into a file with the time in its name, and at the end into the file itself. What was
 * known of processes before the oldest sample is kept as a table of processes, so that the file has
 * their names and mappings. Samples that are dropped are counted.
 *
 * Without a ring all records are written, and a new file begins by size, by time or when asked. The
 * one that is being written has the plain name; it gets the time behind it when it is complete.
 *
 * The profile builder need not keep samples: only the chain of each is wanted.
 */

#include "session/recording_file.h"

struct recorder;

struct recorder_config {
	const char *path;
	bool keeps_old;      /* a file of this name becomes PATH.old */
	uint64_t ring_bytes; /* 0: no ring */
	uint64_t ring_ns;    /* of that, only what is not older; 0: all */
	uint64_t part_bytes; /* of records in one file, without a ring; 0: no limit */
	uint64_t part_ns;
	uint32_t max_files;     /* with times in their names; 0: all are kept */
	char *const *arguments; /* our command line */
	/* of the events */
	const struct perf_data_event *events;
	size_t num_events;
	bool makes_chains; /* see recording_file_create() */
};

/** The arrays of the config must outlive it. */
struct error *recorder_create(const struct recorder_config *config, struct recorder **ret);
void recorder_destroy(struct recorder *recorder);
static inline void recorder_destroyp(struct recorder **recorder)
{
	recorder_destroy(*recorder);
}

/** As recording_file_add(). */
struct error *recorder_add(struct recorder *recorder, const struct record *record,
			   struct profile_builder_chain chain);

/** As recording_file_map_places(). */
struct error *recorder_map_places(struct recorder *recorder, const struct record *record);

/** The end of a round. @time_ns: on the clock of the records. */
struct error *recorder_round(struct recorder *recorder, struct profile_builder *builder,
			     uint64_t time_ns);

/** Write what the ring has, or begin another file, in the next rounds. */
void recorder_ask(struct recorder *recorder);

/** Is a file being written? Then the next round should not wait. */
bool recorder_is_busy(const struct recorder *recorder);

/** Write the last file. */
struct error *recorder_finish(struct recorder *recorder, struct profile_builder *builder,
			      uint64_t time_ns);

/** A file that was written. */
struct recorder_part {
	char *path;
	uint64_t num_samples, num_let_go;
	uint64_t num_bytes;
	uint64_t covered_ns;   /* from its first sample to its last */
	bool lacked_room;      /* of a ring by time: it did not reach as far back as was asked */
	struct error *failure; /* it was not written, or ends early; or NULL */
};

/** The next one since the last call. @ret: the caller's, see recorder_part_deinit(). */
bool recorder_take_part(struct recorder *recorder, struct recorder_part *ret);
void recorder_part_deinit(struct recorder_part *part);

#endif
