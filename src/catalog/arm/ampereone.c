// SPDX-License-Identifier: Apache-2.0
// AmpereOne and AmpereOneX: events, metrics and top-down tree as Linux lists them
// (tools/perf/pmu-events, Linux 7.2), and the metrics that follow from the architecture's
// definitions of the events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

// The operations that the core can take in a cycle, which ampereone_metrics.inc and metrics.inc
// divide by. Early formulas of Linux for AmpereOne have this number, later ones ask the core
// (PMMIR_EL1.SLOTS). For AmpereOneX it follows from the four pipes that its formulas relate to.
enum { NUM_SLOTS = 4 };

static const struct event *const one_events[] = {
#define ALL COUNTED
#define ONE COUNTED
#include "catalog/arm/ampereone_events.inc"
};

static const struct event *const x_events[] = {
#define ALL COUNTED
#define X   COUNTED
#include "catalog/arm/ampereone_events.inc"
};

static const struct cpu_metric one_metrics[] = {
#define ITLB_STALL "imp_ampere_stall_frontend_tlb"
#define DTLB_STALL "imp_ampere_stall_backend_tlb"
#define ALL MEASURED
#include "catalog/arm/ampereone_metrics.inc"
};

static const struct cpu_metric x_metrics[] = {
#define ITLB_STALL "stall_frontend_tlb"
#define DTLB_STALL "stall_backend_tlb"
#define ALL MEASURED
#define X   MEASURED
#include "catalog/arm/ampereone_metrics.inc"
};

static const char branches[] = "branch_mpki,branch_misprediction_ratio,branch_miss_pred_rate";
static const char general[] = "ipc,retired_rate,wasted_rate,wasted,bus_utilization";
static const char mpki[] = "branch_mpki,itlb_mpki,dtlb_mpki,l1i_tlb_mpki,l1d_tlb_mpki,l2_tlb_mpki,"
			   "l1i_cache_mpki,l1d_cache_mpki,l2_cache_mpki";
static const char miss_ratio[] = "branch_misprediction_ratio,itlb_walk_ratio,dtlb_walk_ratio,"
				 "l1i_tlb_miss_ratio,l1d_tlb_miss_ratio,l2_tlb_miss_ratio,"
				 "l1i_cache_miss_ratio,l1d_cache_miss_ratio,l2_cache_miss_ratio";
static const char operation_mix[] = "load_percentage,store_percentage,load_store_spec_rate,"
				    "integer_dp_percentage,simd_percentage,scalar_fp_percentage,"
				    "barrier_percentage,branch_percentage,pc_write_spec_rate,"
				    "crypto_percentage";
static const char backend[] = "backend_memory,backend_core,d_cache_miss_rate,d_cache_l2_miss_rate,"
			      "d_tlb_miss_rate,stall_backend_resource_rate,stall_fsu_sched_rate,"
			      "stall_ixu_sched_rate,stall_lob_id_rate,stall_rob_id_rate,"
			      "stall_sob_id_rate";
static const char frontend[] = "frontend_latency,frontend_bandwidth,i_cache_miss_rate,"
			       "i_tlb_miss_rate,stall_recovery_rate";
static const char slots[] =
	"frontend_bound,backend_bound,retired_fraction,slots_lost_misspeculation_fraction";

static const struct cpu_group one_groups[] = {
	OWN_GROUP(Branch_Effectiveness, branches), GROUP(Cycle_Accounting),
	GROUP(DTLB_Effectiveness), OWN_GROUP(General, general), GROUP(ITLB_Effectiveness),
	GROUP(L1D_Cache_Effectiveness), GROUP(L1I_Cache_Effectiveness),
	GROUP(L2_Cache_Effectiveness), OWN_GROUP(MPKI, mpki), OWN_GROUP(Miss_Ratio, miss_ratio),
	OWN_GROUP(Operation_Mix, operation_mix), GROUP(Pipe_Utilization), GROUP(Read_Misses),
	GROUP(Stall_Causes), OWN_GROUP(Topdown_Backend, backend),
	OWN_GROUP(Topdown_Frontend, frontend), OWN_GROUP(Topdown_L1, slots),
	GROUP(Topdown_Speculation),
};

static const struct cpu_group x_groups[] = {
	OWN_GROUP(Branch_Effectiveness, branches), GROUP(Cycle_Accounting),
	GROUP(DTLB_Effectiveness), OWN_GROUP(General, general), GROUP(ITLB_Effectiveness),
	GROUP(L1D_Cache_Accesses), GROUP(L1D_Cache_Effectiveness), GROUP(L1I_Cache_Effectiveness),
	GROUP(L2_Cache_Effectiveness), OWN_GROUP(MPKI, mpki), OWN_GROUP(Miss_Ratio, miss_ratio),
	GROUP(Neon_Mix), OWN_GROUP(Operation_Mix, operation_mix), GROUP(Pipe_Utilization),
	GROUP(Read_Misses), GROUP(Stall_Causes), OWN_GROUP(Topdown_Backend, backend),
	OWN_GROUP(Topdown_Frontend, frontend), OWN_GROUP(Topdown_L1, slots),
	GROUP(Topdown_Speculation),
};

const struct cpu cpu_ampereone = {
	.name = "ampereone",
	.title = "AmpereOne",
	.arch = "armv8.6",
	.pmu_arch = "pmu_v3",
	.num_slots = NUM_SLOTS,
	CPU_TABLES(one_events, one_metrics, one_groups),
	.topdown = &arm_topdown_ampere,
};

const struct cpu cpu_ampereonex = {
	.name = "ampereonex",
	.title = "AmpereOneX",
	.arch = "armv8.6",
	.pmu_arch = "pmu_v3",
	.num_slots = NUM_SLOTS,
	CPU_TABLES(x_events, x_metrics, x_groups),
	.topdown = &arm_topdown_ampere,
};
