/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_QUERY_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_QUERY_H

#include "fleet/store/clickhouse/clickhouse_schema.h"
#include "fleet/store/clickhouse/clickhouse_server.h"
#include "fleet/store/store_ops.h"
#include "fleet/store/store_profile.h"

/** See query(), heat(), heats() and list() of store_ops.h. */
struct error *clickhouse_query(const struct clickhouse_server *server,
			       const struct store_query *query, struct named_profile *ret);
struct error *clickhouse_query_heat(const struct clickhouse_server *server,
				    const struct store_query *query, struct store_heat *ret);
struct error *clickhouse_query_heats(const struct clickhouse_server *server,
				     const struct store_query *query,
				     const struct store_label_range *label,
				     struct store_heats *ret);
struct error *clickhouse_query_list(const struct clickhouse_server *server,
				    struct store_listing *ret);

/** A sum of 64 bits that may have overflowed: @high is that of the upper halves of what was summed
 *  up, at most 2^32 numbers. */
uint64_t clickhouse_query_saturate(uint64_t sum, uint64_t high);

#endif
