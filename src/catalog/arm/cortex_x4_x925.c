// SPDX-License-Identifier: Apache-2.0
// Cortex-X4 and Cortex-X925: events as Arm lists them (ARM-software/data,
// pmu/). Arm publishes no metrics for these cores; the metrics here follow from the
// architecture's definitions of the events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL COUNTED
#define X4  COUNTED
#include "catalog/arm/cortex_x4_events.inc"
};

static const struct cpu_metric metrics[] = {
#define ALL    MEASURED
#define STALLS MEASURED
#define X4     MEASURED
#include "catalog/arm/cortex_a715_metrics.inc"
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(FP_Arithmetic_Intensity), GROUP(FP_Precision_Mix), GROUP(General),
	GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness), GROUP(L1I_Cache_Effectiveness),
	GROUP(L2_Cache_Effectiveness), GROUP(LL_Cache_Effectiveness), GROUP(MPKI),
	GROUP(Miss_Ratio), GROUP(Operation_Mix), GROUP(SVE_Effectiveness), GROUP(Topdown_Backend),
	GROUP(Topdown_Frontend),
};

const struct cpu cpu_cortex_x4 = {
	.name = "cortex-x4",
	.title = "Cortex-X4",
	.arch = "armv9.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_x925 = {
	.name = "cortex-x925",
	.title = "Cortex-X925",
	.arch = "armv9.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
