// SPDX-License-Identifier: Apache-2.0

#include "source/watched_program.h"

#include "base/cleanup.h"
#include "base/close_handle.h"
#include "base/file_time.h"
#include "process/number_list.h"
#include "process/process_snapshot.h"

#include <stdlib.h>

struct watched_program {
	uint32_t pid;
	HANDLE process;
	uint64_t created;
};

static uint64_t creation_of(HANDLE process)
{
	FILETIME created, ended, kernel, user;
	if (!GetProcessTimes(process, &created, &ended, &kernel, &user))
		return 0;
	return file_time_ticks(created);
}

static HANDLE open_process(uint32_t pid)
{
	return OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
}

struct watched_program *watched_program_open(uint32_t pid)
{
	_cleanup_(close_handle) HANDLE process = open_process(pid);
	struct watched_program *program = process ? calloc(1, sizeof(*program)) : NULL;
	if (!program)
		return NULL;
	program->pid = pid;
	program->created = creation_of(process);
	program->process = take_ptr(process);
	return program;
}

void watched_program_close(struct watched_program *program)
{
	if (!program)
		return;
	close_handle(&program->process);
	free(program);
}

/** It runs one program all its life. */
struct program_look watched_program_look(const struct watched_program *program)
{
	bool is_over = !program || WaitForSingleObject(program->process, 0) == WAIT_OBJECT_0;
	return (struct program_look){.is_over = is_over, .identity = 1};
}

/** Numbers are used again: who began before its parent is somebody else's. */
static bool is_child(const struct watched_program *program, const PROCESSENTRY32W *entry)
{
	if (entry->th32ParentProcessID != program->pid)
		return false;
	_cleanup_(close_handle) HANDLE process = open_process(entry->th32ProcessID);
	return process && creation_of(process) >= program->created;
}

struct error *watched_program_children(const struct watched_program *program, const uint32_t *tids,
				       size_t num_tids, uint32_t **ret, size_t *ret_num)
{
	_cleanup_(number_list_deinit) struct number_list children = NUMBER_LIST_INIT;
	_cleanup_(close_handle) HANDLE snapshot = NULL;
	struct error *err = program ? process_snapshot_take(TH32CS_SNAPPROCESS, &snapshot) : NULL;
	PROCESSENTRY32W entry = {.dwSize = sizeof(entry)};
	for (BOOL more = snapshot && Process32FirstW(snapshot, &entry); !err && more;
	     more = Process32NextW(snapshot, &entry))
		if (is_child(program, &entry))
			err = number_list_add(&children, entry.th32ProcessID);
	if (!err)
		number_list_finish(&children, ret, ret_num);
	return err;
}
