// SPDX-License-Identifier: Apache-2.0

#include "process/thread/running.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/close_handle.h"
#include "base/text/wide_text.h"
#include "process/loaded_image.h"
#include "process/loader_list.h"
#include "process/process_handle.h"
#include "process/system/kernel_look.h"
#include "process/system/process_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <winternl.h>

// Each process goes through four steps (`steps`): name, threads, program, modules.
// running_look_again() repeats only the last one, with what loader_list.c finds new. A process that
// has just begun has no loader list yet, but its image is mapped: begin_program() reports it, so
// that the first samples have a module. Paths and addresses come from the process's memory, and are
// bounded before use.

enum {
	IMAGE_IN_BLOCK = 0x10, // PEB.ImageBaseAddress
	LARGEST_IMAGE = INT32_MAX,
	NAME_BYTES = 64,
};

struct running_process {
	uint32_t pid;
	bool is_there; /* what has just begun cannot be asked anything yet */
	struct loader_list list;
	size_t step; /* of steps, at hand */
};

struct running {
	struct kernel_look *kernel; /* NULL: it is not wanted */
	bool is_of_all;             /* processes of the system */
	bool looks_again;           /* processes that are not known yet have begun since */
	struct running_process *processes;
	size_t num_processes, cap_processes, next_process;
	/* of the step at hand */
	bool has_begun;
	char name[NAME_BYTES];
	bool was_named;
	uint32_t *tids;
	size_t num_tids, next_tid, next_module;
	/* of the module at hand */
	struct loaded_code code[LOADED_IMAGE_MAX_CODE];
	size_t num_code, next_code;
	char *path;
	uint16_t *wide_path; /* LOADER_LIST_MAX_PATH and a 0 */
};

const bool running_reports_changes = true;

struct error *running_add(struct running *running, uint32_t pid)
{
	for (size_t i = 0; i < running->num_processes; i++)
		if (running->processes[i].pid == pid)
			return NULL;
	struct error *err = array_reserve(&running->processes, &running->cap_processes,
					  running->num_processes + 1);
	if (err)
		return err;
	struct running_process *process = &running->processes[running->num_processes++];
	*process = (struct running_process){.pid = pid};
	return NULL;
}

static void remove_process(struct running *running, struct running_process *process)
{
	loader_list_deinit(&process->list);
	*process = running->processes[--running->num_processes];
}

void running_drop(struct running *running, uint32_t pid)
{
	for (size_t i = running->num_processes; i-- > 0;)
		if (running->processes[i].pid == pid)
			remove_process(running, &running->processes[i]);
	running->next_process = running->num_processes;
}

struct error *running_add_kernel(struct running *running)
{
	struct error *err = running->kernel ? NULL : kernel_look_create(&running->kernel);
	return err ? err : kernel_look_begin(running->kernel);
}

static struct error *add_all(struct running *running)
{
	_cleanup_free_ uint32_t *pids = NULL;
	size_t num_pids = 0;
	struct error *err = process_list(&pids, &num_pids);
	// Those that have ended: their numbers are used again.
	for (size_t i = err ? 0 : running->num_processes; i-- > 0;) {
		bool is_there = false;
		for (size_t k = 0; k < num_pids; k++)
			is_there |= pids[k] == running->processes[i].pid;
		if (!is_there)
			remove_process(running, &running->processes[i]);
	}
	for (size_t i = 0; !err && i < num_pids; i++)
		err = running_add(running, pids[i]);
	return err;
}

struct error *running_open(const uint32_t *pids, size_t num_pids, struct running **ret)
{
	_cleanup_(running_destroyp) struct running *running = calloc(1, sizeof(*running));
	if (!running)
		return &error_no_memory;
	running->wide_path = calloc(LOADER_LIST_MAX_PATH + 1, sizeof(*running->wide_path));
	if (!running->wide_path)
		return &error_no_memory;
	running->is_of_all = num_pids == 0;
	struct error *err = running->is_of_all ? add_all(running) : NULL;
	for (size_t i = 0; !err && i < num_pids; i++)
		err = running_add(running, pids[i]);
	if (err)
		return err;
	*ret = take_ptr(running);
	return NULL;
}

