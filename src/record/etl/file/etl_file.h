/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_FILE_H
#define WPERF_RECORD_ETL_FILE_ETL_FILE_H

/**
 * One ETW file: where its buffers are, CPU by CPU, in the order in which they were filled. The
 * buffers of a CPU are a row. Nothing of the file is kept but 24 bytes for each buffer and one
 * unpacked buffer for each CPU, whatever the file says of itself.
 */

#include "base/error.h"
#include "base/file/file_map.h"
#include "record/etl/file/etl_clock.h"
#include "record/etl/file/etl_event.h"
#include "record/etl/file/etl_log_header.h"
#include "record/etl/unpack/etl_unpack.h"

#include <stdio.h>

struct etl_place {
	uint64_t offset;
	int64_t sequence;
	uint32_t size;
};

/** The buffers of one CPU, and the next event in them. */
struct etl_row {
	uint32_t cpu;
	struct etl_place *places;
	size_t num_places, cap_places;
	bool is_sorted;
	size_t next; /* place that is not loaded yet */
	/** The loaded buffer. */
	const uint8_t *bytes;
	uint32_t offset, used;
	uint8_t *scratch; /* what is read or unpacked; NULL: events are in the mapped file */
	uint32_t scratch_size;
	bool has_event;
	struct etl_event event;
};

struct etl_file {
	char *name;
	struct file_map map;
	FILE *stream;         /* of a growing file, instead of @bytes */
	const uint8_t *bytes; /* NULL: it grows */
	uint64_t size;
	uint64_t next; /* offset of the first buffer that was not found yet */
	struct etl_log_header header;
	struct etl_clock clock; /* its zero is the owner's to set */
	enum etl_packing packing;
	struct etl_row *rows; /* by CPU */
	size_t num_rows, cap_rows;
	uint32_t *row_of_cpu; /* + 1; 0: it has none */
	size_t num_cpus;
	size_t scratch_held;
	uint64_t scratch_limit;
	uint8_t *packed; /* a packed buffer of a growing file */
	size_t cap_packed;
	uint64_t truncated_bytes;
	uint64_t bad_headers;                         /* found while looking for buffers */
	uint64_t bad_buffers, bad_events, bytes_done; /* of this pass over the file */
	uint64_t bytes_whole;                         /* of buffers that were found */
	uint64_t num_looked_at;                       /* bytes, since memory was given back */
};

/** @map: becomes the file's, also if there is an error. @name: for errors. */
struct error *etl_file_of_map(const char *name, struct file_map *map, struct etl_file **ret);

/** The bytes stay the caller's. */
struct error *etl_file_of_memory(const char *name, const void *bytes, size_t size,
				 struct etl_file **ret);

/** A file that is still written. ERROR_ABSENT: nothing was written yet. */
struct error *etl_file_of_growing(const char *path, struct etl_file **ret);

void etl_file_destroy(struct etl_file *file);
static inline void etl_file_destroyp(struct etl_file **file)
{
	etl_file_destroy(*file);
}

/** Find the buffers of a growing file that were written since. Rows move in memory. */
struct error *etl_file_grow(struct etl_file *file);

/** All rows begin again. */
void etl_file_rewind(struct etl_file *file);

/** To the next event of a row; without one, has_event is false, until the file grows. */
struct error *etl_file_advance(struct etl_file *file, struct etl_row *row);

#endif
