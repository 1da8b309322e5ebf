// SPDX-License-Identifier: Apache-2.0
// Cortex-A720 and Cortex-A725: events as Arm lists them (ARM-software/data, pmu/). Arm publishes no
// metrics for these cores; the metrics here follow from the architecture's definitions of the
// events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const a720_events[] = {
#define ALL       COUNTED
#define A720      COUNTED
#define ONLY_A720 COUNTED
#include "catalog/arm/cortex_a715_events.inc"
};

static const struct event *const a725_events[] = {
#define ALL  COUNTED
#define A720 COUNTED
#define A725 COUNTED
#include "catalog/arm/cortex_a715_events.inc"
};

static const struct cpu_metric metrics[] = {
#define ALL    MEASURED
#define STALLS MEASURED
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
	GROUP(SVE_Effectiveness), GROUP(Topdown_Backend),
	OWN_GROUP(Topdown_Frontend,
		  "frontend_core_bound,frontend_mem_bound,frontend_core_flush_bound,"
		  "frontend_mem_cache_bound,frontend_mem_tlb_bound,frontend_cache_l1i_bound,"
		  "frontend_cache_l2i_bound"),
};

const struct cpu cpu_cortex_a720 = {
	.name = "cortex-a720",
	.title = "Cortex-A720",
	.arch = "armv9.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a720_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_a725 = {
	.name = "cortex-a725",
	.title = "Cortex-A725",
	.arch = "armv9.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(a725_events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