void running_destroy(struct running *running)
{
	if (!running)
		return;
	for (size_t i = 0; i < running->num_processes; i++)
		loader_list_deinit(&running->processes[i].list);
	kernel_look_destroy(running->kernel);
	free(running->processes);
	free(running->tids);
	free(running->path);
	free(running->wide_path);
	free(running);
}

/** GetThreadDescription(), which Windows has since 10. */
typedef HRESULT(WINAPI *describe_thread)(HANDLE thread, wchar_t **ret);

bool running_thread_name(uint32_t pid, uint32_t tid, char *ret, size_t size)
{
	ret[0] = '\0';
	FARPROC found = GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "GetThreadDescription");
	describe_thread describe;
	_Static_assert(sizeof(describe) == sizeof(found), "both are pointers to functions");
	memcpy(&describe, &found, sizeof(describe));
	_cleanup_(close_handle) HANDLE thread =
		OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, tid);
	wchar_t *wide = NULL;
	if (!describe || !thread || GetProcessIdOfThread(thread) != pid ||
	    FAILED(describe(thread, &wide)) || !wide)
		return false;
	_cleanup_free_ char *name = NULL;
	error_destroy(utf8_from_wide(wide, &name));
	LocalFree(wide);
	if (name)
		snprintf(ret, size, "%s", name);
	return ret[0] != '\0';
}

static struct record comm_record(uint32_t pid, uint32_t tid, const char *name)
{
	return (struct record){
		.kind = RECORD_COMM,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = tid,
		.cpu = UINT32_MAX,
		.comm = {.name = name},
	};
}

static struct error *begin_name(struct running *running, struct running_process *process)
{
	_cleanup_(close_handle) HANDLE handle =
		process_handle_try(process->pid, PROCESS_QUERY_LIMITED_INFORMATION);
	_cleanup_free_ char *path = handle ? process_handle_path(handle) : NULL;
	const char *slash = path ? strrchr(path, '\\') : NULL;
	const char *name = slash ? slash + 1 : path;
	snprintf(running->name, sizeof(running->name), "%s", name ? name : "");
	running->was_named = false;
	process->is_there = running->name[0];
	return NULL;
}

/** A process has no thread of its own number: under that it is called like its program. */
static bool running_next_name(struct running *running, struct running_process *process,
			      struct record *ret)
{
	if (running->was_named || !running->name[0])
		return false;
	running->was_named = true;
	*ret = comm_record(process->pid, process->pid, running->name);
	ret->comm.is_exec = running->looks_again;
	return true;
}

static struct error *begin_threads(struct running *running, struct running_process *process)
{
	free(running->tids);
	running->tids = NULL;
	running->num_tids = running->next_tid = 0;
	// One that has ended meanwhile has no threads.
	error_destroy(process_list_threads(process->pid, &running->tids, &running->num_tids));
	return NULL;
}

static bool next_thread(struct running *running, struct running_process *process,
			struct record *ret)
{
	while (running->next_tid < running->num_tids) {
		uint32_t tid = running->tids[running->next_tid++];
		if (!running_thread_name(process->pid, tid, running->name, sizeof(running->name)))
			continue;
		*ret = comm_record(process->pid, tid, running->name);
		return true;
	}
	return false;
}

/** @path: is taken over. Without one there is nothing to tell. */
static void begin_image(struct running *running, const struct running_process *process,
			uint64_t base, uint32_t size, char *path)
{
	free(running->path);
	running->path = path;
	running->next_code = running->num_code = 0;
	if (path)
		running->num_code =
			loaded_image_code(&process->list.memory, base, size, running->code);
}

static void find_list(struct running_process *process)
{
	if (process->list.block)
		return;
	_cleanup_(close_handle) HANDLE handle =
		process_handle_try(process->pid, PROCESS_QUERY_LIMITED_INFORMATION);
	PROCESS_BASIC_INFORMATION facts;
	bool is_known = handle && NtQueryInformationProcess(handle, ProcessBasicInformation, &facts,
							    sizeof(facts), NULL) == 0;
	// 0: it cannot be had.
	uint64_t block = is_known ? (uint64_t)(uintptr_t)facts.PebBaseAddress : 0;
	loader_list_init(&process->list, process_memory_of(process->pid), block);
}

