// SPDX-License-Identifier: Apache-2.0
// Cortex-A76, A77, A78, A78C, X1 and X1C: events as Linux lists them
// (tools/perf/pmu-events, Linux 7.2). Arm publishes no metrics for these cores; the metrics here
// follow from the architecture's definitions of the events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const a76_events[] = {
#define ALL COUNTED
#define A76 COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

static const struct event *const a78_events[] = {
#define ALL COUNTED
#define A78 COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

static const struct cpu_metric metrics[] = {
#define ALL      MEASURED
#define BARRIERS MEASURED
#include "catalog/arm/neoverse_n1_metrics.inc"
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(General), GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness),
	GROUP(L1I_Cache_Effectiveness), GROUP(L2_Cache_Effectiveness),
	GROUP(LL_Cache_Effectiveness), GROUP(MPKI), GROUP(Miss_Ratio),
	OWN_GROUP(Operation_Mix,
		  "load_percentage,store_percentage,integer_dp_percentage,simd_percentage,"
		  "scalar_fp_percentage,barrier_percentage,branch_percentage,"
		  "crypto_percentage"),
};

const struct cpu cpu_cortex_a76 = {
	.name = "cortex-a76",
	.title = "Cortex-A76",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a76_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_a77 = {
	.name = "cortex-a77",
	.title = "Cortex-A77",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a76_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_a78 = {
	.name = "cortex-a78",
	.title = "Cortex-A78",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a78_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_x1 = {
	.name = "cortex-x1",
	.title = "Cortex-X1",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a78_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
