// SPDX-License-Identifier: Apache-2.0
// ClickHouse sums up pairs by event, step and stack, as numbers; then it is asked which events
// these are, and for the stacks and frames that are there. A row that is in the sums but not in
// what is asked for later is an error.
//
// Sums that would not fit into 64 bits are UINT64_MAX, as everywhere. SQL sums are modulo 2^64, so
// that the upper halves are summed up as well.

#include "fleet/store/clickhouse/clickhouse_query.h"

#include "base/container/array.h"
#include "fleet/store/clickhouse/clickhouse_names.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"
#include "fleet/store/clickhouse/clickhouse_scan.h"

#include <stdlib.h>
#include <string.h>

enum {
	CLICKHOUSE_QUERY_TIMES = 3, // roll_up() and retain() change rows each hour at most
};

struct clickhouse_number {
	uint64_t number;
	uint32_t service; /* of a stack, as a string; else 0 */
	uint32_t item;    /* of the answer */
};

/** Numbers of the store and what they are in the answer. */
struct clickhouse_map {
	struct hash_table index;
	struct clickhouse_number *rows;
	size_t num_rows, cap_rows;
};

struct clickhouse_sum {
	uint64_t event, stack, step;
	struct named_total total;
};

struct clickhouse_query_work {
	const struct clickhouse_server *server;
	const struct store_query *query;
	struct clickhouse_scan scan;
	struct store_profile answer;
	struct clickhouse_sum *sums;
	size_t num_sums, cap_sums;
	struct clickhouse_map events, stacks, frames;
	uint64_t version;   /* of the sums that were read, to compare with that of the scan */
	uint32_t *services; /* strings, by the rows of `events` */
	uint32_t *path;
	size_t cap_services, cap_path;
};

static void clickhouse_map_deinit(struct clickhouse_map *map)
{
	hash_table_deinit(&map->index);
	free(map->rows);
}

static void clickhouse_query_deinit(struct clickhouse_query_work *work)
{
	clickhouse_scan_deinit(&work->scan);
	store_profile_deinit(&work->answer);
	clickhouse_map_deinit(&work->events);
	clickhouse_map_deinit(&work->stacks);
	clickhouse_map_deinit(&work->frames);
	free(work->sums);
	free(work->services);
	free(work->path);
}

static bool clickhouse_map_equal(const void *owner, uint32_t index, const void *key)
{
	const struct clickhouse_map *map = owner;
	const struct clickhouse_number *wanted = key;
	return map->rows[index].number == wanted->number &&
	       map->rows[index].service == wanted->service;
}

/** NULL: there is none. */
static struct clickhouse_number *clickhouse_map_find(const struct clickhouse_map *map,
						     uint64_t number, uint32_t service)
{
	const struct clickhouse_number key = {.number = number, .service = service};
	uint32_t found =
		hash_table_find(&map->index, number ^ service, clickhouse_map_equal, map, &key);
	return found == HASH_TABLE_NONE ? NULL : &map->rows[found];
}

static struct error *clickhouse_map_add(struct clickhouse_map *map, struct clickhouse_number row)
{
	struct error *err = array_reserve(&map->rows, &map->cap_rows, map->num_rows + 1);
	if (!err)
		err = hash_table_insert(&map->index, row.number ^ row.service,
					(uint32_t)map->num_rows);
	if (!err)
		map->rows[map->num_rows++] = row;
	return err;
}

uint64_t clickhouse_query_saturate(uint64_t sum, uint64_t high)
{
	return high > UINT32_MAX || sum < high << 32 ? UINT64_MAX : sum;
}

static struct error *clickhouse_query_read_sums(struct clickhouse_query_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	// Two numbers are one key of ClickHouse's; a third would make it larger and slower.
	const char *step = work->query->step_ns ? ", step" : "";
	string_builder_appendf(&sql,
			       "SELECT event_id, stack%s, sum(c) AS n, sum(" CLICKHOUSE_PAIR_WEIGHT
			       ") AS w, sum(bitShiftRight(" CLICKHOUSE_PAIR_WEIGHT
			       ", 32)) AS h FROM ",
			       step);
	clickhouse_scan_append_rows(&work->scan, &sql, "event_id, scale, stacks, counts, extras");
	string_builder_appendf(&sql,
			       " ARRAY JOIN stacks AS stack, counts AS c, extras AS extra"
			       " GROUP BY event_id, stack%s",
			       step);
	struct error *err = clickhouse_server_ask(work->server, &sql, &answer);
	while (!err && reader_left(&answer.rows)) {
		struct clickhouse_sum sum;
		sum.event = reader_u64(&answer.rows);
		sum.stack = reader_u64(&answer.rows);
		sum.step = work->query->step_ns ? reader_u64(&answer.rows) : 0;
		sum.total.count = reader_u64(&answer.rows);
		uint64_t weight = reader_u64(&answer.rows), high = reader_u64(&answer.rows);
		sum.total.weight = clickhouse_query_saturate(weight, high);
		err = array_reserve(&work->sums, &work->cap_sums, work->num_sums + 1);
		if (!err)
			work->sums[work->num_sums++] = sum;
	}
	return err ? err : clickhouse_answer_check(work->server, &answer);
}

