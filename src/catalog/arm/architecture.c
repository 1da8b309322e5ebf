// SPDX-License-Identifier: Apache-2.0
// The two tables for cores that have none of their own: every event the architecture names.

#include "catalog/arm/tables.h"

#define ARM_EVENT(name, code, title, description) EV(name),

#define ARM_EVENT_V9(name, code, title, description)
static const struct event *const armv8_events[] = {
#include "catalog/arm/arch_events.inc"
};
#undef ARM_EVENT_V9

#define ARM_EVENT_V9 ARM_EVENT
static const struct event *const armv9_events[] = {
#include "catalog/arm/arch_events.inc"
};

const struct cpu cpu_armv8_a = {
	.name = "armv8-a",
	.arch = "armv8-a",
	.pmu_arch = "pmu_v3",
	.events = armv8_events,
	.num_events = ARRAY_SIZE(armv8_events),
};

const struct cpu cpu_armv9_a = {
	.name = "armv9-a",
	.arch = "armv9-a",
	.pmu_arch = "pmu_v3",
	.events = armv9_events,
	.num_events = ARRAY_SIZE(armv9_events),
};
