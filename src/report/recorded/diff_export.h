/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_DIFF_EXPORT_H
#define WPERF_REPORT_RECORDED_DIFF_EXPORT_H

/** `export --diff`: two recordings in a format that can compare. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "report/export_format.h"
#include "report/recorded/sample_choice.h"

#include <stdbool.h>

struct diff_export {
	const struct export_format *format;
	const char *path;               /* NULL: standard output */
	const char *recording_paths[2]; /* as the user gave them */
	struct sample_choice choice;
	bool is_anonymous; /* folders of the recordings are not in it */
};

/** An error if the format has only one recording: before any is read. */
struct error *diff_export_check(const struct export_format *format);

/** @before: becomes a profile of both (profile_join.h), @later loses what is not wanted. */
struct error *diff_export_write(const struct diff_export *request, struct named_profile *before,
				struct named_profile *later);

#endif
