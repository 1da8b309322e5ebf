// SPDX-License-Identifier: Apache-2.0
// Cortex-A710 and Cortex-X2: events as Linux lists them (tools/perf/pmu-events, Linux 7.2);
// Cortex-X3: events as Arm lists them (ARM-software/data, pmu/). Arm publishes no metrics for these
// cores; the metrics here follow from the architecture's definitions of the events. See
// catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const a710_events[] = {
#define ALL COUNTED
#define A78 COUNTED
#define SVE COUNTED
#define V9  COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

static const struct event *const x3_events[] = {
#define ALL COUNTED
#define A78 COUNTED
#define SVE COUNTED
#define V9  COUNTED
#define SPE COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

static const struct cpu_metric metrics[] = {
#define ALL      MEASURED
#define BARRIERS MEASURED
#define SVE      MEASURED
#define VECTORS  MEASURED
#include "catalog/arm/neoverse_n1_metrics.inc"
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(FP_Arithmetic_Intensity), GROUP(FP_Precision_Mix), GROUP(General),
	GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness), GROUP(L1I_Cache_Effectiveness),
	GROUP(L2_Cache_Effectiveness), GROUP(LL_Cache_Effectiveness), GROUP(MPKI),
	GROUP(Miss_Ratio), GROUP(Operation_Mix), GROUP(SVE_Effectiveness),
};

const struct cpu cpu_cortex_a710 = {
	.name = "cortex-a710",
	.title = "Cortex-A710",
	.arch = "armv9",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a710_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_x2 = {
	.name = "cortex-x2",
	.title = "Cortex-X2",
	.arch = "armv9",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a710_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_x3 = {
	.name = "cortex-x3",
	.title = "Cortex-X3",
	.arch = "armv9",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(x3_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
