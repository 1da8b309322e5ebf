/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_CHOICE_H
#define WPERF_INTERPRETER_INTERPRETED_CHOICE_H

/** Are interpreted frames wanted in the stacks of samples, and can they be had? */

#include "base/text/string_builder.h"
#include "interpreter/interpreted_frames.h"
#include "interpreter/method_choice.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

/** What the user said of interpreted frames, and what is sampled. */
struct interpreted_request {
	const char *mode;     /* mixed, only or native; NULL: as the target is */
	bool only_with_gil;   /* samples of threads that hold the GIL: needs interpreted frames */
	bool by_task;         /* stacks begin with the task that ran: likewise */
	bool stops;           /* threads, while their stack is read */
	bool tries;           /* also where no target is named; that there are none is a note */
	char *const *command; /* to be started, ends with NULL; or NULL */
	const uint32_t *pids; /* of running processes */
	size_t num_pids;
};

struct interpreted_choice {
	bool is_wanted;
	enum interpreted_rule rule;
	enum collection_method method;
};

/** @mode: that of a request. @ret: its method is not known yet. */
struct error *interpreted_choice_read(const char *mode, struct interpreted_choice *ret);

/** Is a program an interpreter, by the name of its file? */
bool interpreted_choice_is_name(const char *path);

/** Is the command, or one of the processes, a program of an interpreter? */
bool interpreted_choice_finds(const struct interpreted_request *request);

/**
 * By the mode; without one, if the target is a program of an interpreter.
 * @notes: get lines for the user: what was not asked for and cannot be had, and how much frames
 *         are to be trusted.
 */
struct error *interpreted_choice_make(const struct interpreted_request *request,
				      struct source *source, struct string_builder *notes,
				      struct interpreted_choice *ret);

#endif
