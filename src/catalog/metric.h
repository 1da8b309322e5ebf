/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_METRIC_H
#define WPERF_CATALOG_METRIC_H

/** Metrics: names for lists of events, most of them with a formula over their counts. */

#include "base/error.h"
#include "catalog/catalog.h"
#include "catalog/event_list.h"

enum metric_kind {
	METRIC_BUILTIN,   /* imix, icache, dcache, itlb, dtlb */
	METRIC_UNCORE,    /* l3_cache, ddr_bw */
	METRIC_TELEMETRY, /* of the CPU's table, with formula and unit */
	METRIC_KERNEL,    /* likewise, over the kernel's own events */
	METRIC_CUSTOM,    /* of a -C file */
};

struct metric {
	enum metric_kind kind;
	const char *name;
	const char *events;               /* in the grammar of -e */
	const struct cpu_metric *formula; /* METRIC_TELEMETRY, METRIC_KERNEL */
};

/** All that this machine can use, by name; custom ones replace others of their name. */
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
 * Collect the metrics of this catalog's CPU and counters. Built-in ones keep as many of their
 * events as there are counters (none if there is no counter); telemetry metrics that do not fit
 * are left out, and uncore ones where there is no such unit.
 */
struct error *metric_list_create(const struct catalog *catalog, struct metric_list *ret);
void metric_list_deinit(struct metric_list *list);

/** A metric without a formula that wperf brings: a name for events to be counted together. */
struct builtin_metric {
	const char *name;
	const char *events;
	enum event_class event_class;
	const char *title;
	const char *description;
};

/** Those of every core and of the uncore units, whether this machine has them or not; NULL. */
const struct builtin_metric *builtin_metric_find(const char *name);

const struct metric *metric_list_find(const struct metric_list *list, const char *name);

/** The events of a telemetry metric as the peer shows them: `{cpu_cycles,stall_backend}`. */
struct error *metric_telemetry_events(const struct cpu_metric *metric, struct arena *arena,
				      const char **ret);

/**
 * -m: a comma list of names of metrics, of groups of metrics, or "topdown", appended to @list.
 * @metrics must outlive the list.
 */
struct error *metric_spec_parse(struct catalog *catalog, const struct metric_list *metrics,
				const char *spec, struct event_list *list);

#endif
