/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_FIREFOX_TABLES_H
#define WPERF_VIEW_EXPORT_FIREFOX_TABLES_H

/** The tables of the Firefox Profiler's JSON that all threads share: strings, frames, stacks ... */

#include "base/error.h"
#include "profile/named_profile.h"
#include "view/json/json_writer.h"

/** The kinds of code, as numbers of the list of categories, which view/export/firefox.c writes. */
enum firefox_category {
	FIREFOX_OTHER,
	FIREFOX_INTERPRETED,
	FIREFOX_NATIVE,
	FIREFOX_KERNEL,
	FIREFOX_JIT,
	FIREFOX_NUM_CATEGORIES,
};

/** Write the member "shared" of the document. Strings, functions and stacks keep their numbers. */
struct error *firefox_tables_write(const struct named_profile *profile, struct json_writer *json);

#endif
