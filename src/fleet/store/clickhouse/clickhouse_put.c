// SPDX-License-Identifier: Apache-2.0
// clickhouse_store.h says in which order tables are written, and why. Rows are collected first, of
// all batches that are new; those of windows by day, as a day is a partition.

#include "fleet/store/clickhouse/clickhouse_put.h"

#include "base/container/array.h"
#include "base/os/random_bytes.h"
#include "fleet/store/clickhouse/clickhouse_rows.h"
#include "fleet/store/clickhouse/clickhouse_schema.h"
#include "fleet/store/store_pair.h"

#include <stdlib.h>
#include <string.h>

enum {
	// ClickHouse makes blocks of 1,048,576 rows: so many are surely one.
	CLICKHOUSE_BLOCK_ROWS = 500000,
};

/** A 128-bit hash of an id. */
struct clickhouse_batch_id {
	uint64_t words[2];
};

/** A batch that is to be stored. */
struct clickhouse_put_item {
	const struct fleet_batch *batch;
	struct clickhouse_batch_id id;
	uint64_t day;
};

struct clickhouse_put_work {
	const struct clickhouse_server *server;
	struct clickhouse_facts facts;
	struct clickhouse_names names;
	struct clickhouse_put_item *items; /* new ones, by day */
	size_t num_items, cap_items;
	uint64_t put; /* 0: one INSERT */
	struct store_pair *pairs;
	size_t cap_pairs;
	size_t num_rows; /* in `windows` */
	struct string_builder windows, labels, scratch;
};

static void clickhouse_put_deinit(struct clickhouse_put_work *work)
{
	clickhouse_facts_deinit(&work->facts);
	clickhouse_names_deinit(&work->names);
	free(work->items);
	free(work->pairs);
	string_builder_deinit(&work->windows);
	string_builder_deinit(&work->labels);
	string_builder_deinit(&work->scratch);
}

static struct error *clickhouse_put_make_id(struct clickhouse_put_work *work, const char *id,
					    struct clickhouse_batch_id *ret)
{
	// One without an id is always a new one.
	if (!*id)
		return random_bytes_fill(ret, sizeof(*ret));
	struct sip_key key = work->facts.key;
	for (size_t i = 0; i < 2; i++) {
		key.words[1] ^= 4 << i;
		ret->words[i] = sip_hash(key, id, strlen(id));
	}
	return NULL;
}

static void clickhouse_put_add_id(struct string_builder *rows, struct clickhouse_batch_id id)
{
	clickhouse_rows_add_u64(rows, id.words[0]);
	clickhouse_rows_add_u64(rows, id.words[1]);
}

static bool clickhouse_put_is_same(struct clickhouse_batch_id a, struct clickhouse_batch_id b)
{
	return a.words[0] == b.words[0] && a.words[1] == b.words[1];
}

static struct error *clickhouse_put_ask_known(struct clickhouse_put_work *work,
					      const struct clickhouse_batch_id *ids, size_t num,
					      struct clickhouse_answer *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder rows = STRING_BUILDER_INIT;
	char sql[200];
	for (size_t i = 0; i < num; i++)
		clickhouse_put_add_id(&rows, ids[i]);
	snprintf(sql, sizeof(sql),
		 "SELECT DISTINCT batch FROM batches WHERE batch IN wanted AND start >= %llu",
		 (unsigned long long)work->facts.closed);
	return clickhouse_server_ask_about(work->server, sql,
					   &(struct clickhouse_wanted){
						   .columns = "batch FixedString(16)",
						   .rows = &rows,
					   },
					   ret);
}

/** @is_known: set to true for those of @ids that are in the store. */
static struct error *clickhouse_put_find_known(struct clickhouse_put_work *work,
					       const struct clickhouse_batch_id *ids, size_t num,
					       bool *is_known)
{
	_cleanup_(clickhouse_answer_deinit) struct clickhouse_answer answer = {
		.bytes = MEMORY_STREAM_INIT};
	struct error *err = clickhouse_put_ask_known(work, ids, num, &answer);
	if (err)
		return err;
	while (reader_left(&answer.rows)) {
		struct clickhouse_batch_id id;
		id.words[0] = reader_u64(&answer.rows);
		id.words[1] = reader_u64(&answer.rows);
		for (size_t i = 0; i < num; i++)
			is_known[i] |= clickhouse_put_is_same(ids[i], id);
	}
	return clickhouse_answer_check(work->server, &answer);
}

