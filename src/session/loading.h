/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_LOADING_H
#define WPERF_SESSION_LOADING_H

/** Makes a profile of a recording, of wperf or other programs. */

#include "profile/named_profile.h"
#include "record/etl/etl_reader.h"
#include "record/perf_data/perf_data.h"
#include "record/spe/spe_trace.h"
#include "session/profile_builder.h"
#include "symbols/symbolizer.h"

#include <stdbool.h>
#include <stdint.h>

struct loading_progress {
	uint64_t elapsed_ns;
	uint64_t num_samples, num_lost;
	uint64_t done, whole; /* bytes of the file; whole 0: not known */
};

/** Whoever waits for a long file. */
struct loading_watch {
	/** At the begin, some times a second, and before names are looked up. False: give up. NULL:
	 * nobody waits. */
	bool (*progress)(void *data, const struct loading_progress *progress);
	void *data;
};

struct loading_config {
	const char *path;     /* "-": standard input */
	const char *sysroots; /* see symbolizer_config; or NULL */
	struct symbol_path *symbol_path;
	bool is_forced;     /* also a file of another user */
	bool is_anonymous;  /* names of computers and users are left out */
	bool keeps_samples; /* each sample with its time */
	bool has_callers;
	bool with_lines;
	bool with_full_names;
	bool joins_wakers, with_spe, tells_spe_threads; /* see struct profile_builder_config */
	const char *copy_path; /* the recording is also written there, as perf.data; or NULL */
	struct loading_watch watch;
};

/** The event whose samples weigh the time until their thread came back: OFF_CPU_NAME.
 *  info->num_events: there is none. */
uint32_t loading_off_cpu_event(const struct perf_data_info *info);

/** Of an event in reports: mostly that of the file. @is_off_cpu: it is loading_off_cpu_event(). */
const char *loading_event_name(const struct perf_data_event *event, bool is_off_cpu);

/** Facts about the file that the user should know. */
struct loading_notes {
	uint64_t truncated_bytes, bad_records; /* of perf.data */
	uint64_t num_let_go;                   /* samples before those of the file: see --ring */
	struct etl_reader_notes etl;
	struct spe_trace_totals spe;
	struct profile_builder_totals totals;
};

/**
 * ERROR_CANCELLED: the watch gave up.
 * @ret: set only on success.
 * @ret_symbolizer: for its notes; the caller destroys it.
 */
struct error *loading_read(const struct loading_config *config, struct named_profile *ret,
			   struct loading_notes *ret_notes, struct symbolizer **ret_symbolizer);

#endif
