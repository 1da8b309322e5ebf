// SPDX-License-Identifier: Apache-2.0
#include "view/text/stat_table.h"

#include "base/container/array.h"
#include "view/layout/decimal.h"
#include "view/layout/table.h"
#include "view/text/stat_section.h"

#include <inttypes.h>
#include <math.h>

// Tables of counts for text and JSON. The driver's classes (core, dsu, dmc) have WindowsPerf's
// columns, which its clients read by name; events of the Linux kernel have columns of their own,
// with units and values derived from others. A unit is a core, cluster, channel, process or thread;
// all_units in its place makes the table of their sums.
//
// Columns that not every table has are the last ones where that is possible: leaving them out is
// then a smaller number of columns.
//
//	counter value  event name  event idx  event note  multiplexed   scaled value
// ============  ==========  =========  ==========  ===========   ============
//	2,250,000,000  cycle       fixed      e                 10/10  2,250,000,000
//	  135,000,000  ld_spec     0x70       g1,imix            5/10    270,000,000
//
//	counter value  unit  event name        event note  derived
// ============  ====  ==========        ==========  =======
//	       120.32  msec  task-clock        e           0.964 CPUs utilized

enum { UNIT_INDEX_DIGITS = 2, SHARED_INDEX_DIGITS = 4 };

/** In place of a unit's index. */
static const size_t all_units = SIZE_MAX;

static struct error *stat_table_finish(struct table **table, struct table **ret)
{
	struct error *err = table_check(*table);
	if (err)
		return err;
	*ret = take_ptr(*table);
	return NULL;
}

static struct count stat_table_count_of(const struct stat_section *section, size_t unit,
					size_t column)
{
	if (unit == all_units)
		return count_set_sum(section->counts, column);
	return *count_set_at(section->counts, unit, column);
}

/** Of all units, the sum of what is shown for each; as much as fits. */
static uint64_t scaled_of(const struct stat_section *section, size_t unit, size_t column)
{
	if (unit != all_units)
		return count_scaled(count_set_at(section->counts, unit, column));
	uint64_t sum = 0;
	for (size_t i = 0; i < section->counts->num_units; i++) {
		uint64_t scaled = count_scaled(count_set_at(section->counts, i, column));
		if (__builtin_add_overflow(sum, scaled, &sum))
			return UINT64_MAX;
	}
	return sum;
}

/** A number that is not known: null for those who can take that. */
static void stat_table_add_unknown(struct table *table, const struct stat_section *section,
				   uint64_t value, const char *text)
{
	if (section->only_numbers)
		table_add_u64_as(table, value, text);
	else
		table_add_null_as(table, text);
}

static void add_scaled(struct table *table, const struct stat_section *section, size_t column,
		       const struct count *count, uint64_t value)
{
	const char *missing = stat_missing_text(&section->events[column], count);
	if (missing)
		stat_table_add_unknown(table, section, value, missing);
	else
		table_add_u64(table, value);
}

/** The four columns that all driver classes have. */
static void add_counter(struct table *table, const struct stat_section *section, size_t column,
			const struct count *count, int index_digits)
{
	const struct stat_event *event = &section->events[column];
	const char *missing = stat_missing_text(event, count);
	// As counted: what never had a counter counted 0.
	if (event->is_absent || stat_count_is_elsewhere(event, count))
		stat_table_add_unknown(table, section, 0, missing);
	else if (missing)
		table_add_u64_as(table, count->value, missing);
	else
		table_add_u64(table, count->value);
	table_add_string(table, event->name);
	char index[32] = "fixed";
	if (!event->is_fixed)
		snprintf(index, sizeof(index), "0x%0*" PRIx64, index_digits, event->code);
	table_add_string(table, index);
	table_add_string(table, event->note);
}

struct error *stat_table_unit(const struct stat_section *section, size_t unit, struct table **ret)
{
	static const struct table_column columns[] = {
		{"counter value", TABLE_RIGHT}, {"event name", TABLE_LEFT},
		{"event idx", TABLE_LEFT},      {"event note", TABLE_LEFT},
		{"multiplexed", TABLE_RIGHT},   {"scaled value", TABLE_RIGHT},
	};
	bool multiplexed = stat_section_is_multiplexed(section);
	int index_digits =
		stat_section_is_of_cores(section) ? UNIT_INDEX_DIGITS : SHARED_INDEX_DIGITS;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err =
		table_create(columns, ARRAY_SIZE(columns) - (multiplexed ? 0 : 2), &table);
	if (err)
		return err;
	for (size_t i = 0; i < section->num_events; i++) {
		if (section->events[i].is_hidden)
			continue;
		struct count count = stat_table_count_of(section, unit, i);
		add_counter(table, section, i, &count, index_digits);
		if (!multiplexed)
			continue;
		char rounds[48];
		snprintf(rounds, sizeof(rounds), "%" PRIu64 "/%" PRIu64, count.scheduled,
			 count.total);
		table_add_string(table, rounds);
		add_scaled(table, section, i, &count, scaled_of(section, unit, i));
	}
	return stat_table_finish(&table, ret);
}

