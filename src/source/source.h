/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SOURCE_H
#define WPERF_SOURCE_SOURCE_H

/**
 * Where counts and records come from: one interface for all machines, emulators and simulators.
 *
 * To add a source: 1) write source_<name>.c with a `const struct source_ops`, 2) name it in the
 * tables of source_table_linux.c and source_table_win.c, 3) give it a row in docs/architecture.md,
 * a unit test and cases in tests/cli, 4) ninja docs: help and man pages take its summary and
 * settings from the ops.
 */

#include "base/error.h"
#include "base/string_builder.h"
#include "catalog/catalog.h"
#include "record/perf_data.h"
#include "record/record.h"
#include "source/count_plan.h"
#include "source/probe.h"
#include "source/sample_notice.h"
#include "source/sample_plan.h"
#include "source/source_info.h"
#include "source/source_settings.h"

struct python_walk;
struct source;

/** How the numbers of an event come about. */
enum event_truth {
	EVENT_MEASURED, /* by hardware, or by the kernel */
	EVENT_EXACT,    /* exact as the architecture defines it */
	EVENT_MODELLED, /* by a model of hardware: see event_note() */
	EVENT_ABSENT,   /* it cannot be counted here */
};

struct source_ops {
	const char *name;
	const char *summary; /* one line for help */

	/** The settings after its name; ends with a NULL key. */
	const struct setting_rule *settings;

	/**
	 * What `stat` counts without -e, of which the machine may lack some; ends with NULL. NULL:
	 * events must be named.
	 */
	const char *const *default_events;

	/** For `detect`: what works here, and how to enable the rest. */
	struct error *(*probe)(const struct source_settings *settings, struct probe *ret);

	/** MIDR of the current core, without opening the source; 0: not Arm, or not known. */
	struct error *(*identify)(const struct source_settings *settings, uint64_t *ret_midr);

	/**
	 * May this user sample anything at all? The error says why not, with a hint. NULL: always.
	 */
	struct error *(*sample_check)(void);

	/** It has no events: threads are sampled on a timer. */
	bool looks_by_time;

	/**
	 * With looks_by_time: is each thread stopped, so that samples have addresses and callers?
	 * The thread of a notice is stopped until the next notice is read. NULL: no.
	 */
	bool (*holds_threads)(void);

	/** Connect. @ret: set only on success; freed by close(). */
	struct error *(*open)(const struct source_settings *settings, bool force_lock,
			      struct source **ret);

	/** Describe the machine. @ret: empty before; call source_info_deinit() afterwards. */
	struct error *(*describe)(struct source *source, struct source_info *ret);

	/**
	 * Add the events that the kernel or driver names to the catalogue.
	 * @notes: gets a line for each kind that is missing, with the reason.
	 */
	struct error *(*list_events)(struct source *source, struct catalog *catalog,
				     struct string_builder *notes);

	/** NULL: all events are EVENT_MEASURED. */
	enum event_truth (*event_truth)(struct source *source, const struct event *event);

	/** The model of an EVENT_MODELLED, valid until close(); or NULL. */
	const char *(*event_note)(struct source *source, const struct event *event);

	/**
	 * The command line that runs a command in this source's emulator; once. After that, only
	 * this command can be counted or sampled. NULL: commands run on this machine.
	 * @sysroot: of the command's machine; or NULL.
	 * @ret: ends with NULL; valid until the next call or close().
	 */
	struct error *(*wrap_command)(struct source *source, char *const *command,
				      const char *sysroot, char *const **ret);

	/** After wrap_command(): the sysroot that was found; NULL: that of this machine. */
	const char *(*sysroot)(struct source *source);

	/**
	 * Counting; all members are NULL if it cannot count. count_open() prepares events and
	 * counters. Start and stop may be called repeatedly. Read returns the counts since the last
	 * reset, complete up to the stop; it may also be called while counting. count_close() ends
	 * it, and so does close().
	 */
	struct error *(*count_open)(struct source *source, const struct count_plan *plan);
	struct error *(*count_start)(struct source *source);
	struct error *(*count_stop)(struct source *source);
	struct error *(*count_reset)(struct source *source);
	struct error *(*count_read)(struct source *source, struct source_counts *ret);
	void (*count_close)(struct source *source);
	bool reads_while_counting; /* such reads are complete, too */

	/**
	 * A caveat about a column of EVENT_PERF for the user, valid until count_close(); or NULL.
	 * The member is NULL if there are none.
	 */
	const char *(*count_note)(struct source *source, size_t column);

