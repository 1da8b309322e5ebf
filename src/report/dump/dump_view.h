/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_DUMP_DUMP_VIEW_H
#define WPERF_REPORT_DUMP_DUMP_VIEW_H

/** How `dump` shows threads and their frames: as text, as JSON or as both. */

#include "interpreter/python/stack/python_lines.h"
#include "interpreter/python/stack/python_threads.h"
#include "interpreter/python/value/python_locals.h"
#include "process/process_table.h"
#include "process/thread/thread_activity.h"
#include "report/output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One thread, at one moment. */
struct dump_thread {
	const struct python_thread *thread;
	char name[PROCESS_NAME_SIZE];
	enum frame_walk_end end;
	size_t num_frames;
	struct thread_activity activity;
	enum gil_state gil;
};

/** What is known of a frame; names are NULL if its code object was gone. */
struct dump_place {
	const char *name, *file;
	uint32_t file_length, name_length;
	struct python_position position;
	const struct python_locals *locals; /* NULL: not asked for */
	bool has_locals;                    /* false: they changed while they were read */
	int indent;                         /* columns more than those of a thread's frames */
};

/** @note: about tasks of asyncio; or NULL. */
void dump_view_begin(struct output *output, uint32_t pid, const char *version, const char *note);
void dump_view_begin_thread(struct output *output, const struct dump_thread *thread);
void dump_view_place(struct output *output, const struct dump_place *place);
/** @is_cut: there are more. */
void dump_view_end_places(struct output *output, bool is_cut);
void dump_view_end_thread(struct output *output);
/** @num_left_out: threads that are not shown, as all would be too much. */
void dump_view_end(struct output *output, size_t num_left_out);

#endif
