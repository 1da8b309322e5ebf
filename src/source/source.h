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
#include "base/text/string_builder.h"
#include "catalog/catalog.h"
#include "source/count_ops.h"
#include "source/probe.h"
#include "source/sample_ops.h"
#include "source/source_info.h"
#include "source/source_settings.h"

struct call_table;
struct run_queue;
struct source;

/** How the numbers of an event come about. */
enum event_truth {
	EVENT_MEASURED, /* by hardware, or by the kernel */
	EVENT_EXACT,    /* exact as the architecture defines it */
	EVENT_MODELLED, /* by a model of hardware: see event_note() */
	EVENT_ABSENT,   /* it cannot be counted here */
};

/** What is known of a source before it is opened. */
struct source_traits {
	const char *name;
	const char *summary; /* one line for help */

	/** The settings after its name; ends with a NULL key. */
	const struct setting_rule *settings;

	/**
	 * What `stat` counts without -e, of which the machine may lack some; ends with NULL. NULL:
	 * events must be named.
	 */
	const char *const *default_events;

	/** It has no events: threads are sampled on a timer. */
	bool looks_by_time;

	/** Its time is not ours: it passes at once, by pass_time(). */
	bool is_simulated;

	/** Its records begin with those of all processes that run already, and tell of each
	 *  process, thread and module that comes later, for those that were asked for. */
	bool tells_processes;

	/** Events that only this source has: who names them means this source. Ends with NULL.
	 * NULL: none. */
	const char *const *own_events;

	/** Events that other sources have, too, and that it samples beside its own. NULL: none. */
	const char *const *more_events;

	/** It samples processes that run already: of two sources with the same own_events, the one
	 *  that this fits is meant. */
	bool is_of_running;

	/** Its plans name the allocators of their processes. */
	bool probes_allocators;

	/** Its samples say little without their callers, so that they have them unasked. */
	bool needs_callers;

	/** Without a choice of the user, it samples where the default source cannot, if its
	 *  check() allows it. */
	bool stands_in;
};

struct source_ops {
	struct source_traits traits;

	/** For `detect`: what works here, and how to enable the rest. */
	struct error *(*probe)(const struct source_settings *settings, struct probe *ret);

	/** MIDR of the current core, without opening the source; 0: not Arm, or not known. */
	struct error *(*identify)(const struct source_settings *settings, uint64_t *ret_midr);

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

	/**
	 * The environment in which a command must run, so that it can be sampled; before
	 * sample_ops.open(). NULL: ours. An error if this program cannot be sampled.
	 * @program: where it was found; NULL: nowhere.
	 * @ret: ends with NULL; valid until the next call or close().
	 */
	struct error *(*environment)(struct source *source, const char *program, char *const **ret);

	/** After wrap_command(): the sysroot that was found; NULL: that of this machine. */
	const char *(*sysroot)(struct source *source);

	const struct count_ops *count;   /* NULL: it cannot count */
	const struct sample_ops *sample; /* NULL: it cannot sample */

	/** After sampling has stopped, and before close(): exact counts of system calls. @ret:
	 * empty before; the caller frees it. NULL: it counts none. */
	struct error *(*read_calls)(struct source *source, struct call_table *ret);

	/** The same of waits in run queues. @ret: empty before. NULL: it measures none. */
	struct error *(*read_run_queue)(struct source *source, struct run_queue *ret);

	/** With is_simulated: let @duration_ns pass. */
	struct error *(*pass_time)(struct source *source, uint64_t duration_ns);

	/** Once sampling is open, and before it begins: what the user should know of it, one
	 *  line; NULL: nothing. The member is NULL if there never is. */
	const char *(*start_note)(struct source *source);

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

/** Can its samples have interpreted frames? */
static inline bool source_reads_frames(const struct source *source)
{
	return source->ops->sample && source->ops->sample->walk_open;
}

/** holds_threads(), also for sources without it. */
static inline bool source_holds_threads(const struct source *source)
{
	const struct sample_ops *sample = source->ops->sample;
	return sample && sample->holds_threads && sample->holds_threads();
}

static inline void source_closep(struct source **source)
{
	source_close(*source);
}

#endif
