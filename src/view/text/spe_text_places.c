// SPDX-License-Identifier: Apache-2.0

#include "view/text/spe_text.h"

#include "base/container/array.h"
#include "view/layout/decimal.h"
#include "view/text/spe_place.h"

// The columns of places depend on the topic and on what the recording has: looks[] has for each
// topic a function that adds the columns and one that fills a row. Both go through the same
// conditions, so that cells and columns match. A level or rate that occurs nowhere has no column.
//
//	cycles %  samples  mean  50%  90%  99%  max  issue  translation  module  symbol
// =======  =======  ====  ===  ===  ===  ===  =====  ===========  ======  ======
//	   50.82  190,343   9.6    9   15   20  100    6.5          1.4  app     x_mul
//
//	samples  mispredicted     %  module  branch of  place     target in  place
// ======  ============     =  ======  =========  =====     =========  =====
//	  3,724           103  2.77  app     x_mul      a.c:3555  v_isub     a.c:1627

enum { DECIMALS = 2, MAX_COLUMNS = 24 };

void spe_text_add_percent(struct table *table, uint64_t part, uint64_t whole)
{
	if (whole)
		table_add_double(table, 100.0 * (double)part / (double)whole, DECIMALS);
	else
		table_add_string(table, "");
}

void spe_text_add_latency(struct table *table, const struct spe_latency *latency)
{
	// A mean says little of latencies: a few loads from memory hide behind many from L1. So
	// there are the median, and what one in ten and one in a hundred take at least.
	static const double percents[] = {50, 90, 99};
	if (!latency->count) {
		for (size_t i = 0; i < ARRAY_SIZE(percents) + 2; i++)
			table_add_string(table, "");
		return;
	}
	table_add_double(table, spe_latency_mean(latency), 1);
	for (size_t i = 0; i < ARRAY_SIZE(percents); i++)
		table_add_u64(table, spe_latency_percentile(latency, percents[i]));
	table_add_u64(table, latency->max);
}

struct error *spe_text_print_table(const struct table *table, FILE *stream)
{
	struct error *err = table_check(table);
	if (!err)
		table_print(table, TABLE_LAYOUT_WIDE, stream);
	return err;
}

void spe_text_print_rest(size_t num_rows, size_t max_rows, FILE *stream)
{
	if (max_rows && num_rows > max_rows)
		fprintf(stream, "      ... and %zu more\n", num_rows - max_rows);
}

/** The columns of one table, as they depend on what there is to show. */
struct columns {
	struct table_column items[MAX_COLUMNS];
	size_t num;
};

static void spe_text_places_add_column(struct columns *columns, const char *name,
				       enum table_align align)
{
	columns->items[columns->num++] = (struct table_column){name, align};
}

/** How the rows of a topic look: its columns, and the cells of a row. */
struct look {
	void (*add_columns)(const struct spe_report *report, struct columns *columns);
	void (*add_cells)(const struct spe_report *report, const struct spe_stats *stats,
			  struct table *table);
	/** Rows with nothing to say are left out. */
	uint64_t (*count)(const struct spe_stats *stats);
};

static const struct spe_stats *spe_text_places_whole_of(const struct spe_report *report)
{
	return &report->places.whole;
}

