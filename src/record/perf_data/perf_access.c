// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/perf_access.h"

#include "base/container/array.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"

// The bits of perf_mem_data_src (linux/perf_event.h). Older kernels say the level by the bits of
// `level`, newer ones by a number as well, which has more of them; where there are both, perf reads
// the bits first, and so does this unless the number comes with a distance. A line that another
// core's cache had modified ("HITM") is what perf c2c counts.

#define FIELD(name, shift, bits)                                  \
	static uint64_t take_##name(uint64_t source)              \
	{                                                         \
		return source >> (shift) & ((1U << (bits)) - 1U); \
	}

FIELD(operation, 0, 5)
FIELD(level, 5, 14)
FIELD(snoop, 19, 5)
FIELD(lock, 24, 2)
FIELD(tlb, 26, 7)
FIELD(number, 33, 4)
FIELD(remote, 37, 1)
FIELD(snoop_more, 38, 2)
FIELD(hops, 43, 3)

enum { LOAD = 2, STORE = 4 };

enum {
	LEVEL_MISS = 1 << 2,
	LEVEL_L1 = 1 << 3,
	LEVEL_FILL_BUFFER = 1 << 4,
	LEVEL_L2 = 1 << 5,
	LEVEL_L3 = 1 << 6,
	LEVEL_MEMORY = 1 << 7,
	LEVEL_REMOTE_MEMORY = 1 << 8 | 1 << 9, /* one hop, two hops */
	LEVEL_REMOTE_CACHE = 1 << 10 | 1 << 11,
	LEVEL_DEVICE = 1 << 12 | 1 << 13, /* I/O, not cached */
};

enum { SNOOP_MODIFIED = 1 << 4 };
enum { SNOOP_FORWARD = 1 << 0, SNOOP_PEER = 1 << 1 };
enum { IS_LOCKED = 2 };
enum { TLB_NOT_SAID = 1, TLB_HIT = 2, TLB_MISS = 4, TLB_WALKER = 1 << 5, TLB_SYSTEM = 1 << 6 };

// Numbers of levels.
enum {
	NUMBER_L1 = 1,
	NUMBER_L2 = 2,
	NUMBER_L3 = 3,
	NUMBER_L4 = 4,
	NUMBER_L2_BUFFER = 5,
	NUMBER_UNCACHED = 8,
	NUMBER_CXL = 9,
	NUMBER_IO = 10,
	NUMBER_ANY_CACHE = 11,
	NUMBER_FILL_BUFFER = 12,
	NUMBER_MEMORY = 13,
	NUMBER_PERSISTENT = 14,
};

// How far away: another core of the same node, another node of the same chip, or farther.
enum { HOPS_NOT_SAID, HOPS_CORE, HOPS_NODE };

// A snoop that only hit left the data to the level that is named.
static bool is_of_other_cache(uint64_t source)
{
	return take_snoop(source) & SNOOP_MODIFIED ||
	       take_snoop_more(source) & (SNOOP_FORWARD | SNOOP_PEER);
}

static enum perf_access_source other_cache(uint64_t source, bool is_remote)
{
	bool is_modified = take_snoop(source) & SNOOP_MODIFIED;
	if (is_remote)
		return is_modified ? PERF_ACCESS_REMOTE_MODIFIED : PERF_ACCESS_REMOTE_CACHE;
	return is_modified ? PERF_ACCESS_PEER_MODIFIED : PERF_ACCESS_PEER;
}

static enum perf_access_source source_by_bits(uint64_t source)
{
	static const struct {
		uint16_t level;
		uint8_t source;
	} rules[] = {
		{LEVEL_L1, PERF_ACCESS_L1},
		{LEVEL_FILL_BUFFER, PERF_ACCESS_FILL_BUFFER},
		{LEVEL_L2, PERF_ACCESS_L2},
		{LEVEL_L3, PERF_ACCESS_L3},
		{LEVEL_MEMORY, PERF_ACCESS_MEMORY},
		{LEVEL_REMOTE_MEMORY, PERF_ACCESS_REMOTE_MEMORY},
		{LEVEL_DEVICE, PERF_ACCESS_DEVICE},
	};
	uint64_t level = take_level(source);
	// What was missed is not where data came from; where that is said beside, a number has it.
	if (level & LEVEL_MISS)
		return PERF_ACCESS_NOT_KNOWN;
	if (level & LEVEL_REMOTE_CACHE)
		return other_cache(source, true);
	if (level & LEVEL_L3 && is_of_other_cache(source))
		return other_cache(source, take_remote(source));
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (level & rules[i].level)
			return (enum perf_access_source)rules[i].source;
	return PERF_ACCESS_NOT_KNOWN;
}

