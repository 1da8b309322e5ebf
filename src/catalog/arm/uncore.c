// SPDX-License-Identifier: Apache-2.0
// Events outside of the cores: the DynamIQ shared unit and the DMC-620 memory controller.

#include "base/container/array.h"
#include "catalog/catalog.h"

#define CLASS_dsu	   EVENT_DSU
#define CLASS_dmc_clk	   EVENT_DMC_CLK
#define CLASS_dmc_clkdiv2 EVENT_DMC_CLKDIV2
#define UNCORE_EVENT(unit, name, code, title, description)                                         \
	{#name, title, description, CLASS_##unit, code},

const struct event uncore_events[] = {
#include "catalog/arm/uncore_events.inc"
};

const size_t num_uncore_events = ARRAY_SIZE(uncore_events);
