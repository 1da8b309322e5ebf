// SPDX-License-Identifier: Apache-2.0

#include "source/timer/task_look.h"

#include "base/file/close_fd.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The formats are those of proc(5): field 3 of stat is the state, field 28 the start of the stack,
// which changes with each exec and therefore identifies the program. A thread's name is in
// parentheses and may itself contain parentheses and blanks, so that fields are counted from the
// last ')'. schedstat has the time on a core, the time on the run queue and how often the thread
// was given a core. The files stay open and are read with pread(), which makes a new text each
// time: opening them by path at each look would cost several times as much.

bool task_look_parse(const char *line, struct task_look *ret)
{
	enum { STATE = 3, START_STACK = 28 };  // as proc(5) counts them
	const char *word = strrchr(line, ')'); // the name may have anything in it
	if (!word || word[1] != ' ' || !word[2])
		return false;
	char state = word[2];
	// Fields are apart by single blanks.
	for (int field = STATE - 1; word && field < START_STACK; field++)
		word = strchr(word + 1, ' ');
	uint64_t start_stack;
	if (!word || sscanf(word, " %" SCNu64, &start_stack) != 1)
		return false;
	*ret = (struct task_look){
		.is_running = state == 'R',
		.is_over = state == 'Z' || state == 'X',
		.start_stack = start_stack,
	};
	return true;
}

static bool task_look_find_number(const char *text, const char *name, uint64_t *ret)
{
	const char *place = strstr(text, name);
	return place && sscanf(place + strlen(name), " %" SCNu64, ret) == 1;
}

// It has a core if it was given one (pcount of schedstat) more often than it was taken from it.
bool task_clock_parse(const char *times, const char *status, struct task_clock *ret)
{
	struct task_clock clock = {0}; // Windows tells more
	uint64_t num_left, num_taken;
	if (sscanf(times, "%" SCNu64 " %" SCNu64 " %" SCNu64, &clock.time_ns, &clock.delay_ns,
		   &clock.num_given) != 3)
		return false;
	bool is_known = task_look_find_number(status, "\nvoluntary_ctxt_switches:", &num_left) &&
			task_look_find_number(status, "\nnonvoluntary_ctxt_switches:", &num_taken);
	clock.has_core = !is_known || clock.num_given != num_left + num_taken;
	*ret = clock;
	return true;
}

static int task_look_open_file(uint32_t pid, uint32_t tid, const char *name)
{
	char path[80];
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/%s", pid, tid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

void task_files_close(struct task_files *files)
{
	close_fd(&files->stat_fd);
	close_fd(&files->clock_fd);
	close_fd(&files->status_fd);
	*files = (struct task_files)TASK_FILES_INIT;
}

bool task_files_open(uint32_t pid, uint32_t tid, struct task_files *ret)
{
	struct task_files files = {
		.stat_fd = task_look_open_file(pid, tid, "stat"),
		.clock_fd = task_look_open_file(pid, tid, "schedstat"),
		.status_fd = task_look_open_file(pid, tid, "status"),
	};
	if (files.stat_fd < 0 || files.clock_fd < 0 || files.status_fd < 0) {
		task_files_close(&files);
		return false;
	}
	*ret = files;
	return true;
}

static bool task_look_read_line(int fd, char *line, size_t size)
{
	ssize_t length = pread(fd, line, size - 1, 0);
	line[length > 0 ? length : 0] = '\0';
	return length > 0;
}

bool task_files_look(const struct task_files *files, struct task_look *ret)
{
	char line[1024];
	return task_look_read_line(files->stat_fd, line, sizeof(line)) &&
	       task_look_parse(line, ret);
}

bool task_files_clock(const struct task_files *files, struct task_clock *ret)
{
	char times[96], status[4096];
	return task_look_read_line(files->clock_fd, times, sizeof(times)) &&
	       task_look_read_line(files->status_fd, status, sizeof(status)) &&
	       task_clock_parse(times, status, ret);
}
