/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_CORE_TOPOLOGY_H
#define WPERF_PROCESS_SYSTEM_CORE_TOPOLOGY_H

/**
 * Which CPUs of a machine belong together: hardware threads of a core, cores of a die or socket, of
 * a NUMA node, or behind a cache.
 */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum core_grouping_kind {
	CORE_GROUPING_NONE,
	CORE_GROUPING_CORE,
	CORE_GROUPING_CACHE,
	CORE_GROUPING_DIE,
	CORE_GROUPING_SOCKET,
	CORE_GROUPING_NODE,
};

struct core_grouping {
	enum core_grouping_kind kind;
	uint32_t cache_level; /* of CORE_GROUPING_CACHE; 0: the last one */
};

/** Where a CPU is: CPUs of a group have the same place. What does not matter is 0. */
struct core_place {
	uint32_t socket, die, cache_level, id; /* the last one: of the core, cache or node */
};

/**
 * @root: the folder /sys/devices/system, or one like it.
 * The error names what the kernel does not tell. Linux only.
 */
struct error *core_topology_find(const char *root, const struct core_grouping *by, unsigned cpu,
				 struct core_place *ret);

/** In the order in which groups are shown: less than, equal to or greater than 0. */
int core_place_compare(const struct core_place *a, const struct core_place *b);

struct core_place_label {
	char text[64];
};

/** As perf has it: "S0-D0-C1", "S0-D0-L3-ID0", "S0-D0", "S0", "N0". */
struct core_place_label core_place_label(const struct core_grouping *by,
					 const struct core_place *place);

#endif
