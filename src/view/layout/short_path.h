/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_SHORT_PATH_H
#define WPERF_VIEW_LAYOUT_SHORT_PATH_H

/**
 * As much of a path as tells an interpreted file from the others of a profile, here of
 * Python:
 *
 *	/home/me/shop/shop.py                      shop.py
 *	/home/me/shop/admin/views.py               admin/views.py     there is another views.py
 *	/usr/lib/python3.11/json/encoder.py        json/encoder.py    as it is imported
 *	/venv/lib/python3.11/site-packages/a/b.py  a/b.py
 *	<frozen importlib._bootstrap>              whole, as it is none
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

/** The interpreted files in a profile. */
struct short_paths {
	const struct named_profile *profile;
	uint32_t *files; /* strings of the profile */
	size_t num_files, cap_files;
};

/** The profile must outlive it. @ret: set only on success. */
struct error *short_paths_create(const struct named_profile *profile, struct short_paths *ret);
void short_paths_deinit(struct short_paths *paths);

/** Points into the profile's string. */
const char *short_path(const struct short_paths *paths, uint32_t file);

#endif
