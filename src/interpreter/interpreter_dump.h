/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETER_DUMP_H
#define WPERF_INTERPRETER_INTERPRETER_DUMP_H

/**
 * The threads of a process at this moment, for `dump`: what an interpreter knows of each, its
 * frames with their variables, and its tasks. One thread is read at a time; all that was read of it
 * is valid until the next one is, as all of a large process would be too much.
 */

#include "base/error.h"
#include "interpreter/code_position.h"
#include "process/process_table.h"
#include "process/thread/thread_activity.h"
#include "record/interpreted_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_request {
	uint32_t pid;
	bool with_locals;   /* the variables of each frame, with their values */
	bool with_tasks;    /* and who awaits them */
	bool stops_threads; /* each while its stack is read */
};

/** In builds without a GIL: may the thread access objects? */
enum dump_attachment {
	DUMP_ATTACHMENT_UNKNOWN,
	DUMP_DETACHED,
	DUMP_ATTACHED,
	DUMP_SUSPENDED, /* the interpreter has stopped all other threads */
};

struct dump_thread {
	uint32_t tid;           /* of the system; 0: not known */
	uint64_t id;            /* the interpreter's own */
	int64_t interpreter_id; /* 0 is the main one; -1: not known */
	char name[PROCESS_GIVEN_NAME_SIZE];
	struct thread_activity activity;
	enum gil_state gil;
	enum dump_attachment attachment;
	enum frame_walk_end end;
	size_t num_frames;
};

struct dump_local {
	const char *name, *value;
};

struct dump_locals {
	const struct dump_local *items;
	size_t num_items;
	bool is_cut;  /* there are more */
	bool is_torn; /* they changed while they were read: there are no items */
};

/** What is known of a frame; names are NULL if its code was freed. */
struct dump_place {
	const char *name, *file;
	uint32_t file_length, name_length;
	struct code_position position;
	const struct dump_locals *locals; /* NULL: not asked for */
};

enum dump_task_kind {
	DUMP_TASK_RUNS,      /* it runs: the thread has its frames */
	DUMP_TASK_WAITS,     /* for anything, also for its turn */
	DUMP_TASK_ELSEWHERE, /* it has another row */
	DUMP_TASK_FUTURE,    /* not a task, but tasks may wait for it */
	DUMP_TASK_GONE,      /* it could not be read */
};

/** How reading the frames of a task's coroutine ended. */
enum dump_coroutine_end {
	DUMP_COROUTINE_WAITS,
	DUMP_COROUTINE_RUNS, /* the innermost frame is on the stack of a thread */
	DUMP_COROUTINE_OVER,
	DUMP_COROUTINE_FOREIGN,  /* not written in the language, or not readable */
	DUMP_COROUTINE_CHANGED,  /* it ran during each attempt to read it */
	DUMP_COROUTINE_TOO_DEEP, /* there are more frames */
};

/** A row of the tree of tasks; parents precede their children. */
struct dump_task {
	uint64_t address;
	enum dump_task_kind kind;
	uint32_t depth; /* if it is not 0, the task waits for the previous row with depth - 1 */
	const char *name;
	size_t num_frames; /* innermost first */
	enum dump_coroutine_end end;
	bool is_cut; /* more tasks wait for it than there are rows */
};

struct dump_tasks {
	size_t num_rows;
	bool is_steady; /* the task that runs is among them */
	bool is_cut;    /* there are more */
};

/** Each interpreter's own struct begins with it. */
struct interpreter_dump {
	const struct dump_ops *ops;
	char version[64];     /* of the interpreter */
	size_t num_threads;   /* more than 0 */
	const char *no_tasks; /* why tasks cannot be read; or NULL */
};

/** All errors but that of open() are a lack of memory. */
struct dump_ops {
	/** ERROR_ABSENT, with a hint: the process has no such interpreter.
	 *  @ret: allocated, with all of the base; set only on success. */
	struct error *(*open)(const struct dump_request *request, struct interpreter_dump **ret);
	void (*destroy)(struct interpreter_dump *dump);

	/** @index: 0 is the main thread. */
	struct error *(*read_thread)(struct interpreter_dump *dump, size_t index,
				     struct dump_thread *ret);

	/** A frame of the thread, innermost first; its variables are valid until the next frame. */
	struct error *(*read_frame)(struct interpreter_dump *dump, size_t frame,
				    struct dump_place *ret);

	/** Tasks of the thread. NULL: this interpreter has none. */
	struct error *(*read_tasks)(struct interpreter_dump *dump, struct dump_tasks *ret);
	struct dump_task (*task)(const struct interpreter_dump *dump, size_t row);
	struct error *(*read_task_frame)(struct interpreter_dump *dump, size_t row, size_t frame,
					 struct dump_place *ret);
};

#endif
