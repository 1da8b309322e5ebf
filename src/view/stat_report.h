/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_STAT_REPORT_H
#define WPERF_VIEW_STAT_REPORT_H

/**
 * Everything that `stat` shows of one count, ready to be printed: nothing is computed here but
 * sums of what is shown. Tables and JSON have the peer's names, order and formats.
 */

#include "catalog/event.h"
#include "profile/counts.h"
#include "profile/values/value_counts.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer;

/** One event: a column of the counts, a row of the tables. */
struct stat_event {
	const char *name;
	const char *note;      /* "e", "g0,imix" */
	const char *metric;    /* for which it is counted; or NULL */
	int group;             /* of events that are counted at the same time; or EVENT_UNGROUPED */
	const char *model;     /* what stands in for hardware that counts it, in words; or NULL */
	bool is_fixed;         /* the fixed cycle counter: index "fixed" */
	bool is_hidden;        /* padding: never shown */
	bool is_absent;        /* this machine cannot count it */
	bool is_of_some_cores; /* whose PMU is not that of all cores: the others do not count it */
	uint64_t code;

	/* Kernel events: the shown value is scale * count, in this unit; NULL and 1 for others. */
	const char *unit;
	double scale;
	const char *const *derived; /* "0.998 CPUs utilized": of each unit, then of all; or NULL */
};

/** What one class of units counted. */
struct stat_section {
	enum event_class event_class;
	bool multiplexed;
	bool only_numbers; /* JSON has 0 for what was not measured, as the peer's, and not null */
	const struct stat_event *events; /* one for each column of the counts */
	size_t num_events;
	const struct count_set *counts;
	const char *const *unit_names; /* of processes: "'true'", "process 123"; of groups of CPUs:
					  "S0-D0"; of control groups: their paths; else NULL */
	const uint32_t *unit_sizes;    /* of groups of CPUs: how many were added up; else NULL */
};

/** A metric with a formula, on one core. */
struct stat_metric {
	const char *core;         /* "0"; "S0-D0" for a group of CPUs; the name of a control
				     group; "all" for processes */
	const char *product_name; /* "neoverse-n1" */
	const char *metric_name;
	const char *unit;
	double value;        /* NAN if one of its events was never on a counter */
	bool is_split;       /* its events were not all on counters at the same time */
	bool is_named;       /* `core` is not the number of a core */
	uint32_t group_size; /* of a group of CPUs: how many; else 0 */
};

/** A row of the L3 cache metrics, and of the memory metrics; all texts. */
struct stat_l3_metric {
	const char *cluster, *cores, *read_bandwidth, *miss_rate;
};
struct stat_ddr_metric {
	const char *channel, *rw_bandwidth;
};

struct stat_report {
	struct table_layout layout;
	bool kernel_mode;
	bool adds_up; /* as text: all cores together, in place of each */
	const char *vendor_name;
	const struct stat_section *sections; /* in the order of enum event_class */
	size_t num_sections;
	const struct stat_metric *metrics;
	size_t num_metrics;
	int metric_precision; /* decimals; the peer's are 3 */
	const struct stat_l3_metric *l3_metrics;
	size_t num_l3_metrics;
	const struct stat_ddr_metric *ddr_metrics;
	size_t num_ddr_metrics;
	const struct stat_topdown *topdown; /* topdown_view.h */
	size_t num_topdown;
	const struct value_counts *values; /* of probes; or NULL */
	uint64_t elapsed_ns;
	bool has_cpu_times; /* of a command that ran */
	uint64_t user_ns, system_ns;
};

/** The tables of 2.2, from the blank line before the first heading to the elapsed time. */
struct error *stat_report_print(const struct stat_report *report, FILE *stream);

/** Of these only the tables of cores: what is counted beside samples has no other. */
struct error *stat_report_print_cores(const struct stat_report *report, FILE *stream);

/** The object of `stat --json`. */
struct error *stat_report_write_json(const struct stat_report *report, struct json_writer *json);

#endif