/** Before its loader has run there is no list of modules, but the program is there. */
static struct error *begin_program(struct running *running, struct running_process *process)
{
	uint64_t base;
	_cleanup_(close_handle) HANDLE handle =
		process_handle_try(process->pid, PROCESS_QUERY_LIMITED_INFORMATION);
	find_list(process);
	begin_image(running, process, 0, 0, NULL);
	if (handle && !loader_list_is_there(&process->list) &&
	    process_memory_read_pointer(&process->list.memory, process->list.block + IMAGE_IN_BLOCK,
					&base))
		begin_image(running, process, base, LARGEST_IMAGE, process_handle_path(handle));
	return NULL;
}

static bool next_code(struct running *running, struct running_process *process, struct record *ret)
{
	if (running->next_code == running->num_code)
		return false;
	const struct loaded_code *code = &running->code[running->next_code++];
	*ret = (struct record){
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = process->pid,
		.tid = process->pid,
		.cpu = UINT32_MAX,
		.map = {.start = code->start,
			.length = code->length,
			.file_offset = code->file_offset,
			.path = running->path,
			.is_executable = true},
	};
	return true;
}

static struct error *begin_modules(struct running *running, struct running_process *process)
{
	bool is_changed;
	find_list(process);
	begin_image(running, process, 0, 0, NULL);
	struct error *err = loader_list_look(&process->list, &is_changed);
	running->next_module = is_changed ? 0 : process->list.num_modules;
	return err;
}

static bool next_module(struct running *running, struct running_process *process,
			struct record *ret)
{
	while (!next_code(running, process, ret)) {
		if (running->next_module == process->list.num_modules)
			return false;
		const struct loader_module *module = &process->list.modules[running->next_module++];
		if (!module->is_new)
			continue;
		char *path = NULL;
		if (loader_list_path(&process->list, module, running->wide_path)) {
			running->wide_path[module->path_length] = 0;
			error_destroy(utf8_from_wide((const wchar_t *)running->wide_path, &path));
		}
		begin_image(running, process, module->base, module->size, path);
	}
	return true;
}

/** What is told of a process, one after the other. */
static const struct {
	struct error *(*begin)(struct running *running, struct running_process *process);
	bool (*next)(struct running *running, struct running_process *process, struct record *ret);
} steps[] = {
	{begin_name, running_next_name},
	{begin_threads, next_thread},
	{begin_program, next_code},
	{begin_modules, next_module},
};

struct error *running_look_again(struct running *running)
{
	for (size_t i = 0; i < running->num_processes; i++)
		// All steps are done: the last one, modules, begins again.
		if (running->processes[i].step == ARRAY_SIZE(steps))
			running->processes[i].step--;
	running->next_process = 0;
	running->looks_again = true;
	struct error *err = running->is_of_all ? add_all(running) : NULL;
	return err || !running->kernel ? err : kernel_look_begin(running->kernel);
}

static struct error *step_process(struct running *running, struct running_process *process,
				  struct record *ret, bool *ret_more)
{
	while (process->step < ARRAY_SIZE(steps)) {
		struct error *err =
			running->has_begun ? NULL : steps[process->step].begin(running, process);
		if (err)
			return err;
		running->has_begun = true;
		*ret_more = steps[process->step].next(running, process, ret);
		if (*ret_more)
			return NULL;
		running->has_begun = false;
		if (!process->is_there)
			return NULL; // all else at the next look
		process->step++;
	}
	return NULL;
}

struct error *running_next(struct running *running, struct record *ret, bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = false;
	if (running->kernel)
		err = kernel_look_next(running->kernel, ret, ret_more);
	while (!err && !*ret_more && running->next_process < running->num_processes) {
		struct running_process *process = &running->processes[running->next_process];
		err = step_process(running, process, ret, ret_more);
		running->next_process += !*ret_more;
	}
	return err;
}
