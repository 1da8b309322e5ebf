/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_STORE_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_STORE_H

/**
 * A store in a database of ClickHouse 18.16 or later, which many may write and read at once: on one
 * server, or on a cluster (clickhouse_cluster.h).
 *
 * Why each batch counts once, at every moment, whatever is retried or killed:
 * - A batch is rows of the table windows, each with the hash of the batch's id and its place in the
 *   batch. Queries take one row of each (LIMIT 1 BY batch, part): rows that were written twice, by
 *   whomever, count once. This costs little, as a row has about two thousand pairs.
 * - The rows of a put() are one INSERT of one block into one partition, which ClickHouse writes as
 *   one part: it is there or it is not. The body is gzip: one that was cut off is an error.
 * - Windows of several days are in several partitions, and so several INSERTs. Their rows have the
 *   number of the put, and are read only if it is in the table commits, which is written last.
 *   Queries read commits first: what is in there is complete.
 * - Names of stacks and frames are written before; those of a put that failed are never asked for.
 *   The table batches is written after: without its row, the batch is written once more.
 * - Sums of hours are taken where they are those of all windows: see clickhouse_sums.h.
 * - retain() first closes the time that it will drop, so that batches of it are refused, then sums
 *   up hours, then says that answers are to be made of them, then drops the windows. A put() that
 *   finds its time closed when it is through reports its batches as too old.
 * - On a cluster, a batch's rows are on one shard, written as one part there. An INSERT with rows
 *   of several shards is one for each: where one fails, put() fails, and other batches may be
 *   there, each of them whole.
 * Not exact: two different batches with one id, sent at the same time; one of them counts, or some
 * events of both.
 *
 * "On the disk": ClickHouse before 21.3 has no setting for it. Its rows survive that the server is
 * killed, but not that the machine loses power in the next seconds. Later servers write them to the
 * disk before they answer.
 */

#include "fleet/store/store_ops.h"

extern const struct store_ops clickhouse_store_ops, clickhouse_secure_store_ops;

#endif
