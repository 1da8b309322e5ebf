// SPDX-License-Identifier: Apache-2.0
// Neoverse N1 (r4p1): what its PMU counts, by Arm's telemetry data of 2025-08. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL COUNTED
#define SPE COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

static const struct cpu_metric metrics[] = {
#define ALL MEASURED
#include "catalog/arm/neoverse_n1_metrics.inc"
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(General), GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness),
	GROUP(L1I_Cache_Effectiveness), GROUP(L2_Cache_Effectiveness),
	GROUP(LL_Cache_Effectiveness), GROUP(MPKI), GROUP(Miss_Ratio),
	OWN_GROUP(Operation_Mix,
		  "load_percentage,store_percentage,integer_dp_percentage,simd_percentage,"
		  "scalar_fp_percentage,branch_percentage,crypto_percentage"),
};

const struct cpu cpu_neoverse_n1 = {
	.name = "neoverse-n1",
	.title = "Neoverse N1",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	.num_slots = 5,
	.num_bus_slots = 0,
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
