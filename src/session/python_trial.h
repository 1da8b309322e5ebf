/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_TRIAL_H
#define WPERF_SESSION_PYTHON_TRIAL_H

/**
 * Is the memory of an interpreter what its layout says? It is mapped before it has begun, and it
 * changes while it is looked at: so it is asked again and again, some time apart, until one look
 * says yes, or enough of them have said no.
 */

#include "base/error.h"
#include "python/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum python_trial_end {
	PYTHON_TRIAL_GOES_ON,
	PYTHON_TRIAL_PASSED,
	PYTHON_TRIAL_FAILED,
};

/** All 0 at first. */
struct python_trial {
	enum python_trial_end end;
	unsigned num_wrong; /* looks that said no */
	unsigned num_void;  /* looks that said nothing */
	uint64_t next_ns;   /* when it may be asked again */
};

/**
 * Look once more, if it is time.
 * @ret_reason: if this look ends it with FAILED: why; to be destroyed. Else untouched.
 */
struct error *python_trial_go_on(struct python_trial *trial, const struct python_runtime *runtime,
				 uint64_t now_ns, struct error **ret_reason);

/** Are frames to be taken for true now? What is newer than we know has to be proven first. */
static inline bool python_trial_is_trusted(const struct python_trial *trial, bool is_guess)
{
	return trial->end == PYTHON_TRIAL_PASSED ||
	       (trial->end == PYTHON_TRIAL_GOES_ON && !is_guess && !trial->num_wrong);
}

#endif
