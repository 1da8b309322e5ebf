/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_CHOICE_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_CHOICE_H

/** Are lines of Python wanted in the stacks of samples, and can they be had? */

#include "base/text/string_builder.h"
#include "interpreter/interpreted_frames.h"
#include "interpreter/python/python_ladder.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

/** What the user said of lines of Python, and what is sampled. */
struct python_request {
	const char *mode;     /* mixed, only or native; NULL: as the target is */
	bool only_with_gil;   /* samples of threads that hold the GIL: needs lines of Python */
	bool stops;           /* threads, while their stack is read */
	char *const *command; /* to be started, ends with NULL; or NULL */
	const uint32_t *pids; /* of running processes */
	size_t num_pids;
};

struct python_choice {
	bool is_wanted;
	enum interpreted_rule rule;
	enum collection_method method;
};

/** @mode: that of a request. @ret: its rung is not known yet. */
struct error *python_choice_read(const char *mode, struct python_choice *ret);

/** Does a program run Python, by the name of its file? Also PyPy, whose frames are not known. */
bool python_choice_is_name(const char *path);

/** Is the command, or one of the processes, a program of Python? */
bool python_choice_finds(const struct python_request *request);

/**
 * By the mode; without one, if the target is a program of Python.
 * @notes: get lines for the user: what was not asked for and cannot be had, and how much frames
 *         are to be trusted.
 */
struct error *python_choice_make(const struct python_request *request, struct source *source,
				 struct string_builder *notes, struct python_choice *ret);

#endif
