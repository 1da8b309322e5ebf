/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_DUMP_PROCESS_DUMP_H
#define WPERF_REPORT_DUMP_PROCESS_DUMP_H

/** What the threads of a process of an interpreter do at this moment. */

#include "base/error.h"
#include "interpreter/interpreter_dump.h"
#include "report/output.h"

#include <stdio.h>

/** A process without an interpreter that wperf can read is an error, with a hint. */
struct error *process_dump_write(const struct dump_request *request,
				 struct output_request output_request);

/** The same as one line of JSON. */
struct error *process_dump_write_json(const struct dump_request *request, FILE *stream);

#endif