static struct error *clickhouse_put_take(struct clickhouse_put_work *work,
					 const struct fleet_batch *batch,
					 struct clickhouse_batch_id id, bool is_known,
					 struct store_put_result *result)
{
	for (size_t i = 0; !is_known && i < work->num_items; i++)
		is_known = clickhouse_put_is_same(work->items[i].id, id);
	if (is_known) {
		result->num_known++;
		return NULL;
	}
	// Its id may have been dropped with its windows: counting it twice would be worse.
	if (batch->start_ns < work->facts.closed) {
		result->num_too_old++;
		return NULL;
	}
	struct error *err = array_reserve(&work->items, &work->cap_items, work->num_items + 1);
	if (!err)
		work->items[work->num_items++] =
			(struct clickhouse_put_item){batch, id, batch->start_ns / STORE_DAY_NS};
	return err;
}

static int clickhouse_put_compare_days(const void *a, const void *b)
{
	const struct clickhouse_put_item *one = a, *other = b;
	return (one->day > other->day) - (one->day < other->day);
}

/** work->items become those that are new. */
static struct error *clickhouse_put_choose(struct clickhouse_put_work *work,
					   const struct fleet_batch *const *batches, size_t num,
					   struct store_put_result *result)
{
	_cleanup_free_ struct clickhouse_batch_id *ids = calloc(num + 1, sizeof(*ids));
	_cleanup_free_ bool *is_known = calloc(num + 1, sizeof(*is_known));
	struct error *err = ids && is_known ? NULL : &error_no_memory;
	for (size_t i = 0; !err && i < num; i++) {
		if (batches[i]->start_ns > STORE_MAX_NS ||
		    batches[i]->length_ns > STORE_MAX_NS - batches[i]->start_ns)
			return error_create(ERROR_FAILED,
					    "a batch is of a time after the year 2262");
		err = clickhouse_put_make_id(work, batches[i]->id, &ids[i]);
	}
	if (!err && num)
		err = clickhouse_put_find_known(work, ids, num, is_known);
	for (size_t i = 0; !err && i < num; i++)
		err = clickhouse_put_take(work, batches[i], ids[i], is_known[i], result);
	if (!err && work->num_items)
		qsort(work->items, work->num_items, sizeof(*work->items),
		      clickhouse_put_compare_days);
	return err;
}

static void clickhouse_put_add_string(struct string_builder *row,
				      const struct named_profile *profile, uint32_t string)
{
	clickhouse_rows_add_text(row, string_table_get(&profile->strings, string),
				 string_table_length(&profile->strings, string));
}

static void clickhouse_put_add_labels(struct string_builder *row, const struct fleet_batch *batch)
{
	for (int is_value = 0; is_value < 2; is_value++) {
		size_t num = 0;
		for (size_t i = 0; i < batch->num_labels; i++)
			num += strcmp(batch->labels[i].key, "service.name") != 0;
		clickhouse_rows_add_length(row, num);
		for (size_t i = 0; i < batch->num_labels; i++) {
			const struct fleet_label *label = &batch->labels[i];
			const char *text = is_value ? label->value : label->key;
			if (strcmp(label->key, "service.name") != 0)
				clickhouse_rows_add_text(row, text, strlen(text));
		}
	}
}

/** What the rows of a series have in common: columns from service to series. @event: NULL of the
 *  row of the batch itself. */
static void clickhouse_put_add_series(struct clickhouse_put_work *work,
				      const struct fleet_batch *batch,
				      const struct named_event *event)
{
	const struct named_event none = {0};
	const struct named_profile *profile = &batch->profile;
	const char *service = fleet_batch_label(batch, "service.name");
	const char *language = profile->language->name;
	struct string_builder *row = &work->scratch;
	struct sip_key key = work->facts.key;
	event = event ? event : &none;
	string_builder_clear(row);
	clickhouse_rows_add_text(row, service, strlen(service));
	clickhouse_put_add_string(row, profile, event->name);
	clickhouse_put_add_string(row, profile, event->unit);
	clickhouse_put_add_string(row, profile, event->model);
	clickhouse_rows_add_text(row, language, strlen(language));
	clickhouse_rows_add_u8(row, (uint8_t)store_profile_event_flags(event));
	clickhouse_rows_add_u64(row, event->period);
	clickhouse_rows_add_u64(row, event->frequency);
	key.words[1] ^= 16;
	uint64_t event_id = clickhouse_names_hash(key, row);
	clickhouse_put_add_labels(row, batch);
	uint64_t series = clickhouse_names_hash(key, row);
	clickhouse_rows_add_u64(row, event_id);
	clickhouse_rows_add_u64(row, series);
	string_builder_append_n(&work->windows, string_builder_peek(row), row->length);
	work->windows.failed |= row->failed;
}

