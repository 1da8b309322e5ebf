// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/load.h"

#include "driver/include/wperf_driver.h"

#include <stddef.h>

// An event happens floor(rate * time) times up to a time. Counts of an interval are differences of
// that function, so they add up exactly however time is cut. load_time() is the inverse. `shares`
// has the rate of each event per 1000 cycles or instructions; parts add up to their sums, so that
// metrics give sensible values. load_hash() is SplitMix64, in place of a random generator with
// state.

enum {
	NS_PER_MS = 1000000,
	KERNEL_SHARE = 10, // one of so many; all rates are multiples of it
	CPU_CYCLES = 0x11,
	DSU_CYCLES_PER_MS = 2000000,
	DMC_CLK_PER_MS = 1600000,
	MAX_RARE_PER_MS = 10000,
	DMC_CYCLE_COUNT = 0,
	CHAIN = 0x1e, // carries of other counters, which do not happen here
	MEMORY_ERROR = 0x1a,
};

enum base { OF_CYCLES, OF_INSTRUCTIONS };

static const struct {
	uint16_t event;
	enum base base;
	unsigned per_mille;
} shares[] = {
	{CPU_CYCLES, OF_CYCLES, 1000},
	{0x1d, OF_CYCLES, 500},   // bus_cycles
	{0x23, OF_CYCLES, 120},   // stall_frontend
	{0x24, OF_CYCLES, 240},   // stall_backend
	{0x3c, OF_CYCLES, 360},   // stall
	{0x3d, OF_CYCLES, 900},   // stall_slot_backend; there are several slots per cycle
	{0x3e, OF_CYCLES, 1100},  // stall_slot_frontend
	{0x3f, OF_CYCLES, 2000},  // stall_slot
	{0x4004, OF_CYCLES, 400}, // cnt_cycles

	// What stall_frontend is made of, and its two parts in turn.
	{0x8158, OF_CYCLES, 70}, // stall_frontend_membound
	{0x8159, OF_CYCLES, 30}, // stall_frontend_l1i
	{0x815b, OF_CYCLES, 15}, // stall_frontend_mem
	{0x815c, OF_CYCLES, 25}, // stall_frontend_tlb
	{0x8160, OF_CYCLES, 50}, // stall_frontend_cpubound
	{0x8161, OF_CYCLES, 30}, // stall_frontend_flow
	{0x8162, OF_CYCLES, 20}, // stall_frontend_flush
	// And stall_backend.
	{0x8164, OF_CYCLES, 190}, // stall_backend_membound
	{0x8165, OF_CYCLES, 20},  // stall_backend_l1d
	{0x4005, OF_CYCLES, 150}, // stall_backend_mem
	{0x8167, OF_CYCLES, 12},  // stall_backend_tlb
	{0x8168, OF_CYCLES, 8},   // stall_backend_st
	{0x816a, OF_CYCLES, 50},  // stall_backend_cpubound
	{0x816b, OF_CYCLES, 30},  // stall_backend_busy
	{0x816d, OF_CYCLES, 20},  // stall_backend_rename

	{0x1b, OF_INSTRUCTIONS, 1000}, // inst_spec
	{0x08, OF_INSTRUCTIONS, 940},  // inst_retired
	{0x3b, OF_INSTRUCTIONS, 1150}, // op_spec
	{0x3a, OF_INSTRUCTIONS, 1080}, // op_retired

	// Kinds of instructions; together 984. Branches are those that write the PC.
	{0x73, OF_INSTRUCTIONS, 400},  // dp_spec
	{0x70, OF_INSTRUCTIONS, 240},  // ld_spec
	{0x76, OF_INSTRUCTIONS, 115},  // pc_write_spec
	{0x71, OF_INSTRUCTIONS, 110},  // st_spec
	{0x74, OF_INSTRUCTIONS, 50},   // ase_spec
	{0x75, OF_INSTRUCTIONS, 40},   // vfp_spec
	{0x77, OF_INSTRUCTIONS, 5},    // crypto_spec
	{0x8006, OF_INSTRUCTIONS, 20}, // sve_inst_spec
	{0x7e, OF_INSTRUCTIONS, 2},    // dmb_spec
	{0x7c, OF_INSTRUCTIONS, 1},    // isb_spec
	{0x7d, OF_INSTRUCTIONS, 1},    // dsb_spec
	// Parts and sums of them.
	{0x72, OF_INSTRUCTIONS, 350},  // ldst_spec
	{0x78, OF_INSTRUCTIONS, 90},   // br_immed_spec
	{0x79, OF_INSTRUCTIONS, 15},   // br_return_spec
	{0x7a, OF_INSTRUCTIONS, 10},   // br_indirect_spec
	{0x8074, OF_INSTRUCTIONS, 16}, // sve_pred_spec
	{0x8075, OF_INSTRUCTIONS, 1},  // sve_pred_empty_spec
	{0x8076, OF_INSTRUCTIONS, 11}, // sve_pred_full_spec
	{0x8077, OF_INSTRUCTIONS, 4},  // sve_pred_partial_spec
	{0x8014, OF_INSTRUCTIONS, 2},  // fp_hp_spec
	{0x8018, OF_INSTRUCTIONS, 15}, // fp_sp_spec
	{0x801c, OF_INSTRUCTIONS, 20}, // fp_dp_spec
	{0x80c0, OF_INSTRUCTIONS, 30}, // fp_scale_ops_spec
	{0x80c1, OF_INSTRUCTIONS, 60}, // fp_fixed_ops_spec

	{0x12, OF_INSTRUCTIONS, 115},  // br_pred
	{0x10, OF_INSTRUCTIONS, 4},    // br_mis_pred
	{0x0c, OF_INSTRUCTIONS, 105},  // pc_write_retired
	{0x21, OF_INSTRUCTIONS, 105},  // br_retired
	{0x22, OF_INSTRUCTIONS, 3},    // br_mis_pred_retired
	{0x0d, OF_INSTRUCTIONS, 82},   // br_immed_retired
	{0x0e, OF_INSTRUCTIONS, 14},   // br_return_retired
	{0x811d, OF_INSTRUCTIONS, 23}, // br_ind_retired

	{0x13, OF_INSTRUCTIONS, 350}, // mem_access
	{0x66, OF_INSTRUCTIONS, 240}, // mem_access_rd
	{0x67, OF_INSTRUCTIONS, 110}, // mem_access_wr
	{0x14, OF_INSTRUCTIONS, 260}, // l1i_cache
	{0x01, OF_INSTRUCTIONS, 4},   // l1i_cache_refill
	{0x04, OF_INSTRUCTIONS, 340}, // l1d_cache
	{0x40, OF_INSTRUCTIONS, 235}, // l1d_cache_rd
	{0x41, OF_INSTRUCTIONS, 105}, // l1d_cache_wr
	{0x03, OF_INSTRUCTIONS, 17},  // l1d_cache_refill
	{0x42, OF_INSTRUCTIONS, 12},  // l1d_cache_refill_rd
	{0x43, OF_INSTRUCTIONS, 5},   // l1d_cache_refill_wr
	{0x15, OF_INSTRUCTIONS, 6},   // l1d_cache_wb
	{0x27, OF_INSTRUCTIONS, 4},   // l2i_cache
	{0x28, OF_INSTRUCTIONS, 1},   // l2i_cache_refill
	{0x16, OF_INSTRUCTIONS, 27},  // l2d_cache
	{0x17, OF_INSTRUCTIONS, 6},   // l2d_cache_refill
	{0x18, OF_INSTRUCTIONS, 3},   // l2d_cache_wb
	{0x2b, OF_INSTRUCTIONS, 6},   // l3d_cache
	{0x2a, OF_INSTRUCTIONS, 2},   // l3d_cache_refill
	{0x29, OF_INSTRUCTIONS, 2},   // l3d_cache_allocate
	{0x2c, OF_INSTRUCTIONS, 1},   // l3d_cache_wb
	{0x36, OF_INSTRUCTIONS, 5},   // ll_cache_rd
	{0x37, OF_INSTRUCTIONS, 2},   // ll_cache_miss_rd
	{0x19, OF_INSTRUCTIONS, 5},   // bus_access
	{0x60, OF_INSTRUCTIONS, 3},   // bus_access_rd
	{0x61, OF_INSTRUCTIONS, 2},   // bus_access_wr
	{0x25, OF_INSTRUCTIONS, 340}, // l1d_tlb
	{0x05, OF_INSTRUCTIONS, 3},   // l1d_tlb_refill
	{0x26, OF_INSTRUCTIONS, 260}, // l1i_tlb
	{0x02, OF_INSTRUCTIONS, 1},   // l1i_tlb_refill
	{0x2f, OF_INSTRUCTIONS, 4},   // l2d_tlb
	{0x2d, OF_INSTRUCTIONS, 2},   // l2d_tlb_refill
	{0x34, OF_INSTRUCTIONS, 2},   // dtlb_walk
	{0x35, OF_INSTRUCTIONS, 1},   // itlb_walk

	// Events of AmpereOne: flushes, what the stalls wait for, what the pipes take.
	{0x120, OF_INSTRUCTIONS, 4},     // gpc_flush
	{0xd20b, OF_CYCLES, 50},         // imp_stall_frontend_cache
	{0xd20c, OF_CYCLES, 20},         // imp_ampere_stall_frontend_tlb
	{0xd206, OF_CYCLES, 30},         // idr_stall_flush
	{0xd20d, OF_CYCLES, 170},        // stall_backend_cache
	{0xd20e, OF_CYCLES, 15},         // imp_ampere_stall_backend_tlb
	{0xd20f, OF_CYCLES, 50},         // stall_backend_resource
	{0xd201, OF_CYCLES, 12},         // idr_stall_lob_id
	{0xd202, OF_CYCLES, 3},          // idr_stall_sob_id
	{0xd203, OF_CYCLES, 8},          // idr_stall_ixu_sched
	{0xd204, OF_CYCLES, 2},          // idr_stall_fsu_sched
	{0xd205, OF_CYCLES, 25},         // idr_stall_rob_id
	{0xd300, OF_INSTRUCTIONS, 1050}, // ixu_num_uops_issued
	{0xd400, OF_INSTRUCTIONS, 95},   // fsu_issued

	{CHAIN, OF_CYCLES, 0},
	{MEMORY_ERROR, OF_CYCLES, 0},
};

