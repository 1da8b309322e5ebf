/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_SESSION_H
#define WPERF_SOURCE_ETW_ETW_SESSION_H

/**
 * An ETW session of ours: Windows itself samples, on a timer and on counters of the CPU, and writes
 * the samples into a file. Sampling intervals and sources of samples are settings of the whole
 * machine: they are noted in a journal before they are changed, and set back at the end. After a
 * kill, etw_session_clean() does it.
 *
 * All calls of Windows are made through etw_calls.h, which tests replace.
 */

#include "base/error.h"
#include "base/text/string_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etw_calls;
struct etw_session;

enum { ETW_SOURCE_NAME_MAX = 128, ETW_SOURCE_TIMER = 0 };

/** A profile source of Windows: the timer, or what the CPU counts. */
struct etw_source {
	uint32_t id;
	uint32_t min_interval, max_interval, interval; /* of the timer in 100 ns */
	char name[ETW_SOURCE_NAME_MAX];                /* in UTF-8, as Windows says it */
	bool is_ours;                                  /* registered by wperf */
};

/** The name without what wperf put before it, to be shown. */
const char *etw_source_short_name(const struct etw_source *source);

struct etw_sources {
	struct etw_source *items;
	size_t num_items;
	uint32_t max_counters; /* at once; 0: Windows does not say */
};

/** @ret: to be freed by etw_sources_deinit(). */
struct error *etw_sources_list(const struct etw_calls *calls, struct etw_sources *ret);
void etw_sources_deinit(struct etw_sources *sources);

/** NULL if there is none. */
const struct etw_source *etw_sources_find(const struct etw_sources *sources, uint32_t id);

/**
 * Register an event of the CPU as a profile source until etw_sources_unregister() or a restart.
 * Never seen on Arm64 so far.
 * @number: of the PMU event; of Intel and AMD as in `perf stat -e rNUMBER`.
 * @name: ours; it gets a prefix by which etw_session_clean() finds it.
 */
struct error *etw_sources_register(const struct etw_calls *calls, uint32_t number, const char *name,
				   uint32_t interval, struct etw_source *ret);
struct error *etw_sources_unregister(const struct etw_calls *calls, uint32_t id);

struct etw_sampled {
	uint32_t source;
	uint32_t interval; /* 0: as Windows has it */
};

struct etw_session_plan {
	/** Of the file that Windows writes; it must not exist. etw_session_clean() removes it after
	 * a kill only if it is called wperf-*.etl, and only if it is no recording. */
	const char *path;
	bool keeps_file;   /* else etw_session_destroy() removes it: close it before */
	bool is_recording; /* somebody wants what is in it: after a kill it stays */
	const struct etw_sampled *sampled;
	size_t num_sampled;
	const uint32_t *counted; /* sources that are read at context switches */
	size_t num_counted;
	bool has_switches; /* context switches and who ends a wait, with stacks */
	bool has_stacks;
	bool caches_stacks;              /* smaller files; stacks are known only at the end */
	uint32_t buffer_kb, num_buffers; /* 0: chosen by the number of CPUs */
};

/** May this user do it here at all? The error has a hint. */
struct error *etw_session_check(const struct etw_calls *calls);

/** @calls: must outlive the session. If it fails, everything is as before, and there is no file. */
struct error *etw_session_start(const struct etw_calls *calls, const struct etw_session_plan *plan,
				struct etw_session **ret);

/** What Windows made of the interval of a sampled source. */
uint32_t etw_session_interval(const struct etw_session *session, uint32_t source);

/** All that happened so far can be read from the file. */
struct error *etw_session_flush(struct etw_session *session);

struct etw_session_totals {
	uint64_t events_lost, buffers_lost;
};

/** Ends the session and sets everything back; all of it is tried, the first error is returned. */
struct error *etw_session_stop(struct etw_session *session, struct etw_session_totals *ret);

/** Stops it if it runs, sets back what could not be set back before, and removes the file. */
void etw_session_destroy(struct etw_session *session);
static inline void etw_session_destroyp(struct etw_session **session)
{
	etw_session_destroy(*session);
}

/** Who else uses counters of the CPU now, a line each; empty: nobody, or Windows does not say. */
struct error *etw_session_others(const struct etw_calls *calls, struct string_builder *ret);

/** Sessions of ours and what killed runs left, a line each; empty: there is nothing. */
struct error *etw_session_ours(const struct etw_calls *calls, struct string_builder *ret);

/**
 * Undo what killed runs left: sessions, sources, intervals, files. What a wperf uses that runs
 * stays. All of it is tried, the first error is returned.
 * @ret: gets a line for each.
 * @ret_kept: gets the path of each recording, a line each: what was recorded is not lost.
 */
struct error *etw_session_clean(const struct etw_calls *calls, struct string_builder *ret,
				struct string_builder *ret_kept);

#endif
