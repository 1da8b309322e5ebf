/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_ROLE_TEXT_H
#define WPERF_VIEW_ROLE_TEXT_H

/** Processes and what they are for, as text. */

#include "base/error.h"
#include "profile/interpreted/process_rows.h"
#include "view/layout/table.h"

#include <stdio.h>

/** A table with a row for each process, and how many of them are children.
 *  @event: what they are sorted by. @max_rows: 0 for all. */
struct error *role_text_print_processes(const struct named_profile *profile,
					const struct process_rows *rows, uint32_t event,
					size_t max_rows, struct table_layout layout, FILE *stream);

/** The line above the tables of a role: "gunicorn: worker (x4), 71.20 % of cpu-clock:". */
struct error *role_text_print_heading(const struct named_profile *profile,
				      const struct process_row *row, struct named_total whole,
				      uint32_t event, FILE *stream);

#endif
