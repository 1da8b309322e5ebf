/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_PROFILE_PAGE_H
#define WPERF_REPORT_PROFILE_PAGE_H

/** --html of sample, record and report. */

#include "profile/named_profile.h"

/**
 * With the texts of hot source files and the instructions of hot functions, as far as they can be
 * read here. Of an anonymous profile, neither: the page's first note says so.
 * @sysroots: ":" between them; or NULL.
 * @notes: what the terminal says of the recording, line by line; or NULL.
 */
struct error *profile_page_write(const char *path, const struct named_profile *profile,
				 const char *sysroots, const char *notes);

#endif
