/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_TRIAL_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_TRIAL_H

/**
 * Checks whether an interpreter's memory has the expected layout. As the interpreter is mapped
 * before it is initialized, and changes while it is read, the check is repeated with pauses until
 * it passes once, or has failed often enough.
 */

#include "base/error.h"
#include "interpreter/python/layout/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum python_trial_end {
	PYTHON_TRIAL_GOES_ON,
	PYTHON_TRIAL_PASSED,
	PYTHON_TRIAL_FAILED,
};

/** Zero-initialized. */
struct python_trial {
	enum python_trial_end end;
	unsigned num_wrong; /* checks that failed */
	unsigned num_void;  /* checks without a result */
	uint64_t next_ns;   /* when to check again */
};

/**
 * Check again if it is time.
 * @ret_reason: set only if this check makes the trial FAILED; the caller destroys it.
 */
struct error *python_trial_go_on(struct python_trial *trial, const struct python_runtime *runtime,
				 uint64_t now_ns, struct error **ret_reason);

/** Can frames be trusted now? @is_guess: the version is newer than wperf knows, so it must have
 *  passed the check. */
static inline bool python_trial_is_trusted(const struct python_trial *trial, bool is_guess)
{
	return trial->end == PYTHON_TRIAL_PASSED ||
	       (trial->end == PYTHON_TRIAL_GOES_ON && !is_guess && !trial->num_wrong);
}

#endif
