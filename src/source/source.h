/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SOURCE_H
#define WPERF_SOURCE_SOURCE_H

/**
 * Where records come from: one interface for every machine and every stand-in for one.
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

/** What stands behind the numbers of an event. */
enum event_truth {
	EVENT_MEASURED, /* by hardware, or by the kernel */
	EVENT_EXACT,    /* by the letter of the architecture */
	EVENT_MODELLED, /* by a model of hardware, which event_note() names */
	EVENT_ABSENT,   /* it cannot be counted here */
};

struct source_ops {
	const char *name;
	const char *summary; /* one line for help */

	/** The settings it takes behind its name; ends with a NULL key. */
	const struct setting_rule *settings;

	/**
	 * What `stat` counts if nobody says what, as far as the machine has it; ends with NULL.
	 * NULL where it has to be said.
	 */
	const char *const *default_events;

	/** Can it run here, what can it do, and what would make it do more? Opens nothing for long.
	 */
	struct error *(*probe)(const struct source_settings *settings, struct probe *ret);

	/** MIDR of the core at hand, without opening the source; 0 if it is not Arm or not known.
	 */
	struct error *(*identify)(const struct source_settings *settings, uint64_t *ret_midr);

	/**
	 * May this user sample anything at all? The error says why not, and what would help. NULL
	 * where there is nothing that forbids it.
	 */
	struct error *(*sample_check)(void);

	/** There are no events: threads are looked at from time to time, for their Python. */
	bool looks_by_time;

	/**
	 * With looks_by_time: is each thread held, so that samples have addresses and callers, too?
	 * The thread of a notice is until the next one is asked for. NULL for no.
	 */
	bool (*holds_threads)(void);

	/** Connect. @ret: set only on success; ended by close(). */
	struct error *(*open)(const struct source_settings *settings, bool force_lock,
			      struct source **ret);

	/** What the machine is. @ret is empty before; filled, it is ended by source_info_deinit().
	 */
	struct error *(*describe)(struct source *source, struct source_info *ret);

	/**
	 * The events that the kernel or driver itself names, into the catalogue.
	 * @notes: gets a line for each kind that is missing, and why.
	 */
	struct error *(*list_events)(struct source *source, struct catalog *catalog,
				     struct string_builder *notes);

	/** NULL where all events are measured. */
	enum event_truth (*event_truth)(struct source *source, const struct event *event);

	/** The model of an event that is modelled; lives until close(). NULL for none. */
	const char *(*event_note)(struct source *source, const struct event *event);

	/**
	 * The words that run a command in a machine of this source, once; then the command is
	 * counted or sampled as any other, and nothing else can be. NULL where commands run on
	 * this machine by themselves.
	 * @sysroot: the folder with the command's system; or NULL.
	 * @ret: ends with NULL, lives until the next call or close().
	 */
	struct error *(*wrap_command)(struct source *source, char *const *command,
				      const char *sysroot, char *const **ret);

	/** After wrap_command(): the folder with the system that was found; NULL if it is ours. */
	const char *(*sysroot)(struct source *source);

	/**
	 * Counting; all members are NULL where there is none. count_open() gets events and counters
	 * ready, start and stop may be called again and again, read gives what was counted since
	 * the last reset (0 at first), to the last event before the stop. Reading while it counts
	 * is fine. count_close() ends it; close() does so, too.
	 */
	struct error *(*count_open)(struct source *source, const struct count_plan *plan);
	struct error *(*count_start)(struct source *source);
	struct error *(*count_stop)(struct source *source);
	struct error *(*count_reset)(struct source *source);
	struct error *(*count_read)(struct source *source, struct source_counts *ret);
	void (*count_close)(struct source *source);
	bool reads_while_counting; /* to the last event before the reading */

	/**
	 * What somebody might think of a column of EVENT_PERF that it is not, in words; valid
	 * until count_close(). NULL for nothing to say; the member is NULL for never.
	 */
	const char *(*count_note)(struct source *source, size_t column);

	/** Can this machine not count that column? After count_open(); NULL for never. */
	bool (*count_absent)(struct source *source, size_t column);

