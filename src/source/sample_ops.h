/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SAMPLE_OPS_H
#define WPERF_SOURCE_SAMPLE_OPS_H

/**
 * How a source samples. open() prepares everything; start and stop may be called once each. A round
 * is one wait(), and then next() until there are no more records. Records are in time order, and
 * those of a round are older than those of the next. After the stop, one more round returns the
 * rest. close() ends it, and so does the close() of the source. Samples of SPE may be older than
 * those of earlier rounds, because the kernel delivers them in large pieces.
 */

#include "base/error.h"
#include "catalog/event.h"
#include "record/perf_data/perf_data.h"
#include "record/record.h"
#include "source/sample_plan.h"
#include "source/sample_wakeup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The event of sample_ops.tells_absences, as perf record --off-cpu names it. */
#define SAMPLE_ABSENCES_EVENT "offcpu-time"

/** The event of source_ops.read_run_queue. */
#define SAMPLE_RUN_QUEUE_EVENT "runqueue-time"

struct kernel_walk;
struct kernel_walk_program;
struct object_copy;
struct object_copy_key;
struct source;

struct sample_ops {
	/**
	 * May this user sample anything at all? The error says why not, with a hint. NULL: always.
	 */
	struct error *(*check)(void);

	/**
	 * With looks_by_time: is each thread stopped, so that samples have addresses and callers?
	 * The thread of a wakeup is stopped until the next wakeup is read. NULL: no.
	 */
	bool (*holds_threads)(void);

	struct error *(*open)(struct source *source, const struct sample_plan *plan);
	/** `off_cpu` may be in the plan: with RECORD_SWITCH, or with a sample at the end of each
	 *  absence, whose period is how long it was, in nanoseconds. */
	bool tells_switches, tells_absences;
	bool tells_branches; /* sample_plan.branches */

	/** `wakers` may be in the plan: a sample of each wake-up of a thread of the target, with
	 *  struct wake as its payload. The error says why this user cannot have that, with a hint.
	 *  NULL: the source has none. */
	struct error *(*check_wakers)(void);

	/** The period of an event that was asked for without one; 0: it is sampled at the
	 *  frequency of the plan. NULL: always so. */
	uint64_t (*default_period)(struct source *source, const struct event *event);
	struct error *(*start)(struct source *source);
	/** What is in use now is wanted: the records of this round say what else belongs to it.
	 * NULL: no event is about moments. */
	struct error *(*mark_moment)(struct source *source);
	struct error *(*stop)(struct source *source);

	/** With `can_pause` in the plan, after start(): no samples of an event of the plan from now
	 * on, or samples again. Process events, and the event of `off_cpu`, go on. NULL: the source
	 * cannot.
	 */
	struct error *(*switch_event)(struct source *source, size_t event, bool is_on);

	/** Wait for enough records for a round, until @fd (-1: none) is readable, or the time is
	 * up. */
	struct error *(*wait)(struct source *source, uint64_t timeout_ns, int fd);

	/** @ret: valid until the next call. @ret_more: false at the end of the round. */
	struct error *(*next)(struct source *source, struct record *ret, bool *ret_more);
	void (*close)(struct source *source);

	/**
	 * With `wakes` in the plan, after a wait: the n-th thread that was sampled since the
	 * previous wait, with its newest sample, whose record comes in this round or later. False
	 * after the last; the member is NULL if samples do not wake.
	 */
	bool (*wakeup)(struct source *source, size_t n, struct sample_wakeup *ret);

	/** The totals so far; complete after the stop. */
	struct sample_totals (*totals)(struct source *source);

	/**
	 * The events for perf.data: their attributes and ids, in the order of the plan; valid until
	 * close(). NULL if its records cannot be written to perf.data.
	 */
	const struct perf_data_event *(*events)(struct source *source, size_t *ret_num);

	/** Names for code that is not in a file, sorted by address; or NULL. */
	const struct sample_symbol *(*symbols)(struct source *source, size_t *ret_num);

	/**
	 * Interpreted frames with each sample; all members are NULL if it has none. First call
	 * walk_open(), whose error says why that does not work here, with a hint; then
	 * open() with `walks_frames` in the plan; then, until close(), walk() for
	 * each process with an interpreter as soon as it is known. Forked children inherit this
	 * until they exec.
	 * walk() is NULL for sources whose samples have no such frames, but whose threads
	 * do not run until the next record is read, so that their memory can be read.
	 * walk_check() says the same as walk_open(), without a source; NULL: nothing to check.
	 * @program: for sources in the kernel; must outlive the source.
	 * @walk: copied; NULL: the process has no interpreter, or no longer.
	 * @ret_detail: of what use it is here, for `detect`.
	 */
	struct error *(*walk_check)(const struct kernel_walk_program *program,
				    const char **ret_detail);
	struct error *(*walk_open)(struct source *source,
				   const struct kernel_walk_program *program);
	struct error *(*walk)(struct source *source, uint32_t pid, const struct kernel_walk *walk);
	/** The object of a frame as it was when a walk met it first, for code that is gone since.
	 *  False: there is no copy of it. NULL: the source makes none. */
	bool (*find_copy)(struct source *source, const struct object_copy_key *key,
			  struct object_copy *ret);
	/** Even so, most threads do not run until the next record is read; samples of those that do
	 *  (`has_gone_on`) may have frames. */
	bool holds_most;
};

#endif
