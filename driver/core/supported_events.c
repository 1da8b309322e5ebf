// SPDX-License-Identifier: Apache-2.0

#include "driver/core/supported_events.h"

#include "driver/core/core.h"
#include "driver/core/uncore/dmc.h"
#include "driver/include/wperf_driver.h"

// PMCEID0_EL0 and PMCEID1_EL0 have a bit for each common event (Arm ARM, "PMCEID0_EL0"): the lower
// halves for 0 to 63, the upper ones for 0x4000 to 0x403f. A number is reported if all CPUs have
// its bit.

enum {
	BITS_PER_WORD = 32,
	MAX_EVENTS_OF_CORE = 4 * BITS_PER_WORD,
	MAX_EVENTS_OF_DSU = 2 * BITS_PER_WORD,
	NUM_CLASSES = WPERF_CLASS_DMC_CLKDIV2 + 1,
	MAX_EVENTS = MAX_EVENTS_OF_CORE + MAX_EVENTS_OF_DSU + DRIVER_DMC_CLK_EVENTS +
		     DRIVER_DMC_CLKDIV2_EVENTS,
	MAX_REPLY = NUM_CLASSES * (int)sizeof(struct wperf_event_header) +
		    MAX_EVENTS * (int)sizeof(uint16_t),
	FIRST_EXTENDED_EVENT = 0x4000, // common events that came with PMUv3p1
};

struct event_numbers {
	uint16_t items[MAX_EVENTS_OF_CORE];
	uint16_t num;
};

struct reply {
	uint8_t bytes[MAX_REPLY];
	size_t size;
};

static void supported_events_add_range(struct event_numbers *events, unsigned count)
{
	for (unsigned event = 0; event < count; event++)
		events->items[events->num++] = (uint16_t)event;
}

// Bit n of @bits stands for event @first + n.
static void add_set_bits(struct event_numbers *events, uint32_t bits, unsigned first)
{
	for (unsigned bit = 0; bit < BITS_PER_WORD; bit++) {
		if (bits >> bit & 1)
			events->items[events->num++] = (uint16_t)(first + bit);
	}
}

// Byte by byte: behind an odd number of events a header is not aligned.
static void add_class(struct reply *reply, enum wperf_event_class event_class,
		      const struct event_numbers *events)
{
	struct wperf_event_header header = {
		.event_class = (uint32_t)event_class,
		.num = events->num,
	};
	memcpy(reply->bytes + reply->size, &header, sizeof(header));
	reply->size += sizeof(header);
	size_t events_size = events->num * sizeof(events->items[0]);
	memcpy(reply->bytes + reply->size, events->items, events_size);
	reply->size += events_size;
}

static void add_core_events(struct reply *reply, const struct driver_core *core)
{
	uint64_t ceid0 = driver_core_common_bits(core, DRIVER_PMCEID0_EL0);
	uint64_t ceid1 = driver_core_common_bits(core, DRIVER_PMCEID1_EL0);
	struct event_numbers events = {.num = 0};
	add_set_bits(&events, (uint32_t)ceid0, 0);
	add_set_bits(&events, (uint32_t)ceid1, BITS_PER_WORD);
	add_set_bits(&events, (uint32_t)(ceid0 >> BITS_PER_WORD), FIRST_EXTENDED_EVENT);
	add_set_bits(&events, (uint32_t)(ceid1 >> BITS_PER_WORD),
		     FIRST_EXTENDED_EVENT + BITS_PER_WORD);
	add_class(reply, WPERF_CLASS_CORE, &events);
}

static void add_dsu_events(struct reply *reply, const struct driver_core *core)
{
	uint64_t ceid0 = driver_core_common_cluster_bits(core, DRIVER_CLUSTERPMCEID0_EL1);
	uint64_t ceid1 = driver_core_common_cluster_bits(core, DRIVER_CLUSTERPMCEID1_EL1);
	// CLUSTERPMCEID has no upper halves.
	struct event_numbers events = {.num = 0};
	add_set_bits(&events, (uint32_t)ceid0, 0);
	add_set_bits(&events, (uint32_t)ceid1, BITS_PER_WORD);
	add_class(reply, WPERF_CLASS_DSU, &events);
}

// No register says which events a memory controller has: all of its manual.
static void add_dmc_events(struct reply *reply)
{
	struct event_numbers clk = {.num = 0};
	supported_events_add_range(&clk, DRIVER_DMC_CLK_EVENTS);
	add_class(reply, WPERF_CLASS_DMC_CLK, &clk);
	struct event_numbers clkdiv2 = {.num = 0};
	supported_events_add_range(&clkdiv2, DRIVER_DMC_CLKDIV2_EVENTS);
	add_class(reply, WPERF_CLASS_DMC_CLKDIV2, &clkdiv2);
}

enum driver_status driver_supported_events_handle_query(struct driver_core *core,
							struct driver_call *call)
{
	struct reply reply = {.size = 0};
	add_core_events(&reply, core);
	if (core->config.dsu_clusters > 0)
		add_dsu_events(&reply, core);
	if (core->config.dmc_channels > 0)
		add_dmc_events(&reply);
	return driver_call_reply(call, reply.bytes, reply.size);
}
