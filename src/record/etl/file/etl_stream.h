/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_STREAM_H
#define WPERF_RECORD_ETL_FILE_ETL_STREAM_H

/**
 * All events of an ETW recording in order of time. A recording is one file, or several that were
 * written at the same time by several sessions ("x.etl" and "x.kernel.etl") and may have been put
 * into a zip. Each CPU of a file has its own row of buffers, in which time never goes back; the
 * stream merges the rows. Buffers are mapped, and unpacked one at a time for each CPU.
 *
 * Times are nanoseconds of the performance counter of the recorded machine, which all its
 * sessions share.
 */

#include "base/error.h"
#include "record/etl/file/etl_event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etl_stream;

/** Do these first bytes of a file begin an ETW file, or a zip that may have some inside? */
bool etl_stream_is(const uint8_t *head, size_t size);

enum { ETL_STREAM_HEAD = 128 /* bytes that etl_stream_is() wants to see, if the file has them */ };

/**
 * @path: an .etl file, or a .zip or .diagsession with one or more; beside "x.etl" the files
 * "x.kernel.etl", "x.clr.etl", ... of the same sessions are read, too, if they were not merged.
 * @is_own_only: a file of another user is refused, as perf_data_reader_open_own() does.
 */
struct error *etl_stream_open(const char *path, bool is_own_only, struct etl_stream **ret);

/** Several files as one recording, in any order. */
struct error *etl_stream_open_files(const char *const *paths, size_t num_paths, bool is_own_only,
				    struct etl_stream **ret);

/** The same of a file in memory, which the caller keeps. @name: for errors. */
struct error *etl_stream_open_memory(const char *name, const void *bytes, size_t size,
				     struct etl_stream **ret);

/** A file that a session is still writing: see etl_stream_grow(). */
struct error *etl_stream_open_growing(const char *path, struct etl_stream **ret);

void etl_stream_destroy(struct etl_stream *stream);
static inline void etl_stream_destroyp(struct etl_stream **stream)
{
	etl_stream_destroy(*stream);
}

/** @ret: valid until the next call. @ret_more: false behind the last; then @ret is not set. */
struct error *etl_stream_next(struct etl_stream *stream, struct etl_event *ret, bool *ret_more);

/** Begin again with the first event: some of what explains an event stands behind it. */
struct error *etl_stream_restart(struct etl_stream *stream);

/** Take what was written since; etl_stream_next() then goes on. Events of a CPU whose buffer came
 *  late may be older than those that were given before. */
struct error *etl_stream_grow(struct etl_stream *stream);

/** What the files say of themselves in their headers. */
struct etl_stream_facts {
	uint32_t num_cpus, pointer_size, build; /* of Windows, as told to old programs */
	uint8_t major, minor;
	uint64_t frequency_hz; /* of the performance counter */
	/** One moment on both clocks: the recording's start. */
	uint64_t start_ns, start_wall_ns /* since 1970 */;
	uint64_t end_ns; /* 0: it is still written, or was cut off */
	uint64_t events_lost, buffers_lost;
	size_t num_files;
};
const struct etl_stream_facts *etl_stream_facts(const struct etl_stream *stream);

/** Who may have written all files is we or root, and nobody else. */
bool etl_stream_is_own(const struct etl_stream *stream);

struct etl_stream_damage {
	uint64_t truncated_bytes; /* at the end of files, that are no whole buffer */
	uint64_t bad_buffers;     /* that cannot be unpacked, or whose header is wrong */
	uint64_t bad_events;      /* rests of buffers that could not be read */
};
struct etl_stream_damage etl_stream_damage(const struct etl_stream *stream);

/** How far this pass over the files is. */
struct etl_stream_position {
	uint64_t done, whole; /* bytes */
};
struct etl_stream_position etl_stream_position(const struct etl_stream *stream);

#endif
