/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_READ_PROFILE_H
#define WPERF_REPORT_RECORDED_READ_PROFILE_H

/** A recording becomes a named profile: what report, annotate, export and script begin with. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "session/loading.h"

#include <stdbool.h>
#include <stdio.h>

struct symbol_path;

struct read_request {
	const char *path;
	bool is_default;                 /* nobody named the file */
	bool is_forced;                  /* it may belong to another user */
	bool is_anonymous;               /* names of computers and users are left out */
	const char *sysroots;            /* ":" between them; or NULL */
	struct symbol_path *symbol_path; /* where PDBs are looked for; or NULL */
	bool keeps_samples;              /* each with its time, as --time needs them */
	bool joins_wakers; /* stacks of waits have who ended them: see profile_builder_config */
	bool with_full_names;
	bool with_cold_code;      /* also the lines without samples of functions that have some */
	bool with_spe;            /* the events of SPE's samples, also those of their latency */
	bool tells_spe_threads;   /* whose they are, for a filter by threads */
	bool leaves_out_own_cost; /* of agents: see own_cost.h */
	bool leaves_out_idle;     /* samples of idle CPUs, unless there are some of SPE */
	const char *time_range;   /* of struct sample_choice: idle samples in it are counted */
	const char *copy_path;    /* the recording is also written there, as perf.data; or NULL */
	const char *interpreted;  /* a word of interpreted_choice_read(); NULL: as recorded */
	struct loading_watch watch;
};

/** @notes: what is wrong with the file or lacks names goes there. */
struct error *read_profile(const struct read_request *request, FILE *notes,
			   struct named_profile *ret);

/**
 * A profile that was not read from a recording becomes what it would be if it were: names are left
 * out, idle samples, or frames of one kind, as @request says; its language is that of an
 * interpreter here.
 */
struct error *read_profile_adapt(const struct read_request *request, struct named_profile *profile);

/** The file that is read where nobody names one. */
const char *read_profile_default_path(void);

/** The error of opening the default file at @path: with a hint where there is none. */
struct error *read_profile_hint(const char *path, struct error *err);

#endif
