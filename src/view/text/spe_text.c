// SPDX-License-Identifier: Apache-2.0

#include "view/spe_report.h"

#include "base/container/array.h"
#include "view/layout/decimal.h"
#include "view/layout/table.h"
#include "view/text/spe_place.h"
#include "view/text/spe_text.h"

#include <inttypes.h>

// A topic is a table of the whole recording, and then the places where it happens
// (spe_text_places.c). The summary has the tables of all topics, with few rows each. Adding a
// topic: the recipe in view/spe_report.h.
//
//	Arm SPE, 350,598 samples: 84,467 loads, 38,443 stores, 40,067 branches, 187,621 others
//
//	Latency in cycles (percentiles accurate to 3%)
//
//	        latency      samples  mean  50%  90%  99%  max
//	        =======      =======  ====  ===  ===  ===  ===
//	        total        350,598  10.3    9   15   25  449
//
//	         cycles (total)       samples
//	                  4 - 7        90,124  #######################
//	                 8 - 15       197,432  ##################################################

enum {
	BAR_WIDTH = 50,
	SUMMARY_ROWS = 10, // of each table of a summary
	SUMMARY_LINES = 3, // of data, each with a table of its own
};

static const char *const latency_names[SPE_NUM_LATENCIES] = {
	[SPE_COUNTER_TOTAL] = "total",
	[SPE_COUNTER_ISSUE] = "issue",
	[SPE_COUNTER_TRANSLATION] = "translation",
};

static const struct spe_stats *spe_text_whole_of(const struct spe_report *report)
{
	return &report->places.whole;
}

static void spe_text_print_title(const char *title, FILE *stream)
{
	fprintf(stream, "\n%s\n\n", title);
}

static void print_overview(const struct spe_report *report, FILE *stream)
{
	const struct spe_stats *whole = spe_text_whole_of(report);
	fprintf(stream, "%s, %s samples",
		spe_profile_is_of_arm(report->profile->spe)         ? "Arm SPE"
		: whole->classes[SPE_STATS_BRANCHES] == 0           ? "Accesses to memory"
		: whole->classes[SPE_STATS_BRANCHES] < whole->count ? "Accesses and branches"
								    : "Taken branches",
		decimal_grouped(whole->count).text);
	const char *before = ": ";
	for (unsigned i = 0; i < SPE_STATS_NUM_CLASSES; i++) {
		if (!whole->classes[i])
			continue;
		fprintf(stream, "%s%s %s", before, decimal_grouped(whole->classes[i]).text,
			spe_stats_class_name(i));
		before = ", ";
	}
	fputc('\n', stream);
}

static const struct table_column latency_columns[] = {
	{"latency", TABLE_LEFT}, {"samples", TABLE_RIGHT}, {"mean", TABLE_RIGHT},
	{"50%", TABLE_RIGHT},    {"90%", TABLE_RIGHT},     {"99%", TABLE_RIGHT},
	{"max", TABLE_RIGHT},
};

static uint64_t next_bound(uint64_t bound)
{
	return bound ? bound * 2 : 1;
}

/** Each line is twice as wide as the one above it. */
static void print_histogram(const struct spe_latency *latency, FILE *stream)
{
	const struct log_histogram *histogram = &latency->histogram;
	uint64_t most = 0, first = 0;
	for (uint64_t low = 0; low <= latency->max; low = next_bound(low)) {
		uint64_t count = log_histogram_between(histogram, low, next_bound(low));
		// The first bucket with samples: latencies begin at several cycles.
		first = most ? first : low;
		most = count > most ? count : most;
	}
	if (!most)
		return;
	fprintf(stream, "\n        %15s  %12s\n", "cycles (total)", "samples");
	for (uint64_t low = first; low <= latency->max; low = next_bound(low)) {
		uint64_t end = next_bound(low);
		uint64_t count = log_histogram_between(histogram, low, end);
		char range[48];
		snprintf(range, sizeof(range), "%" PRIu64 " - %" PRIu64, low, end - 1);
		if (end - low == 1)
			snprintf(range, sizeof(range), "%" PRIu64, low);
		fprintf(stream, "        %15s  %12s  ", range, decimal_grouped(count).text);
		// Rounded up: a bucket with any sample has a bar.
		size_t width =
			(size_t)(((double)count * BAR_WIDTH + (double)most - 1) / (double)most);
		for (size_t i = 0; i < width; i++)
			fputc('#', stream);
		fputc('\n', stream);
	}
}