static struct error *clickhouse_query_string(struct clickhouse_query_work *work,
					     struct reader *rows, uint32_t *ret)
{
	struct clickhouse_text text = clickhouse_rows_text(rows);
	return store_profile_string(&work->answer, text.bytes, text.size, ret);
}

/** A row of one event of a service. */
static struct error *clickhouse_query_read_event(struct clickhouse_query_work *work,
						 struct reader *rows)
{
	struct store_event event = {0};
	uint32_t service, language;
	struct clickhouse_number number = {.number = reader_u64(rows)};
	struct error *err = clickhouse_query_string(work, rows, &service);
	if (!err)
		err = clickhouse_query_string(work, rows, &event.name);
	if (!err)
		err = clickhouse_query_string(work, rows, &event.unit);
	if (!err)
		err = clickhouse_query_string(work, rows, &event.model);
	if (!err)
		err = clickhouse_query_string(work, rows, &language);
	if (err)
		return err;
	event.flags = reader_u8(rows);
	event.period = reader_u64(rows);
	event.frequency = reader_u64(rows);
	uint64_t start = reader_u64(rows), end = reader_u64(rows);
	work->version += reader_u64(rows);
	if (rows->failed || clickhouse_map_find(&work->events, number.number, 0))
		return NULL;
	store_profile_language(&work->answer, language);
	store_profile_extend(&work->answer, start, end);
	err = store_profile_event(&work->answer, &event, &number.item);
	if (!err)
		err = array_reserve(&work->services, &work->cap_services,
				    work->events.num_rows + 1);
	if (err)
		return err;
	work->services[work->events.num_rows] = service;
	return clickhouse_map_add(&work->events, number);
}

static struct error *clickhouse_query_read_events(struct clickhouse_query_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	string_builder_appendf(&sql,
			       "SELECT event_id, any(service), any(event), any(unit), any(model),"
			       " any(language), any(flags), any(period), any(frequency), min(%s),"
			       " max(end), sum(sum_version) FROM ",
			       work->query->step_ns ? "step" : "begin");
	clickhouse_scan_append_rows(&work->scan, &sql,
				    "event_id, service, event, unit, model, language, flags, "
				    "period, frequency, end");
	string_builder_append(&sql, " GROUP BY event_id");
	struct error *err = clickhouse_server_ask(work->server, &sql, &answer);
	while (!err && reader_left(&answer.rows))
		err = clickhouse_query_read_event(work, &answer.rows);
	return err ? err : clickhouse_answer_check(work->server, &answer);
}

/** What the sums are of: rows of "wanted", and work->stacks with items to be set. */
static struct error *clickhouse_query_want_stacks(struct clickhouse_query_work *work,
						  struct string_builder *wanted)
{
	const struct string_table *strings = &work->answer.strings;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < work->num_sums; i++) {
		const struct clickhouse_sum *sum = &work->sums[i];
		const struct clickhouse_number *event =
			clickhouse_map_find(&work->events, sum->event, 0);
		if (!event)
			return clickhouse_server_damaged(work->server, "an event is missing");
		uint32_t service = work->services[event - work->events.rows];
		if (clickhouse_map_find(&work->stacks, sum->stack, service))
			continue;
		clickhouse_rows_add_text(wanted, string_table_get(strings, service),
					 string_table_length(strings, service));
		clickhouse_rows_add_u64(wanted, sum->stack);
		err = clickhouse_map_add(&work->stacks,
					 (struct clickhouse_number){.number = sum->stack,
								    .service = service,
								    .item = NAMED_NONE});
	}
	return err;
}

