/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_NUMBERS_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_NUMBERS_H

/** An answer that is a list of numbers. */

#include "fleet/store/clickhouse/clickhouse_server.h"

#include <stddef.h>
#include <stdint.h>

struct clickhouse_numbers {
	uint64_t *numbers;
	size_t num_numbers, cap_numbers;
};

/** @sql: of one column of UInt64. @ret: set only on success; clickhouse_numbers_deinit(). */
struct error *clickhouse_numbers_ask(const struct clickhouse_server *server,
				     const struct string_builder *sql,
				     struct clickhouse_numbers *ret);
void clickhouse_numbers_deinit(struct clickhouse_numbers *numbers);

#endif
