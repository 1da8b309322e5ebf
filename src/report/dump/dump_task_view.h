/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_DUMP_DUMP_TASK_VIEW_H
#define WPERF_REPORT_DUMP_DUMP_TASK_VIEW_H

/** How `dump` shows the tasks of a thread below its frames: as text, as JSON or as both. */

#include "interpreter/python/task/python_tasks.h"
#include "report/output.h"

#include <stdbool.h>
#include <stdint.h>

struct dump_task_view {
	struct output *output;
	uint32_t num_open; /* private: rows that what follows may belong to */
};

enum { DUMP_TASK_FRAME_INDENT = 4 }; /* of a row's frames behind the row */

/** Columns of a row behind a thread's frames. */
static inline int dump_task_indent(const struct python_task *task)
{
	return 2 * (int)task->depth;
}

/** @is_steady: false: which task runs is not known. */
void dump_task_view_begin(struct dump_task_view *view, struct output *output, bool is_steady);
void dump_task_view_begin_task(struct dump_task_view *view, const struct python_tasks *tasks,
			       const struct python_task *task);

/** Behind the frames of the task. */
void dump_task_view_end_frames(struct dump_task_view *view, const struct python_task *task);
void dump_task_view_end(struct dump_task_view *view, const struct python_tasks *tasks);

#endif
