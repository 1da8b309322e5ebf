// SPDX-License-Identifier: Apache-2.0

#include "source/timer/watched_program.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "source/timer/task_look.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// A process is represented by its first thread, whose files stay open. Children are read from
// /proc/PID/task/TID/children of every thread (CONFIG_PROC_CHILDREN), which is far cheaper than
// listing all processes.

/** Its first thread stands for it, which may end before the others do. */
struct watched_program {
	uint32_t pid;
	struct task_files files;
};

struct watched_program *watched_program_open(uint32_t pid)
{
	struct watched_program *program = calloc(1, sizeof(*program));
	if (!program)
		return NULL;
	program->pid = pid;
	if (!task_files_open(pid, pid, &program->files)) {
		free(program);
		return NULL;
	}
	return program;
}

void watched_program_close(struct watched_program *program)
{
	if (!program)
		return;
	task_files_close(&program->files);
	free(program);
}

struct program_look watched_program_look(const struct watched_program *program)
{
	struct task_look look;
	if (!program || !task_files_look(&program->files, &look))
		return (struct program_look){.is_over = true};
	return (struct program_look){.is_over = look.is_over, .identity = look.start_stack};
}

struct error *watched_program_children(const struct watched_program *program, const uint32_t *tids,
				       size_t num_tids, uint32_t **ret, size_t *ret_num)
{
	_cleanup_free_ uint32_t *children = NULL;
	size_t num = 0, room = 0;
	struct error *err = NULL;
	// Children are those of the thread that started them.
	for (size_t i = 0; !err && program && i < num_tids; i++) {
		char path[80];
		snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/children",
			 program->pid, tids[i]);
		FILE *file = fopen(path, "re");
		uint32_t child;
		while (file && !err && fscanf(file, "%" SCNu32, &child) == 1) {
			err = array_reserve(&children, &room, num + 1);
			if (!err)
				children[num++] = child;
		}
		if (file)
			fclose(file);
	}
	if (err)
		return err;
	*ret = take_ptr(children);
	*ret_num = num;
	return NULL;
}
