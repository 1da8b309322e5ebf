// SPDX-License-Identifier: Apache-2.0
// Cortex-A715: events as Arm lists them (ARM-software/data,
// pmu/). Arm publishes no metrics for these cores; the metrics here follow from the
// architecture's definitions of the events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL COUNTED
#include "catalog/arm/cortex_a715_events.inc"
};

static const struct cpu_metric metrics[] = {
#define ALL MEASURED
#include "catalog/arm/cortex_a715_metrics.inc"
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(FP_Arithmetic_Intensity), GROUP(FP_Precision_Mix), GROUP(General),
	GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness), GROUP(L1I_Cache_Effectiveness),
	GROUP(L2_Cache_Effectiveness), GROUP(LL_Cache_Effectiveness), GROUP(MPKI),
	GROUP(Miss_Ratio),
	OWN_GROUP(Operation_Mix,
		  "load_percentage,store_percentage,integer_dp_percentage,simd_percentage,"
		  "scalar_fp_percentage,barrier_percentage,crypto_percentage,"
		  "sve_all_percentage"),
	GROUP(SVE_Effectiveness),
};

const struct cpu cpu_cortex_a715 = {
	.name = "cortex-a715",
	.title = "Cortex-A715",
	.arch = "armv9",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
