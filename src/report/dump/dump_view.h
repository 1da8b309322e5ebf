/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_DUMP_DUMP_VIEW_H
#define WPERF_REPORT_DUMP_DUMP_VIEW_H

/** How `dump` shows threads and their frames: as text, as JSON or as both. */

#include "interpreter/interpreter_dump.h"
#include "report/output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_view {
	struct output *output;
	const char *language; /* as users read it */
};

/** @note: why there are no tasks; or NULL. */
void dump_view_begin(const struct dump_view *view, uint32_t pid, const char *version,
		     const char *note);
void dump_view_begin_thread(const struct dump_view *view, const struct dump_thread *thread);
/** @indent: columns more than those of a thread's frames. */
void dump_view_place(const struct dump_view *view, const struct dump_place *place, int indent);
/** @is_cut: there are more. */
void dump_view_end_places(const struct dump_view *view, bool is_cut);
void dump_view_end_thread(const struct dump_view *view);
/** @num_left_out: threads that are not shown, as all would be too much. */
void dump_view_end(const struct dump_view *view, size_t num_left_out);

#endif
