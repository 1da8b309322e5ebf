// SPDX-License-Identifier: Apache-2.0

#include "process/system/core_topology.h"

struct error *core_topology_find(const char *root, const struct core_grouping *by, unsigned cpu,
				 struct core_place *ret)
{
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "cannot find the place of CPU %u: sums by topology need Linux", cpu),
		"leave out --per-core, --per-socket and the like: each CPU has a table");
}