	/** After count_open(): is this machine unable to count that column? NULL: never. */
	bool (*count_absent)(struct source *source, size_t column);

	/** The n-th counted core that is offline now; false after the last. */
	bool (*count_lost_core)(struct source *source, size_t n, uint32_t *ret_core);

	/** The name of the n-th unit, a process or thread; or NULL. */
	const char *(*count_unit_name)(struct source *source, size_t unit);

	/**
	 * Sampling; all members are NULL if it cannot sample. sample_open() prepares everything;
	 * start and stop may be called once each. A round is one sample_wait(), and then
	 * sample_next() until there are no more records. Records are in time order, and those of a
	 * round are older than those of the next. After the stop, one more round returns the rest.
	 * sample_close() ends it, and so does close(). Samples of SPE may be older than those of
	 * earlier rounds, because the kernel delivers them in large pieces.
	 */
	struct error *(*sample_open)(struct source *source, const struct sample_plan *plan);
	bool tells_switches; /* `off_cpu` may be in the plan */
	struct error *(*sample_start)(struct source *source);
	struct error *(*sample_stop)(struct source *source);

	/** Wait for enough records for a round, until @fd (-1: none) is readable, or the time is
	 * up. */
	struct error *(*sample_wait)(struct source *source, uint64_t timeout_ns, int fd);

	/** @ret: valid until the next call. @ret_more: false at the end of the round. */
	struct error *(*sample_next)(struct source *source, struct record *ret, bool *ret_more);
	void (*sample_close)(struct source *source);

	/**
	 * With `wakes` in the plan, after a wait: the n-th thread that was sampled since the
	 * previous wait, with its newest sample, whose record comes in this round or later. False
	 * after the last; the member is NULL if samples do not wake.
	 */
	bool (*sample_notice)(struct source *source, size_t n, struct sample_notice *ret);

	/** The totals so far; complete after the stop. */
	struct sample_totals (*sample_totals)(struct source *source);

	/**
	 * The events for perf.data: their attributes and ids, in the order of the plan; valid until
	 * sample_close(). NULL if its records cannot be written to perf.data.
	 */
	const struct perf_data_event *(*sample_events)(struct source *source, size_t *ret_num);

	/** Names for code that is not in a file, sorted by address; or NULL. */
	const struct sample_symbol *(*sample_symbols)(struct source *source, size_t *ret_num);

	/**
	 * Python frames with each sample; both members are NULL if it has none. First call
	 * python_open(), whose error says why that does not work here, with a hint; then
	 * sample_open() with `python` in the plan; then, until sample_close(), python_walk() for
	 * each process with an interpreter as soon as it is known. Forked children inherit this
	 * until they exec.
	 * python_walk() is NULL for sources whose samples have no Python frames, but whose threads
	 * do not run until the next record is read, so that their memory can be read.
	 * @walk: copied; NULL: the process has no interpreter, or no longer.
	 */
	struct error *(*python_open)(struct source *source);
	struct error *(*python_walk)(struct source *source, uint32_t pid,
				     const struct python_walk *walk);

	/** For simulated time: let @duration_ns pass, at once. NULL: real time. */
	struct error *(*pass_time)(struct source *source, uint64_t duration_ns);

	/**
	 * After a run: the n-th note about a problem; NULL after the last. The member is NULL if
	 * there are none.
	 */
	const char *(*run_note)(struct source *source, size_t n);

	void (*close)(struct source *source);
};

/** The first member of each source's struct. */
struct source {
	const struct source_ops *ops;
};

/** All sources, the default first; ends with NULL. */
extern const struct source_ops *const all_sources[];

/**
 * Parse `name[,key=value...]`, and check it against the rules of that source.
 * @spec: NULL or "" for the default source.
 */
struct error *source_select(const char *spec, const struct source_ops **ret_ops,
			    struct source_settings *ret_settings);

void source_close(struct source *source);

/** event_note() and event_truth(), also for sources without them. */
const char *source_event_note(struct source *source, const struct event *event);
enum event_truth source_event_truth(struct source *source, const struct event *event);

/** holds_threads(), also for sources without it. */
static inline bool source_holds_threads(const struct source *source)
{
	return source->ops->holds_threads && source->ops->holds_threads();
}

static inline void source_closep(struct source **source)
{
	source_close(*source);
}

#endif
