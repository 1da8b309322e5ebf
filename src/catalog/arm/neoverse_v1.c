// SPDX-License-Identifier: Apache-2.0
// Neoverse V1 (r1p2): what its PMU counts, by Arm's telemetry data of 2025-08. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL COUNTED
#define A78 COUNTED
#define SVE COUNTED
#define SPE COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

static const char backend_bound[] = "stall_slot_backend / (8 * cpu_cycles) * 100";
static const char bad_speculation[] =
	"100 * ((1 - op_retired / op_spec) * (1 - stall_slot / (cpu_cycles * 8)) + br_mis_pred "
	"* 4 / cpu_cycles)";
static const char frontend_bound[] =
	"100 * (stall_slot_frontend / (cpu_cycles * 8) - br_mis_pred * 4 / cpu_cycles)";
static const char retiring[] =
	"(1 - stall_slot / (cpu_cycles * 8)) * (op_retired / op_spec) * 100";

static const struct cpu_metric metrics[] = {
#define ALL   MEASURED
#define SVE   MEASURED
#define SLOTS(name) OWN_METRIC(name, name),
#include "catalog/arm/neoverse_n1_metrics.inc"
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(General), GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness),
	GROUP(L1I_Cache_Effectiveness), GROUP(L2_Cache_Effectiveness),
	GROUP(LL_Cache_Effectiveness), GROUP(MPKI), GROUP(Miss_Ratio),
	OWN_GROUP(Operation_Mix,
		  "load_percentage,store_percentage,integer_dp_percentage,simd_percentage,"
		  "scalar_fp_percentage,branch_percentage,crypto_percentage,sve_all_percentage"),
	GROUP(Topdown_L1),
};

const struct cpu cpu_neoverse_v1 = {
	.name = "neoverse-v1",
	.title = "Neoverse V1",
	.arch = "armv8.4",
	.pmu_arch = "pmu_v3",
	.num_slots = 8,
	.num_bus_slots = 0,
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_slots,
};
