/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_SURVEY_H
#define WPERF_RECORD_ETL_ETL_SURVEY_H

/** The first pass over an ETW recording: everything that explains samples but may stand behind
 *  them, and which events there are. */

#include "record/etl/etl_records.h"
#include "record/etl/etl_stacks.h"
#include "record/etl/file/etl_stream.h"
#include "record/perf_data/perf_data.h"

struct etl_survey_source {
	uint32_t source;
	const char *name; /* NULL: not said */
	uint32_t interval;
	bool has_samples;
};

/** What is known of an image file besides its PDB. */
struct etl_survey_image {
	const char *name; /* the kernel's path */
	uint32_t pid;
	uint64_t base, time_ns;
	uint32_t time_stamp, size;
};

struct etl_survey_thread {
	uint32_t pid, tid; /* 0: none */
};

enum { ETL_SURVEY_NOTED = 256 };

struct etl_survey {
	struct etl_modules modules;
	struct etl_rundown rundown;
	struct etl_stacks stacks;
	struct etl_survey_source sources[ETL_SOURCES_MAX]; /* the timer is the first */
	size_t num_sources;
	const char *counters[ETL_SWITCH_COUNTERS];
	size_t num_counters;
	bool has_switches, has_wakeups, has_dpcs, has_isrs, has_counts;
	struct etl_survey_image *images;
	size_t num_images, cap_images;
	struct hash_table image_index;
	struct perf_data_method *methods;
	size_t num_methods, cap_methods;
	struct {
		const char *host, *name, *identifier;
		uint32_t memory_mb, architecture;
	} machine;
	uint64_t first_time_ns, last_time_ns;             /* of what becomes samples; 0: none */
	struct etl_survey_thread noted[ETL_SURVEY_NOTED]; /* threads of stacks, by number */
	uint64_t num_bad;                                 /* stacks, image IDs and methods */
	uint64_t num_lost_events, num_lost_buffers;       /* as said within the stream */
};

#define ETL_SURVEY_INIT                                                                          \
	{                                                                                        \
		.stacks = ETL_STACKS_INIT, .num_sources = 1, .sources = {{.name = "cpu-clock"}}, \
		.machine = {                                                                     \
			.architecture = UINT32_MAX                                               \
		}                                                                                \
	}

/** All events of the stream, which is at its begin. */
struct error *etl_survey_walk(struct etl_survey *survey, struct etl_stream *stream);

void etl_survey_deinit(struct etl_survey *survey);

#endif
