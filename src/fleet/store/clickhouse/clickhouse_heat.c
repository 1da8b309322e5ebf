// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/clickhouse/clickhouse_query.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"
#include "fleet/store/clickhouse/clickhouse_scan.h"

#define SUMS "step, sum(count) AS n, sum(weight) AS w, sum(bitShiftRight(weight, 32)) AS h"

static struct error *clickhouse_heat_add(struct store_heat *heat, struct reader *rows)
{
	uint64_t step = reader_u64(rows);
	struct named_total sum = {.count = reader_u64(rows)};
	uint64_t weight = reader_u64(rows), high = reader_u64(rows);
	sum.weight = clickhouse_query_saturate(weight, high);
	return rows->failed ? NULL : store_heat_add(heat, step, sum);
}

struct error *clickhouse_query_heat(const struct clickhouse_server *server,
				    const struct store_query *query, struct store_heat *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	_cleanup_(clickhouse_scan_deinit) struct clickhouse_scan scan = {0};
	_cleanup_(store_heat_deinit) struct store_heat heat = {.step_ns = query->step_ns};
	struct error *err = store_heat_check(query);
	if (!err)
		err = clickhouse_scan_init(&scan, server, query, CLICKHOUSE_SCAN_HOSTS);
	if (err)
		return err;
	string_builder_append(&sql, "SELECT " SUMS " FROM ");
	clickhouse_scan_append_rows(&scan, &sql, "count, weight");
	string_builder_append(&sql, " GROUP BY step");
	err = clickhouse_server_ask(server, &sql, &answer);
	while (!err && reader_left(&answer.rows))
		err = clickhouse_heat_add(&heat, &answer.rows);
	if (!err)
		err = clickhouse_answer_check(server, &answer);
	if (err)
		return err;
	*ret = heat;
	heat = (struct store_heat){0};
	return NULL;
}

static void clickhouse_heat_append_values(const struct clickhouse_scan *scan,
					  const struct store_label_range *label,
					  struct string_builder *sql)
{
	_cleanup_(string_builder_deinit) struct string_builder columns = STRING_BUILDER_INIT;
	string_builder_append(&columns, "count, weight, indexOf(label_keys, ");
	clickhouse_rows_quote(&columns, label->key);
	string_builder_append(&columns, ") AS place, label_values[place] AS value");
	string_builder_append(sql, "SELECT value, " SUMS " FROM ");
	clickhouse_scan_append_rows(scan, sql, string_builder_peek(&columns));
	string_builder_append(sql, " WHERE place > 0 AND value >= ");
	clickhouse_rows_quote(sql, label->first);
	string_builder_append(sql, " AND value <= ");
	clickhouse_rows_quote(sql, label->last);
	string_builder_append(sql, " GROUP BY value, step");
	sql->failed |= columns.failed;
}

struct error *clickhouse_query_heats(const struct clickhouse_server *server,
				     const struct store_query *query,
				     const struct store_label_range *label, struct store_heats *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	_cleanup_(clickhouse_scan_deinit) struct clickhouse_scan scan = {0};
	_cleanup_(store_heats_deinit) struct store_heats heats = {.step_ns = query->step_ns};
	struct error *err = store_heat_check(query);
	if (!err)
		err = clickhouse_scan_init(&scan, server, query, CLICKHOUSE_SCAN_HOSTS);
	if (err)
		return err;
	clickhouse_heat_append_values(&scan, label, &sql);
	err = clickhouse_server_ask(server, &sql, &answer);
	while (!err && reader_left(&answer.rows)) {
		struct clickhouse_text value = clickhouse_rows_text(&answer.rows);
		struct store_heat *heat;
		err = store_heats_get(&heats, value.bytes, value.size, &heat);
		if (!err)
			err = clickhouse_heat_add(heat, &answer.rows);
	}
	if (!err)
		err = clickhouse_answer_check(server, &answer);
	if (err)
		return err;
	*ret = heats;
	heats = (struct store_heats){0};
	return NULL;
}
