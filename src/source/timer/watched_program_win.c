// SPDX-License-Identifier: Apache-2.0

#include "source/timer/watched_program.h"

#include "base/cleanup.h"
#include "base/os/close_handle.h"
#include "process/process_handle.h"
#include "process/process_origin.h"
#include "process/system/number_list.h"

#include <stdlib.h>

// A process is its handle: while it is open, Windows does not give the number to another one.
// Children are found in the list of all processes, as Windows keeps no list of children; a program
// never becomes another one (there is no exec), so its identity is constant.

struct watched_program {
	uint32_t pid;
	HANDLE process;
	uint64_t birth_ns;
};

static HANDLE watched_program_open_process(uint32_t pid)
{
	return OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
}

struct watched_program *watched_program_open(uint32_t pid)
{
	_cleanup_(close_handle) HANDLE process = watched_program_open_process(pid);
	struct watched_program *program = process ? calloc(1, sizeof(*program)) : NULL;
	if (!program)
		return NULL;
	program->pid = pid;
	program->birth_ns = process_handle_birth_ns(process);
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

struct error *watched_program_children(const struct watched_program *program, const uint32_t *tids,
				       size_t num_tids, uint32_t **ret, size_t *ret_num)
{
	_cleanup_free_ struct process_origin *origins = NULL;
	_cleanup_(number_list_deinit) struct number_list children = NUMBER_LIST_INIT;
	size_t num = 0;
	struct error *err = program ? process_origin_list(&origins, &num) : NULL;
	for (size_t i = 0; !err && i < num; i++) {
		const struct process_origin *origin = &origins[i];
		// Numbers are used again: who began before its parent is somebody else's.
		if (origin->parent != program->pid || origin->birth_ns < program->birth_ns)
			continue;
		_cleanup_(close_handle) HANDLE process = watched_program_open_process(origin->pid);
		// Who may not be looked at is left out.
		if (process)
			err = number_list_add(&children, origin->pid);
	}
	if (!err)
		number_list_finish(&children, ret, ret_num);
	return err;
}
