// SPDX-License-Identifier: Apache-2.0

#include "session/program/child.h"

#include "base/file/close_fd.h"
#include "base/file/file_path.h"
#include "base/os/interrupt.h"
#include "process/process_watch.h"
#include "session/program/program_path.h"
#include "session/program/program_refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// fork() gives a process that waits in recv() on a socket pair, so that its events can be opened
// before it runs; child_release() sends one byte, and the process calls execve(). The socket is
// closed by a successful exec (SOCK_CLOEXEC), which the parent sees as its end; a failed exec sends
// errno instead. So the parent knows for certain whether the program runs, without polling. If
// wperf dies first, recv() returns 0 and the process exits.
//
// The end is awaited by a descriptor (process_watch.h), which poll() can wait for together with the
// rings, and which cannot mean another process that has the same pid later.

enum {
	EXIT_NOT_RUN = 127, /* as shells have it */
	EXIT_KILLED = 128,
	GRACE_MS = 1000, /* to end when asked to */
	NS_PER_US = 1000,
	US_PER_S = 1000000,
};

/** In the new process. If the parent goes away before it says go, there is nothing to run for. */
static void __attribute__((noreturn))
become_program(const char *path, char *const *argv, char *const *environment, int line)
{
	char go;
	if (recv(line, &go, sizeof(go), 0) == sizeof(go)) {
		execve(path, argv, environment ? environment : environ);
		int errnum = errno;
		send(line, &errnum, sizeof(errnum), MSG_NOSIGNAL);
	}
	_exit(EXIT_NOT_RUN);
}

static struct error *cannot_start(const char *program, int errnum)
{
	return error_create_errno(errnum, "cannot start a process for '%s'", program);
}

void child_keep_ends(void)
{
	signal(SIGCHLD, SIG_DFL);
}

/** In the child. */
static void child_redirect(enum child_output output)
{
	if (output == CHILD_OUTPUT_STDERR)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	int nowhere = output == CHILD_OUTPUT_NONE ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
	for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(nowhere, fd);
}

static struct error *fork_child(char *const *argv, char *const *environment,
				enum child_output output, struct child *child)
{
	int lines[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines))
		return cannot_start(argv[0], errno);
	pid_t pid = fork();
	if (pid == 0) {
		// exec resets handlers, but signals that are ignored stay so (execve(2)). The
		// program inherits what our caller ignores, as with nohup.
		interrupt_forked();
		close(lines[0]);
		child_redirect(output);
		// A name that no folder of PATH has is no program, though the current folder may
		// have it: "" is nowhere.
		const char *asked = strchr(argv[0], '/') ? argv[0] : "";
		become_program(child->path ? child->path : asked, argv, environment, lines[1]);
	}
	int errnum = errno;
	close(lines[1]);
	child->line = lines[0];
	if (pid < 0)
		return cannot_start(argv[0], errnum);
	child->pid = pid;
	interrupt_set_program(pid);
	return NULL;
}

static bool may_run(const char *path)
{
	return access(path, X_OK) == 0 && file_path_kind(path) == FILE_PATH_FILE;
}

/** Sets of the heap, as a cpu_set_t of the stack ends at 1,024 CPUs (CPU_SET(3)). */
static void free_cpu_set(cpu_set_t **set)
{
	CPU_FREE(*set);
}

/** @cores: ascending. */
static struct error *child_pin(const struct child *child, const unsigned *cores, size_t num_cores)
{
	size_t num_cpus = (size_t)cores[num_cores - 1] + 1;
	_cleanup_(free_cpu_set) cpu_set_t *set = CPU_ALLOC(num_cpus);
	if (!set)
		return &error_no_memory;
	size_t size = CPU_ALLOC_SIZE(num_cpus);
	CPU_ZERO_S(size, set);
	for (size_t i = 0; i < num_cores; i++)
		CPU_SET_S(cores[i], size, set);
	if (sched_setaffinity(child->pid, size, set) == 0)
		return NULL;
	struct error *err =
		error_create_errno(errno, "cannot run '%s' on core %u%s", child->program, cores[0],
				   num_cores > 1 ? " and the others" : "");
	return error_with_hint(err, "these cores may be offline or not allowed here: see "
				    "Cpus_allowed_list in /proc/self/status");
}