static struct error *print_latency(const struct spe_report *report, FILE *stream)
{
	const struct spe_stats *whole = spe_text_whole_of(report);
	_cleanup_(table_destroyp) struct table *table = NULL;
	spe_text_print_title("Latency in cycles (percentiles accurate to 3%)", stream);
	struct error *err = table_create(latency_columns, ARRAY_SIZE(latency_columns), &table);
	for (unsigned i = 0; !err && i < SPE_NUM_LATENCIES; i++) {
		if (!whole->latencies[i].count)
			continue;
		table_add_string(table, latency_names[i]);
		table_add_u64(table, whole->latencies[i].count);
		spe_text_add_latency(table, &whole->latencies[i]);
	}
	if (!err)
		err = spe_text_print_table(table, stream);
	if (!err)
		print_histogram(&whole->latencies[SPE_COUNTER_TOTAL], stream);
	return err;
}

static const struct table_column origin_columns[] = {
	{"data came from", TABLE_LEFT}, {"samples", TABLE_RIGHT}, {"%", TABLE_RIGHT},
	{"cycles %", TABLE_RIGHT},      {"mean", TABLE_RIGHT},    {"50%", TABLE_RIGHT},
	{"90%", TABLE_RIGHT},           {"99%", TABLE_RIGHT},     {"max", TABLE_RIGHT},
};

static struct error *spe_text_print_source(const struct spe_report *report, FILE *stream)
{
	const struct spe_stats *whole = spe_text_whole_of(report);
	const struct spe_list *list = &report->origins;
	_cleanup_(table_destroyp) struct table *table = NULL;
	spe_text_print_title("Data source of loads, latency in cycles", stream);
	struct error *err = table_create(origin_columns, ARRAY_SIZE(origin_columns), &table);
	uint64_t cycles = 0;
	for (size_t i = 0; i < list->num_rows; i++)
		cycles += list->rows[i].stats.latencies[SPE_COUNTER_TOTAL].sum;
	for (size_t i = 0; !err && i < list->num_rows; i++) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		const struct spe_row *row = &list->rows[i];
		const struct spe_latency *latency = &row->stats.latencies[SPE_COUNTER_TOTAL];
		spe_place_append_origin(&report->profile->spe->sums.groups[row->group], &text);
		if (text.failed)
			return &error_no_memory;
		table_add_string(table, string_builder_peek(&text));
		table_add_u64(table, row->stats.count);
		spe_text_add_percent(table, row->stats.count, spe_stats_num_loaded(whole));
		spe_text_add_percent(table, latency->sum, cycles);
		spe_text_add_latency(table, latency);
	}
	if (!err)
		err = spe_text_print_table(table, stream);
	if (!err && whole->num_by_events)
		fprintf(stream,
			"      %s of these had no known data source; their level comes from their "
			"events\n",
			decimal_grouped(whole->num_by_events).text);
	return err;
}

static const struct table_column rate_columns[] = {
	{"what", TABLE_LEFT},
	{"of", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"%", TABLE_RIGHT},
};

static struct error *print_rates(const struct spe_report *report, unsigned first, unsigned end,
				 FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(rate_columns, ARRAY_SIZE(rate_columns), &table);
	for (unsigned i = first; !err && i < end; i++) {
		struct spe_rate rate = spe_text_whole_of(report)->rates[i];
		if (!rate.of)
			continue;
		table_add_string(table, spe_stats_rate_name(i));
		table_add_u64(table, rate.of);
		table_add_u64(table, rate.count);
		spe_text_add_percent(table, rate.count, rate.of);
	}
	return err ? err : spe_text_print_table(table, stream);
}

