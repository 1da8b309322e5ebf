// SPDX-License-Identifier: Apache-2.0

#include "catalog/arm/tables.h"

// The .inc files are lists of rows in the form of macro calls, and are included several times, each
// time with another meaning of the macro: in tables.h as enumerations of the rows, here as arrays
// with these numbers as indices. So a row and its number cannot differ, and a table of a CPU that
// names a row which does not exist fails to compile.

#define ARM_EVENT(name, code, title, description)                                                  \
	[ARM_EVENT_##name] = {#name, title, description, EVENT_CORE, code},
#define ARM_EVENT_V9 ARM_EVENT
const struct event arm_events[NUM_ARM_EVENTS] = {
#include "catalog/arm/arch_events.inc"
#include "catalog/arm/product_events.inc"
#include "catalog/arm/ampere_events.inc"
#include "catalog/arm/apple_events.inc"
};
#undef ARM_EVENT
#undef ARM_EVENT_V9

#define ARM_METRIC(name, unit, formula, title, description)                                        \
	[ARM_METRIC_##name] = {#name, unit, title, description},
const struct metric_info arm_metrics[NUM_ARM_METRICS] = {
#include "catalog/arm/metrics.inc"
};
#undef ARM_METRIC

#define ARM_METRIC(name, unit, formula, title, description)                                        \
	const char arm_formula_##name[] = formula;
#include "catalog/arm/metrics.inc"
#undef ARM_METRIC

#define ARM_GROUP(name, metrics, title, description)                                               \
	[ARM_GROUP_##name] = {#name, title, description},
const struct group_info arm_groups[NUM_ARM_GROUPS] = {
#include "catalog/arm/groups.inc"
};
#undef ARM_GROUP

#define ARM_GROUP(name, metrics, title, description) const char arm_group_##name[] = metrics;
#include "catalog/arm/groups.inc"
#undef ARM_GROUP