struct error *stat_table_overall(const struct stat_section *section, struct table **ret)
{
	static const struct table_column columns[] = {
		{"counter value", TABLE_RIGHT}, {"event name", TABLE_LEFT},
		{"event idx", TABLE_LEFT},      {"event note", TABLE_LEFT},
		{"scaled value", TABLE_RIGHT},
	};
	bool multiplexed = stat_section_is_multiplexed(section);
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err =
		table_create(columns, ARRAY_SIZE(columns) - (multiplexed ? 0 : 1), &table);
	if (err)
		return err;
	for (size_t i = 0; i < section->num_events; i++) {
		if (section->events[i].is_hidden)
			continue;
		struct count count = stat_table_count_of(section, all_units, i);
		add_counter(table, section, i, &count, SHARED_INDEX_DIGITS);
		if (multiplexed)
			add_scaled(table, section, i, &count, scaled_of(section, all_units, i));
	}
	return stat_table_finish(&table, ret);
}

/** Which of the columns that not every table of kernel events has. */
struct perf_columns {
	bool running; /* and the scaled value */
	bool derived;
};

static struct error *create_perf_table(struct perf_columns with, struct table **ret)
{
	static const struct table_column whole[] = {
		{"counter value", TABLE_RIGHT}, {"unit", TABLE_LEFT},    {"event name", TABLE_LEFT},
		{"event note", TABLE_LEFT},     {"derived", TABLE_LEFT},
	};
	static const struct table_column multiplexed[] = {
		{"counter value", TABLE_RIGHT}, {"unit", TABLE_LEFT},
		{"event name", TABLE_LEFT},     {"event note", TABLE_LEFT},
		{"running", TABLE_RIGHT},       {"scaled value", TABLE_RIGHT},
		{"derived", TABLE_LEFT},
	};
	size_t left_out = with.derived ? 0 : 1;
	if (with.running)
		return table_create(multiplexed, ARRAY_SIZE(multiplexed) - left_out, ret);
	return table_create(whole, ARRAY_SIZE(whole) - left_out, ret);
}

/** For people, who do not mind texts among numbers. */
static void add_measured(struct table *table, const struct stat_event *event,
			 const struct count *count, uint64_t value)
{
	const char *missing = stat_missing_text(event, count);
	if (missing)
		table_add_u64_as(table, value, missing);
	else if (stat_event_has_scale(event))
		table_add_double(table, (double)value * event->scale, STAT_DECIMALS);
	else
		table_add_u64(table, value);
}

static struct error *make_perf_table(const struct stat_section *section, size_t unit,
				     bool with_derived, struct table **ret)
{
	struct perf_columns with = {.running = stat_section_is_multiplexed(section)};
	for (size_t i = 0; with_derived && i < section->num_events; i++)
		with.derived |= !section->events[i].is_hidden && section->events[i].derived;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = create_perf_table(with, &table);
	if (err)
		return err;
	size_t text = unit == all_units ? section->counts->num_units : unit;
	for (size_t i = 0; i < section->num_events; i++) {
		const struct stat_event *event = &section->events[i];
		if (event->is_hidden)
			continue;
		struct count count = stat_table_count_of(section, unit, i);
		add_measured(table, event, &count, count.value);
		table_add_string(table, event->unit ? event->unit : "");
		table_add_string(table, event->name);
		table_add_string(table, event->note);
		if (with.running) {
			char percent[sizeof(struct decimal) + 1];
			snprintf(percent, sizeof(percent), "%s%%",
				 decimal_fixed(stat_count_running(&count), STAT_DECIMALS).text);
			table_add_string(table, percent);
			add_measured(table, event, &count, scaled_of(section, unit, i));
		}
		if (with.derived)
			table_add_string(table, event->derived ? event->derived[text] : "");
	}
	return stat_table_finish(&table, ret);
}

