/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PAGE_REPORT_PAGE_H
#define WPERF_VIEW_PAGE_REPORT_PAGE_H

/**
 * A profile as one HTML page: threads over time, graphs of calls, tables of lines, functions, files
 * and threads, and an inspector with callers, callees, source and instructions. The page asks no
 * network for anything: styles, scripts and data are in it, and its policy has the browser refuse
 * whatever would go out.
 *
 * Its parts are the files of view/report_page/: style sheets and scripts, written one after the
 * other into one script. To add a part: write the file there, add it to view/CMakeLists.txt and
 * to a table in report_page.c, in the order in which the scripts need each other.
 *
 * Names come from outside and are data only: JSON with escapes, or numbers.
 */

#include "base/error.h"
#include "base/file/file_map.h"
#include "profile/named_profile.h"
#include "profile/profile_join.h"
#include "view/page/fleet_page.h"
#include "view/spe_report.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** An instruction of a function, for the page to show its samples at. */
struct report_instruction {
	uint64_t address; /* as that of frames: relative to the module */
	const char *text;
	uint32_t line;   /* of the function's file; 0 if not known */
	uint32_t target; /* of a jump: the number of the instruction in the listing, from 1; 0: none
			  */
};

struct report_listing {
	uint32_t function;
	const struct report_instruction *instructions; /* by address */
	size_t num_instructions;
};

/**
 * Opens the text of a source file for the page, which closes it. Paths stand in the profiled
 * program, so they may name anything: who shares pages should open source files only.
 */
typedef struct error *(*report_source_open_fn)(void *context, const char *path,
					       struct file_map *ret);

struct report_page_options {
	const char *title;                 /* NULL: "wperf report" */
	const char *notes;                 /* lines that the terminal shows, too; NULL: none */
	report_source_open_fn open_source; /* NULL: the page has no sources */
	void *source_context;
	size_t max_source_bytes;               /* of all files, the hottest first; 0: 4 MiB */
	const struct report_listing *listings; /* may be NULL */
	size_t num_listings;
	const struct spe_report
		*spe; /* its places are functions; NULL: there are no such samples */
	const struct profile_join *join; /* the profile is of two recordings; NULL: of one */
	const char *recording_names[2];  /* of the join */
	uint64_t step_ns;                /* of the times of samples; 0: they have their own */
	const struct fleet_page *fleet;  /* of a store: the bar above; NULL: of a recording */
};

/**
 * Times are kept to 1/4096 of the recording: samples that differ by less become one.
 * @name: of the file, for messages. A source that cannot be opened is left out.
 */
struct error *report_page_write(FILE *stream, const char *name, const struct named_profile *profile,
				const struct report_page_options *options);

#endif