	/** The n-th of the counted cores that are offline by now; false behind the last. */
	bool (*count_lost_core)(struct source *source, size_t n, uint32_t *ret_core);

	/** The name of a process or thread, the n-th unit; NULL likewise. */
	const char *(*count_unit_name)(struct source *source, size_t unit);

	/**
	 * Sampling; all members are NULL where there is none. sample_open() gets everything
	 * ready, start and stop may be called once each. A round is one sample_wait() and then
	 * sample_next() until there is no more: records come in the order of their times, those
	 * of one round are older than those of the next. After the stop one more round gives the
	 * rest. sample_close() ends it; close() does so, too. Samples of SPE may be older than
	 * those of rounds before: the kernel hands them out when it has many.
	 */
	struct error *(*sample_open)(struct source *source, const struct sample_plan *plan);
	bool tells_switches; /* `off_cpu` may be in the plan */
	struct error *(*sample_start)(struct source *source);
	struct error *(*sample_stop)(struct source *source);

	/** Until there is something worth a round, @fd (or -1) is readable, or so long. */
	struct error *(*sample_wait)(struct source *source, uint64_t timeout_ns, int fd);

	/** @ret: lives until the next call. @ret_more: false at the end of the round. */
	struct error *(*sample_next)(struct source *source, struct record *ret, bool *ret_more);
	void (*sample_close)(struct source *source);

	/**
	 * With `wakes` in the plan, after a wait: the n-th thread that was sampled since the wait
	 * before, with its newest sample, whose record comes in this round or a later one. False
	 * behind the last; the member is NULL where samples wake nobody.
	 */
	bool (*sample_notice)(struct source *source, size_t n, struct sample_notice *ret);

	/** So far; complete after the stop. */
	struct sample_totals (*sample_totals)(struct source *source);

	/**
	 * The events as perf.data describes them: their attributes and ids, in the order of the
	 * plan; they live until sample_close(). NULL where records have no bytes of that layout.
	 */
	const struct perf_data_event *(*sample_events)(struct source *source, size_t *ret_num);

	/** Names for code that is in no file, sorted by address; NULL for none. */
	const struct sample_symbol *(*sample_symbols)(struct source *source, size_t *ret_num);

	/**
	 * Frames of Python with each sample; both members are NULL where there are none. First
	 * python_open(), whose error says why there are none here, and what would help; then
	 * sample_open() with `python` in the plan, until sample_close(); then python_walk() for
	 * each process with an interpreter, as soon as it is known, while it samples or before.
	 * Processes that such a one forks from then on are known without being told of, until they
	 * run another program.
	 * python_walk() is NULL where samples bring no frames of Python, but their threads hold
	 * still until the next record is asked for, so that their memory can be read.
	 * @walk: copied; NULL: it has no interpreter, or none any more.
	 */
	struct error *(*python_open)(struct source *source);
	struct error *(*python_walk)(struct source *source, uint32_t pid,
				     const struct python_walk *walk);

	/** NULL where time passes by itself. Else let so much of it pass, at once. */
	struct error *(*pass_time)(struct source *source, uint64_t duration_ns);

	/**
	 * The n-th thing that did not go as it should, in words, after a run; NULL behind the last.
	 * The member is NULL for never.
	 */
	const char *(*run_note)(struct source *source, size_t n);

	void (*close)(struct source *source);
};

/** What every source's own struct begins with. */
struct source {
	const struct source_ops *ops;
};

/** All sources, the one that is taken without --source first; NULL behind the last. */
extern const struct source_ops *const all_sources[];

/**
 * Take `name[,key=value...]` apart and check it against that source's rules.
 * @spec: NULL or "" for the default source.
 */
struct error *source_select(const char *spec, const struct source_ops **ret_ops,
			    struct source_settings *ret_settings);

void source_close(struct source *source);

/** event_note() and event_truth(), also of sources that have none. */
const char *source_event_note(struct source *source, const struct event *event);
enum event_truth source_event_truth(struct source *source, const struct event *event);

/** holds_threads(), also of sources that have none. */
static inline bool source_holds_threads(const struct source *source)
{
	return source->ops->holds_threads && source->ops->holds_threads();
}

static inline void source_closep(struct source **source)
{
	source_close(*source);
}

#endif
