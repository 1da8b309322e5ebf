// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/clickhouse/clickhouse_table.h"

#include <string.h>

enum {
	CLICKHOUSE_HAS_CODECS = 20003,
	CLICKHOUSE_HAS_FSYNC = 21003, // it writes to the disk before it answers
};

const char *clickhouse_table_suffix(const struct clickhouse_server *server,
				    enum clickhouse_spread spread)
{
	return server->num_shards && spread == CLICKHOUSE_SHARDED ? "_local" : "";
}

void clickhouse_table_append_on_cluster(const struct clickhouse_server *server,
					struct string_builder *sql)
{
	if (server->num_shards)
		string_builder_appendf(sql, " ON CLUSTER '%s'", server->place.cluster);
}

enum clickhouse_spread clickhouse_table_spread(const struct clickhouse_table *table)
{
	return table->shard_by ? CLICKHOUSE_SHARDED : CLICKHOUSE_EVERYWHERE;
}

static void clickhouse_table_append_columns(const struct clickhouse_server *server,
					    const char *columns, struct string_builder *sql)
{
	static const char mark[] = "$Z$";
	const char *found;
	for (; (found = strstr(columns, mark)); columns = found + strlen(mark)) {
		string_builder_append_n(sql, columns, (size_t)(found - columns));
		if (server->version >= CLICKHOUSE_HAS_CODECS)
			string_builder_append(sql, " CODEC(ZSTD(1))");
	}
	string_builder_append(sql, columns);
}

/** In ZooKeeper, the replicas of a table have one path. */
static void clickhouse_table_append_engine(const struct clickhouse_server *server,
					   const struct clickhouse_table *table,
					   struct string_builder *sql)
{
	const struct clickhouse_place *place = &server->place;
	const char *version = table->version ? table->version : "";
	if (!server->num_shards)
		string_builder_appendf(sql, ") ENGINE = %s(%s)", table->engine, version);
	else
		string_builder_appendf(sql,
				       ") ENGINE = Replicated%s('/clickhouse/wperf/%s/%s%s/%s', "
				       "'%s{replica}'%s%s)",
				       table->engine, place->cluster, place->database,
				       table->shard_by ? "/{shard}" : "", table->name,
				       table->shard_by ? "" : "{shard}-", *version ? ", " : "",
				       version);
	string_builder_appendf(sql, " %s", table->order);
	if (table->granularity)
		string_builder_appendf(
			sql, " SETTINGS index_granularity = %s%s", table->granularity,
			server->version >= CLICKHOUSE_HAS_FSYNC
				? ", fsync_after_insert = 1, fsync_part_directory = 1"
				: "");
}

static struct error *clickhouse_table_create_rows(const struct clickhouse_server *server,
						  const struct clickhouse_table *table)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_appendf(&sql, "CREATE TABLE IF NOT EXISTS %s.%s%s", server->place.database,
			       table->name,
			       clickhouse_table_suffix(server, clickhouse_table_spread(table)));
	clickhouse_table_append_on_cluster(server, &sql);
	string_builder_append_char(&sql, '(');
	clickhouse_table_append_columns(server, table->columns, &sql);
	clickhouse_table_append_engine(server, table, &sql);
	return clickhouse_server_run(server, &sql);
}

/** All shards as one table. */
static struct error *clickhouse_table_join(const struct clickhouse_server *server,
					   const struct clickhouse_table *table)
{
	const struct clickhouse_place *place = &server->place;
	const char *suffix = clickhouse_table_suffix(server, CLICKHOUSE_SHARDED);
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_appendf(&sql, "CREATE TABLE IF NOT EXISTS %s.%s", place->database,
			       table->name);
	clickhouse_table_append_on_cluster(server, &sql);
	string_builder_appendf(&sql, " AS %s.%s%s ENGINE = Distributed('%s', '%s', '%s%s', %s)",
			       place->database, table->name, suffix, place->cluster,
			       place->database, table->name, suffix, table->shard_by);
	return clickhouse_server_run(server, &sql);
}

struct error *clickhouse_table_create(const struct clickhouse_server *server,
				      const struct clickhouse_table *table)
{
	struct error *err = clickhouse_table_create_rows(server, table);
	return err || !server->num_shards || !table->shard_by
		       ? err
		       : clickhouse_table_join(server, table);
}

struct error *clickhouse_table_catch_up(const struct clickhouse_server *server,
					const struct clickhouse_table *table)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	if (!server->num_shards)
		return NULL;
	string_builder_appendf(&sql, "SYSTEM SYNC REPLICA %s.%s%s", server->place.database,
			       table->name,
			       clickhouse_table_suffix(server, clickhouse_table_spread(table)));
	return clickhouse_server_run(server, &sql);
}
