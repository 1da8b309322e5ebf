/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROGRAM_CHILD_JOB_H
#define WPERF_SESSION_PROGRAM_CHILD_JOB_H

/**
 * Windows only: the job of a command and the processes that it starts. The job does not restrict
 * them: they may leave it, and they go on running when wperf ends.
 */

#include "session/family.h"

#include <windows.h>

struct child_job {
	HANDLE handle;
	HANDLE port; /* where the system reports begins and ends of processes; or NULL */
	bool has_listened;
	uint32_t num_known;
};

/** NULL: the process cannot be in a job. */
struct child_job *child_job_create(HANDLE process);
void child_job_destroy(struct child_job *job);

/** The CPU time of all processes that were in the job; false if it is not known. */
bool child_job_times(const struct child_job *job, uint64_t *ret_user_ns, uint64_t *ret_system_ns);

/** See child_look(). */
struct error *child_job_look(struct child_job *job, uint64_t since_ns, struct family *family);

#endif