static void add_latency_columns(const struct spe_report *report, struct columns *columns)
{
	static const char *const names[] = {"cycles %", "samples", "mean",  "50%",        "90%",
					    "99%",      "max",     "issue", "translation"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		spe_text_places_add_column(columns, names[i], TABLE_RIGHT);
}

static void add_mean(struct table *table, const struct spe_latency *latency)
{
	if (latency->count)
		table_add_double(table, spe_latency_mean(latency), 1);
	else
		table_add_string(table, "");
}

static void add_latency_cells(const struct spe_report *report, const struct spe_stats *stats,
			      struct table *table)
{
	const struct spe_latency *total = &stats->latencies[SPE_COUNTER_TOTAL];
	// Of all cycles of all samples: where the time is, not how slow one operation is.
	spe_text_add_percent(table, total->sum,
			     spe_text_places_whole_of(report)->latencies[SPE_COUNTER_TOTAL].sum);
	table_add_u64(table, stats->count);
	spe_text_add_latency(table, total);
	add_mean(table, &stats->latencies[SPE_COUNTER_ISSUE]);
	add_mean(table, &stats->latencies[SPE_COUNTER_TRANSLATION]);
}

static uint64_t count_all(const struct spe_stats *stats)
{
	return stats->count;
}

static void add_source_columns(const struct spe_report *report, struct columns *columns)
{
	spe_text_places_add_column(columns, "samples", TABLE_RIGHT);
	spe_text_places_add_column(columns, "mean", TABLE_RIGHT);
	for (unsigned i = 0; i < SPE_LEVEL_NONE; i++)
		if (spe_text_places_whole_of(report)->levels[i])
			spe_text_places_add_column(columns, spe_level_name(i), TABLE_RIGHT);
}

static void add_source_cells(const struct spe_report *report, const struct spe_stats *stats,
			     struct table *table)
{
	// Only loads have a data source.
	table_add_u64(table, spe_stats_num_loaded(stats));
	add_mean(table, &stats->latencies[SPE_COUNTER_TOTAL]);
	for (unsigned i = 0; i < SPE_LEVEL_NONE; i++)
		if (spe_text_places_whole_of(report)->levels[i])
			spe_text_add_percent(table, stats->levels[i], spe_stats_num_loaded(stats));
}

static const char *const rate_titles[SPE_STATS_NUM_RATES] = {
	[SPE_RATE_L1D_MISS] = "L1 miss %",          [SPE_RATE_L2D_MISS] = "L2 miss %",
	[SPE_RATE_LLC_MISS] = "LLC miss %",         [SPE_RATE_TLB_WALK] = "TLB walk %",
	[SPE_RATE_MISALIGNED] = "misaligned %",     [SPE_RATE_REMOTE] = "remote %",
	[SPE_RATE_MISPREDICTED] = "mispredicted %", [SPE_RATE_NOT_TAKEN] = "not taken %",
	[SPE_RATE_SPECULATIVE] = "not retired %",
};

/** Of these two, which are seldom, only what there is. */
static bool has_rate(const struct spe_report *report, unsigned rate)
{
	bool is_seldom = rate == SPE_RATE_MISALIGNED || rate == SPE_RATE_REMOTE;
	struct spe_rate whole = spe_text_places_whole_of(report)->rates[rate];
	return is_seldom ? whole.count : whole.of;
}

static void add_rate_columns(const struct spe_report *report, unsigned first, unsigned end,
			     struct columns *columns)
{
	for (unsigned i = first; i < end; i++)
		if (has_rate(report, i))
			spe_text_places_add_column(columns, rate_titles[i], TABLE_RIGHT);
}

static void add_rate_cells(const struct spe_report *report, const struct spe_stats *stats,
			   unsigned first, unsigned end, struct table *table)
{
	for (unsigned i = first; i < end; i++)
		if (has_rate(report, i))
			spe_text_add_percent(table, stats->rates[i].count, stats->rates[i].of);
}

static void add_miss_columns(const struct spe_report *report, struct columns *columns)
{
	spe_text_places_add_column(columns, "samples", TABLE_RIGHT);
	add_rate_columns(report, SPE_RATE_L1D_MISS, SPE_RATE_MISPREDICTED, columns);
}

static void add_miss_cells(const struct spe_report *report, const struct spe_stats *stats,
			   struct table *table)
{
	table_add_u64(table, stats->count);
	add_rate_cells(report, stats, SPE_RATE_L1D_MISS, SPE_RATE_MISPREDICTED, table);
}

static void add_branch_columns(const struct spe_report *report, struct columns *columns)
{
	spe_text_places_add_column(columns, "branches", TABLE_RIGHT);
	spe_text_places_add_column(columns, "mispredicted", TABLE_RIGHT);
	add_rate_columns(report, SPE_RATE_MISPREDICTED, SPE_STATS_NUM_RATES, columns);
}

static void add_branch_cells(const struct spe_report *report, const struct spe_stats *stats,
			     struct table *table)
{
	table_add_u64(table, stats->classes[SPE_STATS_BRANCHES]);
	table_add_u64(table, stats->rates[SPE_RATE_MISPREDICTED].count);
	add_rate_cells(report, stats, SPE_RATE_MISPREDICTED, SPE_STATS_NUM_RATES, table);
}

static uint64_t count_branches(const struct spe_stats *stats)
{
	return stats->classes[SPE_STATS_BRANCHES];
}

static void add_operation_columns(const struct spe_report *report, struct columns *columns)
{
	spe_text_places_add_column(columns, "samples", TABLE_RIGHT);
	for (unsigned i = 0; i < SPE_STATS_NUM_CLASSES; i++)
		if (spe_text_places_whole_of(report)->classes[i])
			spe_text_places_add_column(columns, spe_stats_class_name(i), TABLE_RIGHT);
}

static void add_operation_cells(const struct spe_report *report, const struct spe_stats *stats,
				struct table *table)
{
	table_add_u64(table, stats->count);
	for (unsigned i = 0; i < SPE_STATS_NUM_CLASSES; i++)
		if (spe_text_places_whole_of(report)->classes[i])
			table_add_u64(table, stats->classes[i]);
}

// Sharing has tables of its own (spe_text_sharing.c).
static const struct look looks[SPE_NUM_TOPICS] = {
	[SPE_TOPIC_SUMMARY] = {add_latency_columns, add_latency_cells, count_all},
	[SPE_TOPIC_LATENCY] = {add_latency_columns, add_latency_cells, count_all},
	[SPE_TOPIC_SOURCE] = {add_source_columns, add_source_cells, spe_stats_num_loaded},
	[SPE_TOPIC_MISS] = {add_miss_columns, add_miss_cells, count_all},
	[SPE_TOPIC_BRANCH] = {add_branch_columns, add_branch_cells, count_branches},
	[SPE_TOPIC_OPERATION] = {add_operation_columns, add_operation_cells, count_all},
};

static struct error *spe_text_places_add_row(const struct spe_report *report,
					     const struct look *look, const struct spe_row *row,
					     struct table *table)
{
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	const struct spe_list *list = &report->places;
	struct spe_place_names names = spe_place_of_row(report->profile, list, row);
	look->add_cells(report, &row->stats, table);
	table_add_string(table, names.module);
	if (list->by != HOT_MODULE)
		table_add_string(table, names.symbol);
	if (!spe_place_is_line(list->by))
		return NULL;
	spe_place_append_row(report->profile, list, row, &place);
	if (place.failed)
		return &error_no_memory;
	table_add_string(table, string_builder_peek(&place));
	return NULL;
}

struct error *spe_text_print_places(const struct spe_report *report, size_t max_rows, FILE *stream)
{
	const struct look *look = &looks[report->topic];
	const struct spe_list *list = &report->places;
	struct columns columns = {.num = 0};
	look->add_columns(report, &columns);
	spe_text_places_add_column(&columns, "module", TABLE_LEFT);
	if (list->by != HOT_MODULE)
		spe_text_places_add_column(&columns, "symbol", TABLE_LEFT);
	if (spe_place_is_line(list->by))
		spe_text_places_add_column(&columns, "place", TABLE_LEFT);
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns.items, columns.num, &table);
	size_t num_rows = 0;
	for (size_t i = 0; !err && i < list->num_rows; i++) {
		// A function without branches has no row in a table of branches.
		if (!look->count(&list->rows[i].stats))
			continue;
		// All rows are counted, so that the last line can say how many are not shown.
		if (!max_rows || num_rows < max_rows)
			err = spe_text_places_add_row(report, look, &list->rows[i], table);
		num_rows++;
	}
	if (!err)
		err = spe_text_print_table(table, stream);
	if (!err)
		spe_text_print_rest(num_rows, max_rows, stream);
	return err;
}