static enum perf_access_source source_by_number(uint64_t source)
{
	bool is_remote = take_remote(source) && take_hops(source) != HOPS_CORE &&
			 take_hops(source) != HOPS_NODE;
	switch (take_number(source)) {
	case NUMBER_L1:
		return PERF_ACCESS_L1;
	case NUMBER_FILL_BUFFER:
		return PERF_ACCESS_FILL_BUFFER;
	case NUMBER_L2:
	case NUMBER_L2_BUFFER:
	case NUMBER_L3:
	case NUMBER_ANY_CACHE:
		if (take_remote(source) || is_of_other_cache(source))
			return other_cache(source, is_remote);
		if (take_number(source) == NUMBER_ANY_CACHE)
			return PERF_ACCESS_NOT_KNOWN;
		return take_number(source) == NUMBER_L3 ? PERF_ACCESS_L3 : PERF_ACCESS_L2;
	case NUMBER_L4:
		return PERF_ACCESS_L4;
	case NUMBER_MEMORY:
		return is_remote ? PERF_ACCESS_REMOTE_MEMORY : PERF_ACCESS_MEMORY;
	case NUMBER_PERSISTENT:
		return PERF_ACCESS_PERSISTENT;
	case NUMBER_CXL:
		return PERF_ACCESS_CXL;
	case NUMBER_UNCACHED:
	case NUMBER_IO:
		return PERF_ACCESS_DEVICE;
	default:
		return PERF_ACCESS_NOT_KNOWN;
	}
}

// A miss without a level that is a bit is one of the cache that the number names: Intel says so of
// loads whose data came from somewhere behind the L3 ("ukn L3" of arch/x86/events/intel/ds.c).
static bool misses_number(uint64_t source)
{
	uint64_t level = take_level(source), number = take_number(source);
	return level & LEVEL_MISS && level < LEVEL_L1 && number >= NUMBER_L1 && number <= NUMBER_L4;
}

static enum perf_access_source source_of(uint64_t source)
{
	if (misses_number(source))
		return PERF_ACCESS_NOT_KNOWN;
	enum perf_access_source found =
		take_hops(source) == HOPS_NOT_SAID ? source_by_bits(source) : PERF_ACCESS_NOT_KNOWN;
	if (found == PERF_ACCESS_NOT_KNOWN)
		found = source_by_number(source);
	return found == PERF_ACCESS_NOT_KNOWN ? source_by_bits(source) : found;
}

static uint64_t event(enum spe_event number)
{
	return UINT64_C(1) << number;
}

static uint64_t tlb_events(uint64_t source)
{
	uint64_t tlb = take_tlb(source);
	if (!tlb || tlb & TLB_NOT_SAID)
		return 0;
	bool walks = tlb & (TLB_MISS | TLB_WALKER | TLB_SYSTEM);
	return event(SPE_EVENT_TLB_ACCESS) | (walks ? event(SPE_EVENT_TLB_WALK) : 0);
}

static uint64_t cache_events(uint64_t source, enum perf_access_source found)
{
	bool is_known = found != PERF_ACCESS_NOT_KNOWN;
	bool misses_l1 = (take_level(source) & LEVEL_MISS && take_level(source) & LEVEL_L1) ||
			 misses_number(source) || (is_known && found != PERF_ACCESS_L1);
	bool misses_last = misses_number(source) && take_number(source) >= NUMBER_L3;
	if (found == PERF_ACCESS_DEVICE || (!is_known && !misses_l1))
		return 0;
	bool is_remote = found == PERF_ACCESS_REMOTE_CACHE ||
			 found == PERF_ACCESS_REMOTE_MODIFIED || found == PERF_ACCESS_REMOTE_MEMORY;
	bool is_modified =
		found == PERF_ACCESS_PEER_MODIFIED || found == PERF_ACCESS_REMOTE_MODIFIED;
	bool is_memory = found == PERF_ACCESS_MEMORY || found == PERF_ACCESS_PERSISTENT ||
			 found == PERF_ACCESS_CXL || found == PERF_ACCESS_REMOTE_MEMORY;
	bool asks_last =
		is_memory || misses_last || found == PERF_ACCESS_L3 || found == PERF_ACCESS_L4;
	return event(SPE_EVENT_L1D_ACCESS) | (misses_l1 ? event(SPE_EVENT_L1D_REFILL) : 0) |
	       (is_remote ? event(SPE_EVENT_REMOTE_ACCESS) : 0) |
	       (is_modified ? event(SPE_EVENT_MODIFIED) : 0) |
	       (asks_last ? event(SPE_EVENT_LLC_ACCESS) : 0) |
	       (is_memory || misses_last ? event(SPE_EVENT_LLC_MISS) : 0);
}

