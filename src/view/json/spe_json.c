// SPDX-License-Identifier: Apache-2.0

#include "view/spe_report.h"

#include "base/container/array.h"
#include "view/text/spe_place.h"

#include <inttypes.h>

// All that report knows of Arm SPE samples, whatever the topic: a program takes what it needs. The
// same functions write what the HTML page needs (spe_report_write_page()), which is less:
// functions, branches and cache lines, each up to a limit.
//
// docs/schemas/spe.schema.json describes the format. A table of latencies or rates that has no
// samples is left out, so that 0 always means that it was measured.
//
//	{"samples": 350598, "classes": {"loads": 84467, ...}, "data_from": {"L1": 78632, ...},
//	 "latency": {"total": {"samples": 350598, "cycles": 3597470, "mean": 10.261, "p50": 9,
//	                       "p90": 15, "p99": 25, "max": 449}, ...},
//	 "rates": {"l1d_miss": {"of": 122910, "samples": 5835, "percent": 4.74738}, ...},
//	 "latency_histogram": [...], "origins": [...], "operations": [...], "by": "function",
//	 "rows": [...], "branches": [...], "data_lines": {...}}

enum { PAGE_FUNCTIONS = 1000, PAGE_LINES = 50, PAGE_BRANCHES = 200 };

static const char *const latency_keys[SPE_NUM_LATENCIES] = {
	[SPE_COUNTER_TOTAL] = "total",
	[SPE_COUNTER_ISSUE] = "issue",
	[SPE_COUNTER_TRANSLATION] = "translation",
};

static void write_latencies(struct json_writer *json, const struct spe_stats *stats)
{
	static const struct {
		const char *key;
		double percent;
	} percentiles[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}};
	json_key(json, "latency");
	json_begin_object(json);
	for (unsigned i = 0; i < SPE_NUM_LATENCIES; i++) {
		const struct spe_latency *latency = &stats->latencies[i];
		if (!latency->count)
			continue;
		json_key(json, latency_keys[i]);
		json_begin_object(json);
		json_key_u64(json, "samples", latency->count);
		json_key_u64(json, "cycles", latency->sum);
		json_key(json, "mean");
		json_double(json, spe_latency_mean(latency));
		for (size_t k = 0; k < ARRAY_SIZE(percentiles); k++)
			json_key_u64(json, percentiles[k].key,
				     spe_latency_percentile(latency, percentiles[k].percent));
		json_key_u64(json, "max", latency->max);
		json_end_object(json);
	}
	json_end_object(json);
}

static void write_rates(struct json_writer *json, const struct spe_stats *stats)
{
	json_key(json, "rates");
	json_begin_object(json);
	for (unsigned i = 0; i < SPE_STATS_NUM_RATES; i++) {
		if (!stats->rates[i].of)
			continue;
		json_key(json, spe_stats_rate_key(i));
		json_begin_object(json);
		json_key_u64(json, "of", stats->rates[i].of);
		json_key_u64(json, "samples", stats->rates[i].count);
		json_key(json, "percent");
		json_double(json, spe_rate_percent(stats->rates[i]));
		json_end_object(json);
	}
	json_end_object(json);
}

static void write_stats(struct json_writer *json, const struct spe_stats *stats)
{
	json_key_u64(json, "samples", stats->count);
	json_key(json, "classes");
	json_begin_object(json);
	for (unsigned i = 0; i < SPE_STATS_NUM_CLASSES; i++)
		json_key_u64(json, spe_stats_class_name(i), stats->classes[i]);
	json_end_object(json);
	json_key(json, "data_from");
	json_begin_object(json);
	for (unsigned i = 0; i < SPE_LEVEL_NONE; i++)
		if (stats->levels[i])
			json_key_u64(json, spe_level_name(i), stats->levels[i]);
	json_end_object(json);
	// Cores without data source packets still have events of cache hits and misses, which are
	// less exact: so many levels come from them.
	json_key_u64(json, "data_from_by_events", stats->num_by_events);
	write_latencies(json, stats);
	write_rates(json, stats);
}

void spe_report_write_stats(const struct spe_stats *stats, struct json_writer *json)
{
	json_begin_object(json);
	write_stats(json, stats);
	json_end_object(json);
}

