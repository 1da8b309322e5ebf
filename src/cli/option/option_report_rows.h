/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_REPORT_ROWS_H
#define WPERF_CLI_OPTION_OPTION_REPORT_ROWS_H

/** What a row of `report` is, by --sort, --fields and --children. */

#include "base/error.h"
#include "report/recorded/profile_report.h"

struct options;

struct error *report_rows_choose(const struct options *options, struct report_rows *ret);

#endif
