/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_METRIC_H
#define WPERF_CATALOG_METRIC_H

/** Metrics: named lists of events, most of them with a formula. */

#include "base/error.h"
#include "catalog/catalog.h"
#include "catalog/event_list.h"

enum metric_kind {
	METRIC_BUILTIN,   /* imix, icache, dcache, itlb, dtlb */
	METRIC_UNCORE,    /* l3_cache, ddr_bw */
	METRIC_TELEMETRY, /* of the CPU's table, with formula and unit */
	METRIC_KERNEL,    /* likewise, over the kernel's events */
	METRIC_CUSTOM,    /* of a -C file */
};

struct metric {
	enum metric_kind kind;
	const char *name;
	const char *events;               /* as for -e */
	const struct cpu_metric *formula; /* METRIC_TELEMETRY, METRIC_KERNEL */
	const struct core_pmu *pmu; /* `name` is PMU/METRIC/, of one kind of cores; NULL: of all */
};

/** All metrics that work on this machine, by name; custom ones replace others of their name. */
struct metric_list {
	struct metric *items;
	size_t num_items;
	size_t cap_items;
	struct arena arena;
};

#define METRIC_LIST_INIT \
	{                \
	}

/**
 * Collect the metrics that fit this catalogue's CPU and counters. Built-in ones keep as many of
 * their events as there are counters. Telemetry metrics with more events than counters, and uncore
 * metrics of missing units, are left out.
 */
struct error *metric_list_create(const struct catalog *catalog, struct metric_list *ret);
void metric_list_deinit(struct metric_list *list);

/** A built-in metric without a formula: a name for events that are counted together. */
struct builtin_metric {
	const char *name;
	const char *events;
	enum event_class event_class;
	const char *title;
	const char *description;
};

/** The built-in metric of this name, even if this machine lacks its unit; or NULL. */
const struct builtin_metric *builtin_metric_find(const char *name);

const struct metric *metric_list_find(const struct metric_list *list, const char *name);

/** The events of a telemetry metric in WindowsPerf's form: `{cpu_cycles,stall_backend}`. */
struct error *metric_telemetry_events(const struct cpu_metric *metric, struct arena *arena,
				      const char **ret);

/**
 * Parse -m, a comma list of metrics, groups of metrics, or "topdown", and append it to @list.
 * @metrics must outlive the list.
 */
struct error *metric_spec_parse(struct catalog *catalog, const struct metric_list *metrics,
				const char *spec, struct event_list *list);

#endif
