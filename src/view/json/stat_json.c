// SPDX-License-Identifier: Apache-2.0
#include "view/stat_report.h"

#include "view/json/json_writer.h"
#include "view/layout/table.h"
#include "view/text/stat_measured.h"
#include "view/text/stat_section.h"
#include "view/text/stat_table.h"
#include "view/text/topdown_view.h"
#include "view/values/count_tables.h"

#include <inttypes.h>

// The layout of WindowsPerf's "stat --json": "core" with all cores, their sum and metrics, "dsu"
// with clusters, "dmc" with memory channels, each present even if it is empty. Tables are those of
// the text (stat_table.c), with blanks in the names of columns as underscores. Counts of processes,
// the top-down tree and the elapsed time are wperf's own.
//
//	{"core": {"Multiplexing": false, "Kernel_mode": false, "cores": [
//	  {"core_number": 0, "Performance_counter": [
//	   {"counter_value": 270000000, "event_name": "ld_spec", "event_idx": "0x70",
//	    "event_note": "e"}]}], "overall": {}, "ts_metric": {}},
//	 "dsu": {"l3metric": {}, "overall": {}}, "dmc": {"pmu": {}, "ddr": {}}, "Time_elapsed": 1}

/** {"@name":[rows]}, or {} for a table without rows. */
static void write_object_of(const struct table *table, const char *name, struct json_writer *json)
{
	json_begin_object(json);
	if (table_num_rows(table) > 0) {
		json_key(json, name);
		table_write_json(table, json);
	}
	json_end_object(json);
}

static struct error *write_report_table(struct error *(*create)(const struct stat_report *report,
								struct table **ret),
					const char *key, const char *name,
					const struct stat_report *report, struct json_writer *json)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = create(report, &table);
	if (err)
		return err;
	json_key(json, key);
	write_object_of(table, name, json);
	return NULL;
}

/** "Performance_counter":[rows] */
static struct error *write_unit_rows(const struct stat_section *section, size_t unit,
				     struct json_writer *json)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = stat_table_unit(section, unit, &table);
	if (err)
		return err;
	json_key(json, "Performance_counter");
	table_write_json(table, json);
	return NULL;
}

/** "overall", for a section that has units worth a sum; {} for none. */
static struct error *write_overall(const struct stat_section *section, struct json_writer *json)
{
	json_key(json, "overall");
	if (!section) {
		json_begin_object(json);
		json_end_object(json);
		return NULL;
	}
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = stat_table_overall(section, &table);
	if (err)
		return err;
	write_object_of(table, "Systemwide_Overall_Performance_Counters", json);
	return NULL;
}

static bool is_in_core(const struct stat_section *section)
{
	return stat_section_is_of_cores(section) && stat_section_has_counts(section);
}

static bool is_in_dsu(const struct stat_section *section)
{
	return section->event_class == EVENT_DSU && stat_section_has_counts(section);
}

static bool is_in_core_groups(const struct stat_section *section)
{
	return stat_section_is_of_core_groups(section) && stat_section_has_counts(section);
}

/** Cores are counted by one section: a source counts by placements or by the list. */
static const struct stat_section *find_section(const struct stat_report *report,
					       bool (*matches)(const struct stat_section *section))
{
	for (size_t i = 0; i < report->num_sections; i++) {
		if (matches(&report->sections[i]))
			return &report->sections[i];
	}
	return NULL;
}

/** Several sections, where cores count different events. */
static struct error *write_cores(const struct stat_report *report, struct json_writer *json)
{
	struct error *err = NULL;
	json_key(json, "cores");
	json_begin_array(json);
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		size_t num_cores = is_in_core(section) ? section->counts->num_units : 0;
		for (size_t unit = 0; !err && unit < num_cores; unit++) {
			json_begin_object(json);
			json_key_u64(json, "core_number", section->counts->units[unit]);
			err = write_unit_rows(section, unit, json);
			if (!err)
				json_end_object(json);
		}
	}
	json_end_array(json);
	return err;
}

static struct error *write_core(const struct stat_report *report, struct json_writer *json)
{
	const struct stat_section *section = find_section(report, is_in_core);
	if (!section)
		section = find_section(report, is_in_core_groups);
	size_t num_sections = 0;
	bool is_multiplexed = false;
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *of = &report->sections[i];
		bool is_counted = is_in_core(of) || is_in_core_groups(of);
		num_sections += is_counted;
		if (is_counted || stat_section_is_of_processes(of))
			is_multiplexed |= stat_section_is_multiplexed(of);
	}
	// Cores that count different events, as those of big.LITTLE machines do, have no sum.
	bool has_sum = num_sections == 1 && section->counts->num_units > 1;
	json_key(json, "core");
	json_begin_object(json);
	json_key_bool(json, "Multiplexing", is_multiplexed);
	json_key_bool(json, "Kernel_mode", report->kernel_mode);
	struct error *err = write_cores(report, json);
	if (!err)
		err = write_overall(has_sum ? section : NULL, json);
	if (!err)
		err = write_report_table(stat_table_metrics, "ts_metric",
					 "Telemetry_Solution_Metrics", report, json);
	json_end_object(json);
	return err;
}

static struct error *write_clusters(const struct stat_section *section, struct json_writer *json)
{
	for (size_t unit = 0; section && unit < section->counts->num_units; unit++) {
		char key[16];
		// WindowsPerf's clusters are members by number, and not an array as its cores are.
		snprintf(key, sizeof(key), "%" PRIu32, section->counts->units[unit]);
		json_key(json, key);
		json_begin_object(json);
		struct error *err = write_unit_rows(section, unit, json);
		if (err)
			return err;
		json_end_object(json);
	}
	return NULL;
}

