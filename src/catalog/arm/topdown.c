// SPDX-License-Identifier: Apache-2.0
// The decision trees of Arm's telemetry data, three for all cores so far, and that of AmpereOne,
// whose levels are those of Linux (tools/perf/pmu-events).

#include "catalog/arm/tables.h"
#include "catalog/topdown.h"

#define TREE(root_names, node_table)                                                               \
	{                                                                                          \
		.roots = (root_names), .nodes = (node_table), .num_nodes = ARRAY_SIZE(node_table)  \
	}

#define SLOT_ROOTS "frontend_bound,backend_bound,retiring,bad_speculation"
#define SLOT_ROOTS_AMPERE \
	"frontend_bound,backend_bound,retired_fraction,slots_lost_misspeculation_fraction"

static const struct topdown_node stall_nodes[] = {
	{"frontend_stalled_cycles", "Branch_Effectiveness,ITLB_Effectiveness,"
				    "L1I_Cache_Effectiveness,L2_Cache_Effectiveness,"
				    "LL_Cache_Effectiveness"},
	{"backend_stalled_cycles", "DTLB_Effectiveness,L1D_Cache_Effectiveness,"
				   "L2_Cache_Effectiveness,LL_Cache_Effectiveness,Operation_Mix"},
};

static const struct topdown_node slot_nodes[] = {
	{"frontend_bound", "Branch_Effectiveness,ITLB_Effectiveness,L1I_Cache_Effectiveness,"
			   "L2_Cache_Effectiveness,LL_Cache_Effectiveness"},
	{"backend_bound", "DTLB_Effectiveness,L1D_Cache_Effectiveness,L2_Cache_Effectiveness,"
			  "LL_Cache_Effectiveness,Operation_Mix"},
	{"retiring", "Operation_Mix"},
	{"bad_speculation", "Branch_Effectiveness"},
};

static const struct topdown_node deep_nodes[] = {
	{"frontend_bound", "frontend_core_bound,frontend_mem_bound"},
	{"backend_bound", "backend_core_bound,backend_mem_bound"},
	{"retiring", "Operation_Mix"},
	{"bad_speculation", "Branch_Effectiveness"},
	{"frontend_core_bound", "frontend_core_flush_bound,frontend_core_flow_bound"},
	{"frontend_mem_bound", "frontend_mem_cache_bound,frontend_mem_tlb_bound"},
	{"frontend_core_flush_bound", "Branch_Effectiveness"},
	{"frontend_core_flow_bound", "Branch_Effectiveness"},
	{"frontend_mem_cache_bound", "frontend_cache_l1i_bound,frontend_cache_l2i_bound"},
	{"frontend_mem_tlb_bound", "ITLB_Effectiveness"},
	{"frontend_cache_l1i_bound", "L1I_Cache_Effectiveness"},
	{"frontend_cache_l2i_bound", "L2_Cache_Effectiveness,LL_Cache_Effectiveness"},
	{"backend_core_bound", "backend_core_rename_bound"},
	{"backend_mem_bound", "backend_mem_cache_bound,backend_mem_tlb_bound,"
			      "backend_mem_store_bound"},
	{"backend_core_rename_bound", ""},
	{"backend_busy_bound", ""},
	{"backend_mem_cache_bound", "backend_cache_l1d_bound,backend_cache_l2d_bound"},
	{"backend_mem_tlb_bound", "DTLB_Effectiveness"},
	{"backend_mem_store_bound", ""},
	{"backend_cache_l1d_bound", "L1D_Cache_Effectiveness"},
	{"backend_cache_l2d_bound", "L2_Cache_Effectiveness,LL_Cache_Effectiveness"},
};

static const struct topdown_node ampere_nodes[] = {
	{"frontend_bound", "frontend_latency,frontend_bandwidth"},
	{"backend_bound", "backend_memory,backend_core"},
	{"retired_fraction", "Operation_Mix,Pipe_Utilization"},
	{"slots_lost_misspeculation_fraction", "branch_mispredict,other_miss_pred"},
	{"frontend_latency", "i_cache_miss_rate,i_tlb_miss_rate,stall_recovery_rate"},
	{"frontend_bandwidth", "Branch_Effectiveness"},
	{"i_cache_miss_rate", "L1I_Cache_Effectiveness,L2_Cache_Effectiveness"},
	{"i_tlb_miss_rate", "ITLB_Effectiveness"},
	{"stall_recovery_rate", "Branch_Effectiveness"},
	{"backend_memory", "d_cache_miss_rate,d_tlb_miss_rate"},
	{"backend_core", "stall_backend_resource_rate,Pipe_Utilization"},
	{"d_cache_miss_rate", "d_cache_l2_miss_rate,L1D_Cache_Effectiveness"},
	{"d_cache_l2_miss_rate", "L2_Cache_Effectiveness"},
	{"d_tlb_miss_rate", "DTLB_Effectiveness"},
	{"stall_backend_resource_rate", "stall_fsu_sched_rate,stall_ixu_sched_rate,"
					"stall_lob_id_rate,stall_rob_id_rate,stall_sob_id_rate"},
	{"stall_fsu_sched_rate", ""},
	{"stall_ixu_sched_rate", ""},
	{"stall_lob_id_rate", "L1D_Cache_Effectiveness"},
	{"stall_rob_id_rate", ""},
	{"stall_sob_id_rate", ""},
	{"branch_mispredict", "Branch_Effectiveness"},
	{"other_miss_pred", ""},
};

const struct topdown_tree arm_topdown_stalls =
	TREE("frontend_stalled_cycles,backend_stalled_cycles", stall_nodes);
const struct topdown_tree arm_topdown_slots = TREE(SLOT_ROOTS, slot_nodes);
const struct topdown_tree arm_topdown_deep = TREE(SLOT_ROOTS, deep_nodes);
const struct topdown_tree arm_topdown_ampere = TREE(SLOT_ROOTS_AMPERE, ampere_nodes);