static struct error *print_misses(const struct spe_report *report, FILE *stream)
{
	spe_text_print_title("Caches, TLB and accesses", stream);
	return print_rates(report, SPE_RATE_L1D_MISS, SPE_RATE_MISPREDICTED, stream);
}

static struct error *print_branches(const struct spe_report *report, FILE *stream)
{
	spe_text_print_title(spe_profile_is_of_arm(report->profile->spe)
				     ? "Branches and operations that did not retire"
				     : "Branches",
			     stream);
	return print_rates(report, SPE_RATE_MISPREDICTED, SPE_STATS_NUM_RATES, stream);
}

static const struct table_column operation_columns[] = {
	{"operation", TABLE_LEFT}, {"samples", TABLE_RIGHT}, {"%", TABLE_RIGHT},
	{"mean", TABLE_RIGHT},     {"50%", TABLE_RIGHT},     {"90%", TABLE_RIGHT},
	{"99%", TABLE_RIGHT},      {"max", TABLE_RIGHT},
};

static struct error *print_operations(const struct spe_report *report, FILE *stream)
{
	const struct spe_list *list = &report->operations;
	_cleanup_(table_destroyp) struct table *table = NULL;
	spe_text_print_title("Operations, and latency in cycles", stream);
	struct error *err = table_create(operation_columns, ARRAY_SIZE(operation_columns), &table);
	for (size_t i = 0; !err && i < list->num_rows; i++) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		const struct spe_row *row = &list->rows[i];
		spe_place_append_operation(&report->profile->spe->sums.groups[row->group], &text);
		if (text.failed)
			return &error_no_memory;
		table_add_string(table, string_builder_peek(&text));
		table_add_u64(table, row->stats.count);
		spe_text_add_percent(table, row->stats.count, spe_text_whole_of(report)->count);
		spe_text_add_latency(table, &row->stats.latencies[SPE_COUNTER_TOTAL]);
	}
	return err ? err : spe_text_print_table(table, stream);
}

static struct error *print_places(const struct spe_report *report, size_t max_rows, FILE *stream)
{
	spe_text_print_title("Where", stream);
	return spe_text_print_places(report, max_rows, stream);
}

static struct error *print_targets(const struct spe_report *report, size_t max_rows, FILE *stream)
{
	if (!report->targets.num_items)
		return NULL;
	spe_text_print_title("Branches and their targets", stream);
	return spe_text_print_targets(report, max_rows, stream);
}

static struct error *spe_text_print_summary(const struct spe_report *report, FILE *stream)
{
	struct error *err = print_latency(report, stream);
	if (!err && report->origins.num_rows)
		err = spe_text_print_source(report, stream);
	if (!err)
		err = print_misses(report, stream);
	if (!err)
		err = print_branches(report, stream);
	if (!err)
		err = print_operations(report, stream);
	if (!err)
		err = print_places(report, SUMMARY_ROWS, stream);
	if (!err)
		err = print_targets(report, SUMMARY_ROWS, stream);
	return err ? err : spe_text_print_sharing(report, SUMMARY_LINES, stream);
}

struct error *spe_report_print(const struct spe_report *report, size_t max_rows, FILE *stream)
{
	static struct error *(*const parts[SPE_NUM_TOPICS])(const struct spe_report *, FILE *) = {
		[SPE_TOPIC_SUMMARY] = spe_text_print_summary,
		[SPE_TOPIC_LATENCY] = print_latency,
		[SPE_TOPIC_SOURCE] = spe_text_print_source,
		[SPE_TOPIC_MISS] = print_misses,
		[SPE_TOPIC_BRANCH] = print_branches,
		[SPE_TOPIC_OPERATION] = print_operations,
	};
	print_overview(report, stream);
	if (report->topic == SPE_TOPIC_SHARING)
		return spe_text_print_sharing(report, max_rows, stream);
	struct error *err = parts[report->topic](report, stream);
	if (err || report->topic == SPE_TOPIC_SUMMARY)
		return err;
	err = print_places(report, max_rows, stream);
	if (!err && report->topic == SPE_TOPIC_BRANCH)
		err = print_targets(report, max_rows, stream);
	return err;
}
