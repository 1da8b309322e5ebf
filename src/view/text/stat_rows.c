// SPDX-License-Identifier: Apache-2.0

#include "view/text/stat_rows.h"

#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/output_stream.h"
#include "view/text/stat_section.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The rows of "perf stat -I" and "perf stat -x" (perf-stat(1), section "CSV FORMAT"). A row is
// filled once (struct row), and then printed as columns or as CSV. Both have the same fields; a row
// of CSV has all of them, so that programs can count separators.
//
//	            time             counts unit  events
//	     0.100138453              98.75 msec  task-clock               0.986 CPUs utilized
//
//	121.44,msec,task-clock,121440040,100.00,0.996,CPUs utilized

enum {
	TIME_COLUMNS = 16, // of perf stat -I
	TIME_DECIMALS = 9,
	UNIT_COLUMNS = 10,
	THREAD_COLUMNS = 24,
	SIZE_COLUMNS = 4, // how many CPUs were added up
	VALUE_COLUMNS = 18,
	MEASURE_COLUMNS = 5,
	EVENT_COLUMNS = 24,
	CGROUP_COLUMNS = 16,
	NS_PER_S = 1000000000,
};

/** All that a row says; texts. */
struct row {
	char unit[64]; /* "" for none */
	int unit_columns;
	uint32_t group_size; /* of CPUs that were added up; else 0 */
	const char *value, *measure, *event, *spread, *derived;
	const char *cgroup; /* or NULL */
	uint64_t running_ns;
	double running_percent;
	bool is_metric;
};

/** In place of a unit's index. */
static const size_t all_units = SIZE_MAX;

static void print_field(const struct stat_rows *rows, const char *text, FILE *stream)
{
	safe_text_print(text, strlen(text), stream);
	fputs(rows->separator, stream);
}

static struct decimal stat_rows_time_of(const struct stat_rows *rows)
{
	return decimal_fixed((double)rows->time_ns / NS_PER_S, TIME_DECIMALS);
}

static void print_csv(const struct stat_rows *rows, const struct row *row, FILE *stream)
{
	if (rows->has_time)
		fprintf(stream, "%*s%s", TIME_COLUMNS, stat_rows_time_of(rows).text,
			rows->separator);
	if (*row->unit)
		print_field(rows, row->unit, stream);
	if (row->group_size)
		fprintf(stream, "%" PRIu32 "%s", row->group_size, rows->separator);
	print_field(rows, row->value, stream);
	print_field(rows, row->measure, stream);
	print_field(rows, row->event, stream);
	if (row->cgroup)
		print_field(rows, row->cgroup, stream);
	if (rows->spreads)
		fprintf(stream, "%s%%%s", row->spread, rows->separator);
	if (row->is_metric)
		fprintf(stream, "%s%s", rows->separator, rows->separator);
	else
		fprintf(stream, "%" PRIu64 "%s%s%s", row->running_ns, rows->separator,
			decimal_fixed(row->running_percent, STAT_DECIMALS).text, rows->separator);
	// "0.39 insn per cycle" is 0.39 and "insn per cycle"; "12.8% of branches" has no per cent
	// sign.
	size_t number_length = strspn(row->derived, "0123456789.");
	safe_text_print(row->derived, number_length, stream);
	fputs(rows->separator, stream);
	const char *words = row->derived + number_length;
	words += strspn(words, "% ");
	safe_text_print(words, strlen(words), stream);
	fputc('\n', stream);
}

static void print_padded(const char *text, int width, FILE *stream)
{
	safe_text_print(text, strlen(text), stream);
	for (size_t i = strlen(text); i < (size_t)width; i++)
		fputc(' ', stream);
}