/** Lines of the text's histogram: from, up to, samples. */
static void write_histogram(struct json_writer *json, const struct spe_latency *latency)
{
	json_key(json, "latency_histogram");
	json_begin_array(json);
	// Each bucket is twice as wide as the one before: 0, 1, 2 to 3, 4 to 7 and so on.
	for (uint64_t low = 0; latency->count && low <= latency->max;) {
		uint64_t end = low ? low * 2 : 1;
		json_begin_object(json);
		json_key_u64(json, "from", low);
		json_key_u64(json, "below", end);
		json_key_u64(json, "samples", log_histogram_between(&latency->histogram, low, end));
		json_end_object(json);
		low = end;
	}
	json_end_array(json);
}

static struct error *spe_json_write_text(struct json_writer *json, const char *key,
					 const struct string_builder *text)
{
	if (text->failed)
		return &error_no_memory;
	// A member that would be empty is left out.
	if (*string_builder_peek(text))
		json_key_text(json, key, string_builder_peek(text));
	return NULL;
}

/** Rows whose name is that of one of their groups. */
static struct error *write_kinds(const struct spe_report *report, const struct spe_list *list,
				 const char *key,
				 void (*append)(const struct spe_group *, struct string_builder *),
				 struct json_writer *json)
{
	struct error *err = NULL;
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; !err && i < list->num_rows; i++) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		const struct spe_row *row = &list->rows[i];
		append(&report->profile->spe->sums.groups[row->group], &text);
		json_begin_object(json);
		err = spe_json_write_text(json, "name", &text);
		json_key_u64(json, "samples", row->stats.count);
		write_latencies(json, &row->stats);
		json_end_object(json);
	}
	json_end_array(json);
	return err;
}

static void spe_json_write_names(struct json_writer *json, struct spe_place_names names)
{
	if (*names.module)
		json_key_text(json, "module", names.module);
	if (*names.symbol)
		json_key_text(json, "function", names.symbol);
}

static struct error *write_places(const struct spe_report *report, size_t max_rows,
				  struct json_writer *json)
{
	const struct spe_list *list = &report->places;
	struct error *err = NULL;
	json_key_text(json, "by", hot_key_name(list->by));
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; !err && i < list->num_rows && (!max_rows || i < max_rows); i++) {
		_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
		const struct spe_row *row = &list->rows[i];
		json_begin_object(json);
		spe_json_write_names(json, spe_place_of_row(report->profile, list, row));
		spe_place_append_row(report->profile, list, row, &place);
		err = spe_json_write_text(json, "place", &place);
		write_stats(json, &row->stats);
		json_end_object(json);
	}
	json_end_array(json);
	return err;
}

static struct error *spe_json_write_stack(const struct spe_report *report, uint32_t stack,
					  struct json_writer *json)
{
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	spe_json_write_names(json, spe_place_of_stack(report->profile, stack));
	spe_place_append(report->profile, stack, &place);
	return spe_json_write_text(json, "place", &place);
}

static struct error *write_targets(const struct spe_report *report, size_t max_rows,
				   struct json_writer *json)
{
	const struct spe_target_list *list = &report->targets;
	struct error *err = NULL;
	json_key(json, "branches");
	json_begin_array(json);
	for (size_t i = 0; !err && i < list->num_items && (!max_rows || i < max_rows); i++) {
		const struct spe_target *target = list->items[i];
		json_begin_object(json);
		json_key_u64(json, "samples", target->count);
		json_key_u64(json, "mispredicted", target->num_mispredicted);
		json_key(json, "branch");
		json_begin_object(json);
		err = spe_json_write_stack(report, target->from, json);
		json_end_object(json);
		json_key(json, "target");
		json_begin_object(json);
		if (!err)
			err = spe_json_write_stack(report, target->to, json);
		json_end_object(json);
		json_end_object(json);
	}
	json_end_array(json);
	return err;
}

static struct error *write_access(const struct spe_report *report,
				  const struct cache_access *access, struct json_writer *json)
{
	const struct named_thread *thread = &report->profile->threads[access->thread];
	json_begin_object(json);
	json_key_u64(json, "byte", access->offset);
	json_key_text(json, "access", access->is_write ? "write" : "read");
	json_key_u64(json, "samples", access->count);
	json_key_u64(json, "from_other_core", access->num_shared);
	json_key_u64(json, "samples_with_latency", access->num_timed);
	json_key_u64(json, "cycles", access->latency);
	json_key_u64(json, "tid", thread->tid);
	json_key_text(json, "thread", named_profile_text(report->profile, thread->name));
	struct error *err = spe_json_write_stack(report, access->stack, json);
	json_end_object(json);
	return err;
}

