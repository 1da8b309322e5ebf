/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_DIFF_PAGE_H
#define WPERF_REPORT_RECORDED_DIFF_PAGE_H

/** `report --diff --html`: one page of two recordings. */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>

struct diff_page {
	const char *path;               /* of the page */
	const char *recording_paths[2]; /* as the user gave them */
	const char *notes[2];           /* on each, as profile_page.h has them */
	const char *sysroots;           /* ":" between them; or NULL */
	bool is_anonymous;              /* folders of the recordings are not on the page */
};

/** @before: becomes a profile of both (profile_join.h). @later: must outlive it. */
struct error *diff_page_write(const struct diff_page *page, struct named_profile *before,
			      const struct named_profile *later);

#endif
