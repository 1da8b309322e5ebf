// SPDX-License-Identifier: Apache-2.0
// Each text is in its row: sorted and packed, texts that repeat take next to no bytes, and there is
// nothing that two servers would have to number.
//
//	windows  a row for each batch (part 0) and each event of it, with the pairs of the window
//	hours    a row for each series and hour, with the sums of its windows
//	sums     a row for each event of a service and hour: of all hosts (clickhouse_sums.h)
//	stacks -> frames, by numbers that are hashes of what they have
//	labels   those of all series, for listings
//	batches  ids that are known
//	facts    see clickhouse_schema.h
//
// Days and months are counted from 1970, a month has 30 days: partitions do not depend on a time
// zone. A granule of 64 windows is read at once, as one has about two thousand pairs.
//
// Pairs are three columns, sorted by stack: the weight of the n-th is counts[n] * scale + extras[n]
// (modulo 2^64). Where samples weigh the same, extras are zeros, which take no bytes.

#include "fleet/store/clickhouse/clickhouse_schema.h"

#include "base/container/array.h"
#include "base/os/random_bytes.h"
#include "fleet/store/clickhouse/clickhouse_cluster.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"
#include "fleet/store/clickhouse/clickhouse_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CLICKHOUSE_MONTH_DAYS = 30 };

#define EVENT                                                                                     \
	" service String, event String, unit String, model String, language String, flags UInt8," \
	" period UInt64, frequency UInt64,"
#define LABELS  " label_keys Array(String), label_values Array(String),"
#define NUMBERS " event_id UInt64, series UInt64,"
#define SUM     " count UInt64, weight UInt64, scale UInt64,"
#define PAIRS   " stacks Array(UInt64)$Z$, counts Array(UInt64)$Z$, extras Array(UInt64)$Z$"

// What is summed up or counted once must meet on one shard: rows of a batch, those of an hour of a
// series, and those of an hour of an event.
static const struct clickhouse_table first_tables[] = {
	{
		.name = "facts",
		.columns = "name String, value UInt64",
		.engine = "ReplacingMergeTree",
		.order = "ORDER BY (name, value)",
	},
	{
		.name = "commits",
		.columns = "day UInt32, put UInt64",
		.engine = "MergeTree",
		.order = "PARTITION BY day ORDER BY put",
		.granularity = "8192",
	},
	{
		.name = "windows",
		.columns = "day UInt32, batch FixedString(16), part UInt16, put UInt64,"
			   " start UInt64, end UInt64, num_dropped UInt64,"
			   " num_lost UInt64," EVENT LABELS NUMBERS SUM PAIRS,
		.engine = "MergeTree",
		.order = "PARTITION BY day ORDER BY (service, event, start, batch, part)",
		.granularity = "64",
		.shard_by = "sipHash64(batch)",
	},
	{
		.name = "hours",
		.columns = "month UInt32, version UInt64, start UInt64, first UInt64,"
			   " end UInt64," EVENT LABELS NUMBERS SUM PAIRS,
		.engine = "ReplacingMergeTree",
		.version = "version",
		.order = "PARTITION BY month ORDER BY (service, event, start, series)",
		.granularity = "64",
		.shard_by = "series",
	},
	{
		.name = "stacks",
		.columns = "service String, stack UInt64, traits UInt8, frames Array(UInt64)$Z$",
		.engine = "ReplacingMergeTree",
		.order = "ORDER BY (service, stack)",
		.granularity = "256",
		.shard_by = "stack",
	},
	{
		.name = "frames",
		.columns = "frame UInt64, name String$Z$, linkage_name String$Z$, has_module UInt8,"
			   " module_name String, module_path String, build_id String,"
			   " function_file String, function_line UInt32, kind UInt8, file String,"
			   " line UInt32, flags UInt8, address UInt64",
		.engine = "ReplacingMergeTree",
		.order = "ORDER BY frame",
		.granularity = "256",
		.shard_by = "frame",
	},
	{
		.name = "labels",
		.columns = "service String, key String, value String",
		.engine = "ReplacingMergeTree",
		.order = "ORDER BY (service, key, value)",
		.granularity = "8192",
		.shard_by = "sipHash64(service)",
	},
	{
		.name = "batches",
		.columns = "day UInt32, batch FixedString(16), start UInt64",
		.engine = "ReplacingMergeTree",
		.order = "PARTITION BY day ORDER BY batch",
		.granularity = "256",
		.shard_by = "sipHash64(batch)",
	},
	{.name = NULL},
};

