/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_TABLE_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_TABLE_H

/** How a table is made on one server or in a cluster: see clickhouse_cluster.h. */

#include "fleet/store/clickhouse/clickhouse_server.h"

struct clickhouse_table {
	const char *name, *columns; /* "$Z$" is a codec, where the server has codecs */
	const char *engine;         /* of those of MergeTree */
	const char *version;        /* a column: the last row stays; or NULL */
	const char *order;          /* "PARTITION BY ... ORDER BY ..." */
	const char *granularity;    /* NULL: the usual one, and what is inserted may be lost if the
				     * machine loses power */
	const char *shard_by;       /* a number of each row; NULL: each is on all servers */
};

/** What it has stays if it is there already. */
struct error *clickhouse_table_create(const struct clickhouse_server *server,
				      const struct clickhouse_table *table);

/** Wait until this server has what other replicas have, in a cluster. */
struct error *clickhouse_table_catch_up(const struct clickhouse_server *server,
					const struct clickhouse_table *table);

enum clickhouse_spread clickhouse_table_spread(const struct clickhouse_table *table);

/** What is behind the name of the table that has the rows of this server, or of its shard. */
const char *clickhouse_table_suffix(const struct clickhouse_server *server,
				    enum clickhouse_spread spread);

/** " ON CLUSTER ..." of a statement for all servers, or nothing. */
void clickhouse_table_append_on_cluster(const struct clickhouse_server *server,
					struct string_builder *sql);

#endif
