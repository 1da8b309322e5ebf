// SPDX-License-Identifier: Apache-2.0

#include "session/program/child_job.h"

#include "base/cleanup.h"
#include "base/file/file_time.h"
#include "base/os/clock.h"
#include "base/os/close_handle.h"
#include "process/process_handle.h"

#include <stdlib.h>

// A job contains the command and all its descendants. Its completion port reports each begin and
// end in order ("JOBOBJECT_ASSOCIATE_COMPLETION_PORT" of Microsoft), also of processes that are
// over by then. Messages may be lost, so take_list() reads the list of the job's processes whenever
// the number of processes that were ever in it has changed.
//
// Limits are not set except JOB_OBJECT_LIMIT_BREAKAWAY_OK, so that programs which start processes
// outside of their job work as without wperf.

enum { MAX_PROCESSES = 1024 };

static struct child_job *create_job(void)
{
	_cleanup_(close_handle) HANDLE handle = CreateJobObjectW(NULL, NULL);
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
		.BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_BREAKAWAY_OK}};
	struct child_job *job = handle ? calloc(1, sizeof(*job)) : NULL;
	if (!job)
		return NULL;
	SetInformationJobObject(handle, JobObjectExtendedLimitInformation, &limits, sizeof(limits));
	job->handle = take_ptr(handle);
	return job;
}

struct child_job *child_job_create(HANDLE process)
{
	struct child_job *job = create_job();
	if (!job || AssignProcessToJobObject(job->handle, process))
		return job;
	child_job_destroy(job);
	return NULL;
}

void child_job_destroy(struct child_job *job)
{
	if (!job)
		return;
	close_handle(&job->handle);
	close_handle(&job->port);
	free(job);
}

static bool read_accounts(const struct child_job *job, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION *ret)
{
	return QueryInformationJobObject(job->handle, JobObjectBasicAccountingInformation, ret,
					 sizeof(*ret), NULL);
}

bool child_job_times(const struct child_job *job, uint64_t *ret_user_ns, uint64_t *ret_system_ns)
{
	JOBOBJECT_BASIC_ACCOUNTING_INFORMATION accounts;
	if (!read_accounts(job, &accounts))
		return false;
	*ret_user_ns = (uint64_t)accounts.TotalUserTime.QuadPart * NS_PER_FILE_TIME_TICK;
	*ret_system_ns = (uint64_t)accounts.TotalKernelTime.QuadPart * NS_PER_FILE_TIME_TICK;
	return true;
}

/** Clocks of the system may be set meanwhile: it was not there at the last look. */
static uint64_t child_job_began_ns(uint64_t birth_ns, uint64_t since_ns)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC), wall_ns = clock_ns(CLOCK_REALTIME);
	uint64_t age_ns = birth_ns && wall_ns > birth_ns ? wall_ns - birth_ns : UINT64_MAX;
	return now_ns > age_ns && now_ns - age_ns > since_ns ? now_ns - age_ns : since_ns;
}

static struct error *child_job_add(struct family *family, uint32_t pid, uint64_t since_ns)
{
	_cleanup_(close_handle) HANDLE process =
		process_handle_try(pid, PROCESS_QUERY_LIMITED_INFORMATION);
	uint64_t birth_ns = process ? process_handle_birth_ns(process) : 0;
	// It is no proof of who it is: it may change while the process begins.
	return family_add(family, pid, 0, child_job_began_ns(birth_ns, since_ns));
}

/** What nobody takes stays in the kernel's memory, so nothing is said before the first look. */
static void listen_to(struct child_job *job)
{
	job->port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, NULL, 0, 1);
	JOBOBJECT_ASSOCIATE_COMPLETION_PORT port = {.CompletionPort = job->port};
	if (!job->port ||
	    SetInformationJobObject(job->handle, JobObjectAssociateCompletionPortInformation, &port,
				    sizeof(port)))
		return;
	close_handle(&job->port);
	job->port = NULL;
}

static struct error *take_message(DWORD message, uint32_t pid, uint64_t since_ns,
				  struct family *family)
{
	switch (message) {
	case JOB_OBJECT_MSG_NEW_PROCESS:
		return child_job_add(family, pid, since_ns);
	case JOB_OBJECT_MSG_EXIT_PROCESS:
	case JOB_OBJECT_MSG_ABNORMAL_EXIT_PROCESS:
		family_end(family, pid, clock_ns(CLOCK_MONOTONIC));
		return NULL;
	default:
		return NULL;
	}
}

/** In the order in which it happened, also what is over already. */
static struct error *take_messages(struct child_job *job, uint64_t since_ns, struct family *family)
{
	struct error *err = NULL;
	DWORD message;
	ULONG_PTR key;
	OVERLAPPED *about;
	while (!err && job->port && GetQueuedCompletionStatus(job->port, &message, &key, &about, 0))
		err = take_message(message, (uint32_t)(uintptr_t)about, since_ns, family);
	return err;
}

/** What QueryInformationJobObject() fills in. */
struct job_processes {
	DWORD num_assigned, num_listed;
	ULONG_PTR pids[MAX_PROCESSES];
};

/** Those that run: the system does not promise that each message arrives. */
static struct error *take_list(struct child_job *job, uint64_t since_ns, struct family *family)
{
	JOBOBJECT_BASIC_ACCOUNTING_INFORMATION accounts;
	if (!read_accounts(job, &accounts) || accounts.TotalProcesses == job->num_known)
		return NULL;
	job->num_known = accounts.TotalProcesses;
	_cleanup_free_ struct job_processes *processes = calloc(1, sizeof(*processes));
	if (!processes)
		return &error_no_memory;
	// If there are more, it fails, and the first of them are there.
	QueryInformationJobObject(job->handle, JobObjectBasicProcessIdList, processes,
				  sizeof(*processes), NULL);
	struct error *err = NULL;
	for (DWORD i = 0; !err && i < processes->num_listed && i < MAX_PROCESSES; i++)
		err = child_job_add(family, (uint32_t)processes->pids[i], since_ns);
	return err;
}

struct error *child_job_look(struct child_job *job, uint64_t since_ns, struct family *family)
{
	if (!job->has_listened)
		listen_to(job);
	job->has_listened = true;
	struct error *err = take_messages(job, since_ns, family);
	return err ? err : take_list(job, since_ns, family);
}
