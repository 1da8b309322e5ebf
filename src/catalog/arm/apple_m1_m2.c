// SPDX-License-Identifier: Apache-2.0
// Apple M1 and M2, performance and efficiency cores: events as Linux lists them
// (drivers/perf/apple_m1_cpu_pmu.c, Linux 7.2). Their PMU is not PMUv3: no metric or group of Arm's
// fits, and an event may need a certain counter. See catalog/cpu.h.

#include "catalog/arm/tables.h"

static const struct event *const events[] = {
	EV(retire_uop), EV(core_active_cycle), EV(l1i_tlb_fill), EV(l1d_tlb_fill),
	EV(mmu_table_walk_instruction), EV(mmu_table_walk_data), EV(l2_tlb_miss_instruction),
	EV(l2_tlb_miss_data), EV(mmu_virtual_memory_fault_nonspec), EV(schedule_uop),
	EV(interrupt_pending), EV(map_stall_dispatch), EV(map_rewind), EV(map_stall),
	EV(map_int_uop), EV(map_ldst_uop), EV(map_simd_uop), EV(flush_restart_other_nonspec),
	EV(inst_all), EV(inst_branch), EV(inst_branch_call), EV(inst_branch_ret),
	EV(inst_branch_taken), EV(inst_branch_indir), EV(inst_branch_cond), EV(inst_int_ld),
	EV(inst_int_st), EV(inst_int_alu), EV(inst_simd_ld), EV(inst_simd_st), EV(inst_simd_alu),
	EV(inst_ldst), EV(inst_barrier), EV(l1d_tlb_access), EV(l1d_tlb_miss),
	EV(l1d_cache_miss_st), EV(l1d_cache_miss_ld), EV(ld_unit_uop), EV(st_unit_uop),
	EV(l1d_cache_writeback), EV(ldst_x64_uop), EV(ldst_xpg_uop), EV(atomic_or_exclusive_succ),
	EV(atomic_or_exclusive_fail), EV(l1d_cache_miss_ld_nonspec), EV(l1d_cache_miss_st_nonspec),
	EV(l1d_tlb_miss_nonspec), EV(st_memory_order_violation_nonspec),
	EV(branch_cond_mispred_nonspec), EV(branch_indir_mispred_nonspec),
	EV(branch_ret_indir_mispred_nonspec), EV(branch_call_indir_mispred_nonspec),
	EV(branch_mispred_nonspec), EV(l1i_tlb_miss_demand), EV(map_dispatch_bubble),
	EV(l1i_cache_miss_demand), EV(fetch_restart), EV(st_nt_uop), EV(ld_nt_uop),
};

const struct cpu cpu_apple_m1 = {
	.name = "apple-m1",
	.title = "Apple M1",
	.arch = "armv8.4",
	.pmu_arch = "apple",
	.events = events,
	.num_events = ARRAY_SIZE(events),
};

const struct cpu cpu_apple_m2 = {
	.name = "apple-m2",
	.title = "Apple M2",
	.arch = "armv8.6",
	.pmu_arch = "apple",
	.events = events,
	.num_events = ARRAY_SIZE(events),
};
