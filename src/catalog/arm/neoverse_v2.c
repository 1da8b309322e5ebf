// SPDX-License-Identifier: Apache-2.0
// Neoverse V2 (r0p0): what its PMU counts, by Arm's telemetry data of 2025-08. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL COUNTED
#define A78 COUNTED
#define SVE COUNTED
#define V9  COUNTED
#define SPE COUNTED
#include "catalog/arm/neoverse_n1_events.inc"
};

static const char backend_bound[] =
	"100 * (stall_slot_backend / (cpu_cycles * 8) - br_mis_pred * 3 / cpu_cycles)";
static const char bad_speculation[] =
	"100 * ((1 - op_retired / op_spec) * (1 - stall_slot / (cpu_cycles * 8)) + br_mis_pred "
	"* 4 / cpu_cycles)";
static const char frontend_bound[] =
	"100 * (stall_slot_frontend / (cpu_cycles * 8) - br_mis_pred / cpu_cycles)";
static const char retiring[] =
	"100 * (op_retired / op_spec * (1 - stall_slot / (cpu_cycles * 8)))";

static const struct cpu_metric metrics[] = {
#define ALL      MEASURED
#define BARRIERS MEASURED
#define SVE      MEASURED
#define VECTORS  MEASURED
#define SLOTS(name) OWN_METRIC(name, name),
#include "catalog/arm/neoverse_n1_metrics.inc"
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(FP_Arithmetic_Intensity), GROUP(FP_Precision_Mix), GROUP(General),
	GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness), GROUP(L1I_Cache_Effectiveness),
	GROUP(L2_Cache_Effectiveness), GROUP(LL_Cache_Effectiveness), GROUP(MPKI),
	GROUP(Miss_Ratio), GROUP(Operation_Mix), GROUP(SVE_Effectiveness), GROUP(Topdown_L1),
};

const struct cpu cpu_neoverse_v2 = {
	.name = "neoverse-v2",
	.title = "Neoverse V2",
	.arch = "armv9.0",
	.pmu_arch = "pmu_v3",
	.num_slots = 8,
	.num_bus_slots = 0,
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_slots,
};
