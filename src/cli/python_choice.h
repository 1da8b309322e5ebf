/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_PYTHON_CHOICE_H
#define WPERF_CLI_PYTHON_CHOICE_H

/** Are lines of Python wanted in the stacks of samples, and can they be had? */

#include "interpreter/interpreted_processes.h"
#include "interpreter/python/python_ladder.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

struct options;

struct python_choice {
	bool is_wanted;
	enum python_rule rule;
	enum collection_method method;
};

/** The words of --python. @ret: set only if they are there. */
struct error *python_choice_read(const struct options *options, bool *ret_is_said,
				 struct python_choice *ret);

/**
 * Is there only one way to what is asked for: lines of Python, by the source that looks at threads
 * from time to time? So it is where this user may not use the source that is taken by default.
 */
bool python_choice_takes_timer(const struct options *options);

/**
 * By --python; without it, if the command, or one of the processes, is a program of Python. What
 * was not asked for and cannot be had is said on standard error, and so is how much frames are to
 * be trusted.
 */
struct error *python_choice_make(const struct options *options, struct source *source,
				 const uint32_t *pids, size_t num_pids, struct python_choice *ret);

#endif
