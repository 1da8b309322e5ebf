// SPDX-License-Identifier: Apache-2.0

#include "base/container/arena.h"
#include "fleet/store/clickhouse/clickhouse_query.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"
#include "fleet/store/clickhouse/clickhouse_scan.h"

#include <inttypes.h>

struct clickhouse_listing_work {
	const struct clickhouse_server *server;
	struct clickhouse_scan scan;
	struct store_listing *listing;
	struct arena texts; /* copies that end with NUL */
};

static void clickhouse_listing_deinit(struct clickhouse_listing_work *work)
{
	clickhouse_scan_deinit(&work->scan);
	arena_deinit(&work->texts);
}

/** NULL: no memory. */
static const char *clickhouse_listing_text(struct clickhouse_listing_work *work,
					   struct reader *rows)
{
	struct clickhouse_text text = clickhouse_rows_text(rows);
	return arena_strndup(&work->texts, text.bytes, text.size);
}

static uint64_t clickhouse_listing_sum(struct reader *rows)
{
	uint64_t sum = reader_u64(rows), high = reader_u64(rows);
	return clickhouse_query_saturate(sum, high);
}

typedef struct error *(*clickhouse_listing_fn)(struct clickhouse_listing_work *work,
					       struct reader *rows);

static struct error *clickhouse_listing_service(struct clickhouse_listing_work *work,
						struct reader *rows)
{
	struct store_listed_service service = {.service = clickhouse_listing_text(work, rows)};
	service.num_batches = reader_u64(rows);
	service.num_dropped = clickhouse_listing_sum(rows);
	service.num_lost = clickhouse_listing_sum(rows);
	return service.service ? store_listing_add_service(work->listing, &service)
			       : &error_no_memory;
}

static struct error *clickhouse_listing_event(struct clickhouse_listing_work *work,
					      struct reader *rows)
{
	struct store_listed_event event = {
		.service = clickhouse_listing_text(work, rows),
		.event = clickhouse_listing_text(work, rows),
		.unit = clickhouse_listing_text(work, rows),
	};
	event.first_ns = reader_u64(rows);
	event.end_ns = reader_u64(rows);
	return event.service && event.event && event.unit
		       ? store_listing_add_event(work->listing, &event)
		       : &error_no_memory;
}

static struct error *clickhouse_listing_label(struct clickhouse_listing_work *work,
					      struct reader *rows)
{
	const struct store_listed_label label = {
		.service = clickhouse_listing_text(work, rows),
		.key = clickhouse_listing_text(work, rows),
		.value = clickhouse_listing_text(work, rows),
	};
	return label.service && label.key && label.value
		       ? store_listing_add_label(work->listing, &label)
		       : &error_no_memory;
}

static struct error *clickhouse_listing_ask(struct clickhouse_listing_work *work,
					    const struct string_builder *sql,
					    clickhouse_listing_fn take)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct error *err = clickhouse_server_ask(work->server, sql, &answer);
	while (!err && reader_left(&answer.rows))
		err = take(work, &answer.rows);
	return err ? err : clickhouse_answer_check(work->server, &answer);
}

static struct error *clickhouse_listing_services(struct clickhouse_listing_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_appendf(
		&sql,
		"SELECT service, count(), sum(num_dropped),"
		" sum(bitShiftRight(num_dropped, 32)), sum(num_lost),"
		" sum(bitShiftRight(num_lost, 32)) FROM (SELECT service, num_dropped,"
		" num_lost FROM windows WHERE event = '' AND part = 0 AND start >= "
		"%" PRIu64,
		work->scan.facts.first_window);
	clickhouse_scan_append_commits(&sql, &work->scan.facts);
	string_builder_append(&sql, " LIMIT 1 BY batch) GROUP BY service");
	return clickhouse_listing_ask(work, &sql, clickhouse_listing_service);
}

/** The end of the last window of each series. */
static struct error *clickhouse_listing_events(struct clickhouse_listing_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_append(&sql, "SELECT any(service), any(event), any(unit), min(begin),"
				    " max((start, end)).2 FROM ");
	clickhouse_scan_append_rows(&work->scan, &sql, "series, service, event, unit, start, end");
	string_builder_append(&sql, " GROUP BY series");
	return clickhouse_listing_ask(work, &sql, clickhouse_listing_event);
}

static struct error *clickhouse_listing_labels(struct clickhouse_listing_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	string_builder_append(&sql, "SELECT DISTINCT service, key, value FROM labels");
	return clickhouse_listing_ask(work, &sql, clickhouse_listing_label);
}

struct error *clickhouse_query_list(const struct clickhouse_server *server,
				    struct store_listing *ret)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	_cleanup_(clickhouse_listing_deinit) struct clickhouse_listing_work work = {
		.server = server, .listing = &listing};
	const struct store_query all = {.service = NULL};
	struct error *err = clickhouse_scan_init(&work.scan, server, &all, CLICKHOUSE_SCAN_HOSTS);
	if (!err)
		err = clickhouse_listing_services(&work);
	if (!err)
		err = clickhouse_listing_events(&work);
	if (!err)
		err = clickhouse_listing_labels(&work);
	if (err)
		return err;
	store_listing_finish(&listing);
	*ret = listing;
	listing = (struct store_listing){0};
	return NULL;
}