/** Rows of "wanted": the frames of stacks. @rows: of the stacks, a copy. */
static struct error *clickhouse_query_want_frames(struct clickhouse_query_work *work,
						  struct reader rows, struct string_builder *wanted)
{
	struct error *err = NULL;
	while (!err && reader_left(&rows)) {
		clickhouse_rows_text(&rows);
		reader_skip(&rows, sizeof(uint64_t) + sizeof(uint8_t));
		size_t depth = clickhouse_rows_length(&rows, sizeof(uint64_t));
		for (size_t i = 0; !err && i < depth; i++) {
			const struct clickhouse_number frame = {.number = reader_u64(&rows),
								.item = NAMED_NONE};
			if (clickhouse_map_find(&work->frames, frame.number, 0))
				continue;
			clickhouse_rows_add_u64(wanted, frame.number);
			err = clickhouse_map_add(&work->frames, frame);
		}
	}
	return err;
}

static struct error *clickhouse_query_read_frame(struct clickhouse_query_work *work,
						 struct reader *rows)
{
	struct store_frame frame = {0};
	struct clickhouse_number *known = clickhouse_map_find(&work->frames, reader_u64(rows), 0);
	struct error *err = clickhouse_query_string(work, rows, &frame.name);
	if (!err)
		err = clickhouse_query_string(work, rows, &frame.linkage_name);
	frame.has_module = reader_u8(rows);
	if (!err)
		err = clickhouse_query_string(work, rows, &frame.module_name);
	if (!err)
		err = clickhouse_query_string(work, rows, &frame.module_path);
	if (!err)
		err = clickhouse_query_string(work, rows, &frame.build_id);
	if (!err)
		err = clickhouse_query_string(work, rows, &frame.function_file);
	frame.function_line = reader_u32(rows);
	uint8_t kind = reader_u8(rows);
	if (!err)
		err = clickhouse_query_string(work, rows, &frame.file);
	frame.line = reader_u32(rows);
	frame.flags = reader_u8(rows);
	frame.address = reader_u64(rows);
	frame.kind = (enum frame_kind)kind;
	// Rows of one number may be there several times, until ClickHouse joins them.
	if (err || rows->failed || !known || known->item != NAMED_NONE)
		return err;
	if (kind > FRAME_MARKER)
		return clickhouse_server_damaged(work->server, "a function's kind is out of range");
	return store_profile_frame(&work->answer, &frame, &known->item);
}

static struct error *clickhouse_query_read_frames(struct clickhouse_query_work *work,
						  struct reader stacks)
{
	_cleanup_(string_builder_deinit) struct string_builder wanted = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct error *err = clickhouse_query_want_frames(work, stacks, &wanted);
	if (err || !work->frames.num_rows)
		return err;
	err = clickhouse_server_ask_about(
		work->server,
		"SELECT " CLICKHOUSE_FRAME_COLUMNS " FROM frames WHERE frame IN wanted",
		&(struct clickhouse_wanted){.columns = "frame UInt64", .rows = &wanted}, &answer);
	while (!err && reader_left(&answer.rows))
		err = clickhouse_query_read_frame(work, &answer.rows);
	return err ? err : clickhouse_answer_check(work->server, &answer);
}

static struct error *clickhouse_query_read_stack(struct clickhouse_query_work *work,
						 struct reader *rows)
{
	uint32_t service;
	struct error *err = clickhouse_query_string(work, rows, &service);
	if (err)
		return err;
	struct clickhouse_number *known =
		clickhouse_map_find(&work->stacks, reader_u64(rows), service);
	uint8_t traits = reader_u8(rows);
	size_t depth = clickhouse_rows_length(rows, sizeof(uint64_t));
	err = array_reserve(&work->path, &work->cap_path, depth + 1);
	for (size_t i = 0; !err && i < depth; i++) {
		const struct clickhouse_number *frame =
			clickhouse_map_find(&work->frames, reader_u64(rows), 0);
		if (!frame || frame->item == NAMED_NONE)
			return clickhouse_server_damaged(work->server, "a frame is missing");
		work->path[i] = frame->item;
	}
	if (err || rows->failed || !known || known->item != NAMED_NONE)
		return err;
	if (traits >> 1 >= GIL_NUM_STATES)
		return clickhouse_server_damaged(work->server, "a stack's traits are out of range");
	return store_profile_stack(&work->answer, service,
				   (struct store_traits){(enum gil_state)(traits >> 1), traits & 1},
				   work->path, depth, &known->item);
}

