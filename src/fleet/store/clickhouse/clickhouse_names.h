/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_NAMES_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_NAMES_H

/**
 * Numbers of stacks and frames, and the rows of those that are new.
 *
 * A number is the SipHash of all that it stands for, so that servers need not agree on numbers. The
 * key is the store's secret: agents cannot find two stacks with one number. By chance, of 10
 * million stacks of a service two have one number in one of 370,000 stores.
 */

#include "base/container/hash_table.h"
#include "base/container/sip_hash.h"
#include "base/text/string_builder.h"
#include "fleet/store/store_profile.h"

#include <stddef.h>
#include <stdint.h>

/** Numbers whose rows have been written; of limited size, a full one begins anew. */
struct clickhouse_known {
	struct hash_table index;
	uint64_t *numbers;
	size_t num_numbers, cap_numbers;
};

void clickhouse_known_clear(struct clickhouse_known *known);

/** While batches are put. */
struct clickhouse_names {
	struct sip_key key;
	struct clickhouse_known
		*known; /* the caller's; to be cleared if the rows are not written */
	struct string_builder stacks, frames; /* rows that are new */
	const struct named_profile *profile;
	const char *service;
	uint64_t *frame_numbers, *stack_numbers; /* by those of the profile; 0: not known so far */
	struct string_builder scratch, path;
};

struct error *clickhouse_names_begin(struct clickhouse_names *names,
				     const struct named_profile *profile, const char *service);
void clickhouse_names_deinit(struct clickhouse_names *names);

/** @stack: of the profile, or STACK_NONE. */
struct error *clickhouse_names_stack(struct clickhouse_names *names, uint32_t stack,
				     struct store_traits traits, uint64_t *ret);

/** Never 0. */
uint64_t clickhouse_names_hash(struct sip_key key, const struct string_builder *bytes);

#define CLICKHOUSE_STACK_COLUMNS "service, stack, traits, frames"
#define CLICKHOUSE_FRAME_COLUMNS                                                     \
	"frame, name, linkage_name, has_module, module_name, module_path, build_id," \
	" function_file, function_line, kind, file, line, flags, address"

#endif
