/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_ARM_TABLES_H
#define WPERF_CATALOG_ARM_TABLES_H

/**
 * What the tables of catalog/arm/ are written with. Events, metrics and groups have one row each
 * in the .inc files; CPUs refer to them by name, so a misspelt one does not compile.
 */

#include "base/container/array.h"
#include "catalog/cpu.h"

enum arm_event_id {
#define ARM_EVENT(name, code, title, description)    ARM_EVENT_##name,
#define ARM_EVENT_V9(name, code, title, description) ARM_EVENT_##name,
#include "catalog/arm/arch_events.inc"
#include "catalog/arm/product_events.inc"
#include "catalog/arm/ampere_events.inc"
#include "catalog/arm/apple_events.inc"
#undef ARM_EVENT
#undef ARM_EVENT_V9
	NUM_ARM_EVENTS,
};

enum arm_metric_id {
#define ARM_METRIC(name, unit, formula, title, description) ARM_METRIC_##name,
#include "catalog/arm/metrics.inc"
#undef ARM_METRIC
	NUM_ARM_METRICS,
};

enum arm_group_id {
#define ARM_GROUP(name, metrics, title, description) ARM_GROUP_##name,
#include "catalog/arm/groups.inc"
#undef ARM_GROUP
	NUM_ARM_GROUPS,
};

extern const struct event arm_events[NUM_ARM_EVENTS];
extern const struct metric_info arm_metrics[NUM_ARM_METRICS];
extern const struct group_info arm_groups[NUM_ARM_GROUPS];

// What most CPUs have of a metric and of a group: arm_formula_ipc, arm_group_General.
#define ARM_METRIC(name, unit, formula, title, description) extern const char arm_formula_##name[];
#include "catalog/arm/metrics.inc"
#undef ARM_METRIC
#define ARM_GROUP(name, metrics, title, description) extern const char arm_group_##name[];
#include "catalog/arm/groups.inc"
#undef ARM_GROUP

extern const struct topdown_tree arm_topdown_stalls; /* cycles: two roots and no branches */
extern const struct topdown_tree arm_topdown_slots;  /* slots: four roots */
extern const struct topdown_tree arm_topdown_deep;   /* slots, down to caches and TLBs */
extern const struct topdown_tree arm_topdown_ampere; /* slots, down to single buffers */

/*
 * Cores that count nearly the same share lists: <core>_events.inc and <core>_metrics.inc, named
 * after one of them. A row is MARK(name). The head of a list explains its marks: ALL is for every
 * core that uses the list, the others are for some of them. A core defines the marks that apply to
 * it and includes the list; rows with other marks are left out:
 *
 *     static const struct event *const events[] = {
 *     #define ALL COUNTED
 *     #define A78 COUNTED
 *     #include "catalog/arm/neoverse_n1_events.inc"
 *     };
 *
 * The list undefines all marks at its end. A mark may also give metrics a formula of the core's
 * own: OWN_METRIC(name, name) takes it from a string that is called like the metric. A forgotten
 * mark compiles; the sizes of all tables are in tests/unit/catalog/test_cpu.c.
 */
#define COUNTED(name)  EV(name),
#define MEASURED(name) METRIC(name),

#define EV(name)		  (&arm_events[ARM_EVENT_##name])
#define METRIC(name)		  {&arm_metrics[ARM_METRIC_##name], arm_formula_##name}
#define OWN_METRIC(name, formula) {&arm_metrics[ARM_METRIC_##name], formula}
#define GROUP(name)		  {&arm_groups[ARM_GROUP_##name], arm_group_##name}
#define OWN_GROUP(name, metrics)  {&arm_groups[ARM_GROUP_##name], metrics}

#define CPU_TABLES(event_table, metric_table, group_table)                                         \
	.events = (event_table), .num_events = ARRAY_SIZE(event_table), .metrics = (metric_table), \
	.num_metrics = ARRAY_SIZE(metric_table), .groups = (group_table),                          \
	.num_groups = ARRAY_SIZE(group_table)

#endif
