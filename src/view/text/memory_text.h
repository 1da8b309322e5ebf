/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_MEMORY_TEXT_H
#define WPERF_VIEW_TEXT_MEMORY_TEXT_H

/** Memory in use over time, and memory by line, for a report. */

#include "profile/memory/memory_lines.h"
#include "view/layout/table.h"

#include <stdio.h>

/** A table of lines with a column of bytes for each event. @max_rows: 0 for all. */
struct error *memory_text_print_lines(const struct memory_lines *lines, size_t max_rows,
				      struct table_layout layout, FILE *stream);

/** The peak, the end, and a small chart; nothing if the recording does not have it. */
void memory_text_print_curve(const struct named_profile *profile, FILE *stream);

#endif
