// SPDX-License-Identifier: Apache-2.0

#include "session/program/child.h"

#include "base/container/array.h"
#include "base/file/file_time.h"
#include "base/os/close_handle.h"
#include "base/os/handle_number.h"
#include "base/os/win_error.h"
#include "base/text/wide_text.h"
#include "process/system/core_groups.h"
#include "session/program/child_job.h"
#include "session/program/program_line.h"
#include "session/program/program_refusal.h"

#include <stdlib.h>
#include <windows.h>

// CreateProcessW() with CREATE_SUSPENDED gives a process whose first thread has not run;
// child_release() resumes it. Between both, the process is put into a job (child_job_win.c), which
// contains what it starts, and bound to cores. Windows has groups of up to 64 cores: the group of a
// process is that of its first thread, which is set by an attribute at its creation; several groups
// can be set by a job only.

enum {
	EXIT_KILLED = 128,
	SIGNAL_KILL = 9,
	MAX_GROUPS = 64,
	ELEVATION_REQUIRED = 740, // which not all headers have
};

static unsigned number_of_cores(void)
{
	SYSTEM_INFO info;
	GetSystemInfo(&info);
	return info.dwNumberOfProcessors;
}

static struct error *split_cores(const unsigned *cores, size_t num_cores,
				 struct core_group groups[MAX_GROUPS], size_t *ret_num)
{
	unsigned sizes[MAX_GROUPS];
	WORD num_groups = GetActiveProcessorGroupCount();
	if (num_groups > MAX_GROUPS)
		num_groups = MAX_GROUPS;
	for (WORD i = 0; i < num_groups; i++)
		sizes[i] = GetActiveProcessorCount(i);
	if (!num_groups) { // a system that knows nothing of them
		num_groups = 1;
		sizes[0] = number_of_cores();
	}
	_cleanup_(error_destroyp) struct error *absent =
		core_groups_split(cores, num_cores, sizes, num_groups, groups, ret_num);
	return absent ? error_create(ERROR_FAILED, "Error setting affinity\n%s", absent->message)
		      : NULL;
}

static GROUP_AFFINITY to_affinity(const struct core_group *group)
{
	return (GROUP_AFFINITY){.Mask = (KAFFINITY)group->mask, .Group = group->number};
}

/** Which attributes a process gets before it is one. */
struct attributes {
	LPPROC_THREAD_ATTRIBUTE_LIST list; /* NULL: none */
	GROUP_AFFINITY affinity;
};

static void attributes_deinit(struct attributes *attributes)
{
	if (attributes->list)
		DeleteProcThreadAttributeList(attributes->list);
	free(attributes->list);
}

/** The group of cores that it belongs to is the one of its first thread. */
static struct error *attributes_init(struct attributes *attributes, const struct core_group *group)
{
	// The first call always fails: it only says how large the list has to be.
	SIZE_T size = 0;
	InitializeProcThreadAttributeList(NULL, 1, 0, &size);
	LPPROC_THREAD_ATTRIBUTE_LIST list = calloc(1, size);
	if (!list)
		return &error_no_memory;
	if (!InitializeProcThreadAttributeList(list, 1, 0, &size)) {
		free(list);
		return win_error(GetLastError(), "Error setting affinity");
	}
	attributes->list = list;
	attributes->affinity = to_affinity(group);
	if (UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_GROUP_AFFINITY,
				      &attributes->affinity, sizeof(attributes->affinity), NULL,
				      NULL))
		return NULL;
	return win_error(GetLastError(), "Error setting affinity");
}

/** The hint is what the file says of itself, if it does. */
static struct error *child_explain(const struct program_line *line, struct error *err)
{
	char *path = NULL;
	struct program_refusal refusal;
	struct error *path_err = utf8_from_wide(line->path, &path);
	_cleanup_free_ char *text = path;
	if (!path_err && program_refusal_find(path, true, &refusal))
		return error_with_hint(err, "%s: %s", refusal.reason, refusal.hint);
	error_destroy(path_err);
	return err;
}