static struct error *clickhouse_query_read_stacks(struct clickhouse_query_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder wanted = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct error *err = clickhouse_query_want_stacks(work, &wanted);
	if (!err)
		err = clickhouse_server_ask_about(
			work->server,
			"SELECT " CLICKHOUSE_STACK_COLUMNS
			" FROM stacks WHERE (service, stack) IN wanted",
			&(struct clickhouse_wanted){.columns = "service String, stack UInt64",
						    .rows = &wanted},
			&answer);
	if (!err)
		err = clickhouse_query_read_frames(work, answer.rows);
	while (!err && reader_left(&answer.rows))
		err = clickhouse_query_read_stack(work, &answer.rows);
	return err ? err : clickhouse_answer_check(work->server, &answer);
}

static struct error *clickhouse_query_add_sums(struct clickhouse_query_work *work)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < work->num_sums; i++) {
		const struct clickhouse_sum *sum = &work->sums[i];
		const struct clickhouse_number *event =
			clickhouse_map_find(&work->events, sum->event, 0);
		const struct clickhouse_number *stack = clickhouse_map_find(
			&work->stacks, sum->stack, work->services[event - work->events.rows]);
		if (stack->item == NAMED_NONE)
			return clickhouse_server_damaged(work->server, "a stack is missing");
		err = store_profile_sum(&work->answer, &(struct store_sum){
							       .stack = stack->item,
							       .event = event->item,
							       .time_ns = sum->step,
							       .total = sum->total,
						       });
	}
	return err;
}

/** Of batches whose windows are there. */
static struct error *clickhouse_query_count_lost(struct clickhouse_query_work *work, uint64_t *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder sql = STRING_BUILDER_INIT;
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	string_builder_append(&sql, "SELECT sum(num_lost) AS n, sum(bitShiftRight(num_lost, 32)) AS"
				    " h FROM (SELECT num_lost FROM windows");
	clickhouse_scan_append_windows(&work->scan, &sql);
	string_builder_append(&sql, " AND part = 0 AND event = '' AND num_lost > 0");
	clickhouse_scan_append_names(&work->scan, &sql, false);
	string_builder_append(&sql, " LIMIT 1 BY batch)");
	struct error *err = clickhouse_server_ask(work->server, &sql, &answer);
	if (err)
		return err;
	uint64_t sum = reader_u64(&answer.rows), high = reader_u64(&answer.rows);
	*ret = clickhouse_query_saturate(sum, high);
	return clickhouse_answer_check(work->server, &answer);
}

/** @ret_is_whole: false: rows were dropped while it was read, or sums changed. */
static struct error *clickhouse_query_once(const struct clickhouse_server *server,
					   const struct store_query *query, bool *ret_is_whole,
					   struct named_profile *ret)
{
	_cleanup_(clickhouse_query_deinit) struct clickhouse_query_work work = {
		.server = server, .query = query, .answer = STORE_PROFILE_INIT};
	uint64_t num_lost = 0;
	struct error *err = clickhouse_scan_init(&work.scan, server, query, CLICKHOUSE_SCAN_ALL);
	if (!err)
		err = clickhouse_query_read_sums(&work);
	if (!err)
		err = clickhouse_query_read_events(&work);
	if (!err)
		err = clickhouse_query_count_lost(&work, &num_lost);
	if (!err)
		err = clickhouse_scan_check(&work.scan, ret_is_whole);
	if (err)
		return err;
	*ret_is_whole &= work.version == work.scan.version;
	if (!*ret_is_whole)
		return NULL;
	if (work.num_sums)
		err = clickhouse_query_read_stacks(&work);
	if (!err)
		err = clickhouse_query_add_sums(&work);
	return err ? err : store_profile_finish(&work.answer, query, num_lost, ret);
}

struct error *clickhouse_query(const struct clickhouse_server *server,
			       const struct store_query *query, struct named_profile *ret)
{
	bool is_whole = false;
	struct error *err = NULL;
	for (int i = 0; !err && !is_whole && i < CLICKHOUSE_QUERY_TIMES; i++)
		err = clickhouse_query_once(server, query, &is_whole, ret);
	if (err || is_whole)
		return err;
	return error_with_hint(error_create(ERROR_FAILED,
					    "windows of '%s' were dropped or summed up while it "
					    "was read",
					    server->place.name),
			       "ask once more");
}
