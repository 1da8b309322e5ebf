/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_STACKS_H
#define WPERF_RECORD_ETL_ETL_STACKS_H

/**
 * Stacks of an ETW recording. Windows writes a stack as an event of its own, which names the event
 * that it belongs to by time and thread: first its kernel part, and the user part when the thread
 * returns to user mode. A part has addresses, or a key of the kernel's cache of stacks. Keys are
 * used again: a key means the first definition of it that is not older than the event with the key.
 *
 * The first pass adds all events of the class; the second finds stacks in order of time. Different
 * stacks are kept once.
 */

#include "record/etl/etl_payload.h"
#include "record/etl/etl_stack_table.h"
#include "record/etl/etl_width.h"

#include "base/container/hash_table.h"
#include "base/error.h"
#include "record/time_order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ETL_STACKS_MAX_KEYS = 2 << 20,       /* 64 MB, and half as much to find them */
	ETL_STACKS_MAX_ADDRESSES = 12 << 20, /* of all stacks together: 96 MB */
	ETL_STACKS_MAX_PARTS = 6 << 20,      /* again 96 MB, and half as much to sort them */
};

struct etl_stack_key; /* private */

/** A part that waits until its stack is looked up, or those before it are. */
struct etl_stack_waiting {
	uint64_t time_ns, hash;
	size_t first; /* of its addresses, in `waiting_addresses` */
	uint32_t length, tid;
	uint32_t what; /* a guess, or, if it was known at once, what it is */
	bool is_known;
};

enum { ETL_STACKS_MAX_WAITING = 32 };

struct etl_stacks {
	size_t max_parts, max_keys; /* may be lowered first, as table.max_addresses may */
	struct etl_stack_table table;
	struct etl_stack_waiting waiting[ETL_STACKS_MAX_WAITING];
	size_t num_waiting;
	uint64_t *waiting_addresses;
	size_t num_waiting_addresses, cap_waiting_addresses;
	/** What a key meant for a while; UINT32_MAX: not known yet. */
	uint32_t *meanings;
	size_t num_meanings, cap_meanings;
	struct etl_stack_key *keys;
	size_t num_keys, cap_keys;
	struct hash_table key_index;
	/** Parts by the time of what they belong to. */
	struct time_order parts;
	uint64_t num_parts, num_matched, num_unknown, num_left_out;
	uint64_t *chain; /* of the last one that was found */
	size_t cap_chain;
	struct etl_width width; /* known at etl_stacks_end() */
};

#define ETL_STACKS_INIT                                                             \
	{                                                                           \
		.max_parts = ETL_STACKS_MAX_PARTS, .max_keys = ETL_STACKS_MAX_KEYS, \
		.table = {.max_addresses = ETL_STACKS_MAX_ADDRESSES},               \
	}

/** @event: of the class of stacks, with what etl_payload_stack() made of it. */
struct error *etl_stacks_add(struct etl_stacks *stacks, const struct etl_event *event,
			     const struct etl_stack *stack);

/** All were added; next is the first etl_stacks_find(). */
struct error *etl_stacks_end(struct etl_stacks *stacks);

/**
 * The chain of callers of an event, leaf first, with context markers (record.h).
 * @time_ns: not smaller than the last time.
 * @ip: of the sample; it becomes the leaf if the part of its mode does not begin with it. 0: none.
 * @ret: valid until the next call; its length is 0 if there is no stack.
 */
struct error *etl_stacks_find(struct etl_stacks *stacks, uint64_t time_ns, uint32_t tid,
			      uint64_t ip, const uint64_t **ret, size_t *ret_length);

/** Parts of events that nobody asked for. */
uint64_t etl_stacks_num_unmatched(const struct etl_stacks *stacks);

void etl_stacks_deinit(struct etl_stacks *stacks);

struct etl_stack_part {
	const uint64_t *addresses;
	size_t length, num_kernel;
};

/** How many of these are in the kernel? */
size_t etl_stack_count_kernel(const uint64_t *addresses, size_t length);

enum { ETL_CHAIN_MORE = 3 /* addresses of a chain besides those of its parts: markers, the ip */ };

/**
 * One chain of the parts of a stack, in any order, for who keeps parts otherwise. Each address says
 * whose it is: some parts have both modes. Of a sample in user mode the kernel's are left out.
 * @ret: room for all addresses and ETL_CHAIN_MORE. The length comes back.
 */
size_t etl_chain_join(const struct etl_stack_part *parts, size_t num_parts, uint64_t ip,
		      uint64_t *ret);

#endif