static struct error *not_created(const struct program_line *line, const char *program, DWORD code)
{
	static const struct {
		DWORD code;
		const char *hint;
	} hints[] = {
		{ERROR_ACCESS_DENIED, "you need the right to execute it"},
		{ERROR_BAD_EXE_FORMAT, "it is not a program for this machine"},
		{ERROR_EXE_MACHINE_TYPE_MISMATCH, "it is not a program for this machine"},
		{ELEVATION_REQUIRED, "it needs administrator rights: start wperf from a console "
				     "opened with \"Run as administrator\""},
	};
	struct error *err =
		win_error(code, "CreateProcess failed (0x%lx).\ncannot run '%s'", code, program);
	for (size_t i = 0; i < ARRAY_SIZE(hints); i++)
		if (hints[i].code == code)
			err = error_with_hint(err, "%s", hints[i].hint);
	bool is_foreign = code == ERROR_BAD_EXE_FORMAT || code == ERROR_EXE_MACHINE_TYPE_MISMATCH;
	return is_foreign ? child_explain(line, err) : err;
}

/** Our standard handles, named one by one, as output may go to our standard error, or none. */
static STARTUPINFOEXW start_info(const struct attributes *attributes, enum child_output output)
{
	DWORD out = output == CHILD_OUTPUT_STDERR ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE;
	STARTUPINFOEXW start = {
		.StartupInfo = {.cb = sizeof(STARTUPINFOEXW), .dwFlags = STARTF_USESTDHANDLES},
		.lpAttributeList = attributes->list,
	};
	if (output == CHILD_OUTPUT_NONE)
		return start;
	start.StartupInfo.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
	start.StartupInfo.hStdOutput = GetStdHandle(out);
	start.StartupInfo.hStdError = GetStdHandle(STD_ERROR_HANDLE);
	return start;
}

static struct error *create_process(const struct program_line *line,
				    const struct attributes *attributes, enum child_output output,
				    struct child *child)
{
	STARTUPINFOEXW start = start_info(attributes, output);
	PROCESS_INFORMATION info;
	// The path is given beside the text: in the text alone Windows would search, and try the
	// words of "C:\Program Files\x" one after the other.
	if (!CreateProcessW(line->path, line->text, NULL, NULL, TRUE,
			    CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
			    &start.StartupInfo, &info))
		return not_created(line, child->program, GetLastError());
	child->pid = info.dwProcessId;
	child->pidfd = number_of_handle(info.hProcess);
	child->line = number_of_handle(info.hThread);
	return NULL;
}

/** Cores of several groups are a matter of jobs. */
static bool pin_to_groups(const struct child *child, const struct core_group *groups,
			  size_t num_groups)
{
	GROUP_AFFINITY affinities[MAX_GROUPS];
	for (size_t i = 0; i < num_groups; i++)
		affinities[i] = to_affinity(&groups[i]);
	return child->job &&
	       SetInformationJobObject(child->job->handle, JobObjectGroupInformationEx, affinities,
				       (DWORD)(num_groups * sizeof(*affinities)));
}

static struct error *not_pinned(const struct child *child, const struct core_group *group)
{
	DWORD code = GetLastError();
	struct error *err =
		code == ERROR_INVALID_PARAMETER
			? error_create(ERROR_FAILED,
				       "Affinity mask is not a subset of group's %u affinity mask",
				       group->number)
			: win_error(code, "Error setting affinity\ncannot run '%s' on these cores",
				    child->program);
	return error_with_hint(
		err, "these cores may be offline or not allowed here, as in a container or a job");
}

/** All threads that it will have, and all that it starts, run there. */
static struct error *child_pin(const struct child *child, const struct core_group *groups,
			       size_t num_groups)
{
	bool is_pinned = num_groups == 1 ? SetProcessAffinityMask(handle_of_number(child->pidfd),
								  groups[0].mask)
					 : pin_to_groups(child, groups, num_groups);
	return is_pinned ? NULL : not_pinned(child, &groups[0]);
}

