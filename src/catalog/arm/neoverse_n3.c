// SPDX-License-Identifier: Apache-2.0
// Neoverse N3 (r0p0): what its PMU counts, by Arm's telemetry data of 2025-08. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
#define ALL  COUNTED
#define A720 COUNTED
#define A725 COUNTED
#define N3   COUNTED
#include "catalog/arm/cortex_a715_events.inc"
};

static const struct cpu_metric metrics[] = {
	OWN_METRIC(backend_bound, "stall_slot_backend / (5 * cpu_cycles) * 100"),
	METRIC(backend_busy_bound), METRIC(backend_cache_l1d_bound),
	METRIC(backend_cache_l2d_bound), METRIC(backend_core_bound),
	METRIC(backend_core_rename_bound), METRIC(backend_mem_bound),
	METRIC(backend_mem_cache_bound), METRIC(backend_mem_store_bound),
	METRIC(backend_mem_tlb_bound), METRIC(backend_stalled_cycles),
	OWN_METRIC(bad_speculation,
		   "(1 - stall_slot / (5 * cpu_cycles)) * (1 - op_retired / op_spec) * 100 + "
		   "stall_frontend_flush / cpu_cycles * 100"),
	METRIC(barrier_percentage), METRIC(branch_direct_ratio), METRIC(branch_indirect_ratio),
	METRIC(branch_misprediction_ratio), METRIC(branch_mpki),
	OWN_METRIC(branch_percentage, "pc_write_spec / inst_spec * 100"),
	METRIC(branch_return_ratio), METRIC(crypto_percentage), METRIC(dtlb_mpki),
	METRIC(dtlb_walk_ratio), METRIC(fp16_percentage), METRIC(fp32_percentage),
	METRIC(fp64_percentage), METRIC(fp_ops_per_cycle),
	OWN_METRIC(frontend_bound,
		   "(stall_slot_frontend / (5 * cpu_cycles) - stall_frontend_flush / cpu_cycles) "
		   "* 100"),
	METRIC(frontend_cache_l1i_bound), METRIC(frontend_cache_l2i_bound),
	METRIC(frontend_core_bound), METRIC(frontend_core_flow_bound),
	METRIC(frontend_core_flush_bound), METRIC(frontend_mem_bound),
	METRIC(frontend_mem_cache_bound), METRIC(frontend_mem_tlb_bound),
	METRIC(frontend_stalled_cycles),
	OWN_METRIC(integer_dp_percentage, "(dp_spec - dsb_spec) / inst_spec * 100"),
	METRIC(ipc), METRIC(itlb_mpki), METRIC(itlb_walk_ratio), METRIC(l1d_cache_miss_ratio),
	METRIC(l1d_cache_mpki), METRIC(l1d_tlb_miss_ratio), METRIC(l1d_tlb_mpki),
	METRIC(l1i_cache_miss_ratio), METRIC(l1i_cache_mpki), METRIC(l1i_tlb_miss_ratio),
	METRIC(l1i_tlb_mpki), METRIC(l2_cache_miss_ratio), METRIC(l2_cache_mpki),
	METRIC(l2_tlb_miss_ratio), METRIC(l2_tlb_mpki), METRIC(ll_cache_read_hit_ratio),
	METRIC(ll_cache_read_miss_ratio), METRIC(ll_cache_read_mpki), METRIC(load_percentage),
	METRIC(nonsve_fp_ops_per_cycle),
	OWN_METRIC(retiring, "(1 - stall_slot / (cpu_cycles * 5)) * (op_retired / op_spec) * 100"),
	METRIC(scalar_fp_percentage), METRIC(simd_percentage), METRIC(store_percentage),
	METRIC(sve_all_percentage), METRIC(sve_fp_ops_per_cycle),
	METRIC(sve_predicate_empty_percentage), METRIC(sve_predicate_full_percentage),
	METRIC(sve_predicate_partial_percentage), METRIC(sve_predicate_percentage),
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

const struct cpu cpu_neoverse_n3 = {
	.name = "neoverse-n3",
	.title = "Neoverse N3",
	.arch = "armv9.2",
	.pmu_arch = "pmu_v3",
	.num_slots = 5,
	.num_bus_slots = 0,
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_deep,
};
