// SPDX-License-Identifier: Apache-2.0
#include "view/stat_report.h"

#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/layout/table.h"
#include "view/text/stat_section.h"
#include "view/text/stat_table.h"
#include "view/text/topdown_view.h"
#include "view/values/count_tables.h"

#include <inttypes.h>
#include <string.h>

// The text of WindowsPerf's stat: a heading and a table per unit, then "System-wide Overall" if
// there are several, in the peer's order of classes. Kernel events of Linux have headings of the
// same form. print_sections() is called for one class after the other, as a report may have its
// sections in any order.
//
//	Performance counter stats for core 0, multiplexed, kernel mode excluded, on Arm Limited core
//	implementation:
//	note: 'e' - normal event, 'gN' - grouped event with group number N, ...
//
//	        (table)
//
//	System-wide Overall:
//	        (table)
//
//	               1.000 seconds time elapsed

enum { TIME_COLUMNS = 20 };

static const char notes_explained[] =
	"note: 'e' - normal event, 'gN' - grouped event with group number N, metric name will be "
	"appended if 'e' or 'g' comes from it\n";

static void stat_text_print_safe(const char *text, FILE *stream)
{
	safe_text_print(text, strlen(text), stream);
}

static const char *kernel_mode_words(const struct stat_report *report)
{
	return report->kernel_mode ? "kernel mode included" : "kernel mode excluded";
}

static const char *multiplexing_words(const struct stat_section *section)
{
	return section->multiplexed ? "multiplexed" : "no multiplexing";
}

/** The end of a heading of the driver's classes, and what follows it. */
static void print_implementation(const struct stat_report *report, FILE *stream)
{
	fputs(", on ", stream);
	stat_text_print_safe(report->vendor_name, stream);
	fprintf(stream, " core implementation:\n%s\n", notes_explained);
}

static struct error *print_unit(const struct stat_report *report,
				const struct stat_section *section, size_t unit, FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = stat_table_unit(section, unit, &table);
	if (err)
		return err;
	table_print(table, report->layout, stream);
	return NULL;
}

static struct error *print_overall(struct error *(*create)(const struct stat_section *section,
							   struct table **ret),
				   const struct stat_report *report,
				   const struct stat_section *section, FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = create(section, &table);
	if (err)
		return err;
	fputs("\nSystem-wide Overall:\n", stream);
	table_print(table, report->layout, stream);
	return NULL;
}

/** The only table of several cores. */
static struct error *print_sum(struct error *(*create)(const struct stat_section *section,
						       struct table **ret),
			       const struct stat_report *report, const struct stat_section *section,
			       FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = create(section, &table);
	if (err)
		return err;
	fprintf(stream, "\nPerformance counter stats for %zu CPUs together, %s:\n\n",
		section->counts->num_units, kernel_mode_words(report));
	table_print(table, report->layout, stream);
	return NULL;
}

static bool is_shown_as_sum(const struct stat_report *report, const struct stat_section *section)
{
	return report->adds_up && stat_section_is_of_cores(section) &&
	       section->counts->num_units > 1;
}

static struct error *print_core_section(const struct stat_report *report,
					const struct stat_section *section, FILE *stream)
{
	const struct count_set *set = section->counts;
	if (is_shown_as_sum(report, section))
		return print_sum(stat_table_overall, report, section, stream);
	for (size_t unit = 0; unit < set->num_units; unit++) {
		struct stat_unit_label label;
		fputs("\nPerformance counter stats for ", stream);
		if (section->unit_names)
			stat_text_print_safe(stat_section_unit_label(section, unit, &label),
					     stream);
		else
			fprintf(stream, "core %" PRIu32, set->units[unit]);
		fprintf(stream, ", %s, %s", multiplexing_words(section), kernel_mode_words(report));
		print_implementation(report, stream);
		struct error *err = print_unit(report, section, unit, stream);
		if (err)
			return err;
	}
	// One core is its own sum.
	if (set->num_units > 1)
		return print_overall(stat_table_overall, report, section, stream);
	return NULL;
}

