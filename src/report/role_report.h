/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_ROLE_REPORT_H
#define WPERF_REPORT_ROLE_REPORT_H

/** What the processes of an interpreted program are for, and which lines each kind of them runs. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "report/output.h"
#include "report/recorded/sample_choice.h"

#include <stdint.h>
#include <stdio.h>

/** The table of processes, of a program that has several. @event: what they are sorted by.
 *  @stream, @json: or NULL; the latter gets the member "processes". */
struct error *role_report_processes(const struct named_profile *profile,
				    const struct sample_choice *choice, uint32_t event,
				    struct table_layout layout, FILE *stream,
				    struct json_writer *json);

/** Role by role its hot lines. @sysroots: see source_files.h; or NULL. @max_rows: of each; 0 for
 *  all. The JSON is an object with the member "roles". */
struct error *role_report_print(const struct named_profile *profile,
				const struct sample_choice *choice, const char *sysroots,
				size_t max_rows, struct output *output);

#endif
