/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_NOTES_H
#define WPERF_REPORT_STAT_STAT_NOTES_H

/** What `stat` says beside its numbers. */

#include "session/setup/count_setup.h"

#include <stdio.h>

/** The codes of events on counters, a line for each class: for -v. */
void stat_notes_print_events(const struct run_request *request, FILE *stream);

/** Where the numbers are not quite what was asked for, line after line. */
void stat_notes_print(const struct count_setup *setup, FILE *stream);

/** Values of probes that are missing in their sums. */
void stat_notes_print_values(const struct value_counts *values, FILE *stream);

#endif