static void print_columns(const struct stat_rows *rows, const struct row *row, FILE *stream)
{
	if (rows->has_time)
		fprintf(stream, "%*s ", TIME_COLUMNS, stat_rows_time_of(rows).text);
	if (*row->unit)
		print_padded(row->unit, row->unit_columns, stream);
	if (row->group_size)
		fprintf(stream, " %*" PRIu32, SIZE_COLUMNS, row->group_size);
	fprintf(stream, "%*s %-*s ", VALUE_COLUMNS, row->value, MEASURE_COLUMNS, row->measure);
	// What stands at the end of a line needs no blanks behind it.
	bool is_last = !*row->derived && row->running_percent >= 100;
	print_padded(row->event, is_last && !row->cgroup ? 0 : EVENT_COLUMNS, stream);
	if (row->cgroup) {
		fputs(" ", stream);
		print_padded(row->cgroup, is_last ? 0 : CGROUP_COLUMNS, stream);
	}
	if (*row->derived) {
		fputs(" ", stream);
		safe_text_print(row->derived, strlen(row->derived), stream);
	}
	if (row->running_percent < 100 && row->running_ns)
		fprintf(stream, "  (%s%%)",
			decimal_fixed(row->running_percent, STAT_DECIMALS).text);
	fputc('\n', stream);
}

static void stat_rows_print_row(const struct stat_rows *rows, const struct row *row, FILE *stream)
{
	if (rows->separator)
		print_csv(rows, row, stream);
	else
		print_columns(rows, row, stream);
}

void stat_rows_print_heading(const struct stat_rows *rows, FILE *stream)
{
	if (!rows->separator)
		fprintf(stream, "%*s %*s %-*s %s\n", TIME_COLUMNS, "time", VALUE_COLUMNS, "counts",
			MEASURE_COLUMNS, "unit", "events");
}

/** The sum of what is shown for each unit, and of their times. */
static struct count stat_rows_sum_of(const struct stat_section *section, size_t column,
				     uint64_t *ret_scaled)
{
	*ret_scaled = 0;
	for (size_t i = 0; i < section->counts->num_units; i++)
		if (__builtin_add_overflow(*ret_scaled,
					   count_scaled(count_set_at(section->counts, i, column)),
					   ret_scaled))
			*ret_scaled = UINT64_MAX;
	return count_set_sum(section->counts, column);
}

static void label_unit(const struct stat_section *section, size_t unit, char *text, size_t size)
{
	struct stat_unit_label buffer;
	uint32_t number = section->counts->units[unit];
	const char *label = stat_section_unit_label(section, unit, &buffer);
	if (stat_section_is_of_cores(section))
		snprintf(text, size, "CPU%" PRIu32, number);
	else if (stat_section_is_of_core_groups(section))
		snprintf(text, size, "%s", section->unit_names[unit]);
	else if (section->counts->unit_kind == COUNT_UNIT_THREAD)
		snprintf(text, size, "%s-%" PRIu32, label, number);
	else
		snprintf(text, size, "%s", label);
}

/** The time on a counter, of all units; drivers count turns, of which all the time had `total`. */
static uint64_t running_ns(const struct stat_section *section, const struct count *count,
			   uint64_t elapsed_ns, size_t num_units)
{
	if (section->event_class == EVENT_PERF)
		return count->scheduled;
	return (uint64_t)((double)elapsed_ns * (double)num_units * stat_count_running(count) / 100);
}

static struct decimal value_text(const struct stat_rows *rows, const struct stat_event *event,
				 uint64_t value)
{
	if (stat_event_has_scale(event))
		return decimal_fixed((double)value * event->scale, STAT_DECIMALS);
	struct decimal text = decimal_grouped(value);
	if (rows->separator)
		// No commas in CSV.
		snprintf(text.text, sizeof(text.text), "%" PRIu64, value);
	return text;
}

