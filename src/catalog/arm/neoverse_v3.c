// SPDX-License-Identifier: Apache-2.0
// Neoverse V3 (r0p0): what its PMU counts, by Arm's telemetry data of 2025-08. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL COUNTED
#define V3  COUNTED
#include "catalog/arm/cortex_x4_events.inc"
};

static const char backend_bound[] = "stall_slot_backend / (10 * cpu_cycles) * 100";
static const char bad_speculation[] =
	"(1 - stall_slot / (10 * cpu_cycles)) * (1 - op_retired / op_spec) * 100 + "
	"stall_frontend_flush / cpu_cycles * 100";
static const char frontend_bound[] =
	"(stall_slot_frontend / (10 * cpu_cycles) - stall_frontend_flush / cpu_cycles) * 100";
static const char retiring[] =
	"(1 - stall_slot / (cpu_cycles * 10)) * (op_retired / op_spec) * 100";

static const struct cpu_metric metrics[] = {
#define ALL    MEASURED
#define STALLS MEASURED
#define X4     MEASURED
#define SLOTS(name) OWN_METRIC(name, name),
#include "catalog/arm/cortex_a715_metrics.inc"
};

static const struct cpu_group groups[] = {
	OWN_GROUP(Branch_Effectiveness,
		  "branch_mpki,branch_misprediction_ratio,branch_direct_ratio,"
		  "branch_indirect_ratio,branch_return_ratio"),
	GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness), GROUP(FP_Arithmetic_Intensity),
	GROUP(FP_Precision_Mix), GROUP(General), GROUP(ITLB_Effectiveness),
	GROUP(L1D_Cache_Effectiveness), GROUP(L1I_Cache_Effectiveness),
	GROUP(L2_Cache_Effectiveness), GROUP(LL_Cache_Effectiveness), GROUP(MPKI),
	GROUP(Miss_Ratio), GROUP(Operation_Mix), GROUP(SVE_Effectiveness), GROUP(Topdown_Backend),
	GROUP(Topdown_Frontend), GROUP(Topdown_L1),
};

const struct cpu cpu_neoverse_v3 = {
	.name = "neoverse-v3",
	.title = "Neoverse V3",
	.arch = "armv9.2",
	.pmu_arch = "pmu_v3",
	.num_slots = 10,
	.num_bus_slots = 0,
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_deep,
};
