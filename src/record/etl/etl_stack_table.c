// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_stack_table.h"

#include "base/container/array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE = 64,     // bytes of a cache line
	MAX_LINES = 8, // of a stack; the processor sees where it goes on
};

struct span_key {
	const uint64_t *addresses;
	size_t length;
};

static bool is_span(const void *owner, uint32_t index, const void *key)
{
	const struct etl_stack_table *table = owner;
	const struct span_key *wanted = key;
	const struct etl_stack_span *span = &table->spans[index];
	return span->length == wanted->length &&
	       !memcmp(table->addresses + span->first, wanted->addresses,
		       wanted->length * sizeof(uint64_t));
}

uint64_t etl_stack_table_hash(const uint64_t *addresses, size_t length)
{
	// Each step of a hash waits for the step before: four at once are ready sooner.
	enum { NUM_LANES = 4, SHORT = 16 };
	if (length < SHORT)
		return hash_bytes(addresses, length * sizeof(*addresses));
	uint64_t lanes[NUM_LANES];
	size_t lane = length / NUM_LANES, rest = length % NUM_LANES;
	for (size_t i = 0; i < NUM_LANES; i++)
		lanes[i] =
			hash_bytes(addresses + i * lane,
				   (i == NUM_LANES - 1 ? lane + rest : lane) * sizeof(*addresses));
	return hash_bytes(lanes, sizeof(lanes));
}

void etl_stack_table_prefetch(const struct etl_stack_table *table, uint64_t hash)
{
	hash_table_prefetch(&table->index, hash);
}

uint32_t etl_stack_table_guess(const struct etl_stack_table *table, uint64_t hash)
{
	uint32_t number = hash_table_guess(&table->index, hash);
	if (number == HASH_TABLE_NONE)
		return ETL_STACK_TABLE_NONE;
	__builtin_prefetch(&table->spans[number]);
	return number;
}

void etl_stack_table_prefetch_addresses(const struct etl_stack_table *table, uint32_t number)
{
	if (number == ETL_STACK_TABLE_NONE)
		return;
	const struct etl_stack_span *span = &table->spans[number];
	const char *addresses = (const char *)(table->addresses + span->first);
	size_t size = span->length * sizeof(*table->addresses);
	for (size_t i = 0; i < size && i < (size_t)MAX_LINES * LINE; i += LINE)
		__builtin_prefetch(addresses + i);
}

static struct error *etl_stack_table_add(struct etl_stack_table *table, const uint64_t *addresses,
					 uint32_t length, uint64_t hash)
{
	// At least one, so that an empty stack has a place, too.
	struct error *err = array_reserve(&table->addresses, &table->cap_addresses,
					  table->num_addresses + length + 1);
	if (!err)
		err = array_reserve(&table->spans, &table->cap_spans, table->num_spans + 1);
	if (!err)
		err = hash_table_insert(&table->index, hash, (uint32_t)table->num_spans);
	if (err)
		return err;
	memcpy(table->addresses + table->num_addresses, addresses, length * sizeof(*addresses));
	table->spans[table->num_spans++] = (struct etl_stack_span){table->num_addresses, length, 0};
	table->num_addresses += length;
	return NULL;
}

struct error *etl_stack_table_intern(struct etl_stack_table *table, const uint64_t *addresses,
				     uint32_t length, uint64_t hash, uint32_t *ret)
{
	const struct span_key key = {addresses, length};
	*ret = hash_table_find(&table->index, hash, is_span, table, &key);
	if (*ret != HASH_TABLE_NONE)
		return NULL;
	*ret = ETL_STACK_TABLE_NONE;
	if (length > table->max_addresses - table->num_addresses ||
	    table->num_spans >= table->max_addresses)
		return NULL;
	struct error *err = etl_stack_table_add(table, addresses, length, hash);
	if (!err)
		*ret = (uint32_t)table->num_spans - 1;
	return err;
}

void etl_stack_table_end(struct etl_stack_table *table)
{
	hash_table_deinit(&table->index);
}

void etl_stack_table_deinit(struct etl_stack_table *table)
{
	free(table->addresses);
	free(table->spans);
	hash_table_deinit(&table->index);
	*table = (struct etl_stack_table){0};
}
