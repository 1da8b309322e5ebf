// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_samples.h"

#include "base/container/array.h"
#include "base/saturating_sum.h"
#include "fleet/otlp/otlp_message.h"
#include "fleet/otlp/otlp_sums.h"

#include <inttypes.h>
#include <string.h>

// Until release 1.9, fields of a sample had other numbers. A reader that does not know takes values
// for attributes, and finds no values:
//
//	        until 1.8            1.9                  from 1.10 on
//	1       first location       stack                stack
//	2       number of locations  values (list)        attributes (list)
//	3       values (list)        attributes (list)    link
//	4       attributes (list)    link                 values (list)
//	5       link                 times (list)         times (list)
//
// So a number at 2 or 4 and a list at 3 are of before. But a list may also be written as numbers,
// one field each, as async-profiler does: numbers at 2 and 4 are of 1.10 if there is one at 4, no
// list, and nothing at 3, where all older releases have values or attributes. If only 1 and 2 are
// there, the sample has neither values nor times, which no release allows. If only 1, 2 and 5 are
// there, the values of 1.9 look like attributes: they are refused if there are not so many in the
// table, or if the same one is there twice, as no sample has an attribute twice.

struct otlp_sample {
	uint64_t stack;
	struct reader attributes, values, times; // lists that come in parts: the last one
	uint64_t num_values, num_times;
	uint64_t sum;
	bool has_lists, has_third;                   // of 2 to 4; a field 3
	bool has_plain_attributes, has_plain_values; // fields of one number each
	// of attributes
	struct named_thread thread;
	uint32_t executable, cpu;
	bool has_process, has_count;
	uint64_t count;
	enum gil_state lock;
};

static struct error *otlp_samples_refuse(void)
{
	return otlp_tables_old(error_create(
		ERROR_FAILED,
		"OTLP profiles: the fields of a sample are not those of release 1.10"));
}

static struct error *otlp_samples_add_value(struct otlp_sample *sample, uint64_t value)
{
	if (value > INT64_MAX)
		return error_create(ERROR_FAILED, "OTLP profiles: a sample has a negative value");
	sample->sum = saturating_sum(sample->sum, value);
	sample->num_values++;
	return NULL;
}

static struct error *otlp_samples_add_values(struct otlp_sample *sample, struct reader values)
{
	struct error *err = NULL;
	sample->values = values;
	while (!err && reader_left(&values))
		err = otlp_samples_add_value(sample, reader_uleb128(&values));
	return err || !values.failed ? err : otlp_tables_damage("list of values");
}

static struct error *otlp_samples_read_field(struct otlp_sample *sample,
					     const struct otlp_field *field)
{
	bool is_list = field->wire == OTLP_WIRE_BYTES;
	bool is_number = field->wire == OTLP_WIRE_VARINT;
	switch (field->number) {
	case OTLP_SAMPLE_STACK:
		sample->stack = field->value;
		return is_list ? otlp_samples_refuse() : NULL;
	case OTLP_SAMPLE_ATTRIBUTES:
		sample->attributes = field->bytes;
		sample->has_lists |= is_list;
		sample->has_plain_attributes |= is_number;
		return is_list || is_number ? NULL : otlp_samples_refuse();
	case OTLP_SAMPLE_LINK:
		sample->has_third = true;
		return is_list ? otlp_samples_refuse() : NULL;
	case OTLP_SAMPLE_VALUES:
		sample->has_lists |= is_list;
		sample->has_plain_values |= is_number;
		if (is_list)
			return otlp_samples_add_values(sample, field->bytes);
		return is_number ? otlp_samples_add_value(sample, field->value)
				 : otlp_samples_refuse();
	case OTLP_SAMPLE_TIMES:
		if (!is_list && field->wire != OTLP_WIRE_64BIT)
			return otlp_samples_refuse();
		sample->times = field->bytes;
		sample->num_times += is_list ? field->bytes.size / sizeof(uint64_t) : 1;
		return field->bytes.size % sizeof(uint64_t) ? otlp_tables_damage("list of times")
							    : NULL;
	default:
		return NULL;
	}
}

static enum gil_state otlp_samples_lock(const char *word)
{
	static const struct {
		const char *word;
		enum gil_state lock;
	} rows[] = {{"held", GIL_HELD}, {"free", GIL_FREE}, {"waited", GIL_WAITED}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strcmp(rows[i].word, word) == 0)
			return rows[i].lock;
	return GIL_UNKNOWN;
}

static struct error *otlp_samples_take(void *data, struct otlp_names *names,
				       struct otlp_attribute *attribute)
{
	struct otlp_sample *sample = data;
	struct error *err;
	uint32_t word;
	switch (attribute->key) {
	case OTLP_KEY_THREAD_NAME:
		return otlp_names_text(names, &attribute->value, &sample->thread.name);
	case OTLP_KEY_THREAD_ID:
		sample->thread.tid = (uint32_t)attribute->value.number;
		return NULL;
	case OTLP_KEY_PROCESS_ID:
		sample->thread.pid = (uint32_t)attribute->value.number;
		sample->has_process = true;
		return NULL;
	case OTLP_KEY_PROCESS_NAME:
		return otlp_names_text(names, &attribute->value, &sample->thread.process_name);
	case OTLP_KEY_EXECUTABLE:
		return otlp_names_text(names, &attribute->value, &sample->executable);
	case OTLP_KEY_CPU:
		sample->cpu = (uint32_t)attribute->value.number;
		return NULL;
	case OTLP_KEY_SAMPLES:
		sample->count = attribute->value.number;
		sample->has_count = true;
		return NULL;
	case OTLP_KEY_LOCK:
		err = otlp_names_text(names, &attribute->value, &word);
		if (!err)
			sample->lock = otlp_samples_lock(named_profile_text(names->profile, word));
		return err;
	default:
		return NULL;
	}
}

