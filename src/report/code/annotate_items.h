/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_ANNOTATE_ITEMS_H
#define WPERF_REPORT_CODE_ANNOTATE_ITEMS_H

/** The functions or the files that are annotated: items of profile/annotation.h, hottest first. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stddef.h>
#include <stdint.h>

struct annotate_items {
	uint32_t *items;
	size_t num_items;
};

#define ANNOTATE_ITEMS_INIT \
	{                   \
	}

/**
 * Functions with samples. @symbol: those that it fits (--symbol), which may have nothing but
 * inlined calls; NULL: all. @max: 0: any number.
 */
struct error *annotate_items_of_symbol(const struct named_profile *profile,
				       const struct profile_filter *filter, const char *symbol,
				       uint32_t max, struct annotate_items *ret);

/** This one. */
struct error *annotate_items_of_function(uint32_t function, struct annotate_items *ret);

/** Files with samples whose path ends in @file. */
struct error *annotate_items_of_file(const struct named_profile *profile,
				     const struct profile_filter *filter, const char *file,
				     struct annotate_items *ret);

void annotate_items_deinit(struct annotate_items *items);

#endif
