/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_MACHINE_CORE_LISTING_H
#define WPERF_REPORT_MACHINE_CORE_LISTING_H

/** The cores of a source; those of Arm with the fields of their MIDR. */

#include "base/error.h"
#include "report/output.h"
#include "source/source.h"

struct error *core_listing_write(const struct source_info *info,
				 struct output_request output_request);

#endif
