// SPDX-License-Identifier: Apache-2.0
// Metrics of what cores share: of the L3 of a cluster, and of the channels of memory. They are not
// formulas of the catalogue, because they go by units of their own (a cluster, a channel) and their
// tables have columns that other metrics do not. Counts are those of the events that the metric
// asked for: the user's own of the same name may have been counted in another round.

#include "report/stat/uncore_metrics.h"

#include "base/container/arena.h"
#include "base/text/string_builder.h"
#include "catalog/event_list.h"
#include "view/stat_report.h"
#include "view/text/stat_section.h"

#include <string.h>

// A line of the L3 in an Arm DynamIQ Shared Unit has 64 bytes. That an event of the memory
// controller stands for 128 bytes, and that its megabytes have 1000 * 1000 bytes but those of the
// L3 1024 * 1024, is as in WindowsPerf.
enum { L3_LINE_BYTES = 64, DDR_BURST_BYTES = 128 };

/** The column of an event that a metric asked for; SIZE_MAX if it did not. */
static size_t find_column(const struct uncore_counts *counts, const char *metric, const char *event)
{
	const struct event_list *list = counts->events;
	for (size_t i = 0; i < list->num_items; i++) {
		const struct event_request *asked = &list->items[i];
		if (asked->metric && strcmp(asked->metric, metric) == 0 &&
		    strcmp(asked->event->name, event) == 0)
			return counts->columns[i];
	}
	return SIZE_MAX;
}

static const struct count_set *find_counts(const struct uncore_counts *counts,
					   enum event_class event_class)
{
	for (size_t i = 0; i < counts->num_sections; i++)
		if (counts->sections[i].event_class == event_class)
			return counts->sections[i].counts;
	return NULL;
}

/** The cores of a cluster that were counted on: "0, 1, 2". */
static const char *cores_of_cluster(const struct uncore_counts *counts, unsigned cluster,
				    struct arena *arena)
{
	const struct count_set *cores = counts->cores;
	unsigned size = counts->cluster_size;
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (size_t i = 0; cores && size && i < cores->num_units; i++)
		// Clusters are numbered as their cores are: with 4 cores each, 4 to 7 are of
		// cluster 1.
		if (cores->units[i] / size == cluster)
			string_builder_appendf(&names, "%s%u", names.length ? ", " : "",
					       cores->units[i]);
	return arena_strdup(arena, string_builder_peek(&names));
}

static struct stat_l3_metric l3_row(struct arena *arena, const char *cluster, const char *cores,
				    const struct count *accesses, const struct count *refills)
{
	if (stat_count_is_missing(accesses) || stat_count_is_missing(refills))
		return (struct stat_l3_metric){cluster, cores, stat_not_counted, stat_not_counted};
	double total = (double)count_scaled(accesses), missed = (double)count_scaled(refills);
	return (struct stat_l3_metric){
		.cluster = cluster,
		.cores = cores,
		.read_bandwidth =
			arena_printf(arena, "%.2fMB", total * L3_LINE_BYTES / 1024 / 1024),
		.miss_rate = arena_printf(arena, "%.2f%%", total > 0 ? missed / total * 100 : 100),
	};
}

static struct error *fill_l3(const struct uncore_counts *counts, struct stat_report *report,
			     struct arena *arena)
{
	const struct count_set *set = find_counts(counts, EVENT_DSU);
	size_t accesses = find_column(counts, "l3_cache", "l3d_cache");
	size_t refills = find_column(counts, "l3_cache", "l3d_cache_refill");
	if (!set || accesses == SIZE_MAX || refills == SIZE_MAX)
		return NULL;
	struct stat_l3_metric *rows = arena_alloc_array(arena, set->num_units + 1, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	for (size_t i = 0; i < set->num_units; i++)
		rows[i] = l3_row(arena, arena_printf(arena, "%u", set->units[i]),
				 cores_of_cluster(counts, set->units[i], arena),
				 count_set_at(set, i, accesses), count_set_at(set, i, refills));
	size_t num_rows = set->num_units;
	const struct count_set *cores = counts->cores;
	// With one core counted there is one cluster at most, and nothing to sum up.
	if (cores && cores->num_units > 1) {
		struct count total = count_set_sum(set, accesses);
		struct count missed = count_set_sum(set, refills);
		rows[num_rows++] = l3_row(arena, "all", "all", &total, &missed);
	}
	for (size_t i = 0; i < num_rows; i++)
		if (!rows[i].cluster || !rows[i].cores || !rows[i].read_bandwidth ||
		    !rows[i].miss_rate)
			return &error_no_memory;
	report->l3_metrics = rows;
	report->num_l3_metrics = num_rows;
	return NULL;
}

static struct stat_ddr_metric ddr_row(struct arena *arena, const char *channel,
				      const struct count *accesses)
{
	if (stat_count_is_missing(accesses))
		return (struct stat_ddr_metric){channel, stat_not_counted};
	double bytes = (double)count_scaled(accesses) * DDR_BURST_BYTES;
	return (struct stat_ddr_metric){channel,
					arena_printf(arena, "%.2fMB", bytes / 1000 / 1000)};
}

static struct error *fill_ddr(const struct uncore_counts *counts, struct stat_report *report,
			      struct arena *arena)
{
	const struct count_set *set = find_counts(counts, EVENT_DMC_CLKDIV2);
	size_t column = find_column(counts, "ddr_bw", "rdwr");
	if (!set || column == SIZE_MAX)
		return NULL;
	struct stat_ddr_metric *rows = arena_alloc_array(arena, set->num_units + 1, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	for (size_t i = 0; i < set->num_units; i++)
		rows[i] = ddr_row(arena, arena_printf(arena, "%u", set->units[i]),
				  count_set_at(set, i, column));
	struct count sum = count_set_sum(set, column);
	rows[set->num_units] = ddr_row(arena, "all", &sum);
	for (size_t i = 0; i <= set->num_units; i++)
		if (!rows[i].channel || !rows[i].rw_bandwidth)
			return &error_no_memory;
	report->ddr_metrics = rows;
	report->num_ddr_metrics = set->num_units + 1;
	return NULL;
}

struct error *uncore_metrics_fill(const struct uncore_counts *counts, struct stat_report *report,
				  struct arena *arena)
{
	struct error *err = fill_l3(counts, report, arena);
	return err ? err : fill_ddr(counts, report, arena);
}