static const struct table_column target_columns[] = {
	{"samples", TABLE_RIGHT},  {"mispredicted", TABLE_RIGHT}, {"%", TABLE_RIGHT},
	{"module", TABLE_LEFT},    {"branch of", TABLE_LEFT},     {"place", TABLE_LEFT},
	{"target in", TABLE_LEFT}, {"place", TABLE_LEFT},
};

static struct error *spe_text_places_add_place(const struct spe_report *report, uint32_t stack,
					       struct table *table)
{
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	spe_place_append(report->profile, stack, &place);
	if (place.failed)
		return &error_no_memory;
	table_add_string(table, spe_place_of_stack(report->profile, stack).symbol);
	table_add_string(table, string_builder_peek(&place));
	return NULL;
}

struct error *spe_text_print_targets(const struct spe_report *report, size_t max_rows, FILE *stream)
{
	const struct spe_target_list *list = &report->targets;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(target_columns, ARRAY_SIZE(target_columns), &table);
	for (size_t i = 0; !err && i < list->num_items && (!max_rows || i < max_rows); i++) {
		const struct spe_target *target = list->items[i];
		table_add_u64(table, target->count);
		table_add_u64(table, target->num_mispredicted);
		spe_text_add_percent(table, target->num_mispredicted, target->count);
		// The target's module is nearly always the same, and has no column.
		table_add_string(table, spe_place_of_stack(report->profile, target->from).module);
		err = spe_text_places_add_place(report, target->from, table);
		if (!err)
			err = spe_text_places_add_place(report, target->to, table);
	}
	if (!err)
		err = spe_text_print_table(table, stream);
	if (!err)
		spe_text_print_rest(list->num_items, max_rows, stream);
	return err;
}