struct error *child_spawn(char *const *argv, char *const *environment, const unsigned *cores,
			  size_t num_cores, enum child_output output, struct child *ret)
{
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	child.program = argv[0];
	struct error *err = program_path_find(argv[0], &child.path);
	if (!err)
		err = fork_child(argv, environment, output, &child);
	if (!err)
		err = process_watch_open((uint32_t)child.pid, &child.pidfd);
	if (!err && num_cores)
		err = child_pin(&child, cores, num_cores);
	if (err)
		return err;
	*ret = child;
	child = (struct child)CHILD_INIT;
	return NULL;
}

static struct error *not_run(struct child *child, int errnum)
{
	struct error *err = child_wait(child);
	if (err)
		return err;
	struct program_refusal refusal;
	bool is_denied = errnum == EACCES;
	if (child->path &&
	    program_refusal_find(child->path, !is_denied || may_run(child->path), &refusal))
		return error_with_hint(error_create(ERROR_FAILED, "cannot run '%s': %s",
						    child->program, refusal.reason),
				       "%s", refusal.hint);
	err = error_create_errno(errnum, "cannot run '%s'", child->program);
	if (errnum == ENOENT)
		return error_with_hint(err,
				       "give the path of a program, or the name of one in PATH");
	return is_denied
		       ? error_with_hint(err,
					 "a folder above it, or a noexec mount, forbids to run it")
		       : err;
}

struct error *child_release(struct child *child)
{
	_cleanup_(close_fd) int line = child->line;
	child->line = -1;
	// A child that was killed meanwhile does not hear us; waiting for it will tell.
	send(line, &(char){1}, 1, MSG_NOSIGNAL);
	int errnum;
	ssize_t length;
	do {
		length = recv(line, &errnum, sizeof(errnum), MSG_WAITALL);
	} while (length < 0 && errno == EINTR);
	// Its end of the line closes when it becomes the program.
	return length == sizeof(errnum) ? not_run(child, errnum) : NULL;
}

/** Its exit code went to somebody else, or to nobody. */
static struct error *child_lose(const struct child *child, int errnum)
{
	struct error *err = error_create_errno(errnum, "cannot wait for '%s'", child->program);
	if (errnum != ECHILD)
		return err;
	return error_with_hint(err, "this process must neither ignore SIGCHLD nor wait for "
				    "children that it has not started itself");
}

static uint64_t to_ns(const struct timeval *time)
{
	return ((uint64_t)time->tv_sec * US_PER_S + (uint64_t)time->tv_usec) * NS_PER_US;
}

struct error *child_wait(struct child *child)
{
	if (child->has_ended)
		return NULL;
	int status;
	struct rusage usage;
	pid_t pid;
	do {
		// Its times include those of all descendants that were waited for (getrusage(2)).
		pid = wait4(child->pid, &status, 0, &usage);
	} while (pid < 0 && errno == EINTR);
	int errnum = errno;
	child->has_ended = pid > 0 || errnum == ECHILD;
	if (child->has_ended)
		interrupt_set_program(0);
	if (pid < 0)
		return child_lose(child, errnum);
	child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	child->exit_code = child->signal ? EXIT_KILLED + child->signal : WEXITSTATUS(status);
	child->user_ns = to_ns(&usage.ru_utime);
	child->system_ns = to_ns(&usage.ru_stime);
	return NULL;
}

void child_kill(const struct child *child, int signal)
{
	// Where somebody else has waited for it, its number may be that of another process.
	siginfo_t info;
	if (child->pid && !child->has_ended &&
	    waitid(P_PID, child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		kill((pid_t)child->pid, signal);
}

struct error *child_look(struct child *child, uint64_t since_ns, struct family *family)
{
	return NULL;
}

/** Asks first: the program may have something to clean up. */
static void child_end(struct child *child)
{
	if (child->line < 0) {
		child_kill(child, SIGTERM);
		struct pollfd fd = {.fd = child->pidfd, .events = POLLIN};
		poll(&fd, 1, GRACE_MS);
	}
	child_kill(child, SIGKILL);
	error_destroy(child_wait(child));
}

void child_deinit(struct child *child)
{
	if (child->pid && !child->has_ended)
		child_end(child);
	close_fd(&child->line);
	close_fd(&child->pidfd);
	free(child->path);
	*child = (struct child)CHILD_INIT;
}
