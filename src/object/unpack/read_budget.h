/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_UNPACK_READ_BUDGET_H
#define WPERF_OBJECT_UNPACK_READ_BUDGET_H

/**
 * How much memory files from outside may take when they are unpacked and their tables are read:
 * 64 times what was in the file, and beyond that 256 MB for all files of a run together. Files of
 * compilers need far less; a made-up one of some kilobytes can ask for gigabytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { READ_BUDGET_FACTOR = 64, READ_BUDGET_BYTES = 1 << 28 };

/** Of a run. */
struct read_budget {
	uint64_t used;     /* of the bytes that all files have in common */
	uint64_t num_cuts; /* parts of files that were not read */
};

/** Of a part of a file. */
struct read_allowance {
	struct read_budget *budget;
	uint64_t left; /* of what the part may take by its own size */
	bool is_cut;   /* more was asked for than there was */
};

static inline struct read_allowance read_allowance_of(struct read_budget *budget, uint64_t size)
{
	return (struct read_allowance){
		.budget = budget,
		.left = size < UINT64_MAX / READ_BUDGET_FACTOR ? size * READ_BUDGET_FACTOR
							       : UINT64_MAX,
	};
}

/** How much can be taken. */
static inline uint64_t read_allowance_left(const struct read_allowance *allowance)
{
	uint64_t common = READ_BUDGET_BYTES - allowance->budget->used;
	return allowance->left < UINT64_MAX - common ? allowance->left + common : UINT64_MAX;
}

/** Something is left out. */
static inline void read_allowance_note(struct read_allowance *allowance)
{
	if (!allowance->is_cut)
		allowance->budget->num_cuts++;
	allowance->is_cut = true;
}

/** False: there is no more, and the rest of the part is not to be read. */
static inline bool read_allowance_take(struct read_allowance *allowance, uint64_t size)
{
	uint64_t own = size < allowance->left ? size : allowance->left;
	struct read_budget *budget = allowance->budget;
	bool is_enough = size - own <= READ_BUDGET_BYTES - budget->used;
	if (is_enough) {
		allowance->left -= own;
		budget->used += size - own;
	} else {
		read_allowance_note(allowance);
	}
	return is_enough;
}

#endif
