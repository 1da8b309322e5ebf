// SPDX-License-Identifier: Apache-2.0
// AmpereOne: events as Linux lists them
// (tools/perf/pmu-events, Linux 7.2). The maker publishes no metrics for these cores; the metrics
// here follow from the architecture's definitions of the events.
// Of its own events, the most useful ones have a row. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
	EV(sw_incr), EV(l1i_cache_refill), EV(l1i_tlb_refill), EV(l1d_cache_refill), EV(l1d_cache),
	EV(l1d_tlb_refill), EV(ld_retired), EV(st_retired), EV(inst_retired), EV(exc_taken),
	EV(exc_return), EV(cid_write_retired), EV(pc_write_retired), EV(br_immed_retired),
	EV(br_return_retired), EV(br_mis_pred), EV(cpu_cycles), EV(br_pred), EV(mem_access),
	EV(l1i_cache), EV(l2d_cache), EV(l2d_cache_refill), EV(l2d_cache_wb), EV(bus_access),
	EV(memory_error), EV(inst_spec), EV(ttbr_write_retired), EV(bus_cycles), EV(br_retired),
	EV(br_mis_pred_retired), EV(stall_frontend), EV(stall_backend), EV(l1d_tlb), EV(l1i_tlb),
	EV(l2d_tlb_refill), EV(l2i_tlb_refill), EV(l2d_tlb), EV(l2i_tlb), EV(dtlb_walk),
	EV(itlb_walk), EV(l1d_cache_lmiss_rd), EV(op_retired), EV(op_spec), EV(stall),
	EV(stall_slot_backend), EV(stall_slot_frontend), EV(stall_slot), EV(l1d_cache_rd),
	EV(l1d_cache_wr), EV(l1d_cache_refill_rd), EV(l1d_cache_inval), EV(l1d_tlb_refill_rd),
	EV(l1d_tlb_refill_wr), EV(l2d_cache_rd), EV(l2d_cache_wr), EV(l2d_cache_refill_rd),
	EV(l2d_cache_refill_wr), EV(l2d_cache_wb_victim), EV(l2d_cache_wb_clean),
	EV(l2d_cache_inval), EV(bus_access_rd), EV(bus_access_wr), EV(bus_access_shared),
	EV(bus_access_not_shared), EV(bus_access_normal), EV(bus_access_periph), EV(mem_access_rd),
	EV(mem_access_wr), EV(unaligned_ld_spec), EV(unaligned_st_spec), EV(unaligned_ldst_spec),
	EV(ldrex_spec), EV(strex_pass_spec), EV(strex_fail_spec), EV(strex_spec), EV(ld_spec),
	EV(st_spec), EV(ldst_spec), EV(dp_spec), EV(ase_spec), EV(vfp_spec), EV(pc_write_spec),
	EV(crypto_spec), EV(br_immed_spec), EV(br_return_spec), EV(br_indirect_spec), EV(isb_spec),
	EV(dsb_spec), EV(dmb_spec), EV(exc_undef), EV(exc_svc), EV(exc_pabort), EV(exc_dabort),
	EV(exc_irq), EV(exc_fiq), EV(exc_hvc), EV(exc_trap_pabort), EV(exc_trap_dabort),
	EV(exc_trap_other), EV(exc_trap_irq), EV(exc_trap_fiq), EV(rc_ld_spec), EV(rc_st_spec),
	EV(nop_spec), EV(l2_prefetch_refill), EV(l2_prefetch_upgrade), EV(bpu_hit_btb),
	EV(bpu_conditional_branch_hit_btb), EV(bpu_hit_indirect_predictor), EV(bpu_hit_rsb),
	EV(bpu_unconditional_branch_miss_btb), EV(bpu_branch_no_hit),
	EV(bpu_hit_btb_and_mispredict), EV(bpu_conditional_branch_hit_btb_and_mispredict),
	EV(bpu_indirect_branch_hit_btb_and_mispredict), EV(bpu_hit_rsb_and_mispredict),
	EV(bpu_miss_rsb_and_mispredict), EV(bpu_no_prediction_mispredict), EV(bpu_btb_update),
	EV(bpu_rsb_full_stall), EV(icf_inst_spec_decode), EV(gpc_flush), EV(l2c_snoop),
	EV(l2c_dat_crd_stall), EV(l2c_rsp_crd_stall), EV(l2c_req_crd_stall), EV(sample_pop),
	EV(sample_feed), EV(sample_filtrate), EV(sample_collision), EV(cnt_cycles),
	EV(stall_backend_mem), EV(l1i_cache_lmiss), EV(l2d_cache_lmiss_rd), EV(ldst_align_lat),
	EV(ld_align_lat), EV(st_align_lat), EV(mem_access_checked), EV(mem_access_checked_rd),
	EV(mem_access_checked_wr), EV(icf_stall), EV(idr_stall_bob_id), EV(idr_stall_lob_id),
	EV(idr_stall_sob_id), EV(idr_stall_ixu_sched), EV(idr_stall_fsu_sched),
	EV(idr_stall_rob_id), EV(idr_stall_flush), EV(imp_stall_frontend_cache),
	EV(imp_ampere_stall_frontend_tlb), EV(stall_backend_cache),
	EV(imp_ampere_stall_backend_tlb), EV(stall_backend_resource), EV(ixu_num_uops_issued),
	EV(fsu_issued), EV(fsu_div_sqrt_stall), EV(imp_l1d_tlb_miss), EV(ld_from_st_fwd),
	EV(lsu_st_retire_stall), EV(l2c_inst_refill), EV(l2c_data_refill), EV(l2_prefetch_req),
};

