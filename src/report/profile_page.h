/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_PROFILE_PAGE_H
#define WPERF_REPORT_PROFILE_PAGE_H

/** --html of sample, record and report. */

#include "profile/named_profile.h"
#include "profile/profile_join.h"

struct profile_page_request {
	const char *path;
	const char *sysroots; /* ":" between them; or NULL */
	const char *notes;    /* what the terminal says of the recording, line by line; or NULL */
	const struct profile_join *join; /* the profile is of two recordings; NULL: of one */
	const char *recording_names[2];  /* of the join */
};

/**
 * With the texts of hot source files and the instructions of hot functions, as far as they can be
 * read here. Of an anonymous profile, neither: the page's first note says so.
 */
struct error *profile_page_write(const struct profile_page_request *request,
				 const struct named_profile *profile);

#endif
