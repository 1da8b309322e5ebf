/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_OFF_CPU_NOTES_H
#define WPERF_REPORT_NOTES_OFF_CPU_NOTES_H

/** What has to be known of a recording with --off-cpu or --gil, as notes. */

#include "session/profile_builder.h"
#include "source/sample_plan.h"

#include <stdbool.h>
#include <stdio.h>

/** @language: of interpreted code, as users read it. @has_interpreted: samples have some. */
void off_cpu_notes_print(const struct sample_totals *samples,
			 const struct profile_builder_totals *totals, const char *language,
			 bool has_interpreted, FILE *stream);

/** What is not known of who ended waits; also of recordings. */
void off_cpu_notes_print_wakes(const struct profile_builder_totals *totals, FILE *stream);

#endif