// The part below a millisecond is multiplied apart, so that nothing overflows for years.
uint64_t load_count(uint64_t per_ms, uint64_t time_ns)
{
	return time_ns / NS_PER_MS * per_ms + time_ns % NS_PER_MS * per_ms / NS_PER_MS;
}

// The inverse: the first nanosecond at which load_count() has reached the count.
uint64_t load_time(uint64_t per_ms, uint64_t count)
{
	if (per_ms == 0 || count / per_ms >= UINT64_MAX / NS_PER_MS - 1)
		return UINT64_MAX;
	uint64_t rest = count % per_ms * NS_PER_MS;
	return count / per_ms * NS_PER_MS + (rest + per_ms - 1) / per_ms;
}

// The finalizer of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators"): neighbouring values give unrelated numbers, the same on every machine.
uint64_t load_hash(uint64_t value)
{
	value += UINT64_C(0x9e3779b97f4a7c15);
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

// So that kernel and user parts are whole numbers, and add up to both.
static uint64_t round_down(uint64_t per_ms)
{
	return per_ms - per_ms % KERNEL_SHARE;
}

static uint64_t with_all_levels(unsigned mhz, unsigned core, uint64_t event)
{
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		if (shares[i].event != event)
			continue;
		uint64_t base = (uint64_t)mhz * 1000;
		// Cores differ, so that a test sees when their numbers are mixed up.
		unsigned per_cent = 50 + 25 * (core % 8);
		if (shares[i].base != OF_CYCLES)
			base = base / 100 * per_cent;
		return round_down(base * shares[i].per_mille / 1000);
	}
	// An event that is not in the table: rare, and another number for each.
	return round_down(load_hash(event << 8 | core) % MAX_RARE_PER_MS);
}

