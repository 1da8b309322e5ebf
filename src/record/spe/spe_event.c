// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_event.h"

#include "base/container/array.h"
#include "record/spe/spe_core.h"

#include <stddef.h>

// The bits of an events packet: those that the Arm Architecture Reference Manual defines ("Events
// packet"), and some that are implementation defined and known for one core, by its MIDR. Bits
// without a name are printed as numbers (IMPDEF), as perf does.

struct event {
	const char *name;
	const char *word; // of perf
};

// In the order of bits, which is perf's.
static const struct event events_of_all[] = {
	[SPE_EVENT_EXCEPTION] = {"exception", " EXCEPTION-GEN"},
	[SPE_EVENT_RETIRED] = {"retired", " RETIRED"},
	[SPE_EVENT_L1D_ACCESS] = {"l1d-access", " L1D-ACCESS"},
	[SPE_EVENT_L1D_REFILL] = {"l1d-refill", " L1D-REFILL"},
	[SPE_EVENT_TLB_ACCESS] = {"tlb-access", " TLB-ACCESS"},
	[SPE_EVENT_TLB_WALK] = {"tlb-walk", " TLB-REFILL"},
	[SPE_EVENT_NOT_TAKEN] = {"not-taken", " NOT-TAKEN"},
	[SPE_EVENT_MISPREDICTED] = {"mispredicted", " MISPRED"},
	[SPE_EVENT_LLC_ACCESS] = {"llc-access", " LLC-ACCESS"},
	[SPE_EVENT_LLC_MISS] = {"llc-miss", " LLC-REFILL"},
	[SPE_EVENT_REMOTE_ACCESS] = {"remote-access", " REMOTE-ACCESS"},
	[SPE_EVENT_MISALIGNED] = {"misaligned", " ALIGNMENT"},
	[SPE_EVENT_TRANSACTION] = {"transaction", " TXN"},
	[SPE_EVENT_PARTIAL_PREDICATE] = {"partial-predicate", " SVE-PARTIAL-PRED"},
	[SPE_EVENT_EMPTY_PREDICATE] = {"empty-predicate", " SVE-EMPTY-PRED"},
	[SPE_EVENT_L2D_ACCESS] = {"l2d-access", " L2D-ACCESS"},
	[SPE_EVENT_L2D_MISS] = {"l2d-miss", " L2D-MISS"},
	[SPE_EVENT_MODIFIED] = {"modified", " HITM"},
	[SPE_EVENT_RECENTLY_FETCHED] = {"recently-fetched", " LFB"},
	[SPE_EVENT_SNOOPED] = {"snooped", " SNOOPED"},
	[SPE_EVENT_STREAMING] = {"streaming-sve", " STREAMING-SVE"},
	[SPE_EVENT_SMCU] = {"smcu", " SMCU"},
};

// Bits that are a core's own.
static const struct {
	uint32_t core;
	unsigned bit;
	struct event event;
} events_of_cores[] = {
	{SPE_CORE_NEOVERSE_N1, 12, {"late-prefetch", " LATE-PREFETCH"}},
};

static const struct event *spe_event_find(unsigned bit, uint32_t midr)
{
	if (bit < ARRAY_SIZE(events_of_all) && events_of_all[bit].name)
		return &events_of_all[bit];
	for (size_t i = 0; i < ARRAY_SIZE(events_of_cores); i++)
		if (events_of_cores[i].bit == bit && spe_core_of(midr) == events_of_cores[i].core)
			return &events_of_cores[i].event;
	return NULL;
}

void spe_event_append(struct string_builder *text, uint64_t events, uint32_t midr)
{
	uint64_t unnamed = 0;
	// From the lowest bit on, which each round takes away.
	for (uint64_t left = events; left; left &= left - 1) {
		const struct event *event = spe_event_find((unsigned)__builtin_ctzll(left), midr);
		if (event)
			string_builder_append(text, event->word);
		else
			unnamed |= left & -left;
	}
	const char *before = " IMPDEF:";
	for (; unnamed; unnamed &= unnamed - 1) {
		string_builder_appendf(text, "%s%d", before, __builtin_ctzll(unnamed));
		before = ",";
	}
}
