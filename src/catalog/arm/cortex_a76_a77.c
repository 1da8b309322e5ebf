// SPDX-License-Identifier: Apache-2.0
// Cortex-A76 and Cortex-A77: events as Linux lists them
// (tools/perf/pmu-events, Linux 7.2). Arm publishes no metrics for these cores; the metrics here
// follow from the architecture's definitions of the events. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
	EV(sw_incr), EV(l1i_cache_refill), EV(l1i_tlb_refill), EV(l1d_cache_refill), EV(l1d_cache),
	EV(l1d_tlb_refill), EV(inst_retired), EV(exc_taken), EV(exc_return), EV(cid_write_retired),
	EV(br_mis_pred), EV(cpu_cycles), EV(br_pred), EV(mem_access), EV(l1i_cache),
	EV(l1d_cache_wb), EV(l2d_cache), EV(l2d_cache_refill), EV(l2d_cache_wb), EV(bus_access),
	EV(memory_error), EV(inst_spec), EV(ttbr_write_retired), EV(bus_cycles),
	EV(l2d_cache_allocate), EV(br_retired), EV(br_mis_pred_retired), EV(stall_frontend),
	EV(stall_backend), EV(l1d_tlb), EV(l1i_tlb), EV(l3d_cache_allocate), EV(l3d_cache_refill),
	EV(l3d_cache), EV(l2d_tlb_refill), EV(l2d_tlb), EV(remote_access), EV(dtlb_walk),
	EV(itlb_walk), EV(ll_cache_rd), EV(ll_cache_miss_rd), EV(l1d_cache_rd), EV(l1d_cache_wr),
	EV(l1d_cache_refill_rd), EV(l1d_cache_refill_wr), EV(l1d_cache_refill_inner),
	EV(l1d_cache_refill_outer), EV(l1d_cache_wb_victim), EV(l1d_cache_wb_clean),
	EV(l1d_cache_inval), EV(l1d_tlb_refill_rd), EV(l1d_tlb_refill_wr), EV(l1d_tlb_rd),
	EV(l1d_tlb_wr), EV(l2d_cache_rd), EV(l2d_cache_wr), EV(l2d_cache_refill_rd),
	EV(l2d_cache_refill_wr), EV(l2d_cache_wb_victim), EV(l2d_cache_wb_clean),
	EV(l2d_cache_inval), EV(l2d_tlb_refill_rd), EV(l2d_tlb_refill_wr), EV(l2d_tlb_rd),
	EV(l2d_tlb_wr), EV(bus_access_rd), EV(bus_access_wr), EV(mem_access_rd), EV(mem_access_wr),
	EV(unaligned_ld_spec), EV(unaligned_st_spec), EV(unaligned_ldst_spec), EV(ldrex_spec),
	EV(strex_pass_spec), EV(strex_fail_spec), EV(strex_spec), EV(ld_spec), EV(st_spec),
	EV(ldst_spec), EV(dp_spec), EV(ase_spec), EV(vfp_spec), EV(pc_write_spec), EV(crypto_spec),
	EV(br_immed_spec), EV(br_return_spec), EV(br_indirect_spec), EV(isb_spec), EV(dsb_spec),
	EV(dmb_spec), EV(exc_undef), EV(exc_svc), EV(exc_pabort), EV(exc_dabort), EV(exc_irq),
	EV(exc_fiq), EV(exc_smc), EV(exc_hvc), EV(exc_trap_pabort), EV(exc_trap_dabort),
	EV(exc_trap_other), EV(exc_trap_irq), EV(exc_trap_fiq), EV(rc_ld_spec), EV(rc_st_spec),
	EV(l3d_cache_rd),
};

static const struct cpu_metric metrics[] = {
	METRIC(backend_stalled_cycles), METRIC(barrier_percentage),
	METRIC(branch_misprediction_ratio), METRIC(branch_mpki), METRIC(branch_percentage),
	METRIC(crypto_percentage), METRIC(dtlb_mpki), METRIC(dtlb_walk_ratio),
	METRIC(frontend_stalled_cycles), METRIC(integer_dp_percentage), METRIC(ipc),
	METRIC(itlb_mpki), METRIC(itlb_walk_ratio), METRIC(l1d_cache_miss_ratio),
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
		  "scalar_fp_percentage,barrier_percentage,branch_percentage,"
		  "crypto_percentage"),
};

const struct cpu cpu_cortex_a76 = {
	.name = "cortex-a76",
	.title = "Cortex-A76",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};

const struct cpu cpu_cortex_a77 = {
	.name = "cortex-a77",
	.title = "Cortex-A77",
	.arch = "armv8.2",
	.pmu_arch = "pmu_v3",
	CPU_TABLES(events, metrics, groups),
	.topdown = &arm_topdown_stalls,
};
