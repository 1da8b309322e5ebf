/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_LOG_HEADER_H
#define WPERF_RECORD_ETL_FILE_ETL_LOG_HEADER_H

/** The first event of an ETW file (TRACE_LOGFILE_HEADER), which describes it. */

#include "record/etl/file/etl_event.h"

enum etl_clock_kind {
	ETL_CLOCK_COUNTER = 1, /* the performance counter */
	ETL_CLOCK_WALL = 2,    /* of the day, in 100 ns */
	ETL_CLOCK_CYCLES = 3,  /* of the CPU */
};

struct etl_log_header {
	uint32_t buffer_size, build, num_cpus, mode, buffers_written, pointer_size;
	uint32_t events_lost, buffers_lost, mhz;
	uint8_t major, minor;
	enum etl_clock_kind clock;
	uint64_t frequency_hz; /* of the performance counter */
	/** In 100 ns since 1601. @end: 0 while it is written, and if the writer was killed. */
	uint64_t boot, start, end;
	uint64_t start_ticks; /* on the clock of the file's events */
	bool is_joined;       /* a tool has joined several files to this one */
};

/** False: it is another event, or too short. */
bool etl_log_header_read(const struct etl_event *event, uint64_t ticks, struct etl_log_header *ret);

/** Nanoseconds since 1970 of a date in 100 ns since 1601; 0 if that is earlier. */
uint64_t etl_wall_ns(uint64_t date);

#endif
