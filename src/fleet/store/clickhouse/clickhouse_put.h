/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_PUT_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_PUT_H

#include "fleet/store/clickhouse/clickhouse_names.h"
#include "fleet/store/clickhouse/clickhouse_server.h"
#include "fleet/store/store_ops.h"

/** See put() of store_ops.h. @known: what this program has written before. */
struct error *clickhouse_put(const struct clickhouse_server *server, struct clickhouse_known *known,
			     const struct fleet_batch *const *batches, size_t num_batches,
			     struct store_put_result *ret);

#endif