struct error *stat_table_perf_unit(const struct stat_section *section, size_t unit,
				   struct table **ret)
{
	return make_perf_table(section, unit, true, ret);
}

struct error *stat_table_perf_overall(const struct stat_section *section, struct table **ret)
{
	return make_perf_table(section, all_units, false, ret);
}

struct error *stat_table_perf_sum(const struct stat_section *section, struct table **ret)
{
	return make_perf_table(section, all_units, true, ret);
}

/** Rows of one channel in both classes, or of all channels. */
static void stat_table_add_channel(struct table *table, const struct stat_report *report,
				   size_t unit)
{
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		const struct count_set *set = section->counts;
		bool has_unit = unit == all_units ? set->num_units > 0 : unit < set->num_units;
		if (!stat_section_is_dmc(section) || !has_unit)
			continue;
		char pmu_id[32] = "overall";
		if (unit != all_units)
			snprintf(pmu_id, sizeof(pmu_id), "dmc %" PRIu32, set->units[unit]);
		for (size_t k = 0; k < section->num_events; k++) {
			if (section->events[k].is_hidden)
				continue;
			struct count count = stat_table_count_of(section, unit, k);
			table_add_string(table, pmu_id);
			add_counter(table, section, k, &count, SHARED_INDEX_DIGITS);
		}
	}
}

struct error *stat_table_dmc(const struct stat_report *report, struct table **ret)
{
	static const struct table_column columns[] = {
		{"pmu id", TABLE_LEFT},     {"counter value", TABLE_RIGHT},
		{"event name", TABLE_LEFT}, {"event idx", TABLE_LEFT},
		{"event note", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	size_t num_channels = 0;
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		if (stat_section_is_dmc(section) && section->counts->num_units > num_channels)
			num_channels = section->counts->num_units;
	}
	for (size_t unit = 0; unit < num_channels; unit++)
		stat_table_add_channel(table, report, unit);
	stat_table_add_channel(table, report, all_units);
	return stat_table_finish(&table, ret);
}

struct error *stat_table_metrics(const struct stat_report *report, struct table **ret)
{
	static const struct table_column columns[] = {
		{"core", TABLE_RIGHT},  {"product_name", TABLE_LEFT}, {"metric_name", TABLE_LEFT},
		{"value", TABLE_RIGHT}, {"unit", TABLE_LEFT},         {"note", TABLE_LEFT},
	};
	bool with_note = false;
	for (size_t i = 0; i < report->num_metrics; i++)
		with_note |= report->metrics[i].is_split;
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err =
		table_create(columns, ARRAY_SIZE(columns) - (with_note ? 0 : 1), &table);
	if (err)
		return err;
	for (size_t i = 0; i < report->num_metrics; i++) {
		const struct stat_metric *metric = &report->metrics[i];
		table_add_string(table, metric->core);
		table_add_string(table, metric->product_name);
		table_add_string(table, metric->metric_name);
		// As a text, which it is in the peer's JSON, too.
		struct decimal value = decimal_fixed(metric->value, report->metric_precision);
		table_add_string(table, isnan(metric->value) ? stat_not_counted : value.text);
		table_add_string(table, metric->unit);
		if (with_note)
			table_add_string(table, metric->is_split ? "not simultaneous" : "");
	}
	return stat_table_finish(&table, ret);
}

struct error *stat_table_l3(const struct stat_report *report, struct table **ret)
{
	static const struct table_column columns[] = {
		{"cluster", TABLE_RIGHT},
		{"cores", TABLE_RIGHT},
		{"read_bandwidth", TABLE_RIGHT},
		{"miss_rate", TABLE_RIGHT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	for (size_t i = 0; i < report->num_l3_metrics; i++) {
		const struct stat_l3_metric *metric = &report->l3_metrics[i];
		table_add_string(table, metric->cluster);
		table_add_string(table, metric->cores);
		table_add_string(table, metric->read_bandwidth);
		table_add_string(table, metric->miss_rate);
	}
	return stat_table_finish(&table, ret);
}

struct error *stat_table_ddr(const struct stat_report *report, struct table **ret)
{
	static const struct table_column columns[] = {
		{"channel", TABLE_RIGHT},
		{"rw_bandwidth", TABLE_RIGHT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	for (size_t i = 0; i < report->num_ddr_metrics; i++) {
		table_add_string(table, report->ddr_metrics[i].channel);
		table_add_string(table, report->ddr_metrics[i].rw_bandwidth);
	}
	return stat_table_finish(&table, ret);
}