static struct error *otlp_samples_check(const struct otlp_sample *sample)
{
	bool has_plain = sample->has_plain_attributes || sample->has_plain_values;
	if (has_plain && (!sample->has_plain_values || sample->has_lists || sample->has_third))
		return otlp_samples_refuse();
	if (!sample->num_values && !sample->num_times)
		return otlp_tables_old(error_create(
			ERROR_FAILED, "OTLP profiles: a sample has neither a value nor a time"));
	if (sample->num_values && sample->num_times && sample->num_values != sample->num_times)
		return error_create(ERROR_FAILED,
				    "OTLP profiles: a sample has %" PRIu64 " values and %" PRIu64
				    " times",
				    sample->num_values, sample->num_times);
	if (sample->num_values)
		return NULL;
	// Attributes are sorted by nobody; the values of old senders mostly follow each other.
	struct reader numbers = sample->attributes;
	uint64_t before = 0;
	while (reader_left(&numbers)) {
		uint64_t number = reader_uleb128(&numbers);
		if (number == before)
			return otlp_samples_refuse();
		before = number;
	}
	return NULL;
}

static uint64_t otlp_samples_count(const struct otlp_samples *samples,
				   const struct otlp_sample *sample, uint64_t weight)
{
	if (sample->has_count)
		return sample->count;
	if (sample->num_times && !samples->has_times)
		return sample->num_times;
	return samples->counts_plain ? weight : otlp_sums_count(weight, samples->period);
}

static struct error *otlp_samples_add_one(const struct otlp_samples *samples,
					  const struct otlp_sample *sample,
					  struct named_sample *named)
{
	uint64_t count = otlp_samples_count(samples, sample, named->weight);
	named->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	return named_profile_add(samples->names->profile, named);
}

static struct error *otlp_samples_add_times(const struct otlp_samples *samples,
					    const struct otlp_sample *sample,
					    struct named_sample *named)
{
	struct reader values = sample->values, times = sample->times;
	struct error *err = NULL;
	uint64_t count = 0;
	for (; !err && reader_left(&values) && reader_left(&times); count++) {
		named->weight = reader_uleb128(&values);
		named->time_ns = reader_u64(&times);
		err = otlp_samples_add_one(samples, sample, named);
	}
	// Each list is in one part, and there are as many of both.
	return err || count == sample->num_values ? err : otlp_tables_damage("list of times");
}

static struct error *otlp_samples_add(const struct otlp_samples *samples,
				      struct otlp_sample *sample)
{
	struct named_profile *profile = samples->names->profile;
	struct named_sample named = {
		.time_ns = profile->start_time_ns,
		.weight = sample->num_values ? sample->sum : sample->num_times,
		.event = samples->event,
		.cpu = sample->cpu,
		.gil = sample->lock,
	};
	if (!sample->has_process)
		sample->thread.pid = samples->process;
	if (!sample->thread.process_name)
		sample->thread.process_name = sample->executable;
	struct error *err = named_profile_thread(profile, &sample->thread, &named.thread);
	if (!err)
		err = otlp_names_stack(samples->names, sample->stack, &named.stack);
	if (err)
		return err;
	return samples->has_times ? otlp_samples_add_times(samples, sample, &named)
				  : otlp_samples_add_one(samples, sample, &named);
}

/** Those that are fields of their own. */
static struct error *otlp_samples_take_plain(const struct otlp_samples *samples,
					     struct reader message, struct otlp_sample *sample)
{
	struct otlp_field field;
	struct error *err = NULL;
	while (!err && sample->has_plain_attributes && otlp_message_next(&message, &field))
		if (otlp_field_is(&message, &field, OTLP_SAMPLE_ATTRIBUTES, OTLP_WIRE_VARINT))
			err = otlp_names_attribute(samples->names, field.value, otlp_samples_take,
						   sample);
	return err;
}

struct error *otlp_samples_read(const struct otlp_samples *samples, struct reader message)
{
	struct reader again = message;
	const struct reader empty = reader_create(NULL, 0);
	struct otlp_sample sample = {
		.cpu = NAMED_NONE, .attributes = empty, .values = empty, .times = empty};
	struct otlp_field field;
	struct error *err = NULL;
	while (!err && otlp_message_next(&message, &field))
		err = otlp_samples_read_field(&sample, &field);
	if (!err && message.failed)
		err = otlp_tables_damage("sample");
	if (!err)
		err = otlp_samples_check(&sample);
	if (!err)
		err = otlp_names_attributes(samples->names, sample.attributes, otlp_samples_take,
					    &sample);
	if (!err)
		err = otlp_samples_take_plain(samples, again, &sample);
	return err ? err : otlp_samples_add(samples, &sample);
}
