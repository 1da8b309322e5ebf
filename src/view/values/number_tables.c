// SPDX-License-Identifier: Apache-2.0

#include "view/values/number_tables.h"

#include "base/container/array.h"

#include <stdio.h>

enum { MEAN_DECIMALS = 2, PERCENT_DECIMALS = 2, BAR_WIDTH = 40 };

static void number_tables_add_text(struct table *table, const char *text)
{
	table_add_string(table, text);
}

void number_tables_add(struct table *table, const struct number_sum *sum)
{
	char text[NUMBER_SUM_TEXT];
	table_add_u64(table, sum->count);
	if (!sum->count) {
		for (unsigned i = 0; i < 4; i++)
			number_tables_add_text(table, "-");
		return;
	}
	number_sum_write_total(sum, text);
	number_tables_add_text(table, text);
	table_add_double(table, number_sum_mean(sum), MEAN_DECIMALS);
	number_sum_write((uint64_t)sum->least, sum->is_unsigned, text);
	number_tables_add_text(table, text);
	number_sum_write((uint64_t)sum->greatest, sum->is_unsigned, text);
	number_tables_add_text(table, text);
}

static uint64_t bucket_start(size_t bucket)
{
	return bucket ? UINT64_C(1) << (bucket - 1) : 0;
}

static uint64_t bucket_end(size_t bucket)
{
	return bucket ? (UINT64_C(1) << (bucket - 1)) - 1 + (UINT64_C(1) << (bucket - 1)) : 0;
}

static uint64_t largest_bucket(const struct number_sum *sum)
{
	uint64_t largest = sum->num_negative;
	for (size_t i = 0; i < NUMBER_SUM_BUCKETS; i++)
		largest = sum->buckets[i] > largest ? sum->buckets[i] : largest;
	return largest;
}

static void add_bucket(struct table *table, const char *from, const char *to, uint64_t count,
		       const struct number_sum *sum)
{
	char bar[BAR_WIDTH + 1] = "";
	size_t length = (size_t)((double)count / (double)largest_bucket(sum) * BAR_WIDTH);
	for (size_t i = 0; i < length && i < BAR_WIDTH; i++)
		bar[i] = '#';
	number_tables_add_text(table, from);
	number_tables_add_text(table, to);
	table_add_u64(table, count);
	table_add_double(table, 100 * (double)count / (double)sum->count, PERCENT_DECIMALS);
	number_tables_add_text(table, bar);
}

/** From the first to the last that is not empty. */
static void add_buckets(struct table *table, const struct number_sum *sum)
{
	size_t first = 0, end = NUMBER_SUM_BUCKETS;
	while (first < end && !sum->buckets[first])
		first++;
	while (end > first && !sum->buckets[end - 1])
		end--;
	if (sum->num_negative)
		add_bucket(table, "", "-1", sum->num_negative, sum);
	for (size_t i = first; i < end; i++) {
		char from[NUMBER_SUM_TEXT], to[NUMBER_SUM_TEXT];
		number_sum_write(bucket_start(i), true, from);
		number_sum_write(bucket_end(i), true, to);
		add_bucket(table, from, to, sum->buckets[i], sum);
	}
}

struct error *number_tables_print_histogram(const struct number_sum *sum, const char *label,
					    struct table_layout layout, FILE *stream)
{
	const struct table_column columns[] = {
		{label, TABLE_RIGHT},        {"to", TABLE_RIGHT},       {"passages", TABLE_RIGHT},
		{"passages %", TABLE_RIGHT}, {"histogram", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	if (!sum->count)
		return NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	add_buckets(table, sum);
	err = table_check(table);
	if (err)
		return err;
	fputc('\n', stream);
	table_print(table, layout, stream);
	return NULL;
}

static void number_tables_write_number(struct json_writer *json, const char *key, uint64_t number,
				       bool is_unsigned)
{
	json_key(json, key);
	if (is_unsigned)
		json_u64(json, number);
	else
		json_i64(json, (int64_t)number);
}

void number_tables_write_json(const struct number_sum *sum, struct json_writer *json)
{
	json_key(json, "passages");
	json_u64(json, sum->count);
	if (sum->count) {
		char digits[NUMBER_SUM_TEXT];
		number_sum_write_digits(sum, digits);
		json_key(json, "sum");
		json_digits(json, digits);
		json_key(json, "mean");
		json_double(json, number_sum_mean(sum));
		number_tables_write_number(json, "least", (uint64_t)sum->least, sum->is_unsigned);
		number_tables_write_number(json, "greatest", (uint64_t)sum->greatest,
					   sum->is_unsigned);
	}
	json_key(json, "negative");
	json_u64(json, sum->num_negative);
	json_key(json, "histogram");
	json_begin_array(json);
	for (size_t i = 0; i < NUMBER_SUM_BUCKETS; i++) {
		if (!sum->buckets[i])
			continue;
		json_begin_object(json);
		number_tables_write_number(json, "from", bucket_start(i), true);
		number_tables_write_number(json, "to", bucket_end(i), true);
		number_tables_write_number(json, "passages", sum->buckets[i], true);
		json_end_object(json);
	}
	json_end_array(json);
}