// `print` is that of the windows in the sums, `version` their number.
static const struct clickhouse_table second_tables[] = {
	{
		.name = "sums",
		.columns = "month UInt32, version UInt64, print UInt64, start UInt64, first UInt64,"
			   " end UInt64," EVENT " event_id UInt64," SUM PAIRS,
		.engine = "ReplacingMergeTree",
		.version = "version",
		.order = "PARTITION BY month ORDER BY (service, event, start, event_id)",
		.granularity = "8",
		.shard_by = "event_id",
	},
	{.name = NULL},
};

/** Ends with one without a name. */
static const struct clickhouse_table *const migrations[CLICKHOUSE_SCHEMA_VERSION] = {first_tables,
										     second_tables};

enum clickhouse_spread clickhouse_schema_spread(const char *name)
{
	size_t length = strcspn(name, "(");
	for (size_t i = 0; i < CLICKHOUSE_SCHEMA_VERSION; i++)
		for (const struct clickhouse_table *table = migrations[i]; table->name; table++)
			if (strlen(table->name) == length && memcmp(table->name, name, length) == 0)
				return clickhouse_table_spread(table);
	return CLICKHOUSE_EVERYWHERE;
}

uint64_t clickhouse_schema_month(uint64_t time_ns)
{
	return time_ns / STORE_DAY_NS / CLICKHOUSE_MONTH_DAYS;
}

struct error *clickhouse_schema_insert(const struct clickhouse_server *server, const char *into,
				       const struct string_builder *rows)
{
	return clickhouse_server_insert(server, into, clickhouse_schema_spread(into), rows);
}

static struct error *clickhouse_facts_take(struct clickhouse_facts *facts,
					   struct clickhouse_text name, uint64_t least,
					   uint64_t most)
{
	// Servers that made the store at once made two keys: all take the same one.
	const struct {
		const char *name;
		uint64_t value, *fact;
	} all[] = {
		{"version", most, &facts->version},
		{"key 0", least, &facts->key.words[0]},
		{"key 1", least, &facts->key.words[1]},
		{"closed", most, &facts->closed},
		{"first window", most, &facts->first_window},
		{"first hour", most, &facts->first_hour},
	};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (name.size == strlen(all[i].name) &&
		    memcmp(name.bytes, all[i].name, name.size) == 0)
			*all[i].fact = all[i].value;
	// The only ones without a name.
	if (name.size)
		return NULL;
	struct error *err =
		array_reserve(&facts->commits, &facts->cap_commits, facts->num_commits + 1);
	if (!err)
		facts->commits[facts->num_commits++] = most;
	return err;
}

struct error *clickhouse_facts_read(const struct clickhouse_server *server,
				    struct clickhouse_facts *ret)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_append(
		&sql, "SELECT name, min(value) AS a, max(value) AS b FROM facts GROUP BY name"
		      " UNION ALL SELECT '' AS name, put AS a, put AS b FROM commits");
	struct error *err = clickhouse_server_ask(server, &sql, &answer);
	while (!err && reader_left(&answer.rows)) {
		struct clickhouse_text name = clickhouse_rows_text(&answer.rows);
		uint64_t least = reader_u64(&answer.rows), most = reader_u64(&answer.rows);
		err = clickhouse_facts_take(&facts, name, least, most);
	}
	if (!err)
		err = clickhouse_answer_check(server, &answer);
	if (err)
		return err;
	*ret = facts;
	facts = (struct clickhouse_facts){0};
	return NULL;
}

void clickhouse_facts_deinit(struct clickhouse_facts *facts)
{
	free(facts->commits);
	*facts = (struct clickhouse_facts){0};
}

struct error *clickhouse_facts_add(const struct clickhouse_server *server, const char *name,
				   uint64_t value)
{
	_cleanup_(string_builder_deinit) struct string_builder rows = STRING_BUILDER_INIT;
	clickhouse_rows_add_text(&rows, name, strlen(name));
	clickhouse_rows_add_u64(&rows, value);
	return clickhouse_schema_insert(server, "facts(name, value)", &rows);
}