uint64_t load_of_core(unsigned mhz, unsigned core, uint64_t event, uint64_t excluded)
{
	// The contract's number for the fixed counter, which is no event code.
	if (event == WPERF_CYCLE_EVENT)
		event = CPU_CYCLES;
	uint64_t per_ms = with_all_levels(mhz, core, event);
	uint64_t kernel = per_ms / KERNEL_SHARE;
	if (excluded == WPERF_FILTER_EXCLUDE_EL1)
		return per_ms - kernel;
	return excluded == WPERF_FILTER_EXCLUDE_EL0 ? kernel : per_ms;
}

uint64_t load_of_cluster(unsigned mhz, unsigned first_core, unsigned num_cores, uint64_t event)
{
	if (event == WPERF_CYCLE_EVENT || event == CPU_CYCLES)
		return DSU_CYCLES_PER_MS;
	uint64_t per_ms = 0;
	for (unsigned core = first_core; core < first_core + num_cores; core++)
		per_ms += with_all_levels(mhz, core, event);
	return per_ms;
}

uint64_t load_of_channel(unsigned channel, enum driver_dmc_kind kind, uint64_t event)
{
	uint64_t clock = kind == DRIVER_DMC_CLK ? DMC_CLK_PER_MS : DMC_CLK_PER_MS / 2;
	if (event == DMC_CYCLE_COUNT)
		return clock;
	return load_hash(event << 16 | channel << 8 | (unsigned)kind) % clock;
}
