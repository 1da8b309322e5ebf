// SPDX-License-Identifier: Apache-2.0
// Hours are summed up one by one, and of an hour only so many events at once: this bounds the
// memory of ClickHouse.

#include "fleet/store/clickhouse/clickhouse_sums.h"

#include "base/container/array.h"
#include "fleet/store/clickhouse/clickhouse_numbers.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	CLICKHOUSE_SUMS_EVENTS = 64, // of one INSERT
};

void clickhouse_hours_deinit(struct clickhouse_hours *hours)
{
	free(hours->hours);
	*hours = (struct clickhouse_hours){0};
}

static struct error *clickhouse_hours_add(struct clickhouse_hours *hours, struct reader *rows)
{
	struct error *err = array_reserve(&hours->hours, &hours->cap_hours, hours->num_hours + 1);
	if (err)
		return err;
	struct clickhouse_hour *hour = &hours->hours[hours->num_hours++];
	hour->start_ns = reader_u64(rows);
	hour->version = reader_u64(rows);
	return NULL;
}

/**
 * "(SELECT hour, event_id, is_exact, v ...)": of all events that have windows in the time, or had.
 * v is the version of the sums. Rows of kind 0 are of windows that are there, of kind 1 of sums, of
 * kind 2 of dropped windows.
 */
static void clickhouse_sums_append_compared(struct string_builder *sql,
					    const struct clickhouse_scan *scan,
					    struct clickhouse_range time)
{
	char range[100];
	snprintf(range, sizeof(range), " AND start >= %" PRIu64 " AND start < %" PRIu64,
		 time.from_ns, time.until_ns);
	string_builder_append(
		sql, "(SELECT hour, event_id, countIf(kind = 1) = 1 AND min(n) = max(n) AND"
		     " (countIf(kind = 0) = 0 OR maxIf(p, kind = 0) = maxIf(p, kind = 1)) AS"
		     " is_exact, maxIf(n, kind = 1) AS v FROM (");
	string_builder_appendf(
		sql,
		"SELECT toUInt64(start - start %% %" PRIu64
		") AS hour, event_id, materialize(toUInt8(0)) AS kind, count() AS n, sum(print)"
		" AS p FROM (SELECT start, event_id, sipHash64(batch, part) AS print"
		" FROM windows",
		(uint64_t)STORE_HOUR_NS);
	clickhouse_scan_append_windows(scan, sql);
	string_builder_appendf(sql, "%s AND part > 0", range);
	clickhouse_scan_append_names(scan, sql, true);
	string_builder_append(sql, " LIMIT 1 BY batch, part) GROUP BY hour, event_id");
	string_builder_appendf(
		sql,
		" UNION ALL SELECT start AS hour, event_id, materialize(toUInt8(1)) AS kind,"
		" version AS n, print AS p FROM sums WHERE 1%s",
		range);
	clickhouse_scan_append_names(scan, sql, true);
	string_builder_append(sql, " ORDER BY version DESC, print DESC LIMIT 1 BY start, event_id");
	string_builder_appendf(
		sql,
		" UNION ALL SELECT start AS hour, event_id, materialize(toUInt8(2)) AS kind,"
		" sum(version) AS n, materialize(toUInt64(0)) AS p FROM (SELECT start, event_id,"
		" version FROM hours WHERE start < %" PRIu64 "%s",
		scan->facts.first_window, range);
	clickhouse_scan_append_names(scan, sql, true);
	string_builder_append(sql, " ORDER BY version DESC LIMIT 1 BY start, series)"
				   " GROUP BY start, event_id) GROUP BY hour, event_id)");
}

struct error *clickhouse_sums_find(const struct clickhouse_scan *scan, struct clickhouse_range time,
				   struct clickhouse_hours *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	string_builder_append(&sql, "SELECT hour, sum(v) FROM ");
	clickhouse_sums_append_compared(&sql, scan, time);
	string_builder_append(&sql, " GROUP BY hour HAVING min(is_exact) = 1 ORDER BY hour");
	struct error *err = clickhouse_server_ask(scan->server, &sql, &answer);
	while (!err && reader_left(&answer.rows))
		err = clickhouse_hours_add(ret, &answer.rows);
	return err ? err : clickhouse_answer_check(scan->server, &answer);
}

