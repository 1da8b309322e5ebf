// SPDX-License-Identifier: Apache-2.0
// Hours are summed up one by one, which bounds the server's memory. If several servers do it at
// once, or one is killed and it is done again, the same hour is there several times: queries take
// the one that was made of the most windows, since windows of an hour only become more until they
// are dropped, with all others of their day.

#include "fleet/store/clickhouse/clickhouse_retain.h"

#include "base/container/array.h"
#include "fleet/store/clickhouse/clickhouse_query.h"
#include "fleet/store/clickhouse/clickhouse_schema.h"
#include "fleet/store/clickhouse/clickhouse_table.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CLICKHOUSE_MONTH_DAYS = 30 };

struct clickhouse_retain_list {
	uint64_t *numbers;
	size_t num_numbers, cap_numbers;
};

static void clickhouse_retain_list_deinit(struct clickhouse_retain_list *list)
{
	free(list->numbers);
}

/** @sql: of one column of UInt64. */
static struct error *clickhouse_retain_ask(const struct clickhouse_server *server, const char *sql,
					   struct clickhouse_retain_list *list)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct error *err = clickhouse_server_ask(server, sql, &answer);
	while (!err && reader_left(&answer.rows)) {
		err = array_reserve(&list->numbers, &list->cap_numbers, list->num_numbers + 1);
		if (!err)
			list->numbers[list->num_numbers++] = reader_u64(&answer.rows);
	}
	return err ? err : clickhouse_answer_check(server, &answer);
}

#define PAIR_WEIGHT "(c * scale + extra)"
#define SERIES_COLUMNS                                                                  \
	"service, event, unit, model, language, flags, period, frequency, label_keys, " \
	"label_values, event_id"
#define SERIES_VALUES                                                                             \
	"any(service) AS s0, any(event) AS s1, any(unit) AS s2, any(model) AS s3, any(language) " \
	"AS s4,"                                                                                  \
	" any(flags) AS s5, any(period) AS s6, any(frequency) AS s7, any(label_keys) AS s8,"      \
	" any(label_values) AS s9, any(event_id) AS s10"

static void clickhouse_retain_append_hour(struct string_builder *sql,
					  const struct clickhouse_facts *facts, uint64_t hour)
{
	string_builder_appendf(sql,
			       " FROM windows WHERE start >= %" PRIu64 " AND start < %" PRIu64
			       " AND day = %" PRIu64 " AND part > 0",
			       hour, hour + STORE_HOUR_NS, (uint64_t)(hour / STORE_DAY_NS));
	clickhouse_query_append_commits(sql, facts);
}

/**
 * Each window has one more pair, of the stack 0 that nothing else has, with the window's own sums:
 * pairs, windows and their number come of one reading of the table. Sums that would not fit are the
 * largest number, those of a row end where SQLite's do.
 */
static struct error *clickhouse_retain_sum_up(const struct clickhouse_server *server,
					      const struct clickhouse_facts *facts, uint64_t hour)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_appendf(
		&sql,
		"INSERT INTO hours(month, version, start, first, end, " SERIES_COLUMNS
		", series, count, weight, scale, stacks, counts, extras)"
		" SELECT toUInt32(%" PRIu64 "), v, toUInt64(%" PRIu64 "), f, e,"
		" s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, series, n, w, toUInt64(0), ps, pc, "
		"pw"
		" FROM (SELECT series, maxIf(k, stack = 0) AS v, min(b) AS f, max(d) AS e,"
		" least(sumIf(m, stack = 0), toUInt64(%" PRId64 ")) AS n,"
		" least(sumIf(x, stack = 0), toUInt64(%" PRId64 ")) AS w,"
		" groupArrayIf(stack, stack != 0) AS ps, groupArrayIf(m, stack != 0) AS pc,"
		" groupArrayIf(x, stack != 0) AS pw"
		" FROM (SELECT series, stack, k, b, d, m,"
		" if(high > 4294967295 OR low < bitShiftLeft(high, 32), 18446744073709551615, low)"
		" AS x FROM (SELECT series, stack, count() AS k, min(start) AS b, max(end) AS d,"
		" sum(c) AS m, sum(" PAIR_WEIGHT ") AS low,"
		" sum(bitShiftRight(" PAIR_WEIGHT ", 32)) AS high"
		" FROM (SELECT series, start, end, scale,"
		" arrayPushFront(stacks, toUInt64(0)) AS more_stacks,"
		" arrayPushFront(counts, count) AS more_counts,"
		" arrayPushFront(extras, toUInt64(weight - count * scale)) AS more_extras",
		(uint64_t)(hour / STORE_DAY_NS / CLICKHOUSE_MONTH_DAYS), hour, INT64_MAX,
		INT64_MAX);
	clickhouse_retain_append_hour(&sql, facts, hour);
	string_builder_append(
		&sql, " LIMIT 1 BY batch, part) ARRAY JOIN more_stacks AS stack, more_counts"
		      " AS c, more_extras AS extra GROUP BY series, stack)) GROUP BY series)"
		      " ANY INNER JOIN (SELECT series, " SERIES_VALUES);
	clickhouse_retain_append_hour(&sql, facts, hour);
	string_builder_append(&sql, " GROUP BY series) USING series");
	return sql.failed ? &error_no_memory : clickhouse_server_run(server, sql.text);
}