static const struct cpu_metric metrics[] = {
	METRIC(backend_stalled_cycles), METRIC(barrier_percentage), METRIC(branch_direct_ratio),
	METRIC(branch_misprediction_ratio), METRIC(branch_mpki), METRIC(branch_percentage),
	METRIC(branch_return_ratio), METRIC(crypto_percentage), METRIC(dtlb_mpki),
	METRIC(dtlb_walk_ratio), METRIC(frontend_stalled_cycles), METRIC(integer_dp_percentage),
	METRIC(ipc), METRIC(itlb_mpki), METRIC(itlb_walk_ratio), METRIC(l1d_cache_miss_ratio),
	METRIC(l1d_cache_mpki), METRIC(l1d_tlb_miss_ratio), METRIC(l1d_tlb_mpki),
	METRIC(l1i_cache_miss_ratio), METRIC(l1i_cache_mpki), METRIC(l1i_tlb_miss_ratio),
	METRIC(l1i_tlb_mpki), METRIC(l2_cache_miss_ratio), METRIC(l2_cache_mpki),
	METRIC(l2_tlb_miss_ratio), METRIC(l2_tlb_mpki), METRIC(load_percentage),
	METRIC(scalar_fp_percentage), METRIC(simd_percentage), METRIC(store_percentage),
};

static const struct cpu_group groups[] = {
	GROUP(Branch_Effectiveness), GROUP(Cycle_Accounting), GROUP(DTLB_Effectiveness),
	GROUP(General), GROUP(ITLB_Effectiveness), GROUP(L1D_Cache_Effectiveness),
	GROUP(L1I_Cache_Effectiveness), GROUP(L2_Cache_Effectiveness),
	OWN_GROUP(MPKI,
		  "branch_mpki,itlb_mpki,dtlb_mpki,l1i_tlb_mpki,l1d_tlb_mpki,l2_tlb_mpki,"
		  "l1i_cache_mpki,l1d_cache_mpki,l2_cache_mpki"),
	OWN_GROUP(Miss_Ratio,
		  "branch_misprediction_ratio,itlb_walk_ratio,dtlb_walk_ratio,"
		  "l1i_tlb_miss_ratio,l1d_tlb_miss_ratio,l2_tlb_miss_ratio,"
		  "l1i_cache_miss_ratio,l1d_cache_miss_ratio,l2_cache_miss_ratio"),
	OWN_GROUP(Operation_Mix,
		  "load_percentage,store_percentage,integer_dp_percentage,simd_percentage,"
		  "scalar_fp_percentage,barrier_percentage,branch_percentage,"
		  "crypto_percentage"),
};

const struct cpu cpu_ampereone = {
	.name = "ampereone",
	.title = "AmpereOne",
	.arch = "armv8.6",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls_to_l2,
};
