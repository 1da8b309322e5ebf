/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_RECORD_FILES_H
#define WPERF_CLI_RECORD_FILES_H

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
#include "cli/option/options.h"
#include "report/export_format.h"

#include <stdbool.h>

struct record_files {
	const char *recording; /* or NULL */
	bool is_default;       /* nobody named it: the run does without it if need be */
	const struct export_format *export_format; /* or NULL */
	const char *export_path;
};

/**
 * @options: the user's words, from which -o and --html are taken as they are meant.
 * @ret:     texts are those of the options.
 */
struct error *record_files_choose(struct options *options, struct record_files *ret);

#endif
