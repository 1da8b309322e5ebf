// SPDX-License-Identifier: Apache-2.0
// Cortex-A715: events as Arm lists them (ARM-software/data,
// pmu/). Arm publishes no metrics for these cores; the metrics here follow from the
// architecture's definitions of the events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
	EV(sw_incr), EV(l1i_cache_refill), EV(l1i_tlb_refill), EV(l1d_cache_refill), EV(l1d_cache),
	EV(l1d_tlb_refill), EV(inst_retired), EV(exc_taken), EV(exc_return), EV(cid_write_retired),
	EV(pc_write_retired), EV(br_immed_retired), EV(br_return_retired), EV(br_mis_pred),
	EV(cpu_cycles), EV(br_pred), EV(mem_access), EV(l1i_cache), EV(l1d_cache_wb), EV(l2d_cache),
	EV(l2d_cache_refill), EV(l2d_cache_wb), EV(bus_access), EV(inst_spec),
	EV(ttbr_write_retired), EV(bus_cycles), EV(chain), EV(l2d_cache_allocate), EV(br_retired),
	EV(br_mis_pred_retired), EV(stall_frontend), EV(stall_backend), EV(l1d_tlb), EV(l1i_tlb),
	EV(l3d_cache_allocate), EV(l3d_cache_refill), EV(l3d_cache), EV(l2d_tlb_refill),
	EV(l2d_tlb), EV(remote_access), EV(dtlb_walk), EV(itlb_walk), EV(ll_cache_rd),
	EV(ll_cache_miss_rd), EV(l1d_cache_lmiss_rd), EV(op_retired), EV(op_spec), EV(stall),
	EV(stall_slot_backend), EV(stall_slot_frontend), EV(stall_slot), EV(l1d_cache_rd),
	EV(l1d_cache_wr), EV(l1d_cache_refill_inner), EV(l1d_cache_refill_outer),
	EV(l1d_cache_inval), EV(l2d_cache_rd), EV(l2d_cache_wr), EV(l2d_cache_refill_rd),
	EV(l2d_cache_refill_wr), EV(l2d_cache_wb_victim), EV(l2d_cache_wb_clean),
	EV(l2d_cache_inval), EV(bus_access_rd), EV(bus_access_wr), EV(mem_access_rd),
	EV(mem_access_wr), EV(strex_fail_spec), EV(strex_spec), EV(ld_spec), EV(st_spec),
	EV(dp_spec), EV(ase_spec), EV(vfp_spec), EV(pc_write_spec), EV(crypto_spec), EV(isb_spec),
	EV(dsb_spec), EV(dmb_spec), EV(exc_undef), EV(exc_svc), EV(exc_pabort), EV(exc_dabort),
	EV(exc_irq), EV(exc_fiq), EV(exc_smc), EV(exc_hvc), EV(exc_trap_pabort),
	EV(exc_trap_dabort), EV(exc_trap_other), EV(exc_trap_irq), EV(exc_trap_fiq), EV(rc_ld_spec),
	EV(rc_st_spec), EV(l3d_cache_rd), EV(sample_pop), EV(sample_feed), EV(sample_filtrate),
	EV(sample_collision), EV(cnt_cycles), EV(stall_backend_mem), EV(l1i_cache_lmiss),
	EV(l2d_cache_lmiss_rd), EV(l3d_cache_lmiss_rd), EV(trb_wrap), EV(trcextout0),
	EV(trcextout1), EV(trcextout2), EV(trcextout3), EV(cti_trigout4), EV(cti_trigout5),
	EV(cti_trigout6), EV(cti_trigout7), EV(ldst_align_lat), EV(ld_align_lat), EV(st_align_lat),
	EV(mem_access_checked), EV(mem_access_checked_rd), EV(mem_access_checked_wr),
	EV(ase_inst_spec), EV(sve_inst_spec), EV(fp_hp_spec), EV(fp_sp_spec), EV(fp_dp_spec),
	EV(sve_pred_spec), EV(sve_pred_empty_spec), EV(sve_pred_full_spec),
	EV(sve_pred_partial_spec), EV(sve_pred_not_full_spec), EV(sve_ldff_spec),
	EV(sve_ldff_fault_spec), EV(fp_scale_ops_spec), EV(fp_fixed_ops_spec),
	EV(ase_sve_int8_spec), EV(ase_sve_int16_spec), EV(ase_sve_int32_spec),
	EV(ase_sve_int64_spec), EV(br_immed_taken_retired), EV(br_indnr_taken_retired),
	EV(br_ind_retired), EV(dtlb_walk_percyc), EV(itlb_walk_percyc), EV(dtlb_step),
	EV(itlb_step), EV(stall_frontend_flush),
};

static const struct cpu_metric metrics[] = {
	METRIC(backend_stalled_cycles), METRIC(barrier_percentage), METRIC(branch_direct_ratio),
	METRIC(branch_indirect_ratio), METRIC(branch_misprediction_ratio), METRIC(branch_mpki),
	METRIC(branch_return_ratio), METRIC(crypto_percentage), METRIC(dtlb_mpki),
	METRIC(dtlb_walk_ratio), METRIC(fp16_percentage), METRIC(fp32_percentage),
	METRIC(fp64_percentage), METRIC(fp_ops_per_cycle), METRIC(frontend_stalled_cycles),
	METRIC(integer_dp_percentage), METRIC(ipc), METRIC(itlb_mpki), METRIC(itlb_walk_ratio),
	METRIC(l1d_cache_miss_ratio), METRIC(l1d_cache_mpki), METRIC(l1d_tlb_miss_ratio),
	METRIC(l1d_tlb_mpki), METRIC(l1i_cache_miss_ratio), METRIC(l1i_cache_mpki),
	METRIC(l1i_tlb_miss_ratio), METRIC(l1i_tlb_mpki), METRIC(l2_cache_miss_ratio),
	METRIC(l2_cache_mpki), METRIC(l2_tlb_miss_ratio), METRIC(l2_tlb_mpki),
	METRIC(ll_cache_read_hit_ratio), METRIC(ll_cache_read_miss_ratio),
	METRIC(ll_cache_read_mpki), METRIC(load_percentage), METRIC(nonsve_fp_ops_per_cycle),
	METRIC(scalar_fp_percentage), METRIC(simd_percentage), METRIC(store_percentage),
	METRIC(sve_all_percentage), METRIC(sve_fp_ops_per_cycle),
	METRIC(sve_predicate_empty_percentage), METRIC(sve_predicate_full_percentage),
	METRIC(sve_predicate_partial_percentage), METRIC(sve_predicate_percentage),
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
	GROUP(SVE_Effectiveness),
};

const struct cpu cpu_cortex_a715 = {
	.name = "cortex-a715",
	.title = "Cortex-A715",
	.arch = "armv9",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