static struct error *spe_json_write_line(const struct spe_report *report,
					 const struct shared_line *line, struct json_writer *json)
{
	struct error *err = NULL;
	// Lines are numbered by their address divided by their size. An address has more digits
	// than a double: as text.
	char address[sizeof("0x") + 16];
	snprintf(address, sizeof(address), "0x%" PRIx64, line->line->number * CACHE_LINE_BYTES);
	json_begin_object(json);
	json_key_text(json, "address", address);
	json_key_u64(json, "pid", line->line->pid);
	json_key_text(json, "kind", line_sharing_kind_name(line->kind));
	json_key_u64(json, "threads", line->num_threads);
	json_key_u64(json, "writers", line->num_writers);
	json_key_u64(json, "reads", line->num_reads);
	json_key_u64(json, "writes", line->num_writes);
	json_key_u64(json, "from_other_core", line->num_shared);
	json_key_u64(json, "cycles", line->latency);
	json_key_u64(json, "samples_without_room", line->line->num_unlisted);
	// What the place had counted for another line: so many earlier samples of this one may be
	// missing.
	json_key_u64(json, "samples_before_at_most", line->line->inherited);
	json_key(json, "accesses");
	json_begin_array(json);
	for (size_t i = 0; !err && i < line->num_accesses; i++)
		err = write_access(report, &line->accesses[i], json);
	json_end_array(json);
	json_end_object(json);
	return err;
}

static struct error *write_sharing(const struct spe_report *report, size_t max_lines,
				   struct json_writer *json)
{
	const struct line_sharing *sharing = &report->sharing;
	const struct cache_lines *lines = &report->profile->spe->lines;
	struct error *err = NULL;
	json_key(json, "data_lines");
	json_begin_object(json);
	json_key_u64(json, "samples", lines->num_samples);
	json_key_u64(json, "touched", sharing->num_touched_lines);
	json_key_u64(json, "missing_have_at_most", cache_lines_max_missing(lines));
	json_key_u64(json, "num_shared", sharing->num_lines);
	json_key(json, "shared");
	json_begin_array(json);
	for (size_t i = 0; !err && i < sharing->num_lines && (!max_lines || i < max_lines); i++)
		err = spe_json_write_line(report, &sharing->lines[i], json);
	json_end_array(json);
	json_end_object(json);
	return err;
}

struct error *spe_report_write_json(const struct spe_report *report, size_t max_rows,
				    struct json_writer *json)
{
	const struct spe_stats *whole = &report->places.whole;
	json_begin_object(json);
	write_stats(json, whole);
	write_histogram(json, &whole->latencies[SPE_COUNTER_TOTAL]);
	struct error *err =
		write_kinds(report, &report->origins, "origins", spe_place_append_origin, json);
	if (!err)
		err = write_kinds(report, &report->operations, "operations",
				  spe_place_append_operation, json);
	if (!err)
		err = write_places(report, max_rows, json);
	if (!err)
		err = write_targets(report, max_rows, json);
	if (!err)
		err = write_sharing(report, max_rows, json);
	json_end_object(json);
	return err;
}

static void write_side(struct json_writer *json, const struct spe_stats *stats)
{
	write_stats(json, stats);
	write_histogram(json, &stats->latencies[SPE_COUNTER_TOTAL]);
}

struct error *spe_report_write_page(const struct spe_report *report, struct json_writer *json)
{
	const struct spe_list *list = &report->places;
	json_begin_object(json);
	json_key(json, "whole");
	json_begin_object(json);
	write_side(json, &list->whole);
	json_end_object(json);
	json_key(json, "functions");
	json_begin_array(json);
	// Rows are sorted: the limit leaves out those of least weight.
	for (size_t i = 0; i < list->num_rows && i < PAGE_FUNCTIONS; i++) {
		// Samples outside of all functions: the page refers to functions by their numbers.
		if (list->rows[i].item == NAMED_NONE)
			continue;
		json_begin_object(json);
		json_key_u64(json, "function", list->rows[i].item);
		write_side(json, &list->rows[i].stats);
		json_end_object(json);
	}
	json_end_array(json);
	struct error *err = write_targets(report, PAGE_BRANCHES, json);
	if (!err)
		err = write_sharing(report, PAGE_LINES, json);
	json_end_object(json);
	return err;
}