/** Once, before there is anything else: then all facts are there or none. */
static struct error *clickhouse_schema_add_key(const struct clickhouse_server *server,
					       const struct clickhouse_facts *facts)
{
	uint64_t words[2];
	if (facts->version)
		return NULL;
	struct error *err = random_bytes_fill(words, sizeof(words));
	if (!err)
		err = clickhouse_facts_add(server, "key 0", words[0]);
	return err ? err : clickhouse_facts_add(server, "key 1", words[1]);
}

static struct error *clickhouse_schema_create_database(const struct clickhouse_server *server)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_appendf(&sql, "CREATE DATABASE IF NOT EXISTS %s", server->place.database);
	clickhouse_table_append_on_cluster(server, &sql);
	return clickhouse_server_run_outside(server, &sql);
}

/** @ret_before: the version; 0: there were no tables. */
static struct error *clickhouse_schema_migrate(const struct clickhouse_server *server,
					       uint64_t *ret_before)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	struct error *err = clickhouse_schema_create_database(server);
	// These two are read to know whether there are the others.
	for (size_t i = 0; !err && i < 2; i++)
		err = clickhouse_table_create(server, &first_tables[i]);
	// A new replica has no facts at first: that does not make it a new store.
	if (!err)
		err = clickhouse_table_catch_up(server, &first_tables[0]);
	if (!err)
		err = clickhouse_facts_read(server, &facts);
	if (!err)
		err = clickhouse_schema_add_key(server, &facts);
	// A server that took the place of another one has none of them.
	size_t first = server->num_shards ? 0 : facts.version;
	for (size_t i = first; !err && i < CLICKHOUSE_SCHEMA_VERSION; i++)
		for (const struct clickhouse_table *table = migrations[i]; !err && table->name;
		     table++)
			err = clickhouse_table_create(server, table);
	for (size_t i = first; !err && i < CLICKHOUSE_SCHEMA_VERSION; i++)
		for (const struct clickhouse_table *table = migrations[i]; !err && table->name;
		     table++)
			err = clickhouse_table_catch_up(server, table);
	if (!err && facts.version < CLICKHOUSE_SCHEMA_VERSION)
		err = clickhouse_facts_add(server, "version", CLICKHOUSE_SCHEMA_VERSION);
	if (!err)
		*ret_before = facts.version;
	return err;
}

static struct error *clickhouse_schema_refuse(const struct clickhouse_server *server,
					      uint64_t version)
{
	if (version > CLICKHOUSE_SCHEMA_VERSION)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the store '%s' has version %" PRIu64
						    " of the tables; this wperf knows up to %d",
						    server->place.name, version,
						    CLICKHOUSE_SCHEMA_VERSION),
				       "use the newer wperf that made it");
	return error_with_hint(error_create(ERROR_FAILED,
					    "the store '%s' has no tables, or older ones",
					    server->place.name),
			       "'wperf serve --init --store PLACE' makes and renews them");
}

struct error *clickhouse_schema_open(const struct clickhouse_server *server,
				     enum store_access access, struct store_versions *ret)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	struct error *err = clickhouse_cluster_check_tables(server);
	if (err)
		return err;
	err = clickhouse_facts_read(server, &facts);
	bool is_ready = !err && facts.version >= CLICKHOUSE_SCHEMA_VERSION;
	uint64_t before = facts.version;
	// On a cluster, one makes them for all, when it is asked to: several at once would make
	// several keys.
	if (server->num_shards ? access == STORE_INIT : !is_ready && access >= STORE_CREATE) {
		error_destroy(err);
		clickhouse_facts_deinit(&facts);
		err = clickhouse_schema_migrate(server, &before);
		if (!err)
			err = clickhouse_facts_read(server, &facts);
	}
	if (err)
		return err;
	if (facts.version != CLICKHOUSE_SCHEMA_VERSION)
		return clickhouse_schema_refuse(server, facts.version);
	*ret = (struct store_versions){.before = before, .now = facts.version};
	return NULL;
}
