// SPDX-License-Identifier: Apache-2.0
// One table for each kind of row is used in both directions.

#include "fleet/store/store_json.h"

#include "base/container/array.h"

#include <string.h>

enum store_json_type { STORE_JSON_TEXT, STORE_JSON_NUMBER };

struct store_json_member {
	const char *name;
	enum store_json_type type;
	size_t offset;
};

#define SERVICE(member) offsetof(struct store_listed_service, member)
#define EVENT(member)   offsetof(struct store_listed_event, member)
#define LABEL(member)   offsetof(struct store_listed_label, member)

static const struct store_json_member service_members[] = {
	{"service", STORE_JSON_TEXT, SERVICE(service)},
	{"batches", STORE_JSON_NUMBER, SERVICE(num_batches)},
	{"batches_dropped", STORE_JSON_NUMBER, SERVICE(num_dropped)},
	{"samples_lost", STORE_JSON_NUMBER, SERVICE(num_lost)},
};

static const struct store_json_member event_members[] = {
	{"service", STORE_JSON_TEXT, EVENT(service)},
	{"event", STORE_JSON_TEXT, EVENT(event)},
	{"unit", STORE_JSON_TEXT, EVENT(unit)},
	{"first_ns", STORE_JSON_NUMBER, EVENT(first_ns)},
	{"end_ns", STORE_JSON_NUMBER, EVENT(end_ns)},
};

static const struct store_json_member label_members[] = {
	{"service", STORE_JSON_TEXT, LABEL(service)},
	{"key", STORE_JSON_TEXT, LABEL(key)},
	{"value", STORE_JSON_TEXT, LABEL(value)},
};

/** A row of any kind, while it is read. */
union store_json_row {
	struct store_listed_service service;
	struct store_listed_event event;
	struct store_listed_label label;
};

static struct error *store_json_add_service(struct store_listing *listing,
					    const union store_json_row *row)
{
	return store_listing_add_service(listing, &row->service);
}

static struct error *store_json_add_event(struct store_listing *listing,
					  const union store_json_row *row)
{
	return store_listing_add_event(listing, &row->event);
}

static struct error *store_json_add_label(struct store_listing *listing,
					  const union store_json_row *row)
{
	return store_listing_add_label(listing, &row->label);
}

static const struct store_json_table {
	const char *name;
	const struct store_json_member *members;
	size_t num_members;
	size_t row_size;
	size_t rows, num_rows; // offsets in a listing
	struct error *(*add)(struct store_listing *listing, const union store_json_row *row);
} store_json_tables[] = {
	{"services", service_members, ARRAY_SIZE(service_members),
	 sizeof(struct store_listed_service), offsetof(struct store_listing, services),
	 offsetof(struct store_listing, num_services), store_json_add_service},
	{"events", event_members, ARRAY_SIZE(event_members), sizeof(struct store_listed_event),
	 offsetof(struct store_listing, events), offsetof(struct store_listing, num_events),
	 store_json_add_event},
	{"labels", label_members, ARRAY_SIZE(label_members), sizeof(struct store_listed_label),
	 offsetof(struct store_listing, labels), offsetof(struct store_listing, num_labels),
	 store_json_add_label},
};

static void store_json_write_number(struct json_writer *json, uint64_t number)
{
	json_u64(json, number < INT64_MAX ? number : INT64_MAX);
}

static void store_json_write_row(const struct store_json_table *table, const char *row,
				 struct json_writer *json)
{
	json_begin_object(json);
	for (size_t i = 0; i < table->num_members; i++) {
		const struct store_json_member *member = &table->members[i];
		json_key(json, member->name);
		if (member->type == STORE_JSON_TEXT) {
			const char *text;
			memcpy(&text, row + member->offset, sizeof(text));
			json_text(json, text);
		} else {
			uint64_t number;
			memcpy(&number, row + member->offset, sizeof(number));
			store_json_write_number(json, number);
		}
	}
	json_end_object(json);
}

void store_json_write_listing(const struct store_listing *listing, struct json_writer *json)
{
	json_begin_object(json);
	for (size_t i = 0; i < ARRAY_SIZE(store_json_tables); i++) {
		const struct store_json_table *table = &store_json_tables[i];
		const char *rows;
		size_t num_rows;
		memcpy(&rows, (const char *)listing + table->rows, sizeof(rows));
		memcpy(&num_rows, (const char *)listing + table->num_rows, sizeof(num_rows));
		json_key(json, table->name);
		json_begin_array(json);
		for (size_t j = 0; j < num_rows; j++)
			store_json_write_row(table, rows + j * table->row_size, json);
		json_end_array(json);
	}
	json_end_object(json);
}