void child_keep_ends(void)
{
}

// No source of Windows needs another environment.
struct error *child_spawn(char *const *argv, char *const *environment, const unsigned *cores,
			  size_t num_cores, enum child_output output, struct child *ret)
{
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	_cleanup_(program_line_deinit) struct program_line line = {0};
	_cleanup_(attributes_deinit) struct attributes attributes = {0};
	struct core_group groups[MAX_GROUPS];
	size_t num_groups = 0;
	child.program = argv[0];
	struct error *err = program_line_init(&line, argv);
	if (!err && num_cores)
		err = split_cores(cores, num_cores, groups, &num_groups);
	if (!err && num_groups && GetActiveProcessorGroupCount() > 1)
		err = attributes_init(&attributes, &groups[0]);
	if (!err)
		err = create_process(&line, &attributes, output, &child);
	if (err)
		return err;
	// Its thread is still suspended, so it has not started anything outside of the job.
	child.job = child_job_create(handle_of_number(child.pidfd));
	if (num_groups)
		err = child_pin(&child, groups, num_groups);
	if (err)
		return err;
	*ret = child;
	child = (struct child)CHILD_INIT;
	return NULL;
}

static void close_number(int *number)
{
	HANDLE handle = handle_of_number(*number);
	close_handle(&handle);
	*number = -1;
}

struct error *child_release(struct child *child)
{
	bool is_running = ResumeThread(handle_of_number(child->line)) != (DWORD)-1;
	DWORD code = GetLastError();
	close_number(&child->line);
	return is_running ? NULL : win_error(code, "cannot run '%s'", child->program);
}

/** Of the program; and of all that it has started, where the job knows. */
static void take_times(struct child *child)
{
	FILETIME created, ended, kernel, user;
	uint64_t user_ns, system_ns;
	if (GetProcessTimes(handle_of_number(child->pidfd), &created, &ended, &kernel, &user)) {
		child->user_ns = file_time_ns(user);
		child->system_ns = file_time_ns(kernel);
	}
	if (!child->job || !child_job_times(child->job, &user_ns, &system_ns) ||
	    user_ns + system_ns < child->user_ns + child->system_ns)
		return;
	child->user_ns = user_ns;
	child->system_ns = system_ns;
}

struct error *child_wait(struct child *child)
{
	if (child->has_ended || !child->pid) // -1 would be ourselves
		return NULL;
	HANDLE process = handle_of_number(child->pidfd);
	DWORD exit_code;
	if (WaitForSingleObject(process, INFINITE) != WAIT_OBJECT_0 ||
	    !GetExitCodeProcess(process, &exit_code))
		return win_error(GetLastError(), "cannot wait for '%s'", child->program);
	child->has_ended = true;
	child->exit_code = (int)exit_code;
	take_times(child);
	return NULL;
}

void child_kill(const struct child *child, int signal)
{
	UINT exit_code = EXIT_KILLED + (UINT)signal;
	if (!child->pid || child->has_ended)
		return;
	if (child->job)
		TerminateJobObject(child->job->handle, exit_code);
	TerminateProcess(handle_of_number(child->pidfd), exit_code);
}

struct error *child_look(struct child *child, uint64_t since_ns, struct family *family)
{
	return child_job_look(child->job, since_ns, family);
}

// There is no asking on Windows that all programs would hear.
static void child_end(struct child *child)
{
	child_kill(child, SIGNAL_KILL);
	error_destroy(child_wait(child));
}

void child_deinit(struct child *child)
{
	if (child->pid && !child->has_ended)
		child_end(child);
	close_number(&child->line);
	close_number(&child->pidfd);
	child_job_destroy(child->job);
	*child = (struct child)CHILD_INIT;
}
