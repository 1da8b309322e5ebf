// SPDX-License-Identifier: Apache-2.0
// Three tables have rows of a time; which of them is asked for it:
//
//	sums     whole hours of all hosts, if no label is asked for, and all windows are in them
//	hours    of each host, where retain() has dropped the windows
//	windows  all the rest
//
// Conditions are PREWHERE: on its own, ClickHouse 18.16 takes one of them for that, mostly not the
// best one, and reads pairs of four times as many rows.
//
// Steps that are no whole hours cannot be made of sums; they are made of windows, where there are
// windows.

#include "fleet/store/clickhouse/clickhouse_scan.h"

#include "base/container/array.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"
#include "fleet/store/clickhouse/clickhouse_sums.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	// Each is some words of SQL, of which ClickHouse parses 256 KiB. The rest is read as
	// windows.
	CLICKHOUSE_SCAN_MAX_RANGES = 200,
};

static struct clickhouse_range clickhouse_scan_time(const struct clickhouse_scan *scan)
{
	const struct store_query *query = scan->query;
	return (struct clickhouse_range){
		query->from_ns,
		query->until_ns && query->until_ns < STORE_MAX_NS ? query->until_ns : STORE_MAX_NS};
}

static uint64_t clickhouse_scan_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct error *clickhouse_scan_add_hour(struct clickhouse_scan *scan,
					      struct clickhouse_hour hour)
{
	struct clickhouse_range *last = scan->num_whole ? &scan->whole[scan->num_whole - 1] : NULL;
	const uint64_t start_ns = hour.start_ns;
	if (last && last->until_ns == start_ns) {
		last->until_ns += STORE_HOUR_NS;
		scan->version += hour.version;
		return NULL;
	}
	if (scan->num_whole >= CLICKHOUSE_SCAN_MAX_RANGES)
		return NULL;
	struct error *err = array_reserve(&scan->whole, &scan->cap_whole, scan->num_whole + 1);
	if (err)
		return err;
	scan->whole[scan->num_whole++] =
		(struct clickhouse_range){start_ns, start_ns + STORE_HOUR_NS};
	scan->version += hour.version;
	return NULL;
}

static struct error *clickhouse_scan_find_whole(struct clickhouse_scan *scan)
{
	struct clickhouse_range time = clickhouse_scan_time(scan);
	_cleanup_(clickhouse_hours_deinit) struct clickhouse_hours hours = {0};
	if (scan->query->num_labels || scan->query->step_ns % STORE_HOUR_NS ||
	    time.from_ns > STORE_MAX_NS - STORE_HOUR_NS)
		return NULL;
	time.from_ns = clickhouse_scan_later(time.from_ns, scan->facts.first_hour);
	time.from_ns += STORE_HOUR_NS - 1;
	time.from_ns -= time.from_ns % STORE_HOUR_NS;
	time.until_ns -= time.until_ns % STORE_HOUR_NS;
	if (time.from_ns >= time.until_ns)
		return NULL;
	struct error *err = clickhouse_sums_find(scan, time, &hours);
	for (size_t i = 0; !err && i < hours.num_hours; i++)
		err = clickhouse_scan_add_hour(scan, hours.hours[i]);
	return err;
}

struct error *clickhouse_scan_init(struct clickhouse_scan *scan,
				   const struct clickhouse_server *server,
				   const struct store_query *query, enum clickhouse_scan_rows rows)
{
	*scan = (struct clickhouse_scan){.server = server, .query = query};
	struct error *err = clickhouse_facts_read(server, &scan->facts);
	return err || rows == CLICKHOUSE_SCAN_HOSTS ? err : clickhouse_scan_find_whole(scan);
}

void clickhouse_scan_deinit(struct clickhouse_scan *scan)
{
	clickhouse_facts_deinit(&scan->facts);
	free(scan->whole);
	*scan = (struct clickhouse_scan){0};
}

void clickhouse_scan_append_names(const struct clickhouse_scan *scan, struct string_builder *sql,
				  bool has_event)
{
	const struct store_query *query = scan->query;
	if (query->service) {
		string_builder_append(sql, " AND service = ");
		clickhouse_rows_quote(sql, query->service);
	}
	if (query->event && has_event) {
		string_builder_append(sql, " AND event = ");
		clickhouse_rows_quote(sql, query->event);
	}
	for (size_t i = 0; i < query->num_labels; i++) {
		string_builder_append(sql, " AND arrayExists((k, v) -> k = ");
		clickhouse_rows_quote(sql, query->labels[i].key);
		string_builder_append(sql, " AND v = ");
		clickhouse_rows_quote(sql, query->labels[i].value);
		string_builder_append(sql, ", label_keys, label_values)");
	}
}

void clickhouse_scan_append_commits(struct string_builder *sql,
				    const struct clickhouse_facts *facts)
{
	string_builder_append(sql, " AND put IN (0");
	for (size_t i = 0; i < facts->num_commits; i++)
		string_builder_appendf(sql, ", %" PRIu64, facts->commits[i]);
	string_builder_append(sql, ")");
}

/** Of windows: without those that retain() has dropped. */
static struct clickhouse_range clickhouse_scan_window_time(const struct clickhouse_scan *scan)
{
	struct clickhouse_range time = clickhouse_scan_time(scan);
	time.from_ns = clickhouse_scan_later(time.from_ns, scan->facts.first_window);
	return time;
}