void store_json_write_heat(const struct store_heat *heat, struct json_writer *json)
{
	json_begin_object(json);
	json_key_u64(json, "start_ns", heat->start_ns);
	json_key_u64(json, "step_ns", heat->step_ns);
	json_key(json, "counts");
	json_begin_array(json);
	for (size_t i = 0; i < heat->num_sums; i++)
		store_json_write_number(json, heat->sums[i].count);
	json_end_array(json);
	json_key(json, "weights");
	json_begin_array(json);
	for (size_t i = 0; i < heat->num_sums; i++)
		store_json_write_number(json, heat->sums[i].weight);
	json_end_array(json);
	json_end_object(json);
}

static struct error *store_json_number(const struct json_value *value, const char *name,
				       uint64_t *ret)
{
	if (!json_value_is(value, JSON_VALUE_INTEGER) || value->integer < 0)
		return error_create(ERROR_FAILED, "it has no number '%s'", name);
	*ret = (uint64_t)value->integer;
	return NULL;
}

static struct error *store_json_read_row(const struct store_json_table *table,
					 const struct json_value *value, union store_json_row *row)
{
	for (size_t i = 0; i < table->num_members; i++) {
		const struct store_json_member *member = &table->members[i];
		const struct json_value *has = json_value_member(value, member->name);
		char *place = (char *)row + member->offset;
		uint64_t number = 0;
		if (member->type == STORE_JSON_NUMBER) {
			struct error *err = store_json_number(has, member->name, &number);
			if (err)
				return err;
			memcpy(place, &number, sizeof(number));
		} else if (json_value_is(has, JSON_VALUE_STRING)) {
			memcpy(place, &has->string, sizeof(has->string));
		} else {
			return error_create(ERROR_FAILED, "it has no text '%s'", member->name);
		}
	}
	return NULL;
}

struct error *store_json_read_listing(const struct json_value *root, struct store_listing *ret)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	for (size_t i = 0; i < ARRAY_SIZE(store_json_tables); i++) {
		const struct store_json_table *table = &store_json_tables[i];
		const struct json_value *rows = json_value_member(root, table->name);
		if (!json_value_is(rows, JSON_VALUE_ARRAY))
			return error_create(ERROR_FAILED, "it has no list '%s'", table->name);
		for (uint32_t j = 0; j < rows->num_items; j++) {
			union store_json_row row;
			struct error *err = store_json_read_row(table, &rows->items[j], &row);
			if (!err)
				err = table->add(&listing, &row);
			if (err)
				return err;
		}
	}
	store_listing_finish(&listing);
	*ret = listing;
	listing = (struct store_listing){0};
	return NULL;
}

/** Both lists have one number for each step. */
static struct error *store_json_read_sums(const struct json_value *counts,
					  const struct json_value *weights, struct store_heat *heat)
{
	if (!json_value_is(counts, JSON_VALUE_ARRAY) || !json_value_is(weights, JSON_VALUE_ARRAY) ||
	    counts->num_items != weights->num_items)
		return error_create(ERROR_FAILED, "it has no sums");
	struct error *err = array_reserve(&heat->sums, &heat->cap_sums, counts->num_items);
	for (uint32_t i = 0; !err && i < counts->num_items; i++) {
		struct named_total *sum = &heat->sums[heat->num_sums++];
		err = store_json_number(&counts->items[i], "counts", &sum->count);
		if (!err)
			err = store_json_number(&weights->items[i], "weights", &sum->weight);
	}
	return err;
}

struct error *store_json_read_heat(const struct json_value *root, struct store_heat *ret)
{
	_cleanup_(store_heat_deinit) struct store_heat heat = {0};
	struct error *err =
		store_json_number(json_value_member(root, "start_ns"), "start_ns", &heat.start_ns);
	if (!err)
		err = store_json_number(json_value_member(root, "step_ns"), "step_ns",
					&heat.step_ns);
	if (!err && !heat.step_ns)
		err = error_create(ERROR_FAILED, "its steps have no length");
	if (!err)
		err = store_json_read_sums(json_value_member(root, "counts"),
					   json_value_member(root, "weights"), &heat);
	if (err)
		return err;
	*ret = heat;
	heat = (struct store_heat){0};
	return NULL;
}
