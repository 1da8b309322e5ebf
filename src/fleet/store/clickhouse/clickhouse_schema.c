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
#include "fleet/store/clickhouse/clickhouse_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EVENT                                                                                     \
	" service String, event String, unit String, model String, language String, flags UInt8," \
	" period UInt64, frequency UInt64,"
#define LABELS  " label_keys Array(String), label_values Array(String),"
#define NUMBERS " event_id UInt64, series UInt64,"
#define SUM     " count UInt64, weight UInt64, scale UInt64,"
// $Z$ is a codec where the server has codecs.
#define PAIRS " stacks Array(UInt64)$Z$, counts Array(UInt64)$Z$, extras Array(UInt64)$Z$"

// $S$: settings of servers that write to the disk before they answer.
static const char *const first_tables[] = {
	"CREATE TABLE IF NOT EXISTS facts(name String, value UInt64)"
	" ENGINE = ReplacingMergeTree ORDER BY (name, value)",
	"CREATE TABLE IF NOT EXISTS commits(day UInt32, put UInt64)"
	" ENGINE = MergeTree PARTITION BY day ORDER BY put SETTINGS index_granularity = 8192$S$",
	"CREATE TABLE IF NOT EXISTS windows(day UInt32, batch FixedString(16), part UInt16,"
	" put UInt64, start UInt64, end UInt64, num_dropped UInt64, num_lost UInt64," EVENT LABELS
		NUMBERS SUM PAIRS
	") ENGINE = MergeTree PARTITION BY day ORDER BY (service, event, start, batch, part)"
	" SETTINGS index_granularity = 64$S$",
	"CREATE TABLE IF NOT EXISTS hours(month UInt32, version UInt64, start UInt64,"
	" first UInt64, end UInt64," EVENT LABELS NUMBERS SUM PAIRS
	") ENGINE = ReplacingMergeTree(version) PARTITION BY month"
	" ORDER BY (service, event, start, series) SETTINGS index_granularity = 64$S$",
	"CREATE TABLE IF NOT EXISTS stacks(service String, stack UInt64, traits UInt8,"
	" frames Array(UInt64)$Z$) ENGINE = ReplacingMergeTree ORDER BY (service, stack)"
	" SETTINGS index_granularity = 256$S$",
	"CREATE TABLE IF NOT EXISTS frames(frame UInt64, name String$Z$, linkage_name String$Z$,"
	" has_module UInt8, module_name String, module_path String, build_id String,"
	" function_file String, function_line UInt32, kind UInt8, file String, line UInt32,"
	" flags UInt8, address UInt64) ENGINE = ReplacingMergeTree ORDER BY frame"
	" SETTINGS index_granularity = 256$S$",
	"CREATE TABLE IF NOT EXISTS labels(service String, key String, value String)"
	" ENGINE = ReplacingMergeTree ORDER BY (service, key, value)"
	" SETTINGS index_granularity = 8192$S$",
	"CREATE TABLE IF NOT EXISTS batches(day UInt32, batch FixedString(16), start UInt64)"
	" ENGINE = ReplacingMergeTree PARTITION BY day ORDER BY batch"
	" SETTINGS index_granularity = 256$S$",
	NULL,
};

static const char *const second_tables[] = {
	// `print` is that of the windows in the sums, `version` their number.
	"CREATE TABLE IF NOT EXISTS sums(month UInt32, version UInt64, print UInt64, start UInt64,"
	" first UInt64, end UInt64," EVENT " event_id UInt64," SUM PAIRS
	") ENGINE = ReplacingMergeTree(version) PARTITION BY month"
	" ORDER BY (service, event, start, event_id) SETTINGS index_granularity = 8$S$",
	NULL,
};

static const char *const *const migrations[CLICKHOUSE_SCHEMA_VERSION] = {first_tables,
									 second_tables};

static const struct {
	const char *mark;
	uint32_t since; // the version of the server
	const char *text;
} marks[] = {
	{"$Z$", 20003, " CODEC(ZSTD(1))"},
	{"$S$", 21003, ", fsync_after_insert = 1, fsync_part_directory = 1"},
};

/** @sql: with marks. */
static struct error *clickhouse_schema_run(const struct clickhouse_server *server, const char *sql)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	while (*sql) {
		size_t mark = 0;
		while (mark < ARRAY_SIZE(marks) &&
		       strncmp(sql, marks[mark].mark, strlen(marks[mark].mark)) != 0)
			mark++;
		if (mark == ARRAY_SIZE(marks)) {
			string_builder_append_char(&text, *sql++);
			continue;
		}
		if (server->version >= marks[mark].since)
			string_builder_append(&text, marks[mark].text);
		sql += strlen(marks[mark].mark);
	}
	return text.failed ? &error_no_memory
			   : clickhouse_server_run(server, string_builder_peek(&text));
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
	struct error *err = clickhouse_server_ask(
		server,
		"SELECT name, min(value) AS a, max(value) AS b FROM facts GROUP BY name"
		" UNION ALL SELECT '' AS name, put AS a, put AS b FROM commits",
		&answer);
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
	return clickhouse_server_insert(server, "facts(name, value)", &rows);
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

static struct error *clickhouse_schema_migrate(struct clickhouse_server *server)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	char sql[200];
	snprintf(sql, sizeof(sql), "CREATE DATABASE IF NOT EXISTS %s", server->place.database);
	server->has_no_database = true;
	struct error *err = clickhouse_server_run(server, sql);
	server->has_no_database = false;
	// These two are read to know whether there are the others.
	for (size_t i = 0; !err && i < 2; i++)
		err = clickhouse_schema_run(server, first_tables[i]);
	if (!err)
		err = clickhouse_facts_read(server, &facts);
	if (!err)
		err = clickhouse_schema_add_key(server, &facts);
	for (size_t i = facts.version; !err && i < CLICKHOUSE_SCHEMA_VERSION; i++)
		for (const char *const *table = migrations[i]; !err && *table; table++)
			err = clickhouse_schema_run(server, *table);
	if (!err && facts.version < CLICKHOUSE_SCHEMA_VERSION)
		err = clickhouse_facts_add(server, "version", CLICKHOUSE_SCHEMA_VERSION);
	return err;
}

struct error *clickhouse_schema_open(struct clickhouse_server *server, enum store_access access)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	struct error *err = clickhouse_facts_read(server, &facts);
	bool is_ready = !err && facts.version >= CLICKHOUSE_SCHEMA_VERSION;
	if (!is_ready && access == STORE_CREATE) {
		error_destroy(err);
		clickhouse_facts_deinit(&facts);
		err = clickhouse_schema_migrate(server);
		if (!err)
			err = clickhouse_facts_read(server, &facts);
	}
	if (err)
		return err;
	if (facts.version > CLICKHOUSE_SCHEMA_VERSION)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the store '%s' has version %" PRIu64
						    " of the tables; this wperf knows up to %d",
						    server->place.name, facts.version,
						    CLICKHOUSE_SCHEMA_VERSION),
				       "use the newer wperf that made it");
	if (facts.version < CLICKHOUSE_SCHEMA_VERSION)
		return error_with_hint(error_create(ERROR_FAILED,
						    "the store '%s' has no tables, or older ones",
						    server->place.name),
				       "'wperf store put STORE RECORDING' makes and renews them");
	return NULL;
}
