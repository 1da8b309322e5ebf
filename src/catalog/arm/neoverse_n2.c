// SPDX-License-Identifier: Apache-2.0
// Neoverse N2, up to r0p2 and from r0p3: what its PMU counts, by Arm's telemetry data of 2025-08
// and 2024-06. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL COUNTED
#define A78 COUNTED
#define SVE COUNTED
#define V9  COUNTED
#define SPE COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

// Revisions before r0p3 count a cycle too many into stall_slot and stall_slot_frontend, so three
// metrics have to take it out again; all else is the same.
static const char backend_bound[] =
	"100 * (stall_slot_backend / (cpu_cycles * 5) - br_mis_pred * 3 / cpu_cycles)";
static const char bad_speculation[] =
	"100 * ((1 - op_retired / op_spec) * (1 - (stall_slot - cpu_cycles) / (cpu_cycles * 5)) "
	"+ br_mis_pred * 4 / cpu_cycles)";
static const char frontend_bound[] =
	"100 * ((stall_slot_frontend - cpu_cycles) / (5 * cpu_cycles) - br_mis_pred / "
	"cpu_cycles)";
static const char retiring[] =
	"100 * (op_retired / op_spec * (1 - (stall_slot - cpu_cycles) / (cpu_cycles * 5)))";

static const struct cpu_metric metrics[] = {
#define ALL   MEASURED
#define SVE   MEASURED
#define SLOTS(name) OWN_METRIC(name, name),
#include "catalog/arm/neoverse_n1_metrics.inc"
};

static const char r0p3_backend_bound[] =
	"100 * (stall_slot_backend / (cpu_cycles * 5) - br_mis_pred * 3 / cpu_cycles)";
static const char r0p3_bad_speculation[] =
	"100 * ((1 - op_retired / op_spec) * (1 - stall_slot / (cpu_cycles * 5)) + br_mis_pred "
	"* 4 / cpu_cycles)";
static const char r0p3_frontend_bound[] =
	"100 * (stall_slot_frontend / (cpu_cycles * 5) - br_mis_pred / cpu_cycles)";
static const char r0p3_retiring[] =
	"(1 - stall_slot / (cpu_cycles * 5)) * (op_retired / op_spec) * 100";

static const struct cpu_metric metrics_r0p3[] = {
#define ALL   MEASURED
#define SVE   MEASURED
#define SLOTS(name) OWN_METRIC(name, r0p3_##name),
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

const struct cpu cpu_neoverse_n2 = {
	.name = "neoverse-n2",
	.title = "Neoverse N2",
	.arch = "armv8.4",
	.pmu_arch = "pmu_v3",
	.num_slots = 5,
	.num_bus_slots = 0,
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_slots,
};

const struct cpu cpu_neoverse_n2_r0p3 = {
	.name = "neoverse-n2-r0p3",
	.title = "Neoverse N2",
	.arch = "armv8.4",
	.pmu_arch = "pmu_v3",
	.num_slots = 5,
	.num_bus_slots = 0,
	CPU_TABLES(events, metrics_r0p3, groups),
	.topdown = &arm_topdown_slots,
};
