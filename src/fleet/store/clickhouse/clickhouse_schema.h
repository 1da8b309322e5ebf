/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SCHEMA_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SCHEMA_H

/**
 * The tables of a store in ClickHouse, and the facts about it.
 *
 * To change the tables: append a migration; never edit one that was released. It is run when a
 * store with the version before is opened with STORE_CREATE, or STORE_INIT for a cluster. Several
 * servers may do so at once: each statement must change nothing where it has been run.
 */

#include "base/container/sip_hash.h"
#include "fleet/store/clickhouse/clickhouse_server.h"
#include "fleet/store/store_ops.h"

#include <stddef.h>
#include <stdint.h>

enum { CLICKHOUSE_SCHEMA_VERSION = 2 };

/** Of a pair: @c is of `counts`, @extra of `extras`. */
#define CLICKHOUSE_PAIR_WEIGHT "(c * scale + extra)"

/** Rows of the table facts. None ever becomes less. */
struct clickhouse_facts {
	uint64_t version;
	struct sip_key key;    /* of the hashes that are numbers of stacks and frames */
	uint64_t closed;       /* batches of a time before are refused */
	uint64_t first_window; /* answers have hours instead of windows before; at most `closed` */
	uint64_t first_hour;   /* sums of hours before have been dropped */
	uint64_t *commits;     /* puts of several inserts that are complete */
	size_t num_commits, cap_commits;
};

/** Make what is missing, or refuse. @ret: set only on success. */
struct error *clickhouse_schema_open(const struct clickhouse_server *server,
				     enum store_access access, struct store_versions *ret);

/** Where the rows of a table are. @name: ends there, or before columns in brackets. */
enum clickhouse_spread clickhouse_schema_spread(const char *name);

/** The column `month` of a time. */
uint64_t clickhouse_schema_month(uint64_t time_ns);

/** @into: "table(column, ...)". Without rows nothing is sent. */
struct error *clickhouse_schema_insert(const struct clickhouse_server *server, const char *into,
				       const struct string_builder *rows);

/** @ret: set only on success; clickhouse_facts_deinit(). */
struct error *clickhouse_facts_read(const struct clickhouse_server *server,
				    struct clickhouse_facts *ret);
void clickhouse_facts_deinit(struct clickhouse_facts *facts);
struct error *clickhouse_facts_add(const struct clickhouse_server *server, const char *name,
				   uint64_t value);

#endif
