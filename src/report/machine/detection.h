/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_MACHINE_DETECTION_H
#define WPERF_REPORT_MACHINE_DETECTION_H

/** What each source can do on this machine, and how to enable the rest. */

#include "base/error.h"
#include "report/output.h"

#include <stdbool.h>

/** @source: as of --source: that one is probed with its settings; or NULL. @is_verbose: JSON has
 *  all tables, not only that of the devices, which clients of the peer know. */
struct error *detection_write(const char *source, bool is_verbose,
			      struct output_request output_request);

#endif