static void stat_rows_print_event(const struct stat_rows *rows, const struct stat_report *report,
				  const struct stat_section *section, size_t unit, size_t column,
				  FILE *stream)
{
	const struct stat_event *event = &section->events[column];
	size_t text = unit == all_units ? section->counts->num_units : unit;
	struct row row = {
		.measure = event->unit ? event->unit : "",
		.event = event->name,
		.derived = event->derived ? event->derived[text] : "",
	};
	uint64_t scaled;
	struct count count;
	if (unit == all_units) {
		count = stat_rows_sum_of(section, column, &scaled);
	} else {
		count = *count_set_at(section->counts, unit, column);
		scaled = count_scaled(&count);
	}
	if (stat_section_is_of_cgroups(section))
		row.cgroup = section->unit_names[unit];
	bool has_label =
		unit != all_units && !row.cgroup &&
		(section->counts->num_units > 1 || stat_section_is_of_cores(section) ||
		 stat_section_is_of_core_groups(section) || section->event_class == EVENT_DSU);
	if (has_label)
		label_unit(section, unit, row.unit, sizeof(row.unit));
	if (has_label && section->unit_sizes)
		row.group_size = section->unit_sizes[unit];
	row.unit_columns = stat_section_is_of_processes(section) ? THREAD_COLUMNS : UNIT_COLUMNS;
	const char *missing = stat_missing_text(event, &count);
	struct decimal value = value_text(rows, event, scaled);
	row.value = missing ? missing : value.text;
	size_t num_cores = row.group_size ? row.group_size : 1;
	row.running_ns = running_ns(section, &count, report->elapsed_ns,
				    unit == all_units ? section->counts->num_units : num_cores);
	row.running_percent = count.total ? stat_count_running(&count) : 100;
	struct decimal spread = {.text = ""};
	if (rows->spreads)
		spread = decimal_fixed(rows->spreads[column], STAT_DECIMALS);
	row.spread = spread.text;
	stat_rows_print_row(rows, &row, stream);
}

static void print_metric(const struct stat_rows *rows, const struct stat_report *report,
			 const struct stat_metric *metric, FILE *stream)
{
	char derived[512];
	struct decimal value = decimal_fixed(metric->value, report->metric_precision);
	const char *missing = rows->separator ? "" : stat_not_counted;
	snprintf(derived, sizeof(derived), "%s %s (%s)",
		 isnan(metric->value) ? missing : value.text, metric->metric_name, metric->unit);
	struct row row = {
		.value = "",
		.measure = "",
		.event = "",
		.spread = "",
		.derived = derived,
		.running_percent = 100,
		.unit_columns = UNIT_COLUMNS,
		.is_metric = true,
		.group_size = metric->group_size,
	};
	if (metric->group_size)
		snprintf(row.unit, sizeof(row.unit), "%s", metric->core);
	else if (metric->is_named)
		row.cgroup = metric->core;
	else if (strcmp(metric->core, "all") != 0)
		snprintf(row.unit, sizeof(row.unit), "CPU%s", metric->core);
	stat_rows_print_row(rows, &row, stream);
}

/** All events of one group come first, as in perf; else all units of one event. */
static void print_section(const struct stat_rows *rows, const struct stat_report *report,
			  const struct stat_section *section, FILE *stream)
{
	bool adds_up = rows->adds_up && stat_section_is_of_cores(section);
	size_t num_units = adds_up ? 1 : section->counts->num_units;
	bool by_unit =
		stat_section_is_of_core_groups(section) || stat_section_is_of_cgroups(section);
	for (size_t i = 0; i < section->num_events * num_units; i++) {
		size_t column = by_unit ? i % section->num_events : i / num_units;
		size_t unit = by_unit ? i / section->num_events : i % num_units;
		if (!section->events[column].is_hidden)
			stat_rows_print_event(rows, report, section, adds_up ? all_units : unit,
					      column, stream);
	}
}

struct error *stat_rows_print(const struct stat_rows *rows, const struct stat_report *report,
			      FILE *stream, const char *name)
{
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		if (stat_section_has_counts(section))
			print_section(rows, report, section, stream);
	}
	for (size_t i = 0; i < report->num_metrics; i++)
		print_metric(rows, report, &report->metrics[i], stream);
	return output_stream_flush(stream, name);
}
