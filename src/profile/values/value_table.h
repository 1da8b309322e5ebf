/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_VALUES_VALUE_TABLE_H
#define WPERF_PROFILE_VALUES_VALUE_TABLE_H

/** The values that samples of probes bring: equal ones are stored once. */

#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "base/error.h"
#include "record/probe_values.h"

#include <stddef.h>
#include <stdint.h>

/** Those of a sample; bits as in struct probe_payload. */
struct value_tuple {
	uint8_t num, strings, unread, is_unsigned;
	uint64_t numbers[PROBE_MAX_VALUES]; /* of a string: its id */
};

struct value_table {
	struct value_tuple *items; /* the first one is none */
	size_t num_items, cap_items;
	struct hash_table index;
};

#define VALUE_TABLE_INIT \
	{                \
	}

enum { VALUE_TABLE_MAX = 1 << 20 };

/**
 * @payload: of a sample, not trusted. @strings: where its strings go to.
 * @ret: 0 if it is no payload of a probe, or damaged, or the table is full.
 */
struct error *value_table_add(struct value_table *table, struct string_table *strings,
			      const uint8_t *payload, size_t size, uint32_t *ret);
void value_table_deinit(struct value_table *table);

#endif