#define EVENT_COLUMNS "service, event, unit, model, language, flags, period, frequency"
#define EVENT_VALUES                                                                              \
	"any(service) AS s0, any(event) AS s1, any(unit) AS s2, any(model) AS s3, any(language) " \
	"AS s4, any(flags) AS s5, any(period) AS s6, any(frequency) AS s7"

/** Of what each row of a table has the sums, and what else it has. */
struct clickhouse_sums_table {
	const char *name, *key, *columns, *values, *results;
};

static const struct clickhouse_sums_table sums_of_all = {
	.name = "sums",
	.key = "event_id",
	.columns = EVENT_COLUMNS ", print, event_id",
	.values = EVENT_VALUES,
	.results = "s0, s1, s2, s3, s4, s5, s6, s7, p, event_id",
};

static const struct clickhouse_sums_table sums_of_hosts = {
	.name = "hours",
	.key = "series",
	.columns = EVENT_COLUMNS ", label_keys, label_values, event_id, series",
	.values = EVENT_VALUES ", any(label_keys) AS s8, any(label_values) AS s9,"
			       " any(event_id) AS s10",
	.results = "s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, series",
};

/** What is to be summed up: an hour, of all events or some. */
struct clickhouse_sums_part {
	const struct clickhouse_sums_table *table;
	const struct clickhouse_facts *facts;
	uint64_t hour;
	const uint64_t *events;
	size_t num_events; /* 0: all */
};

static void clickhouse_sums_append_hour(struct string_builder *sql,
					const struct clickhouse_sums_part *part)
{
	string_builder_appendf(sql,
			       " FROM windows PREWHERE start >= %" PRIu64 " AND start < %" PRIu64
			       " AND day = %" PRIu64 " AND part > 0",
			       part->hour, part->hour + STORE_HOUR_NS,
			       (uint64_t)(part->hour / STORE_DAY_NS));
	for (size_t i = 0; i < part->num_events; i++)
		string_builder_appendf(sql, "%s%" PRIu64, i ? ", " : " AND event_id IN (",
				       part->events[i]);
	string_builder_append(sql, part->num_events ? ")" : "");
	clickhouse_scan_append_commits(sql, part->facts);
}

/**
 * Each window has one more pair, of the stack 0 that nothing else has, with the window's own sums:
 * pairs, windows, their number and their print come of one reading of the table. Sums that would
 * not fit are the largest number, those of a row end where SQLite's do.
 */
static struct error *clickhouse_sums_insert(const struct clickhouse_server *server,
					    const struct clickhouse_sums_part *part)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	const struct clickhouse_sums_table *table = part->table;
	string_builder_appendf(&sql,
			       "INSERT INTO %s(month, version, start, first, end, %s, count,"
			       " weight, scale, stacks, counts, extras)"
			       " SELECT toUInt32(%" PRIu64 "), v, toUInt64(%" PRIu64
			       "), f, e, %s, n, w, toUInt64(0), ps, pc, pw FROM (",
			       table->name, table->columns, clickhouse_schema_month(part->hour),
			       part->hour, table->results);
	string_builder_appendf(
		&sql,
		"SELECT %s, maxIf(k, stack = 0) AS v, maxIf(q, stack = 0) AS p, min(b) AS f,"
		" max(d) AS e, least(sumIf(m, stack = 0), toUInt64(%" PRId64 ")) AS n,"
		" least(sumIf(x, stack = 0), toUInt64(%" PRId64 ")) AS w,"
		" groupArrayIf(stack, stack != 0) AS ps, groupArrayIf(m, stack != 0) AS pc,"
		" groupArrayIf(x, stack != 0) AS pw"
		" FROM (SELECT %s, stack, k, q, b, d, m,"
		" if(high > 4294967295 OR low < bitShiftLeft(high, 32), 18446744073709551615, low)"
		" AS x FROM (SELECT %s, stack, count() AS k, sum(print_of_one) AS q,"
		" min(start) AS b, max(end) AS d, sum(c) AS m, sum(" CLICKHOUSE_PAIR_WEIGHT
		") AS low,"
		" sum(bitShiftRight(" CLICKHOUSE_PAIR_WEIGHT ", 32)) AS high"
		" FROM (SELECT %s, start, end, scale, sipHash64(batch, part) AS print_of_one,"
		" arrayPushFront(stacks, toUInt64(0)) AS more_stacks,"
		" arrayPushFront(counts, count) AS more_counts,"
		" arrayPushFront(extras, toUInt64(weight - count * scale)) AS more_extras",
		table->key, INT64_MAX, INT64_MAX, table->key, table->key, table->key);
	clickhouse_sums_append_hour(&sql, part);
	string_builder_appendf(
		&sql,
		" LIMIT 1 BY batch, part) ARRAY JOIN more_stacks AS stack, more_counts AS c,"
		" more_extras AS extra GROUP BY %s, stack)) GROUP BY %s)"
		" ANY INNER JOIN (SELECT %s, %s",
		table->key, table->key, table->key, table->values);
	clickhouse_sums_append_hour(&sql, part);
	string_builder_appendf(&sql, " GROUP BY %s) USING %s", table->key, table->key);
	return clickhouse_server_run(server, &sql);
}