static struct error *print_dsu_section(const struct stat_report *report,
				       const struct stat_section *section, FILE *stream)
{
	const struct count_set *set = section->counts;
	for (size_t unit = 0; unit < set->num_units; unit++) {
		fprintf(stream, "\nPerformance counter stats for DSU cluster %" PRIu32 ", %s",
			set->units[unit], multiplexing_words(section));
		print_implementation(report, stream);
		struct error *err = print_unit(report, section, unit, stream);
		if (err)
			return err;
	}
	if (stat_report_has_several_units(report))
		return print_overall(stat_table_overall, report, section, stream);
	return NULL;
}

static struct error *print_perf_section(const struct stat_report *report,
					const struct stat_section *section, FILE *stream)
{
	if (is_shown_as_sum(report, section))
		return print_sum(stat_table_perf_sum, report, section, stream);
	for (size_t unit = 0; unit < section->counts->num_units; unit++) {
		_cleanup_(table_destroyp) struct table *table = NULL;
		struct error *err = stat_table_perf_unit(section, unit, &table);
		if (err)
			return err;
		struct stat_unit_label label;
		fputs("\nPerformance counter stats for ", stream);
		stat_text_print_safe(stat_section_unit_label(section, unit, &label), stream);
		fprintf(stream, ", %s:\n\n", kernel_mode_words(report));
		table_print(table, report->layout, stream);
	}
	bool adds_up = stat_section_is_of_cores(section) || stat_section_is_of_core_groups(section);
	if (adds_up && section->counts->num_units > 1)
		return print_overall(stat_table_perf_overall, report, section, stream);
	return NULL;
}

static struct error *print_sections(const struct stat_report *report, enum event_class event_class,
				    FILE *stream)
{
	static struct error *(*const print[NUM_EVENT_CLASSES])(const struct stat_report *report,
							       const struct stat_section *section,
							       FILE *stream) = {
		[EVENT_CORE] = print_core_section,
		[EVENT_DSU] = print_dsu_section,
		[EVENT_PERF] = print_perf_section,
	};
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		if (section->event_class != event_class || !stat_section_has_counts(section))
			continue;
		struct error *err = print[event_class](report, section, stream);
		if (err)
			return err;
	}
	return NULL;
}

/** A table of the whole report below its heading, which may be empty; nothing for no rows. */
static struct error *print_report_table(struct error *(*create)(const struct stat_report *report,
								struct table **ret),
					const char *heading, const struct stat_report *report,
					FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = create(report, &table);
	if (err)
		return err;
	if (table_num_rows(table) == 0)
		return NULL;
	fprintf(stream, "\n%s", heading);
	table_print(table, report->layout, stream);
	return NULL;
}

static void print_time(uint64_t time_ns, const char *what, FILE *stream)
{
	fprintf(stream, "%*s seconds %s\n", TIME_COLUMNS, decimal_seconds(time_ns).text, what);
}

struct error *stat_report_print_cores(const struct stat_report *report, FILE *stream)
{
	return print_sections(report, EVENT_CORE, stream);
}

struct error *stat_report_print(const struct stat_report *report, FILE *stream)
{
	struct error *err = stat_report_print_cores(report, stream);
	if (!err)
		err = print_sections(report, EVENT_PERF, stream);
	if (!err)
		err = print_report_table(stat_table_metrics, "Telemetry Solution Metrics:\n",
					 report, stream);
	if (!err)
		err = topdown_view_print(report, stream);
	if (!err)
		err = print_sections(report, EVENT_DSU, stream);
	if (!err)
		err = print_report_table(stat_table_l3, "L3 cache metrics:\n", report, stream);
	if (!err)
		err = print_report_table(stat_table_dmc, "", report, stream);
	if (!err)
		err = print_report_table(stat_table_ddr, "ddr metrics:\n", report, stream);
	if (!err && report->values)
		err = count_tables_print(report->values, report->layout, stream);
	if (err)
		return err;
	fputc('\n', stream);
	print_time(report->elapsed_ns, "time elapsed", stream);
	if (report->has_cpu_times) {
		print_time(report->user_ns, "user", stream);
		print_time(report->system_ns, "sys", stream);
	}
	return NULL;
}
