/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_DUMP_PROCESS_DUMP_H
#define WPERF_REPORT_DUMP_PROCESS_DUMP_H

/** What the threads of a process of Python do at this moment. */

#include "base/error.h"
#include "report/output.h"

#include <stdbool.h>
#include <stdint.h>

struct dump_request {
	uint32_t pid;
	bool with_locals;   /* the variables of each frame, with their values */
	bool with_tasks;    /* those of asyncio, and who awaits them */
	bool stops_threads; /* each while its stack is read */
};

/** A process without CPython is an error, with a hint. */
struct error *process_dump_write(const struct dump_request *request,
				 struct output_request output_request);

#endif
