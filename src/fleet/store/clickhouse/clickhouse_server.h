/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SERVER_H
#define WPERF_FLEET_STORE_CLICKHOUSE_CLICKHOUSE_SERVER_H

/**
 * A server of ClickHouse, asked by its HTTP interface. Each request stands alone; the server sends
 * nothing of an answer before it is complete (wait_end_of_query), so that an error in the middle is
 * an error. Rows are sent as gzip: bytes that are cut off are refused and not taken for fewer rows.
 */

#include "base/error.h"
#include "base/file/memory_stream.h"
#include "base/reader.h"
#include "base/text/string_builder.h"
#include "fleet/store/clickhouse/clickhouse_place.h"
#include "fleet/store/store_patience.h"

#include <stddef.h>
#include <stdint.h>

/** Where the rows of a table are, in a cluster. */
enum clickhouse_spread {
	CLICKHOUSE_SHARDED,    /* each on the replicas of one shard */
	CLICKHOUSE_EVERYWHERE, /* each on all servers */
};

struct clickhouse_server {
	struct clickhouse_place place;
	char *user_header, *password_header; /* or NULL */
	uint32_t version;                    /* 18016 is 18.16 */
	uint32_t num_shards;                 /* of the cluster; 0: it is one server */
	uint32_t num_replicas;               /* of each shard */
	bool may_set;                        /* settings of queries, too */
	struct store_patience patience;      /* of requests */
};

struct clickhouse_answer {
	struct memory_stream bytes;
	struct reader rows; /* RowBinary */
};

/** Rows that a request is about, as a table "wanted". */
struct clickhouse_wanted {
	const char *columns; /* "frame UInt64" */
	const struct string_builder *rows;
};

/** Asks for the version. @place: becomes the server's, also after an error. */
struct error *clickhouse_server_open(struct clickhouse_server *server,
				     struct clickhouse_place *place);
void clickhouse_server_deinit(struct clickhouse_server *server);

/** @sql: of all functions, may have failed: that is the error. @ret: set only on success;
 *  clickhouse_answer_deinit(). */
struct error *clickhouse_server_ask(const struct clickhouse_server *server,
				    const struct string_builder *sql,
				    struct clickhouse_answer *ret);
/** @sql: short, and without texts of others: it is in the address. */
struct error *clickhouse_server_ask_about(const struct clickhouse_server *server, const char *sql,
					  const struct clickhouse_wanted *wanted,
					  struct clickhouse_answer *ret);
/** Of statements without an answer. What they insert is sharded. */
struct error *clickhouse_server_run(const struct clickhouse_server *server,
				    const struct string_builder *sql);
/** The same outside of the database, which may not be there yet. */
struct error *clickhouse_server_ask_outside(const struct clickhouse_server *server,
					    const struct string_builder *sql,
					    struct clickhouse_answer *ret);
struct error *clickhouse_server_run_outside(const struct clickhouse_server *server,
					    const struct string_builder *sql);
/** @into: "table(column, ...)". Without rows nothing is sent. */
struct error *clickhouse_server_insert(const struct clickhouse_server *server, const char *into,
				       enum clickhouse_spread spread,
				       const struct string_builder *rows);

/** The rows of the answer must have ended where its bytes do. */
struct error *clickhouse_answer_check(const struct clickhouse_server *server,
				      const struct clickhouse_answer *answer);
/** What the server has kept cannot be right, in a few words. */
struct error *clickhouse_server_damaged(const struct clickhouse_server *server, const char *what);
void clickhouse_answer_deinit(struct clickhouse_answer *answer);

/** What the server said instead of an answer. */
struct error *clickhouse_server_error(const struct clickhouse_server *server, int status,
				      const char *text, size_t size);

#endif
