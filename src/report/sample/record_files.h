/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_RECORD_FILES_H
#define WPERF_REPORT_SAMPLE_RECORD_FILES_H

/**
 * Which files `record` and `sample` write, from --save, -o, --html, --json and -q.
 *
 *	record                  wperf.data; an older one becomes wperf.data.old
 *	-o FILE, --save FILE    the recording is FILE
 *	-o x.json, x.txt        what would be shown, as JSON or text, beside the recording
 *	-o x.html, x.pb.gz ...  a page, or the profile for another program, beside the recording
 *	--json, --compat        -o FILE is JSON, whatever its name; no recording without --save
 *	-q and one of these     no recording without --save
 *
 * `sample` keeps no recording that was not named.
 */

#include "base/error.h"
#include "report/export_format.h"

#include <stdbool.h>

/** What the user said of files. */
struct record_files_request {
	const char *command;              /* its name, for errors */
	const char *save, *output, *html; /* or NULL */
	bool exports_perf_data;           /* a recording perf.data */
	bool keeps_recording;             /* also if nobody named one */
	bool is_output_json;              /* -o, whatever its name */
	bool is_quiet;
};

struct record_files {
	const char *recording; /* or NULL */
	bool is_default;       /* nobody named it: the run does without it if need be */
	const char *output;    /* for what is shown, as JSON or text; or NULL */
	const char *html;      /* for the page; or NULL */
	const struct export_format *export_format; /* or NULL */
	const char *export_path;
};

/** @ret: texts are those of the request. */
struct error *record_files_choose(const struct record_files_request *request,
				  struct record_files *ret);

#endif
