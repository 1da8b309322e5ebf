// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_tables.h"

#include "base/container/array.h"
#include "fleet/otlp/otlp_message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A request that is read once costs at most its size, and some for each frame of a stack:
// SPEND_PER_BYTE leaves much room for collectors that put many batches with the same stacks into
// one request.
enum { SPEND_PER_BYTE = 64, SPEND_ALWAYS = 1 << 20 };

static const char *const table_names[OTLP_NUM_TABLES] = {
	[OTLP_MAPPINGS] = "mapping", [OTLP_LOCATIONS] = "location", [OTLP_FUNCTIONS] = "function",
	[OTLP_LINKS] = "link",       [OTLP_STRINGS] = "string",     [OTLP_ATTRIBUTES] = "attribute",
	[OTLP_STACKS] = "stack",
};

struct error *otlp_tables_damage(const char *what)
{
	return error_create(ERROR_FAILED, "OTLP profiles: malformed %s", what);
}

struct error *otlp_tables_old(struct error *err)
{
	return error_with_hint(err, "wperf reads OTLP of release 1.10 and later; senders of 1.9 "
				    "and older number the fields of samples in another way");
}

struct error *otlp_tables_spend(struct otlp_tables *tables, uint64_t cost)
{
	if (cost > tables->budget)
		return error_create(ERROR_FAILED,
				    "OTLP profiles: batches refer to more names and "
				    "frames than a request of %zu bytes may",
				    tables->size);
	tables->budget -= cost;
	return NULL;
}

static struct error *otlp_tables_add(struct otlp_tables *tables, const struct otlp_field *field)
{
	uint32_t table = field->number;
	size_t number = tables->tables[table].num_entries;
	struct error *err = array_reserve(&tables->tables[table].entries,
					  &tables->tables[table].cap_entries, number + 1);
	if (err)
		return err;
	tables->tables[table].entries[number] = (struct otlp_entry){
		.offset = (uint32_t)(field->bytes.data - tables->bytes),
		.size = (uint32_t)field->bytes.size,
	};
	tables->tables[table].num_entries++;
	return NULL;
}

static struct error *otlp_tables_read_dictionary(struct otlp_tables *tables, struct reader message)
{
	struct otlp_field field;
	while (otlp_message_next(&message, &field)) {
		// Others are of later releases.
		if (field.number >= OTLP_NUM_TABLES)
			continue;
		if (field.wire != OTLP_WIRE_BYTES)
			return otlp_tables_damage("dictionary");
		struct error *err = otlp_tables_add(tables, &field);
		if (err)
			return err;
	}
	return message.failed ? otlp_tables_damage("dictionary") : NULL;
}

struct reader otlp_tables_bytes(const struct otlp_tables *tables, const struct otlp_entry *entry)
{
	return reader_create(tables->bytes + entry->offset, entry->size);
}

struct error *otlp_tables_entry(struct otlp_tables *tables, enum otlp_table table, uint64_t number,
				struct otlp_entry **ret_entry)
{
	if (number >= tables->tables[table].num_entries)
		return otlp_tables_old(error_create(
			ERROR_FAILED,
			"OTLP profiles: %s %" PRIu64 " is referred to, and the table has %zu",
			table_names[table], number, tables->tables[table].num_entries));
	struct otlp_entry *entry = &tables->tables[table].entries[number];
	struct error *err = otlp_tables_spend(tables, (uint64_t)entry->size + 1);
	if (err)
		return err;
	*ret_entry = entry;
	return NULL;
}

static struct otlp_entry otlp_tables_place(const struct otlp_tables *tables, struct reader bytes)
{
	// An empty one may have no place.
	return (struct otlp_entry){
		.offset = bytes.size ? (uint32_t)(bytes.data - tables->bytes) : 0,
		.size = (uint32_t)bytes.size,
	};
}

static struct error *otlp_tables_set_value(struct otlp_tables *tables,
					   const struct otlp_field *field, struct otlp_value *value)
{
	struct otlp_entry *string;
	struct error *err;
	switch (field->number) {
	case OTLP_VALUE_TEXT:
		*value = (struct otlp_value){.type = OTLP_IS_TEXT,
					     .text = otlp_tables_place(tables, field->bytes)};
		return NULL;
	case OTLP_VALUE_BOOL:
	case OTLP_VALUE_INT:
		*value = (struct otlp_value){.type = OTLP_IS_NUMBER, .number = field->value};
		return NULL;
	case OTLP_VALUE_DOUBLE:
		*value = (struct otlp_value){.type = OTLP_IS_REAL};
		memcpy(&value->real, &field->value, sizeof(value->real));
		return NULL;
	case OTLP_VALUE_STRING:
		err = otlp_tables_entry(tables, OTLP_STRINGS, field->value, &string);
		if (!err)
			*value = (struct otlp_value){.type = OTLP_IS_TEXT,
						     .text = {.offset = string->offset,
							      .size = string->size}};
		return err;
	default:
		return NULL;
	}
}