void clickhouse_scan_append_windows(const struct clickhouse_scan *scan, struct string_builder *sql)
{
	struct clickhouse_range time = clickhouse_scan_window_time(scan);
	string_builder_appendf(sql,
			       " PREWHERE start >= %" PRIu64 " AND start < %" PRIu64
			       " AND day >= %" PRIu64 " AND day <= %" PRIu64,
			       time.from_ns, time.until_ns, (uint64_t)(time.from_ns / STORE_DAY_NS),
			       (uint64_t)(time.until_ns / STORE_DAY_NS));
	clickhouse_scan_append_commits(sql, &scan->facts);
}

static void clickhouse_scan_append_range(struct string_builder *sql, size_t *num,
					 struct clickhouse_range range)
{
	if (range.from_ns >= range.until_ns)
		return;
	string_builder_appendf(sql, "%s(start >= %" PRIu64 " AND start < %" PRIu64 ")",
			       (*num)++ ? " OR " : "", range.from_ns, range.until_ns);
}

/** " AND (...)": the time without the hours whose sums are taken. */
static void clickhouse_scan_append_rest(const struct clickhouse_scan *scan,
					struct string_builder *sql, struct clickhouse_range time)
{
	size_t num = 0;
	uint64_t next = time.from_ns;
	string_builder_append(sql, " AND (");
	for (size_t i = 0; i < scan->num_whole; i++) {
		uint64_t until = scan->whole[i].from_ns;
		clickhouse_scan_append_range(
			sql, &num,
			(struct clickhouse_range){next,
						  until < time.until_ns ? until : time.until_ns});
		next = clickhouse_scan_later(next, scan->whole[i].until_ns);
	}
	clickhouse_scan_append_range(sql, &num, (struct clickhouse_range){next, time.until_ns});
	string_builder_append(sql, num ? ")" : "0)");
}

/** Expressions of a table. */
struct clickhouse_scan_table {
	const char *begin, *version;
};

// All numbers of a column need one type in all tables, and constants of several servers are not
// taken for one by 18.16.
static const struct clickhouse_scan_table windows_table = {"start", "materialize(toUInt64(0))"},
					  hours_table = {"first", "materialize(toUInt64(0))"},
					  sums_table = {"first", "version"};

static void clickhouse_scan_append_columns(const struct clickhouse_scan *scan,
					   struct string_builder *sql, const char *columns,
					   const struct clickhouse_scan_table *table)
{
	uint64_t step_ns = scan->query->step_ns;
	string_builder_appendf(sql, "SELECT %s, %s AS begin, %s AS sum_version, ", columns,
			       table->begin, table->version);
	if (step_ns)
		string_builder_appendf(sql, "start - start %% toUInt64(%" PRIu64 ") AS step",
				       step_ns);
	else
		string_builder_append(sql, "materialize(toUInt64(0)) AS step");
}

static void clickhouse_scan_append_hours(const struct clickhouse_scan *scan,
					 struct string_builder *sql, const char *columns)
{
	struct clickhouse_range time = clickhouse_scan_time(scan);
	time.from_ns = clickhouse_scan_later(time.from_ns, scan->facts.first_hour);
	if (time.until_ns > scan->facts.first_window)
		time.until_ns = scan->facts.first_window;
	if (time.from_ns >= time.until_ns)
		return;
	string_builder_append(sql, " UNION ALL ");
	clickhouse_scan_append_columns(scan, sql, columns, &hours_table);
	string_builder_append(sql, " FROM hours PREWHERE 1");
	clickhouse_scan_append_rest(scan, sql, time);
	clickhouse_scan_append_names(scan, sql, true);
	string_builder_append(sql, " ORDER BY version DESC LIMIT 1 BY start, series");
}

static void clickhouse_scan_append_sums(const struct clickhouse_scan *scan,
					struct string_builder *sql, const char *columns)
{
	size_t num = 0;
	if (!scan->num_whole)
		return;
	string_builder_append(sql, " UNION ALL ");
	clickhouse_scan_append_columns(scan, sql, columns, &sums_table);
	string_builder_append(sql, " FROM sums PREWHERE (");
	for (size_t i = 0; i < scan->num_whole; i++)
		clickhouse_scan_append_range(sql, &num, scan->whole[i]);
	string_builder_append(sql, ")");
	clickhouse_scan_append_names(scan, sql, true);
	string_builder_append(sql, " ORDER BY version DESC, print DESC LIMIT 1 BY start, event_id");
}

void clickhouse_scan_append_rows(const struct clickhouse_scan *scan, struct string_builder *sql,
				 const char *columns)
{
	string_builder_append(sql, "(");
	clickhouse_scan_append_columns(scan, sql, columns, &windows_table);
	string_builder_append(sql, " FROM windows");
	clickhouse_scan_append_windows(scan, sql);
	clickhouse_scan_append_rest(scan, sql, clickhouse_scan_window_time(scan));
	string_builder_append(sql, " AND part > 0");
	clickhouse_scan_append_names(scan, sql, true);
	string_builder_append(sql, " LIMIT 1 BY batch, part");
	clickhouse_scan_append_hours(scan, sql, columns);
	clickhouse_scan_append_sums(scan, sql, columns);
	string_builder_append(sql, ")");
}

struct error *clickhouse_scan_check(const struct clickhouse_scan *scan, bool *ret_is_whole)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	struct error *err = clickhouse_facts_read(scan->server, &facts);
	uint64_t from = clickhouse_scan_time(scan).from_ns;
	if (!err)
		*ret_is_whole = clickhouse_scan_later(facts.first_window, from) ==
					clickhouse_scan_later(scan->facts.first_window, from) &&
				clickhouse_scan_later(facts.first_hour, from) ==
					clickhouse_scan_later(scan->facts.first_hour, from);
	return err;
}
