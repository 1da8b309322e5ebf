/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROCESS_NEWS_H
#define WPERF_SESSION_PROCESS_NEWS_H

/**
 * What is told of processes beside a source's records: what ran before the first of these and, on
 * Windows, where nobody tells, also what has come since. That is looked for before a round's
 * samples are taken, and told as of the look before, so that samples from in between come behind
 * it.
 *
 * Of what a command starts all is known, also what has ended at once. What a process starts that
 * ran before us is found in the list of all that runs, which is read again after 10 ms, or fifty
 * times as long as that takes.
 */

#include "process/running.h"
#include "session/family.h"
#include "session/target.h"

struct process_news {
	struct target *target;
	struct running *running;
	bool is_watched;      /* process_news_look() is called */
	bool is_of_all;       /* the target is all that runs */
	struct family family; /* else these */
	uint64_t looked_ns;   /* when the last look began */
	uint64_t listed_ns;   /* when running was asked for news, the last time ... */
	uint64_t since_ns;    /* ... and the one before */
	uint64_t list_due_ns; /* when all that runs is to be listed again */
	size_t next_ended;    /* of the family's members: whose end is told next */
};

#define PROCESS_NEWS_INIT \
	{                 \
	}

/**
 * What runs is told next. Before a command is released.
 * @target:     must outlive this.
 * @pids:       of the target; none: all.
 * @is_watched: somebody will look for news before each round; the kernel's images are told, too.
 */
struct error *process_news_open(struct process_news *news, struct target *target,
				const uint32_t *pids, size_t num_pids, bool is_watched);

/**
 * After the end of what is told, if it is watched: look for what is new.
 * @pause_ns:      processes that are known are not asked again what they have loaded before so
 *                 much time has passed.
 * @ret_has_begun: is there a new process?
 */
struct error *process_news_look(struct process_news *news, uint64_t pause_ns, bool *ret_has_begun);

/** @ret: lives until the next call. @ret_more: false at the end. */
struct error *process_news_next(struct process_news *news, struct record *ret, bool *ret_more);

/** Is a sample of this process, at that time, one of the target? */
bool process_news_is_ours(const struct process_news *news, uint32_t pid, uint64_t time_ns);

void process_news_deinit(struct process_news *news);

#endif