/** The columns before those of the series. */
static void clickhouse_put_begin_row(struct clickhouse_put_work *work,
				     const struct clickhouse_put_item *item, uint32_t part)
{
	const struct fleet_batch *batch = item->batch;
	struct string_builder *row = &work->windows;
	clickhouse_rows_add_u32(row, (uint32_t)item->day);
	clickhouse_put_add_id(row, item->id);
	clickhouse_rows_add_u16(row, (uint16_t)part);
	clickhouse_rows_add_u64(row, work->put);
	clickhouse_rows_add_u64(row, batch->start_ns);
	clickhouse_rows_add_u64(row, batch->start_ns + batch->length_ns);
	clickhouse_rows_add_u64(row, store_pair_limit(batch->num_dropped));
	clickhouse_rows_add_u64(row, store_pair_limit(batch->profile.num_lost));
	work->num_rows++;
}

/** The columns behind those of the series. */
static void clickhouse_put_end_row(struct clickhouse_put_work *work, size_t num_pairs)
{
	const struct store_pair *pairs = work->pairs;
	struct string_builder *row = &work->windows;
	struct named_total sum = store_pair_sum(pairs, num_pairs);
	uint64_t scale = store_pair_scale(pairs, num_pairs);
	clickhouse_rows_add_u64(row, sum.count);
	clickhouse_rows_add_u64(row, sum.weight);
	clickhouse_rows_add_u64(row, scale);
	clickhouse_rows_add_length(row, num_pairs);
	for (size_t i = 0; i < num_pairs; i++)
		clickhouse_rows_add_u64(row, pairs[i].stack);
	clickhouse_rows_add_length(row, num_pairs);
	for (size_t i = 0; i < num_pairs; i++)
		clickhouse_rows_add_u64(row, pairs[i].total.count);
	clickhouse_rows_add_length(row, num_pairs);
	for (size_t i = 0; i < num_pairs; i++)
		clickhouse_rows_add_u64(row, pairs[i].total.weight - pairs[i].total.count * scale);
}

/** An event without samples has no row. */
static struct error *clickhouse_put_event(struct clickhouse_put_work *work,
					  const struct clickhouse_put_item *item, uint32_t event)
{
	const struct named_profile *profile = &item->batch->profile;
	size_t num = 0;
	struct error *err = array_reserve(&work->pairs, &work->cap_pairs, profile->num_samples + 1);
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (sample->event != event)
			continue;
		work->pairs[num].total = (struct named_total){sample->count, sample->weight};
		err = clickhouse_names_stack(&work->names, sample->stack,
					     store_profile_traits(profile, sample),
					     &work->pairs[num++].stack);
	}
	if (err || !num)
		return err;
	store_pair_sort(work->pairs, &num);
	clickhouse_put_begin_row(work, item, event + 1);
	clickhouse_put_add_series(work, item->batch, &profile->events[event]);
	clickhouse_put_end_row(work, num);
	return NULL;
}

/** For listings, which have labels of series: of batches with samples. */
static void clickhouse_put_list_labels(struct clickhouse_put_work *work,
				       const struct fleet_batch *batch)
{
	const char *service = fleet_batch_label(batch, "service.name");
	for (size_t i = 0; batch->profile.num_samples && i < batch->num_labels; i++) {
		const struct fleet_label *label = &batch->labels[i];
		if (strcmp(label->key, "service.name") == 0)
			continue;
		clickhouse_rows_add_text(&work->labels, service, strlen(service));
		clickhouse_rows_add_text(&work->labels, label->key, strlen(label->key));
		clickhouse_rows_add_text(&work->labels, label->value, strlen(label->value));
	}
}

static struct error *clickhouse_put_batch(struct clickhouse_put_work *work,
					  const struct clickhouse_put_item *item)
{
	const struct named_profile *profile = &item->batch->profile;
	struct error *err = clickhouse_names_begin(&work->names, profile,
						   fleet_batch_label(item->batch, "service.name"));
	if (!err && profile->num_events >= UINT16_MAX)
		err = error_create(ERROR_FAILED, "a batch has too many events");
	if (err)
		return err;
	clickhouse_put_begin_row(work, item, 0);
	clickhouse_put_add_series(work, item->batch, NULL);
	clickhouse_put_end_row(work, 0);
	for (uint32_t i = 0; !err && i < profile->num_events; i++)
		err = clickhouse_put_event(work, item, i);
	clickhouse_put_list_labels(work, item->batch);
	return err;
}

