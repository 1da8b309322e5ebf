/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_CHILD_JOB_H
#define WPERF_SESSION_CHILD_JOB_H

/**
 * Windows only: the job that a command and all that it starts are in. It changes nothing for them:
 * they may leave it, and what is in it when we are gone goes on.
 */

#include "session/family.h"

#include <windows.h>

struct child_job {
	HANDLE handle;
	HANDLE port; /* where the system says who has begun and ended; NULL: nowhere */
	bool has_listened;
	uint32_t num_known;
};

/** NULL: the process cannot be in one. */
struct child_job *child_job_create(HANDLE process);
void child_job_destroy(struct child_job *job);

/** Of all that were in it; false if it is not known. */
bool child_job_times(const struct child_job *job, uint64_t *ret_user_ns, uint64_t *ret_system_ns);

/** See child_look(). */
struct error *child_job_look(struct child_job *job, uint64_t since_ns, struct family *family);

#endif
