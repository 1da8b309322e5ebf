/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_ANNOTATION_H
#define WPERF_PROFILE_ANNOTATION_H

/**
 * Where in some functions, or in some source files, samples were taken: by line and by
 * instruction. A sample counts where it was taken, not where its callers are. Calls that were
 * inlined have lines of their own functions; to what they are inlined into, they count as its
 * code.
 *
 *	err = annotation_create(profile, filter, ANNOTATION_OF_FUNCTIONS, functions, 2, &sums);
 */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stddef.h>
#include <stdint.h>

enum annotation_kind {
	ANNOTATION_OF_FUNCTIONS, /* items are indexes of functions */
	ANNOTATION_OF_FILES,     /* items are strings: files of frames */
};

struct annotation_line {
	uint32_t file, line;     /* line 0: not known */
	struct named_total self; /* of samples in the line itself */
	struct named_total code; /* and in what is inlined there */
};

struct annotation_address {
	uint32_t module; /* NAMED_NONE: not known */
	uint64_t address;
	struct named_total self; /* as of lines */
	struct named_total code;
};

struct annotation_part {
	uint32_t item;                       /* the function or file */
	struct named_total self;             /* exactly the sum of the lines' */
	struct named_total code;             /* exactly the sum of the addresses' */
	const struct annotation_line *lines; /* by file and line; only those with samples */
	size_t num_lines;
	const struct annotation_address *addresses; /* by module and address; likewise */
	size_t num_addresses;
};

struct annotation {
	struct annotation_part *parts; /* one for each item, in their order */
	size_t num_parts;
	struct named_total whole; /* of all samples that the filter takes */
	/* private: what the parts point into */
	struct annotation_line *lines;
	struct annotation_address *addresses;
};

#define ANNOTATION_INIT \
	{               \
	}

/**
 * @filter: NULL for all samples. @items: no two are the same.
 * @ret: set only on success.
 */
struct error *annotation_create(const struct named_profile *profile,
				const struct profile_filter *filter, enum annotation_kind kind,
				const uint32_t *items, size_t num_items, struct annotation *ret);
void annotation_deinit(struct annotation *annotation);

#endif
