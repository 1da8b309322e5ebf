// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/clickhouse/clickhouse_cluster.h"

#include "fleet/store/clickhouse/clickhouse_rows.h"

#include <string.h>

enum {
	CLICKHOUSE_QUORUM_MS = 5000, // a replica that died is waited for so long
	CLICKHOUSE_DDL_S = 30,       // the same, of statements for all servers
	CLICKHOUSE_MAX_DELAY_S = 5,
	CLICKHOUSE_QUORUM_IS_PENDING = 286,
};

static struct error *clickhouse_cluster_check_size(const struct clickhouse_server *server,
						   uint64_t num_shards, uint64_t least,
						   uint64_t most, uint64_t num_local)
{
	const struct clickhouse_place *place = &server->place;
	if (!num_shards)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the server of '%s' has no cluster '%s'",
						    place->name, place->cluster),
				       "name one of <remote_servers> in its configuration; 'SELECT "
				       "DISTINCT cluster FROM system.clusters' lists them");
	if (least != most || num_shards > UINT16_MAX || most > UINT16_MAX)
		return error_with_hint(
			error_create(
				ERROR_FAILED,
				"the shards of cluster '%s' have different numbers of replicas",
				place->cluster),
			"give each shard as many replicas, in <remote_servers> of all servers");
	if (!num_local)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the server of '%s' is not in the cluster '%s'",
						    place->name, place->cluster),
				       "name a server that is; 'SELECT host_name, port FROM "
				       "system.clusters' lists them");
	return NULL;
}

struct error *clickhouse_cluster_find(struct clickhouse_server *server)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	if (!server->place.cluster)
		return NULL;
	// For later servers than 18.16, a query in brackets may be NULL: a byte more in RowBinary.
	string_builder_append(
		&sql, "SELECT count(), min(n), max(n), sum(l), toUInt8(assumeNotNull((SELECT"
		      " value != '1' FROM system.settings WHERE name = 'readonly'))) FROM"
		      " (SELECT shard_num, count() AS n, sum(is_local) AS l FROM"
		      " system.clusters WHERE cluster = ");
	clickhouse_rows_quote(&sql, server->place.cluster);
	string_builder_append(&sql, " GROUP BY shard_num)");
	struct error *err = clickhouse_server_ask_outside(server, &sql, &answer);
	if (err)
		return err;
	uint64_t num_shards = reader_u64(&answer.rows);
	uint64_t least = reader_u64(&answer.rows), most = reader_u64(&answer.rows);
	uint64_t num_local = reader_u64(&answer.rows);
	bool may_set = reader_u8(&answer.rows);
	err = clickhouse_answer_check(server, &answer);
	if (!err)
		err = clickhouse_cluster_check_size(server, num_shards, least, most, num_local);
	if (err)
		return err;
	server->num_shards = (uint32_t)num_shards;
	server->num_replicas = (uint32_t)most;
	server->may_set = may_set;
	return NULL;
}

/** @engine: "Distributed(NAME, ...)", where NAME may be in quotes. */
static bool clickhouse_cluster_is_of(struct clickhouse_text engine, const char *cluster)
{
	static const char prefix[] = "Distributed(";
	size_t length = strlen(cluster), begin = strlen(prefix);
	if (engine.size <= begin || memcmp(engine.bytes, prefix, begin) != 0)
		return false;
	begin += strchr("'`\"", engine.bytes[begin]) != NULL;
	return engine.size - begin > length && memcmp(engine.bytes + begin, cluster, length) == 0 &&
	       strchr("'`\",", engine.bytes[begin + length]);
}

static struct error *clickhouse_cluster_check_engine(const struct clickhouse_server *server,
						     bool is_windows, struct clickhouse_text engine)
{
	static const char of_cluster[] = "Replicated", of_windows[] = "Distributed";
	const struct clickhouse_place *place = &server->place;
	const char *prefix = is_windows ? of_windows : of_cluster;
	bool is_cluster =
		engine.size > strlen(prefix) && memcmp(engine.bytes, prefix, strlen(prefix)) == 0;
	if (!is_cluster && !place->cluster)
		return NULL;
	if (!is_cluster)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the tables of '%s' are those of one server, "
						    "and not replicated",
						    place->name),
				       "name another database for the cluster, or leave out "
				       "'?cluster=%s'",
				       place->cluster);
	if (!place->cluster)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the tables of '%s' are those of a cluster",
						    place->name),
				       "write its name behind the database: ?cluster=NAME");
	if (is_windows && !clickhouse_cluster_is_of(engine, place->cluster))
		return error_with_hint(error_create(ERROR_FAILED,
						    "the tables of '%s' are those of another "
						    "cluster",
						    place->name),
				       "name the cluster that they were made for, or another "
				       "database");
	return NULL;
}

struct error *clickhouse_cluster_check_tables(const struct clickhouse_server *server)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_append(&sql, "SELECT name = 'windows', engine_full FROM system.tables WHERE"
				    " name IN ('facts', 'windows') AND database = ");
	clickhouse_rows_quote(&sql, server->place.database);
	struct error *err = clickhouse_server_ask_outside(server, &sql, &answer);
	while (!err && reader_left(&answer.rows)) {
		bool is_windows = reader_u8(&answer.rows);
		struct clickhouse_text engine = clickhouse_rows_text(&answer.rows);
		if (!answer.rows.failed)
			err = clickhouse_cluster_check_engine(server, is_windows, engine);
	}
	return err ? err : clickhouse_answer_check(server, &answer);
}

void clickhouse_cluster_append_settings(const struct clickhouse_server *server,
					enum clickhouse_request_kind kind,
					struct string_builder *url)
{
	if (!server->num_shards)
		return;
	if (server->may_set)
		string_builder_appendf(url,
				       "&max_replica_delay_for_distributed_queries=%d"
				       "&load_balancing=in_order",
				       CLICKHOUSE_MAX_DELAY_S);
	if (kind == CLICKHOUSE_READS)
		return;
	bool is_everywhere = kind == CLICKHOUSE_INSERTS_EVERYWHERE;
	uint32_t quorum = server->num_replicas * (is_everywhere ? server->num_shards : 1);
	if (quorum > 1)
		string_builder_appendf(url, "&insert_quorum=%u&insert_quorum_timeout=%d", quorum,
				       CLICKHOUSE_QUORUM_MS);
	if (!is_everywhere)
		string_builder_append(url, "&insert_distributed_sync=1");
	if (kind == CLICKHOUSE_CHANGES_TABLES)
		string_builder_appendf(url, "&distributed_ddl_task_timeout=%d", CLICKHOUSE_DDL_S);
}

bool clickhouse_cluster_is_busy(const struct clickhouse_server *server, int code)
{
	return server->num_shards && code == CLICKHOUSE_QUORUM_IS_PENDING;
}
