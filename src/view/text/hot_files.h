/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_HOT_FILES_H
#define WPERF_VIEW_TEXT_HOT_FILES_H

/** The source files of a profile's frames, those that the samples were in first. */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

struct hot_file {
	uint32_t path;    /* string of the profile */
	double self;      /* weight of the samples in it */
	double inclusive; /* and of those in what it calls, once for each of its frames */
};

struct hot_files {
	struct hot_file *items;
	size_t num_items;
};

#define HOT_FILES_INIT \
	{              \
	}

/** @files: set only on success. */
struct error *hot_files_init(struct hot_files *files, const struct named_profile *profile);
void hot_files_deinit(struct hot_files *files);

#endif