struct error *otlp_tables_value(struct otlp_tables *tables, struct reader bytes,
				struct otlp_value *ret)
{
	static const enum otlp_wire wires[] = {
		[OTLP_VALUE_TEXT] = OTLP_WIRE_BYTES,
		[OTLP_VALUE_BOOL] = OTLP_WIRE_VARINT,
		[OTLP_VALUE_INT] = OTLP_WIRE_VARINT,
		[OTLP_VALUE_DOUBLE] = OTLP_WIRE_64BIT,
		[5] = OTLP_WIRE_BYTES,
		[6] = OTLP_WIRE_BYTES,
		[OTLP_VALUE_BYTES] = OTLP_WIRE_BYTES,
		[OTLP_VALUE_STRING] = OTLP_WIRE_VARINT,
	};
	struct otlp_value value = {.type = OTLP_IS_NOTHING};
	struct otlp_field field;
	while (otlp_message_next(&bytes, &field)) {
		if (field.number >= ARRAY_SIZE(wires))
			continue;
		if (field.wire != wires[field.number])
			return otlp_tables_damage("value of an attribute");
		struct error *err = otlp_tables_set_value(tables, &field, &value);
		if (err)
			return err;
	}
	if (bytes.failed)
		return otlp_tables_damage("value of an attribute");
	*ret = value;
	return NULL;
}

static struct error *otlp_tables_read_attribute(struct otlp_tables *tables, size_t number)
{
	struct otlp_attribute *attribute = &tables->attributes[number];
	struct reader message =
		otlp_tables_bytes(tables, &tables->tables[OTLP_ATTRIBUTES].entries[number]);
	struct otlp_field field;
	struct otlp_entry *key = NULL;
	struct error *err = NULL;
	attribute->key = OTLP_NUM_KEYS;
	while (!err && otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_ATTRIBUTE_KEY, OTLP_WIRE_VARINT))
			err = otlp_tables_entry(tables, OTLP_STRINGS, field.value, &key);
		else if (otlp_field_is(&message, &field, OTLP_ATTRIBUTE_VALUE, OTLP_WIRE_BYTES))
			err = otlp_tables_value(tables, field.bytes, &attribute->value);
	}
	if (err)
		return err;
	if (message.failed)
		return otlp_tables_old(otlp_tables_damage("attribute"));
	if (key)
		attribute->key = otlp_key_find(tables->bytes + key->offset, key->size);
	return NULL;
}

struct error *otlp_tables_attribute(struct otlp_tables *tables, uint64_t number,
				    struct otlp_attribute **ret)
{
	struct otlp_entry *entry;
	if (number < tables->tables[OTLP_ATTRIBUTES].num_entries) {
		*ret = &tables->attributes[number];
		return NULL;
	}
	return otlp_tables_entry(tables, OTLP_ATTRIBUTES, number, &entry);
}

static struct error *otlp_tables_read_attributes(struct otlp_tables *tables)
{
	size_t num_attributes = tables->tables[OTLP_ATTRIBUTES].num_entries;
	tables->attributes = calloc(num_attributes + 1, sizeof(*tables->attributes));
	if (!tables->attributes)
		return &error_no_memory;
	for (size_t i = 0; i < num_attributes; i++) {
		struct error *err = otlp_tables_read_attribute(tables, i);
		if (err)
			return err;
	}
	return NULL;
}

struct error *otlp_tables_read(struct otlp_tables *tables, const void *bytes, size_t size)
{
	*tables = (struct otlp_tables){
		.bytes = bytes,
		.size = size,
		.budget = SPEND_ALWAYS + (uint64_t)SPEND_PER_BYTE * size,
	};
	struct reader request = reader_create(bytes, size);
	struct otlp_field field;
	while (otlp_message_next(&request, &field)) {
		struct error *err = NULL;
		if (otlp_field_is(&request, &field, OTLP_REQUEST_DICTIONARY, OTLP_WIRE_BYTES))
			err = otlp_tables_read_dictionary(tables, field.bytes);
		if (err)
			return err;
	}
	if (request.failed)
		return otlp_tables_damage("request");
	return otlp_tables_read_attributes(tables);
}

void otlp_tables_deinit(struct otlp_tables *tables)
{
	for (size_t i = 0; i < OTLP_NUM_TABLES; i++)
		free(tables->tables[i].entries);
	free(tables->attributes);
	*tables = (struct otlp_tables)OTLP_TABLES_INIT;
}
