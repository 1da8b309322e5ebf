// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/measure.h"

#include "driver/emulator/a64_class.h"

// Two tables: from event codes of the Arm ARM to measures, and from block measures to the classes
// of instructions that count for them (a64_class.c). Without speculation an executed instruction is
// a retired one, so that several events share a measure.

#define BIT(class) (UINT32_C(1) << (class))

// Conditional branches are immediate as well (a64_class.c), so two classes are all.
enum {
	ANY_BRANCH = 1 << A64_BRANCH_IMMED | 1 << A64_BRANCH_INDIRECT,
};

// An instruction counts if it is of one of these classes.
static const uint32_t classes_of[NUM_BLOCK_MEASURES] = {
	[MEASURE_INSTRUCTIONS] = 0, // all of them
	[MEASURE_LOADS] = BIT(A64_LOAD),
	[MEASURE_STORES] = BIT(A64_STORE),
	[MEASURE_LOADS_STORES] = BIT(A64_LOAD) | BIT(A64_STORE) | BIT(A64_PREFETCH),
	[MEASURE_DATA] = BIT(A64_DATA),
	[MEASURE_VFP] = BIT(A64_VFP),
	[MEASURE_ASE] = BIT(A64_ASE),
	[MEASURE_CRYPTO] = BIT(A64_CRYPTO),
	[MEASURE_SVE] = BIT(A64_SVE),
	[MEASURE_BRANCHES] = ANY_BRANCH,
	[MEASURE_BRANCHES_IMMED] = BIT(A64_BRANCH_IMMED),
	[MEASURE_BRANCHES_INDIRECT] = BIT(A64_BRANCH_INDIRECT),
	[MEASURE_BRANCHES_RETURN] = BIT(A64_BRANCH_RETURN),
	[MEASURE_LOADS_EXCLUSIVE] = BIT(A64_LOAD_EXCLUSIVE),
	[MEASURE_STORES_EXCLUSIVE] = BIT(A64_STORE_EXCLUSIVE),
	[MEASURE_LOADS_ACQUIRE] = BIT(A64_LOAD_ACQUIRE),
	[MEASURE_STORES_RELEASE] = BIT(A64_STORE_RELEASE),
	[MEASURE_ISB] = BIT(A64_ISB),
	[MEASURE_DSB] = BIT(A64_DSB),
	[MEASURE_DMB] = BIT(A64_DMB),
	[MEASURE_SYSTEM_CALLS] = BIT(A64_SVC),
};

#define MODEL(event) (enum measure)(FIRST_MODEL_MEASURE + MODEL_##event)

// By code.
const struct measured_event measured_events[] = {
	{0x0001, MODEL(L1I_CACHE_REFILL)},
	{0x0002, MODEL(L1I_TLB_REFILL)},
	{0x0003, MODEL(L1D_CACHE_REFILL)},
	{0x0004, MODEL(L1D_CACHE)},
	{0x0005, MODEL(L1D_TLB_REFILL)},
	{0x0006, MEASURE_LOADS},
	{0x0007, MEASURE_STORES},
	{0x0008, MEASURE_INSTRUCTIONS},
	{0x000c, MEASURE_TAKEN},
	{0x000d, MEASURE_BRANCHES_IMMED},
	{0x000e, MEASURE_BRANCHES_RETURN},
	{0x000f, MEASURE_UNALIGNED_ACCESSES},
	{0x0011, MEASURE_CYCLES},
	{0x0013, MEASURE_ACCESSES},
	{0x0014, MODEL(L1I_CACHE)},
	{0x0015, MODEL(L1D_CACHE_WB)},
	{0x0016, MODEL(L2D_CACHE)},
	{0x0017, MODEL(L2D_CACHE_REFILL)},
	{0x0018, MODEL(L2D_CACHE_WB)},
	{0x001b, MEASURE_INSTRUCTIONS},
	{0x0021, MEASURE_BRANCHES},
	{0x0025, MODEL(L1D_TLB_EVENT)},
	{0x0026, MODEL(L1I_TLB_EVENT)},
	{0x002d, MODEL(L2D_TLB_REFILL)},
	{0x002f, MODEL(L2D_TLB)},
	{0x0034, MODEL(DTLB_WALK)},
	{0x0035, MODEL(ITLB_WALK)},
	{0x0036, MODEL(LL_CACHE_RD)},
	{0x0037, MODEL(LL_CACHE_MISS_RD)},
	{0x0040, MODEL(L1D_CACHE_RD)},
	{0x0041, MODEL(L1D_CACHE_WR)},
	{0x0042, MODEL(L1D_CACHE_REFILL_RD)},
	{0x0043, MODEL(L1D_CACHE_REFILL_WR)},
	{0x0050, MODEL(L2D_CACHE_RD)},
	{0x0051, MODEL(L2D_CACHE_WR)},
	{0x0066, MEASURE_READS},
	{0x0067, MEASURE_WRITES},
	{0x0068, MEASURE_UNALIGNED_READS},
	{0x0069, MEASURE_UNALIGNED_WRITES},
	{0x006a, MEASURE_UNALIGNED_ACCESSES},
	{0x006c, MEASURE_LOADS_EXCLUSIVE},
	{0x006f, MEASURE_STORES_EXCLUSIVE},
	{0x0070, MEASURE_LOADS},
	{0x0071, MEASURE_STORES},
	{0x0072, MEASURE_LOADS_STORES},
	{0x0073, MEASURE_DATA},
	{0x0074, MEASURE_ASE},
	{0x0075, MEASURE_VFP},
	{0x0076, MEASURE_TAKEN},
	{0x0077, MEASURE_CRYPTO},
	{0x0078, MEASURE_BRANCHES_IMMED},
	{0x0079, MEASURE_BRANCHES_RETURN},
	{0x007a, MEASURE_BRANCHES_INDIRECT},
	{0x007c, MEASURE_ISB},
	{0x007d, MEASURE_DSB},
	{0x007e, MEASURE_DMB},
	{0x0082, MEASURE_SYSTEM_CALLS},
	{0x0090, MEASURE_LOADS_ACQUIRE},
	{0x0091, MEASURE_STORES_RELEASE},
	{0x8006, MEASURE_SVE},
	{0x8107, MEASURE_NOT_TAKEN},
	{0x8108, MEASURE_IMMED_TAKEN},
	{0x8109, MEASURE_NOT_TAKEN}, // no other branch of A64 can fall through
	{0x810a, MEASURE_BRANCHES_INDIRECT},
	{0x810e, MEASURE_BRANCHES_RETURN},
	{0x811d, MEASURE_BRANCHES_INDIRECT},
};
const size_t num_measured_events = sizeof(measured_events) / sizeof(measured_events[0]);

bool measure_of_event(uint64_t code, enum measure *ret)
{
	for (size_t i = 0; i < num_measured_events; i++) {
		if (measured_events[i].code != code)
			continue;
		*ret = measured_events[i].measure;
		return true;
	}
	return false;
}

bool measure_is_modelled(enum measure measure)
{
	return measure == MEASURE_CYCLES || measure_is_of_model(measure);
}

bool measure_has_classes(enum measure measure, uint32_t classes)
{
	return measure == MEASURE_INSTRUCTIONS || classes & classes_of[measure];
}
