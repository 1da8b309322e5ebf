// SPDX-License-Identifier: Apache-2.0

#include "catalog/event.h"

#include <string.h>
#include <strings.h>

// The prefixes are WindowsPerf's: `/dsu/l3d_cache` is counted by the DSU. Events of the kernel have
// none: their names are those of perf, which may have slashes themselves (`cpu/cycles/`).

static const struct {
	const char *name;
	const char *prefix;
} event_classes[NUM_EVENT_CLASSES] = {
	[EVENT_CORE] = {"core", ""},
	[EVENT_DSU] = {"dsu", "/dsu/"},
	[EVENT_DMC_CLK] = {"dmc_clk", "/dmc_clk/"},
	[EVENT_DMC_CLKDIV2] = {"dmc_clkdiv2", "/dmc_clkdiv2/"},
	[EVENT_PERF] = {"perf", ""},
};

const char *event_class_name(enum event_class event_class)
{
	return event_classes[event_class].name;
}

const char *event_class_prefix(enum event_class event_class)
{
	return event_classes[event_class].prefix;
}

size_t event_class_split(const char *text, enum event_class *ret)
{
	for (enum event_class i = EVENT_DSU; event_class_is_pmu(i); i++) {
		size_t length = strlen(event_classes[i].prefix);
		if (strncasecmp(text, event_classes[i].prefix, length) == 0) {
			*ret = i;
			return length;
		}
	}
	*ret = EVENT_CORE;
	return 0;
}
