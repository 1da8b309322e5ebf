/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_MACHINE_TEST_REPORT_H
#define WPERF_REPORT_MACHINE_TEST_REPORT_H

/** What `test` shows: what the source knows of its machine, and where a request would count. */

#include "report/output.h"
#include "session/session.h"
#include "session/setup/run_request.h"

struct error *test_report_write(const struct session *session, const struct run_request *request,
				struct output_request output);

#endif
