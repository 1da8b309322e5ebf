/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_CLUSTER_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_CLUSTER_H

/**
 * A cluster of ClickHouse: shards that have different rows, each of as many replicas that have the
 * same ones. ZooKeeper knows what each replica has.
 *
 * - Tables whose rows are few and must be one truth (CLICKHOUSE_EVERYWHERE) have a replica on every
 *   server. Of the others a table NAME_local is on each server, and NAME is all of them as one
 *   table (the engine Distributed), which sends each row to the shard that its key chooses. All
 *   rows of a batch have the same key: also if it is sent again, by whomever, they meet.
 * - An INSERT returns when all replicas have its rows (insert_quorum): those of each shard that it
 *   has rows for, or all of the cluster. If one is away, it fails. So who asks after a put() sees
 *   it, wherever it asks, and also without ZooKeeper; and no server reads a fact that is older than
 *   the last one written. Most replicas would do with select_sequential_consistency, but in 18.16
 *   such queries fail for good once a partition has been dropped.
 * - A replica that lacks rows of more than some seconds ago is new, and is not asked while there is
 *   another one (max_replica_delay_for_distributed_queries).
 * - While an INSERT runs, some replicas have its rows and others not yet. All queries of an answer
 *   go to the same replicas (load_balancing=in_order): the server that is asked, and of other
 *   shards the first replica that answers. If that one changes meanwhile, the answer is read once
 *   more.
 * - An INSERT that fails may have stored the rows of some batches, but all rows of each of these:
 *   they are one part of one shard. Sent again, they count once.
 * - Before 20.10 a table takes one INSERT with a quorum at a time: others are refused, and are sent
 *   again by clickhouse_server.c for some seconds.
 */

#include "base/text/string_builder.h"
#include "fleet/store/clickhouse/clickhouse_server.h"

/** What a request does, for its settings. */
enum clickhouse_request_kind {
	CLICKHOUSE_READS,
	CLICKHOUSE_INSERTS_SHARDED,
	CLICKHOUSE_INSERTS_EVERYWHERE,
	CLICKHOUSE_CHANGES_TABLES, /* or inserts what it reads */
};

/** Read how large it is, if the place of @server is one. */
struct error *clickhouse_cluster_find(struct clickhouse_server *server);

/** Tables of one server and of a cluster are not taken for each other. Fine if there are none. */
struct error *clickhouse_cluster_check_tables(const struct clickhouse_server *server);

/** "&name=value..." */
void clickhouse_cluster_append_settings(const struct clickhouse_server *server,
					enum clickhouse_request_kind kind,
					struct string_builder *url);

/** May a request that failed with this code of ClickHouse succeed if it is sent again at once? */
bool clickhouse_cluster_is_busy(const struct clickhouse_server *server, int code);

#endif
