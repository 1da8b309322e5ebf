/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_MATCH_FINDER_H
#define WPERF_VIEW_MATCH_FINDER_H

/**
 * What was there before: the last places where the same bytes began, by hash, no further back
 * than deflate can point (RFC 1951). Places are numbers of bytes from the beginning of all data,
 * and may wrap around: what is found is always compared.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	MATCH_MAX_DISTANCE = 1 << 15,
	MATCH_MIN_LENGTH = 4, /* three bytes and a pointer are as long as what they save */
	MATCH_MAX_LENGTH = 258,
};

enum { MATCH_FINDER_HASH_BITS = 15 };

struct match_finder {
	uint32_t latest[1 << MATCH_FINDER_HASH_BITS]; /* place by hash */
	uint32_t earlier[MATCH_MAX_DISTANCE];         /* place of the same hash, by place */
};

/** Bytes in memory, and the places that they have. */
struct match_window {
	const uint8_t *bytes;
	size_t size;
	uint32_t first_place;
};

struct match {
	uint32_t length; /* 0: there is none */
	uint32_t distance;
};

/**
 * The longest match for the bytes at @index, not longer than the window, and remember that they
 * are there.
 */
struct match match_finder_find(struct match_finder *finder, const struct match_window *window,
			       size_t index);

/** Remember the bytes at @index only. */
void match_finder_pass(struct match_finder *finder, const struct match_window *window,
		       size_t index);

#endif