static struct error *clickhouse_retain_sum_up_all(const struct clickhouse_server *server,
						  const struct clickhouse_facts *facts,
						  uint64_t until)
{
	_cleanup_(clickhouse_retain_list_deinit) struct clickhouse_retain_list hours = {0};
	char sql[300];
	snprintf(sql, sizeof(sql),
		 "SELECT DISTINCT start - start %% toUInt64(%" PRIu64
		 ") FROM windows WHERE start >="
		 " %" PRIu64 " AND start < %" PRIu64 " AND part > 0",
		 (uint64_t)STORE_HOUR_NS, facts->first_window, until);
	struct error *err = clickhouse_retain_ask(server, sql, &hours);
	for (size_t i = 0; !err && i < hours.num_numbers; i++)
		err = clickhouse_retain_sum_up(server, facts, hours.numbers[i]);
	return err;
}

static struct error *clickhouse_retain_list_partitions(const struct clickhouse_server *server,
						       const char *table, uint64_t limit,
						       struct clickhouse_retain_list *list)
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
	return sql.failed ? &error_no_memory : clickhouse_retain_ask(server, sql.text, list);
}

/** Those before @limit, which are of no answer any more. */
static struct error *clickhouse_retain_drop(const struct clickhouse_server *server,
					    const char *name, enum clickhouse_spread spread,
					    uint64_t limit)
{
	char table[40];
	snprintf(table, sizeof(table), "%s%s", name, clickhouse_table_suffix(server, spread));
	_cleanup_(clickhouse_retain_list_deinit) struct clickhouse_retain_list partitions = {0};
	struct error *err = clickhouse_retain_list_partitions(server, table, limit, &partitions);
	for (size_t i = 0; !err && i < partitions.num_numbers; i++) {
		_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
		string_builder_appendf(&sql, "ALTER TABLE %s.%s", server->place.database, table);
		clickhouse_table_append_on_cluster(server, &sql);
		string_builder_appendf(&sql, " DROP PARTITION %" PRIu64, partitions.numbers[i]);
		err = sql.failed ? &error_no_memory : clickhouse_server_run(server, sql.text);
	}
	return err;
}

static struct error *clickhouse_retain_windows(const struct clickhouse_server *server,
					       const struct clickhouse_facts *facts, uint64_t limit)
{
	const struct {
		const char *name;
		enum clickhouse_spread spread;
	} tables[] = {
		{"windows", CLICKHOUSE_SHARDED},
		{"batches", CLICKHOUSE_SHARDED},
		{"commits", CLICKHOUSE_EVERYWHERE},
	};
	struct error *err = NULL;
	// Others must not add to an hour while it is summed up.
	if (limit > facts->closed)
		err = clickhouse_facts_add(server, "closed", limit);
	if (!err && limit > facts->first_window) {
		err = clickhouse_retain_sum_up_all(server, facts, limit);
		if (!err)
			err = clickhouse_facts_add(server, "first window", limit);
	}
	for (size_t i = 0; !err && i < ARRAY_SIZE(tables); i++)
		err = clickhouse_retain_drop(server, tables[i].name, tables[i].spread,
					     limit / STORE_DAY_NS);
	return err;
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
	return err ? err
		   : clickhouse_retain_drop(server, "hours", CLICKHOUSE_SHARDED,
					    hours_ns / STORE_DAY_NS / CLICKHOUSE_MONTH_DAYS);
}
