// SPDX-License-Identifier: Apache-2.0

#include "process/process_end_thread.h"

#include "base/cleanup.h"
#include "base/file/close_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The thread reads /proc/PID/stat every few milliseconds, by a descriptor that stays that of this
// process when its ID is reused, and closes its end of a pipe when the process has ended: then the
// other end is ready. If that one is closed first, the thread ends. No other thread of wperf knows
// it: it shares only this struct, takes no signals and uses no state.

enum { PAUSE_MS = 10, MAX_LINE = 1024 };

struct process_end_thread {
	int stat;
	int line;
};

static void process_end_thread_destroyp(struct process_end_thread **thread)
{
	if (!*thread)
		return;
	close_fd(&(*thread)->stat);
	close_fd(&(*thread)->line);
	free(*thread);
	*thread = NULL;
}

/** A zombie has ended unless threads of it still run: fields 3 and 20 of proc_pid_stat(5). */
static bool process_end_thread_sees_end(int stat)
{
	char line[MAX_LINE];
	ssize_t length = pread(stat, line, sizeof(line) - 1, 0);
	if (length <= 0)
		return length == 0 || errno == ESRCH;
	line[length] = '\0';
	// The name before it may have brackets, too.
	const char *behind_name = strrchr(line, ')');
	char letter;
	long num_threads;
	return behind_name &&
	       sscanf(behind_name,
		      ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld",
		      &letter, &num_threads) == 2 &&
	       (letter == 'Z' || letter == 'X') && num_threads <= 1;
}

static void *process_end_thread_main(void *context)
{
	_cleanup_(process_end_thread_destroyp) struct process_end_thread *thread = context;
	// Nothing is asked for: what poll() tells is that nobody reads any more (POLLERR).
	struct pollfd reader = {.fd = thread->line};
	while (!process_end_thread_sees_end(thread->stat))
		if (poll(&reader, 1, PAUSE_MS) > 0)
			break;
	return NULL;
}

/** Returns an errno, 0 if it runs. Signals are for the thread that waits for them. */
static int process_end_thread_run(struct process_end_thread *thread)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_t id;
	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int errnum = pthread_create(&id, &attributes, process_end_thread_main, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return errnum;
}

int process_end_thread_start(uint32_t pid)
{
	_cleanup_(process_end_thread_destroyp) struct process_end_thread *thread =
		malloc(sizeof(*thread));
	if (!thread)
		return -ENOMEM;
	*thread = (struct process_end_thread){.stat = -1, .line = -1};
	char path[64];
	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	thread->stat = open(path, O_RDONLY | O_CLOEXEC);
	if (thread->stat < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	_cleanup_(close_fd) int reader = ends[0];
	thread->line = ends[1];
	int errnum = process_end_thread_run(thread);
	if (errnum)
		return -errnum;
	thread = NULL; // the thread frees it
	return take_fd(&reader);
}