/** @rows: hours and events that belong together, by hours. */
static struct error *clickhouse_sums_make_rows(const struct clickhouse_server *server,
					       const struct clickhouse_facts *facts,
					       struct reader *rows)
{
	struct clickhouse_sums_part part = {.table = &sums_of_all, .facts = facts};
	uint64_t events[CLICKHOUSE_SUMS_EVENTS];
	struct error *err = NULL;
	part.events = events;
	while (!err && reader_left(rows)) {
		uint64_t hour = reader_u64(rows), event = reader_u64(rows);
		if (part.num_events &&
		    (hour != part.hour || part.num_events == CLICKHOUSE_SUMS_EVENTS)) {
			err = clickhouse_sums_insert(server, &part);
			part.num_events = 0;
		}
		part.hour = hour;
		events[part.num_events++] = event;
	}
	return err || !part.num_events ? err : clickhouse_sums_insert(server, &part);
}

struct error *clickhouse_sums_make(const struct clickhouse_server *server,
				   const struct clickhouse_facts *facts,
				   struct clickhouse_range time)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	const struct store_query all = {.from_ns = time.from_ns, .until_ns = time.until_ns};
	const struct clickhouse_scan scan = {.server = server, .query = &all, .facts = *facts};
	if (time.from_ns >= time.until_ns)
		return NULL;
	string_builder_append(&sql, "SELECT hour, event_id FROM ");
	clickhouse_sums_append_compared(&sql, &scan, time);
	string_builder_append(&sql, " WHERE is_exact = 0 ORDER BY hour");
	struct error *err = clickhouse_server_ask(server, &sql, &answer);
	if (!err)
		err = clickhouse_sums_make_rows(server, facts, &answer.rows);
	return err ? err : clickhouse_answer_check(server, &answer);
}

struct error *clickhouse_sums_make_hosts(const struct clickhouse_server *server,
					 const struct clickhouse_facts *facts,
					 struct clickhouse_range time)
{
	_cleanup_(clickhouse_numbers_deinit) struct clickhouse_numbers hours = {0};
	struct clickhouse_sums_part part = {.table = &sums_of_hosts, .facts = facts};
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_appendf(&sql,
			       "SELECT DISTINCT start - start %% toUInt64(%" PRIu64
			       ") FROM windows WHERE start >= %" PRIu64 " AND start < %" PRIu64
			       " AND part > 0",
			       (uint64_t)STORE_HOUR_NS, time.from_ns, time.until_ns);
	struct error *err = clickhouse_numbers_ask(server, &sql, &hours);
	for (size_t i = 0; !err && i < hours.num_numbers; i++) {
		part.hour = hours.numbers[i];
		err = clickhouse_sums_insert(server, &part);
	}
	return err;
}
