/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROGRAM_CHILD_H
#define WPERF_SESSION_PROGRAM_CHILD_H

/**
 * A program that wperf starts, in two steps: child_spawn() creates a process that waits, so that
 * counting can be prepared for it; child_release() lets it exec the program (Linux) or run it from
 * its first instruction (Windows).
 *
 * It is in our process group or on our console, so Ctrl-C reaches both, and it has our standard
 * input and output. The program is searched in PATH as shells do, but never run by a shell: if the
 * system cannot run it, the error says why (session/program/program_refusal.h).
 */

#include "base/error.h"
#include "session/family.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct child_job;

struct child {
	uint32_t pid; /* 0: there is none */
	int pidfd;    /* readable when it has ended: for interrupt_wait() */
	int line; /* while it waits: Linux: a pipe to it; Windows: the handle of its thread. Else -1
		   */
	/* Windows: reports its child processes, as the kernel does on Linux. NULL: the process
	   cannot be in a job, and its children are not reported */
	struct child_job *job;
	const char *program;
	char *path; /* where it was found; NULL: nowhere, or the system searches */

	bool has_ended;
	int exit_code;               /* as in shells: 128 + signal if it was killed */
	int signal;                  /* that killed it, or 0; always 0 on Windows */
	uint64_t user_ns, system_ns; /* of its threads, and of children that it waited for */
};

#define CHILD_INIT                       \
	{                                \
		.pidfd = -1, .line = -1, \
	}

/** Where its standard output goes. */
enum child_output {
	CHILD_OUTPUT_OURS,
	CHILD_OUTPUT_STDERR, /* our standard error, as standard output is for results only */
	CHILD_OUTPUT_NONE, /* nowhere, nor its errors, and it has no input: the terminal is ours */
};

/**
 * Once, by a program that is ours alone: whoever started it may ignore the ends of children
 * (SIGCHLD), which makes the kernel forget them before child_wait(). Windows always remembers them.
 */
void child_keep_ends(void);

/**
 * @argv: ends with NULL; must live until child_release(), as must @environment.
 * @environment: ends with NULL; NULL: ours.
 * @cores: that it may run on; none: the same as wperf.
 */
struct error *child_spawn(char *const *argv, char *const *environment, const unsigned *cores,
			  size_t num_cores, enum child_output output, struct child *ret);

/** Ends a child that still runs; on Windows also the processes that it has started. A child that
 *  was not released never runs the program. */
void child_deinit(struct child *child);

/** Let it run. If the program cannot be run, this returns the error, and the child has ended. */
struct error *child_release(struct child *child);

/** Wait until it has ended. To wait for other things as well, use interrupt_wait() with @pidfd. If
 *  somebody else in this process took its exit code, that is an error, and it has ended. */
struct error *child_wait(struct child *child);

/** Send a signal, unless it has ended; on Windows any signal ends it and its children. */
void child_kill(const struct child *child, int signal);

/**
 * With a job: add the processes to @family that it has started since the last call, which was at
 * @since_ns, and the ends of processes, even if they have begun and ended in between. The first
 * call must be before child_release(); after it, call this regularly, as the system queues reports.
 */
struct error *child_look(struct child *child, uint64_t since_ns, struct family *family);

#endif
