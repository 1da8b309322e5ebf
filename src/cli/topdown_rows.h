/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_TOPDOWN_ROWS_H
#define WPERF_CLI_TOPDOWN_ROWS_H

/** The metrics of a count in the order of the CPU's top-down tree. */

#include "base/error.h"

struct arena;
struct stat_tables;

/** Fill the report's topdown from its metrics, if -m topdown was asked for. */
struct error *topdown_rows_fill(struct stat_tables *tables, struct arena *arena);

#endif
