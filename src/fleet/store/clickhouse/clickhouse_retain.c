// SPDX-License-Identifier: Apache-2.0
// The time whose windows are dropped is closed first; facts are read again then, as a put of
// several inserts may have become complete meanwhile. Windows are dropped with all others of their
// day.

#include "fleet/store/clickhouse/clickhouse_retain.h"

#include "base/container/array.h"
#include "fleet/store/clickhouse/clickhouse_numbers.h"
#include "fleet/store/clickhouse/clickhouse_schema.h"
#include "fleet/store/clickhouse/clickhouse_sums.h"
#include "fleet/store/clickhouse/clickhouse_table.h"

#include <inttypes.h>

static struct error *clickhouse_retain_list_partitions(const struct clickhouse_server *server,
						       const char *table, uint64_t limit,
						       struct clickhouse_numbers *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_append(&sql, "SELECT DISTINCT toUInt64OrZero(partition) AS number FROM ");
	if (server->num_shards)
		string_builder_appendf(&sql, "cluster('%s', system.parts)", server->place.cluster);
	else
		string_builder_append(&sql, "system.parts");
	string_builder_appendf(&sql,
			       " WHERE database = '%s' AND table = '%s' AND active"
			       " AND number < %" PRIu64,
			       server->place.database, table, limit);
	return clickhouse_numbers_ask(server, &sql, ret);
}

/** Those before @limit, which are of no answer any more. */
static struct error *clickhouse_retain_drop(const struct clickhouse_server *server,
					    const char *name, uint64_t limit)
{
	char table[40];
	snprintf(table, sizeof(table), "%s%s", name,
		 clickhouse_table_suffix(server, clickhouse_schema_spread(name)));
	_cleanup_(clickhouse_numbers_deinit) struct clickhouse_numbers partitions = {0};
	struct error *err = clickhouse_retain_list_partitions(server, table, limit, &partitions);
	for (size_t i = 0; !err && i < partitions.num_numbers; i++) {
		_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
		string_builder_appendf(&sql, "ALTER TABLE %s.%s", server->place.database, table);
		clickhouse_table_append_on_cluster(server, &sql);
		string_builder_appendf(&sql, " DROP PARTITION %" PRIu64, partitions.numbers[i]);
		err = clickhouse_server_run(server, &sql);
	}
	return err;
}

/** Others must not add to an hour while it is summed up. */
static struct error *clickhouse_retain_close(const struct clickhouse_server *server,
					     const struct clickhouse_facts *before, uint64_t limit)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	const struct clickhouse_range time = {before->first_window, limit};
	struct error *err = NULL;
	if (limit > before->closed)
		err = clickhouse_facts_add(server, "closed", limit);
	if (!err)
		err = clickhouse_facts_read(server, &facts);
	if (!err)
		err = clickhouse_sums_make_hosts(server, &facts, time);
	if (!err)
		err = clickhouse_sums_make(server, &facts, time);
	return err ? err : clickhouse_facts_add(server, "first window", limit);
}

static struct error *clickhouse_retain_windows(const struct clickhouse_server *server,
					       const struct clickhouse_facts *facts, uint64_t limit)
{
	static const char *const tables[] = {"windows", "batches", "commits"};
	struct error *err = NULL;
	if (limit > facts->first_window)
		err = clickhouse_retain_close(server, facts, limit);
	for (size_t i = 0; !err && i < ARRAY_SIZE(tables); i++)
		err = clickhouse_retain_drop(server, tables[i], limit / STORE_DAY_NS);
	return err;
}

struct error *clickhouse_roll_up(const struct clickhouse_server *server, uint64_t until_ns)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	struct error *err = clickhouse_facts_read(server, &facts);
	until_ns = until_ns > STORE_MAX_NS ? STORE_MAX_NS : until_ns;
	return err ? err
		   : clickhouse_sums_make(server, &facts,
					  (struct clickhouse_range){
						  facts.first_window,
						  until_ns - until_ns % STORE_HOUR_NS,
					  });
}

struct error *clickhouse_retain(const struct clickhouse_server *server, uint64_t windows_ns,
				uint64_t hours_ns)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	struct error *err = clickhouse_facts_read(server, &facts);
	windows_ns = windows_ns > STORE_MAX_NS ? STORE_MAX_NS : windows_ns;
	hours_ns = hours_ns > STORE_MAX_NS ? STORE_MAX_NS : hours_ns;
	uint64_t limit = windows_ns - windows_ns % STORE_HOUR_NS;
	// What has been dropped does not come back.
	if (limit < facts.first_window)
		limit = facts.first_window;
	if (!err)
		err = clickhouse_retain_windows(server, &facts, limit);
	if (!err && hours_ns > facts.first_hour)
		err = clickhouse_facts_add(server, "first hour", hours_ns);
	const uint64_t first_month = clickhouse_schema_month(hours_ns);
	if (!err)
		err = clickhouse_retain_drop(server, "hours", first_month);
	return err ? err : clickhouse_retain_drop(server, "sums", first_month);
}
