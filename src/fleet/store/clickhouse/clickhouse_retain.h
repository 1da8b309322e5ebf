/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_RETAIN_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_RETAIN_H

#include "fleet/store/clickhouse/clickhouse_server.h"

/** See roll_up() and retain() of store_ops.h. */
struct error *clickhouse_roll_up(const struct clickhouse_server *server, uint64_t until_ns);
struct error *clickhouse_retain(const struct clickhouse_server *server, uint64_t windows_ns,
				uint64_t hours_ns);

#endif
