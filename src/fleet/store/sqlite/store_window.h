/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_STORE_WINDOW_H
#define WPERF_FLEET_STORE_SQLITE_STORE_WINDOW_H

/**
 * The sums of one event in one window of time, packed: about 1.3 bytes for each stack where samples
 * have the same weight.
 *
 *	struct store_window window;
 *	store_window_open(&window, data, size);
 *	while (store_window_next(&window, &pair))
 *		...
 *	if (window.reader.failed)
 *		the bytes are damaged
 */

#include "base/reader.h"
#include "base/text/string_builder.h"
#include "fleet/store/store_pair.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store_window {
	struct reader reader; /* @failed: damaged */
	uint64_t scale, stack;
	bool has_counts; /* of a store of version 2 */
};

/** @pairs: sorted by store_pair_sort(), stacks from 1 to INT64_MAX. Append to @bytes, whose
 * `failed` says if memory is missing. */
void store_window_pack(const struct store_pair *pairs, size_t num, struct string_builder *bytes);

void store_window_open(struct store_window *window, const void *data, size_t size);

/** False behind the last pair, and where the bytes are damaged. */
bool store_window_next(struct store_window *window, struct store_pair *ret);

#endif