static void set_value(struct spe_record *record, unsigned number, uint64_t value)
{
	record->has |= spe_record_bit(number);
	record->values[number] = value;
}

bool perf_access_operation(const struct record_sample *sample, struct spe_record *ret)
{
	// Payloads of an operation on memory (spe_operation.c): of no kind that Arm has, or atomic.
	enum { IS_STORE = 1, ATOMIC = 4 | 2, OF_NO_KIND = 0x80 };
	uint64_t source = sample->data_source, operation = take_operation(source);
	if (!(operation & (LOAD | STORE)))
		return false;
	enum perf_access_source found = source_of(source);
	unsigned payload = take_lock(source) & IS_LOCKED ? ATOMIC : OF_NO_KIND;
	payload |= operation & STORE ? IS_STORE : 0;
	*ret = (struct spe_record){0};
	set_value(ret, SPE_VALUE_OPERATION,
		  payload << SPE_RECORD_OPERATION_SHIFT | SPE_CLASS_LOAD_STORE);
	set_value(ret, SPE_VALUE_ADDRESS + SPE_ADDRESS_PC, sample->ip);
	set_value(ret, SPE_VALUE_EVENTS, tlb_events(source) | cache_events(source, found));
	if (sample->address)
		set_value(ret, SPE_VALUE_ADDRESS + SPE_ADDRESS_VIRTUAL, sample->address);
	if (sample->physical_address)
		set_value(ret, SPE_VALUE_ADDRESS + SPE_ADDRESS_PHYSICAL, sample->physical_address);
	if (sample->latency)
		set_value(ret, SPE_VALUE_COUNTER + SPE_COUNTER_TOTAL, sample->latency);
	// Of stores, processors say only whether the first cache had the line.
	if (operation & LOAD && found != PERF_ACCESS_NOT_KNOWN)
		set_value(ret, SPE_VALUE_DATA_SOURCE, found);
	return true;
}

// The flags of perf_branch_entry.
enum { MISPREDICTED = 1 << 0, PREDICTED = 1 << 1, BRANCH_TYPE_SHIFT = 20, BRANCH_TYPE_MASK = 15 };

// Payloads of a branch (spe_operation.c), by its type: PERF_BR_* of linux/perf_event.h.
static const uint8_t branch_payloads[BRANCH_TYPE_MASK + 1] = {
	[1] = 1,             // conditional
	[2] = 0,             // not conditional
	[3] = 2,             // indirect
	[4] = 0x08,          // call
	[5] = 0x08 | 2,      // indirect call
	[6] = 0x10 | 2,      // return
	[9] = 1 | 0x08,      // conditional call
	[10] = 1 | 2 | 0x10, // conditional return
};

bool perf_branch_operation(const struct record_branch *branch, struct spe_record *ret)
{
	if (!(branch->flags & (MISPREDICTED | PREDICTED)))
		return false;
	bool is_wrong = branch->flags & MISPREDICTED;
	uint64_t payload = branch_payloads[branch->flags >> BRANCH_TYPE_SHIFT & BRANCH_TYPE_MASK];
	*ret = (struct spe_record){0};
	set_value(ret, SPE_VALUE_OPERATION,
		  payload << SPE_RECORD_OPERATION_SHIFT | SPE_CLASS_BRANCH);
	set_value(ret, SPE_VALUE_ADDRESS + SPE_ADDRESS_PC, branch->from);
	set_value(ret, SPE_VALUE_ADDRESS + SPE_ADDRESS_BRANCH_TARGET, branch->to);
	set_value(ret, SPE_VALUE_EVENTS, is_wrong ? event(SPE_EVENT_MISPREDICTED) : 0);
	return true;
}
