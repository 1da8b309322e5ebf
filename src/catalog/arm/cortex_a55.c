// SPDX-License-Identifier: Apache-2.0
// Cortex-A55: events as Linux lists them
// (tools/perf/pmu-events, Linux 7.2). The maker publishes no metrics for these cores; the metrics
// here follow from the architecture's definitions of the events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
	EV(sw_incr), EV(l1i_cache_refill), EV(l1i_tlb_refill), EV(l1d_cache_refill), EV(l1d_cache),
	EV(l1d_tlb_refill), EV(ld_retired), EV(st_retired), EV(inst_retired), EV(exc_taken),
	EV(exc_return), EV(cid_write_retired), EV(pc_write_retired), EV(br_immed_retired),
	EV(br_return_retired), EV(unaligned_ldst_retired), EV(br_mis_pred), EV(cpu_cycles),
	EV(br_pred), EV(mem_access), EV(l1i_cache), EV(l1d_cache_wb), EV(l2d_cache),
	EV(l2d_cache_refill), EV(l2d_cache_wb), EV(bus_access), EV(memory_error), EV(inst_spec),
	EV(ttbr_write_retired), EV(bus_cycles), EV(l2d_cache_allocate), EV(br_retired),
	EV(br_mis_pred_retired), EV(stall_frontend), EV(stall_backend), EV(l1d_tlb), EV(l1i_tlb),
	EV(l3d_cache_allocate), EV(l3d_cache_refill), EV(l3d_cache), EV(l2d_tlb_refill),
	EV(l2d_tlb), EV(dtlb_walk), EV(itlb_walk), EV(ll_cache_rd), EV(ll_cache_miss_rd),
	EV(remote_access_rd), EV(l1d_cache_rd), EV(l1d_cache_wr), EV(l1d_cache_refill_rd),
	EV(l1d_cache_refill_wr), EV(l1d_cache_refill_inner), EV(l1d_cache_refill_outer),
	EV(l2d_cache_rd), EV(l2d_cache_wr), EV(l2d_cache_refill_rd), EV(l2d_cache_refill_wr),
	EV(bus_access_rd), EV(bus_access_wr), EV(mem_access_rd), EV(mem_access_wr), EV(ld_spec),
	EV(st_spec), EV(ldst_spec), EV(dp_spec), EV(ase_spec), EV(vfp_spec), EV(pc_write_spec),
	EV(crypto_spec), EV(br_immed_spec), EV(br_return_spec), EV(br_indirect_spec), EV(exc_irq),
	EV(exc_fiq), EV(l3d_cache_rd), EV(l3d_cache_refill_rd), EV(l3d_cache_refill_prefetch),
	EV(l2d_cache_refill_prefetch), EV(l1d_cache_refill_prefetch), EV(l2d_ws_mode),
	EV(l1d_ws_mode_entry), EV(l1d_ws_mode), EV(predecode_error), EV(l3d_ws_mode),
	EV(br_cond_pred), EV(br_indirect_mis_pred), EV(br_indirect_addr_mis_pred),
	EV(br_cond_mis_pred), EV(br_indirect_addr_pred), EV(br_return_addr_pred),
	EV(br_return_addr_mis_pred), EV(l2d_llwalk_tlb), EV(l2d_llwalk_tlb_refill),
	EV(l2d_l2walk_tlb), EV(l2d_l2walk_tlb_refill), EV(l2d_s2_tlb), EV(l2d_s2_tlb_refill),
	EV(l2d_cache_stash_dropped), EV(stall_frontend_cache), EV(imp_stall_frontend_tlb),
	EV(stall_frontend_pderr), EV(imp_stall_backend_ilock), EV(stall_backend_ilock_agu),
	EV(stall_backend_ilock_fpu), EV(stall_backend_ld), EV(imp_stall_backend_st),
	EV(stall_backend_ld_cache), EV(stall_backend_ld_tlb), EV(stall_backend_st_stb),
	EV(stall_backend_st_tlb),
};

static const struct cpu_metric metrics[] = {
	METRIC(backend_stalled_cycles), METRIC(branch_direct_ratio),
	METRIC(branch_misprediction_ratio), METRIC(branch_mpki), METRIC(branch_percentage),
	METRIC(branch_return_ratio), METRIC(crypto_percentage), METRIC(dtlb_mpki),
	METRIC(dtlb_walk_ratio), METRIC(frontend_stalled_cycles), METRIC(integer_dp_percentage),
	METRIC(ipc), METRIC(itlb_mpki), METRIC(itlb_walk_ratio), METRIC(l1d_cache_miss_ratio),
	METRIC(l1d_cache_mpki), METRIC(l1d_tlb_miss_ratio), METRIC(l1d_tlb_mpki),
	METRIC(l1i_cache_miss_ratio), METRIC(l1i_cache_mpki), METRIC(l1i_tlb_miss_ratio),
	METRIC(l1i_tlb_mpki), METRIC(l2_cache_miss_ratio), METRIC(l2_cache_mpki),
	METRIC(l2_tlb_miss_ratio), METRIC(l2_tlb_mpki), METRIC(ll_cache_read_hit_ratio),
	METRIC(ll_cache_read_miss_ratio), METRIC(ll_cache_read_mpki), METRIC(load_percentage),
	METRIC(scalar_fp_percentage), METRIC(simd_percentage), METRIC(store_percentage),
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

const struct cpu cpu_cortex_a55 = {
	.name = "cortex-a55",
	.title = "Cortex-A55",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
