/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_DUMP_DUMP_TASK_VIEW_H
#define WPERF_REPORT_DUMP_DUMP_TASK_VIEW_H

/** How `dump` shows the tasks of a thread below its frames: as text, as JSON or as both. */

#include "interpreter/interpreter_dump.h"
#include "report/dump/dump_view.h"

#include <stdbool.h>
#include <stdint.h>

struct dump_task_view {
	const struct dump_view *dump;
	uint32_t num_open; /* private: rows that what follows may belong to */
};

enum { DUMP_TASK_FRAME_INDENT = 4 }; /* of a row's frames behind the row */

/** Columns of a row behind a thread's frames. */
static inline int dump_task_indent(const struct dump_task *task)
{
	return 2 * (int)task->depth;
}

/** @is_steady: false: which task runs is not known. */
void dump_task_view_begin(struct dump_task_view *view, const struct dump_view *dump,
			  bool is_steady);
void dump_task_view_begin_task(struct dump_task_view *view, const struct dump_task *task);

/** Behind the frames of the task. */
void dump_task_view_end_frames(struct dump_task_view *view, const struct dump_task *task);
/** @is_cut: there are more. */
void dump_task_view_end(struct dump_task_view *view, bool is_cut);

#endif
