/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_NAMES_H
#define WPERF_INTERPRETER_INTERPRETED_NAMES_H

/**
 * Reads the names that interpreters know of threads, while a recording goes on: soon after a thread
 * was sampled first, some time later, as programs also name threads that run, and at the end.
 * Samples cost nothing.
 */

#include "interpreter/interpreted_processes.h"
#include "interpreter/thread_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct naming;    /* private */
struct said_role; /* private */

struct interpreted_names {
	struct said_role *said; /* processes whose role is still to be told */
	size_t num_said, cap_said;
	struct naming *items; /* by process, those with threads */
	size_t num_items, cap_items;
	struct thread_names found;
	size_t next;  /* of the found ones */
	uint32_t pid; /* whose they are */
};

#define INTERPRETED_NAMES_INIT \
	{                      \
	}

void interpreted_names_deinit(struct interpreted_names *names);

/** A thread of the process is new. */
struct error *interpreted_names_want(struct interpreted_names *names, uint32_t pid,
				     uint64_t now_ns);

/** Tell the role of a process as the name of its first thread. @words: stays where it is. */
struct error *interpreted_names_say(struct interpreted_names *names, uint32_t pid,
				    const char *words);

/** Read those of all processes once more. */
void interpreted_names_want_all(struct interpreted_names *names);

/**
 * The next name that was read, and may be an old one. An error is a lack of memory.
 * @now_ns: of CLOCK_MONOTONIC.
 * @ret: valid until the next call; NULL: there is no more now.
 */
struct error *interpreted_names_next(struct interpreted_names *names,
				     struct interpreted_processes *processes, uint64_t now_ns,
				     const struct thread_name **ret);

#endif