static struct error *write_dsu(const struct stat_report *report, struct json_writer *json)
{
	const struct stat_section *section = find_section(report, is_in_dsu);
	// With one core and one cluster the sum would be a copy. With several cores WindowsPerf has
	// it also for a single cluster.
	bool has_overall = section && stat_report_has_several_units(report);
	json_key(json, "dsu");
	json_begin_object(json);
	struct error *err = write_clusters(section, json);
	if (!err)
		err = write_report_table(stat_table_l3, "l3metric", "L3_Cache_Metrics", report,
					 json);
	if (!err)
		err = write_overall(has_overall ? section : NULL, json);
	json_end_object(json);
	return err;
}

static struct error *stat_json_write_dmc(const struct stat_report *report, struct json_writer *json)
{
	json_key(json, "dmc");
	json_begin_object(json);
	struct error *err =
		write_report_table(stat_table_dmc, "pmu", "PMU_Performance_Counters", report, json);
	if (!err)
		err = write_report_table(stat_table_ddr, "ddr", "DDR_Metrics", report, json);
	json_end_object(json);
	return err;
}

static void write_measured(const char *key, const struct stat_event *event, uint64_t value,
			   bool is_known, struct json_writer *json)
{
	json_key(json, key);
	if (!is_known)
		json_none(json);
	else if (stat_event_has_scale(event))
		json_fixed(json, (double)value * event->scale, STAT_FINE_DECIMALS);
	else
		json_u64(json, value);
}

/** A process, a thread or a control group, whose name is all that it has. */
static void write_process(const struct stat_section *section, size_t unit, struct json_writer *json)
{
	struct stat_unit_label label;
	json_begin_object(json);
	if (!stat_section_is_of_cgroups(section))
		json_key_u64(json, "id", section->counts->units[unit]);
	json_key_text(json, "name", stat_section_unit_label(section, unit, &label));
	json_key(json, "Performance_counter");
	json_begin_array(json);
	for (size_t i = 0; i < section->num_events; i++) {
		const struct stat_event *event = &section->events[i];
		const struct count *count = count_set_at(section->counts, unit, i);
		// Padding of a placement: nobody asked for it.
		if (event->is_hidden)
			continue;
		json_begin_object(json);
		write_measured("counter_value", event, count->value, !event->is_absent, json);
		json_key_text(json, "unit", event->unit ? event->unit : "");
		json_key_text(json, "event_name", event->name);
		json_key_text(json, "event_note", event->note);
		if (event->model)
			json_key_text(json, "model", event->model);
		// How long it was on a counter, and how long it should have been: a reader can
		// scale by itself.
		json_key_u64(json, "running_ns", count->scheduled);
		json_key_u64(json, "enabled_ns", count->total);
		write_measured("scaled_value", event, count_scaled(count),
			       !stat_missing_text(event, count), json);
		if (event->is_absent)
			json_key_bool(json, "supported", false);
		if (event->derived)
			json_key_text(json, "derived", event->derived[unit]);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

/** A key that the peer has not: only where there is something that it cannot say. */
static void write_tasks(const char *key, const struct stat_report *report,
			bool (*matches)(const struct stat_section *section),
			struct json_writer *json)
{
	if (!find_section(report, matches))
		return;
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		if (!matches(section))
			continue;
		for (size_t unit = 0; unit < section->counts->num_units; unit++)
			write_process(section, unit, json);
	}
	json_end_array(json);
}

/** Like a core: the same rows, below a name. */
static struct error *write_core_group(const struct stat_section *section, size_t unit,
				      struct json_writer *json)
{
	json_begin_object(json);
	json_key_text(json, "name", section->unit_names[unit]);
	json_key_u64(json, "num_cpus", section->unit_sizes[unit]);
	struct error *err = write_unit_rows(section, unit, json);
	if (!err)
		json_end_object(json);
	return err;
}

/** In place of "cores" with --per-socket and the like; the peer has no such key. */
static struct error *write_core_groups(const struct stat_report *report, struct json_writer *json)
{
	const struct stat_section *section = find_section(report, is_in_core_groups);
	if (!section)
		return NULL;
	struct error *err = NULL;
	json_key(json, "groups");
	json_begin_array(json);
	for (size_t unit = 0; !err && unit < section->counts->num_units; unit++)
		err = write_core_group(section, unit, json);
	json_end_array(json);
	return err;
}

struct error *stat_report_write_json(const struct stat_report *report, struct json_writer *json)
{
	_cleanup_(stat_measured_deinit) struct stat_measured measured = STAT_MEASURED_INIT;
	// Those parts of the report that the peer has, too, must be numbers in all rows.
	struct error *err = stat_measured_init(&measured, report);
	json_begin_object(json);
	if (!err)
		err = write_core(&measured.report, json);
	if (!err)
		err = write_dsu(&measured.report, json);
	if (!err)
		err = stat_json_write_dmc(&measured.report, json);
	if (!err)
		err = write_core_groups(&measured.report, json);
	if (err)
		return err;
	write_tasks("processes", report, stat_section_is_of_processes, json);
	write_tasks("cgroups", report, stat_section_is_of_cgroups, json);
	topdown_view_write_json(report, json);
	if (report->values)
		count_tables_write_json(report->values, json);
	json_key(json, "Time_elapsed");
	json_double(json, (double)report->elapsed_ns / 1e9);
	json_end_object(json);
	return NULL;
}
