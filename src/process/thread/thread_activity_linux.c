// SPDX-License-Identifier: Apache-2.0

#include "process/thread/thread_activity.h"

#include "base/file/first_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

// Field 3 of /proc/PID/task/TID/stat is the state. /proc/PID/task/TID/syscall has the number and
// arguments of the system call in which a thread sleeps: for futex(2) the first argument is the
// address of the lock that it waits for.

static void thread_activity_read_line(uint32_t pid, uint32_t tid, const char *name, char *ret,
				      int size)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%u/task/%u/%s", pid, tid, name);
	first_line_read(path, ret, size);
}

static enum thread_state state_of_letter(char letter)
{
	static const struct {
		char letter;
		enum thread_state state;
	} states[] = {
		// 'I' is an idle thread of the kernel; zombies ('Z', 'X') are not known.
		{'R', THREAD_RUNS},       {'S', THREAD_SLEEPS},     {'D', THREAD_WAITS_FOR_DISK},
		{'T', THREAD_IS_STOPPED}, {'t', THREAD_IS_STOPPED}, {'I', THREAD_SLEEPS},
	};
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (states[i].letter == letter)
			return states[i].state;
	return THREAD_UNKNOWN;
}

struct thread_activity thread_activity_read(uint32_t pid, uint32_t tid)
{
	struct thread_activity activity = {.state = THREAD_UNKNOWN};
	char line[512];
	thread_activity_read_line(pid, tid, "stat", line, sizeof(line));
	// The name before it may have brackets, too.
	const char *behind_name = strrchr(line, ')');
	if (behind_name && behind_name[1] == ' ')
		activity.state = state_of_letter(behind_name[2]);
	if (activity.state != THREAD_SLEEPS)
		return activity;
	// "202 0x7f... ...": the number of a system call and its arguments.
	long number;
	uint64_t address;
	thread_activity_read_line(pid, tid, "syscall", line, sizeof(line));
	if (sscanf(line, "%ld 0x%" SCNx64, &number, &address) == 2 && number == SYS_futex)
		activity.lock = address;
	return activity;
}