/** Names go first, so that no window refers to what is not there. */
static struct error *clickhouse_put_write_rows(struct clickhouse_put_work *work)
{
	const struct clickhouse_server *server = work->server;
	struct error *err = clickhouse_schema_insert(server, "frames(" CLICKHOUSE_FRAME_COLUMNS ")",
						     &work->names.frames);
	if (!err)
		err = clickhouse_schema_insert(server, "stacks(" CLICKHOUSE_STACK_COLUMNS ")",
					       &work->names.stacks);
	if (!err)
		err = clickhouse_schema_insert(
			server,
			"windows(day, batch, part, put, start, end, num_dropped, num_lost, service,"
			" event, unit, model, language, flags, period, frequency, label_keys,"
			" label_values, event_id, series, count, weight, scale, stacks, counts,"
			" extras)",
			&work->windows);
	string_builder_clear(&work->names.frames);
	string_builder_clear(&work->names.stacks);
	string_builder_clear(&work->windows);
	work->num_rows = 0;
	return err;
}

/** More than one INSERT is one for queries from here on. */
static struct error *clickhouse_put_commit(struct clickhouse_put_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder rows = STRING_BUILDER_INIT;
	if (!work->put)
		return NULL;
	// It is dropped with the last of the windows.
	clickhouse_rows_add_u32(&rows, (uint32_t)work->items[work->num_items - 1].day);
	clickhouse_rows_add_u64(&rows, work->put);
	return clickhouse_schema_insert(work->server, "commits(day, put)", &rows);
}

static struct error *clickhouse_put_write_windows(struct clickhouse_put_work *work)
{
	struct error *err = NULL;
	size_t num_rows = 0;
	for (size_t i = 0; i < work->num_items; i++)
		num_rows += 1 + work->items[i].batch->profile.num_events;
	if (work->items[0].day != work->items[work->num_items - 1].day ||
	    num_rows > CLICKHOUSE_BLOCK_ROWS)
		err = random_bytes_fill(&work->put, sizeof(work->put));
	for (size_t i = 0; !err && i < work->num_items; i++) {
		if (i && (work->items[i].day != work->items[i - 1].day ||
			  work->num_rows > CLICKHOUSE_BLOCK_ROWS / 2))
			err = clickhouse_put_write_rows(work);
		if (!err)
			err = clickhouse_put_batch(work, &work->items[i]);
	}
	if (!err)
		err = clickhouse_put_write_rows(work);
	return err ? err : clickhouse_put_commit(work);
}

/** By day, as a partition is. */
static struct error *clickhouse_put_write_ids(struct clickhouse_put_work *work)
{
	_cleanup_(string_builder_deinit) struct string_builder rows = STRING_BUILDER_INIT;
	struct error *err = clickhouse_schema_insert(work->server, "labels(service, key, value)",
						     &work->labels);
	for (size_t i = 0; !err && i < work->num_items; i++) {
		const struct clickhouse_put_item *item = &work->items[i];
		clickhouse_rows_add_u32(&rows, (uint32_t)item->day);
		clickhouse_put_add_id(&rows, item->id);
		clickhouse_rows_add_u64(&rows, item->batch->start_ns);
		if (i + 1 < work->num_items && work->items[i + 1].day == item->day)
			continue;
		err = clickhouse_schema_insert(work->server, "batches(day, batch, start)", &rows);
		string_builder_clear(&rows);
	}
	return err;
}

/** Has retain() closed their time meanwhile? */
static struct error *clickhouse_put_count(struct clickhouse_put_work *work,
					  struct store_put_result *result)
{
	_cleanup_(clickhouse_facts_deinit) struct clickhouse_facts facts = {0};
	struct error *err = clickhouse_facts_read(work->server, &facts);
	for (size_t i = 0; !err && i < work->num_items; i++)
		if (work->items[i].batch->start_ns < facts.closed)
			result->num_too_old++;
		else
			result->num_stored++;
	return err;
}

struct error *clickhouse_put(const struct clickhouse_server *server, struct clickhouse_known *known,
			     const struct fleet_batch *const *batches, size_t num_batches,
			     struct store_put_result *ret)
{
	_cleanup_(clickhouse_put_deinit) struct clickhouse_put_work work = {.server = server};
	struct store_put_result result = {0};
	struct error *err = clickhouse_facts_read(server, &work.facts);
	work.names.key = work.facts.key;
	work.names.known = known;
	if (!err)
		err = clickhouse_put_choose(&work, batches, num_batches, &result);
	if (!err && work.num_items) {
		err = clickhouse_put_write_windows(&work);
		if (!err)
			err = clickhouse_put_write_ids(&work);
		if (!err)
			err = clickhouse_put_count(&work, &result);
	}
	if (err)
		clickhouse_known_clear(known);
	else
		*ret = result;
	return err;
}
