// SPDX-License-Identifier: Apache-2.0

#include "process/thread/task_number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// In a container, a thread has a number in each namespace of processes from ours to its own. NSpid
// of /proc/PID/task/TID/status lists them from the outside in (proc(5), since Linux 4.1); files
// that a program writes have the innermost one.

/** Numbers from our namespace to the innermost one. @ret: the last; as it was if there is none. */
static int task_number_read_numbers(uint32_t pid, uint32_t tid, uint32_t *ret)
{
	char path[80], line[512];
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/status", pid, tid);
	FILE *file = fopen(path, "re");
	int num = 0;
	while (file && !num && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "NSpid:", strlen("NSpid:")) != 0)
			continue;
		char *rest = line;
		for (const char *word = strtok_r(line + strlen("NSpid:"), " \t\n", &rest); word;
		     word = strtok_r(NULL, " \t\n", &rest))
			num += sscanf(word, "%" SCNu32, ret) == 1;
	}
	if (file)
		fclose(file);
	return num;
}

bool task_number_is_hidden(uint32_t pid)
{
	uint32_t inside = pid;
	return task_number_read_numbers(pid, pid, &inside) > 1;
}

uint32_t task_number_inside(uint32_t pid, uint32_t tid)
{
	uint32_t inside = tid;
	task_number_read_numbers(pid, tid, &inside);
	return inside;
}
