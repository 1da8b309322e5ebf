/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_CHILD_H
#define WPERF_SESSION_CHILD_H

/**
 * The program that is to be profiled, started in two steps: child_spawn() makes a process that
 * waits, so that counting can be prepared for it, and child_release() lets it become the program
 * (on Linux), or run it from its first instruction on (on Windows).
 *
 * It stays in our process group, or on our console: Ctrl-C reaches both. Its input and output are
 * ours. It is looked for in PATH as shells do, but no shell ever reads it: what the system does not
 * run is an error that says why (session/program_refusal.h).
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
	int line; /* to the process while it waits, else -1; on Windows the handle of its thread */
	/* Windows: what it and its children are in. NULL: they cannot be, and nobody tells of what
	   it starts; on Linux the kernel does */
	struct child_job *job;
	const char *program;
	char *path; /* where it was found; NULL: nowhere, or the system looks for it */

	bool has_ended;
	int exit_code;               /* as a shell has it: 128 + signal if it was killed */
	int signal;                  /* that killed it, or 0; Windows has none */
	uint64_t user_ns, system_ns; /* of all its threads, and children that it waited for */
};

#define CHILD_INIT                       \
	{                                \
		.pidfd = -1, .line = -1, \
	}

/** Where its standard output goes. */
enum child_output {
	CHILD_OUTPUT_OURS,
	CHILD_OUTPUT_STDERR, /* to our standard error: our standard output is for results alone */
};

/**
 * @argv: ends with NULL; must live until child_release().
 * @cores: it may run on these only; none: wherever we may.
 */
struct error *child_spawn(char *const *argv, const unsigned *cores, size_t num_cores,
			  enum child_output output, struct child *ret);

/**
 * A child that was not released never becomes the program; one that still runs is ended, on Windows
 * with all that it has started.
 */
void child_deinit(struct child *child);

/** Become the program. If it cannot be run, that is told here, and the child has ended. */
struct error *child_release(struct child *child);

/** Until it has ended. To wait for more than that, see interrupt_wait() and @pidfd. */
struct error *child_wait(struct child *child);

/** Send a signal, unless it has ended; on Windows all of them end it, and what it has started. */
void child_kill(const struct child *child, int signal);

/**
 * With a job: what it has started since the last look, at @since_ns, and what has ended, also if it
 * did not live until now. The first look, before the release, is where that begins; who has looked
 * once goes on looking.
 */
struct error *child_look(struct child *child, uint64_t since_ns, struct family *family);

#endif
