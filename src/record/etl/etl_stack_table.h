/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_STACK_TABLE_H
#define WPERF_RECORD_ETL_ETL_STACK_TABLE_H

/**
 * The different stacks of an ETW recording, each once, under a number. It is larger than the caches
 * of a CPU: who looks up many stacks prefetches for all of them, so that cache misses overlap.
 * First the index, then what it guesses, then the addresses of that:
 *
 *	hash = etl_stack_table_hash(addresses, length);
 *	etl_stack_table_prefetch(table, hash);
 *	guess = etl_stack_table_guess(table, hash);
 *	etl_stack_table_prefetch_addresses(table, guess);
 *	err = etl_stack_table_intern(table, addresses, length, hash, &number);
 */

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct etl_stack_span {
	size_t first; /* in `addresses` */
	uint32_t length;
	uint32_t num_kernel; /* of its addresses; set by etl_stacks_end() */
};

struct etl_stack_table {
	size_t max_addresses; /* of all stacks */
	uint64_t *addresses;
	size_t num_addresses, cap_addresses;
	struct etl_stack_span *spans;
	size_t num_spans, cap_spans;
	struct hash_table index;
};

enum { ETL_STACK_TABLE_NONE = UINT32_MAX };

uint64_t etl_stack_table_hash(const uint64_t *addresses, size_t length);

void etl_stack_table_prefetch(const struct etl_stack_table *table, uint64_t hash);

/** The number that is likely; ETL_STACK_TABLE_NONE: the stack is new. */
uint32_t etl_stack_table_guess(const struct etl_stack_table *table, uint64_t hash);

/** @number: of a stack, or ETL_STACK_TABLE_NONE. */
void etl_stack_table_prefetch_addresses(const struct etl_stack_table *table, uint32_t number);

/** @ret: ETL_STACK_TABLE_NONE if the table is full. */
struct error *etl_stack_table_intern(struct etl_stack_table *table, const uint64_t *addresses,
				     uint32_t length, uint64_t hash, uint32_t *ret);

/** Only numbers will be looked at from now on. */
void etl_stack_table_end(struct etl_stack_table *table);

void etl_stack_table_deinit(struct etl_stack_table *table);

#endif
