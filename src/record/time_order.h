/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_TIME_ORDER_H
#define WPERF_RECORD_TIME_ORDER_H

/**
 * Puts records in order of time by their times and places alone, 16 bytes each. A file is made of
 * the rings of several CPUs, a round of all rings at a time: each is in order, so that few long
 * runs are merged. Records of equal times keep their order.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct time_order_entry {
	uint64_t time_ns;
	uint64_t place; /* the caller's */
};

struct time_order {
	struct time_order_entry *entries; /* [first, ready) can be taken, [ready, num) wait */
	size_t first_entry, num_ready, num_entries, cap_entries;
	uint64_t newest_ns;
	uint64_t limit_ns; /* the newest when the last round ended */
	struct time_order_entry *scratch;
	size_t cap_scratch;
};

#define TIME_ORDER_INIT \
	{               \
	}

/** Call it only while none can be taken. */
struct error *time_order_add(struct time_order *order, uint64_t time_ns, uint64_t place);

/** A round ended: a ring's records may be as old as the newest at the end of the round before, so
 *  what is not newer than that can be taken now. */
struct error *time_order_end_round(struct time_order *order);

/** Nothing as old as @limit_ns will come: what is not newer can be taken. */
struct error *time_order_end_until(struct time_order *order, uint64_t limit_ns);

/** Nothing older will come: all can be taken. */
struct error *time_order_end(struct time_order *order);

/** There are too many to wait for the end of the round: the older half can be taken. */
struct error *time_order_give_up_half(struct time_order *order);

/** The oldest; false if none can be taken. */
static inline bool time_order_take(struct time_order *order, struct time_order_entry *ret)
{
	if (order->first_entry == order->num_ready)
		return false;
	*ret = order->entries[order->first_entry++];
	return true;
}

/** What will be taken after @ahead others; false if that is not known yet. */
static inline bool time_order_peek(const struct time_order *order, size_t ahead,
				   struct time_order_entry *ret)
{
	if (ahead >= order->num_ready - order->first_entry)
		return false;
	*ret = order->entries[order->first_entry + ahead];
	return true;
}

static inline size_t time_order_num_waiting(const struct time_order *order)
{
	return order->num_entries - order->num_ready;
}

void time_order_deinit(struct time_order *order);

#endif
