/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_DIFF_H
#define WPERF_CLI_OPTION_OPTION_DIFF_H

/** The two recordings of --diff. */

#include "base/file/memory_stream.h"
#include "cli/option/options.h"
#include "profile/named_profile.h"
#include "report/export_format.h"

struct option_diff_paths {
	/** As the user gave them. What is of a store is named by what was wanted of it, wherever
	 *  that is. */
	const char *items[2];
	char *owned[2]; /* private */
};

struct error *option_diff_paths_init(struct option_diff_paths *paths,
				     const struct options *options);
void option_diff_paths_deinit(struct option_diff_paths *paths);

/** The page of both. @before: becomes a profile of both. @notes: what was said of each when it was
 *  read. */
struct error *options_write_diff_page(const struct options *options, const char *path,
				      const char *const notes[2], struct named_profile *before,
				      const struct named_profile *later);

/** Both in a format that can compare. @path: NULL: standard output. */
struct error *options_export_diff(const struct options *options, const struct export_format *format,
				  const char *path);

#endif
