/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PAGE_PACKED_COLUMN_H
#define WPERF_VIEW_PAGE_PACKED_COLUMN_H

/**
 * A column of numbers as short text for a page: LEB128 bytes in base64. Small numbers, and small
 * differences between neighbours, take little more than a character each. Written as it comes.
 *
 *	struct packed_column column = packed_column_create(stream);
 *	packed_column_add(&column, 17);
 *	packed_column_finish(&column);
 *
 * Whether all was written tells the stream, in the end.
 */

#include <stdint.h>
#include <stdio.h>

struct packed_column {
	FILE *stream; /* not owned */
	uint64_t previous;
	uint32_t bits; /* bytes that are not written yet, the newest lowest */
	unsigned num_bytes;
};

struct packed_column packed_column_create(FILE *stream);

void packed_column_add(struct packed_column *column, uint64_t value);

/** As the difference to the last @value of this function, 0 at first; its sign is in bit 0. */
void packed_column_add_step(struct packed_column *column, uint64_t value);

/** Write what is left, with padding. */
void packed_column_finish(struct packed_column *column);

#endif
