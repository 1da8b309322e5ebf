/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_TREE_FRAME_TABLE_H
#define WPERF_PROFILE_TREE_FRAME_TABLE_H

/** Each different place of code once: the frames of a stack_table before they have names. */

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct frame {
	uint64_t address; /* in the module's own terms */
	uint32_t module;  /* a number of the caller's */
};

struct frame_table {
	struct hash_table index;
	struct frame *items;
	size_t num_items, cap_items;
};

#define FRAME_TABLE_INIT \
	{                \
	}

struct error *frame_table_intern(struct frame_table *table, const struct frame *frame,
				 uint32_t *ret);
void frame_table_deinit(struct frame_table *table);

#endif
